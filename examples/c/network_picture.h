/*
 * Force networks of one pile as an SVG file, a column each: the chains of a diagonal cut, the pressure on the base, the
 * histogram. All columns have the same scales. Plain C, no library.
 */
#ifndef NETWORK_PICTURE_H
#define NETWORK_PICTURE_H

#include "force_network.h"

typedef struct picture {
    char title[160];
    const char *caption[4];            /* lines; NULL after the last */
    const pile *pyramid;               /* its states read */
    const dry_contact *contacts;       /* of all networks */
    const force_network *const *networks;
    size_t network_count;              /* 1 to 4 */
} picture;

/* Where a panel's metres go on the page: x to the right, y upwards from the bottom edge. */
typedef struct picture_panel {
    double left, bottom, width;        /* [px] */
    double x_low, y_low;               /* what lies at the left bottom corner [m] */
    double scale;                      /* [px/m] */
} picture_panel;

enum { PICTURE_WIDTH = 1000, PICTURE_LEFT = 58, PICTURE_RIGHT = 22, PICTURE_GAP = 44, PICTURE_BINS = 30 };

/* The colour map viridis, from pale (no force) to dark (the largest): equal steps in force look equal. */
enum { PICTURE_STOPS = 9 };
static const unsigned char picture_stops[PICTURE_STOPS][3] = {
    {253, 231, 37}, {170, 220, 50}, {92, 200, 99}, {39, 173, 129}, {33, 144, 141},
    {44, 113, 142}, {59, 81, 139},  {71, 44, 122}, {68, 1, 84}};

/* `share` of the largest force, as a colour number 0xrrggbb. */
static inline unsigned picture_colour(double share)
{
    const int last = PICTURE_STOPS - 1;
    const double place = fmin(fmax(share, 0.0), 1.0) * last;
    const int stop = place < last ? (int)place : last - 1;
    const double part = place - stop;
    unsigned colour = 0;
    for (int i = 0; i < 3; ++i) {
        const double value = (1.0 - part) * picture_stops[stop][i] + part * picture_stops[stop + 1][i];
        colour = 256 * colour + (unsigned)(value + 0.5);
    }
    return colour;
}

static inline double picture_x(const picture_panel *panel, double x)
{
    return panel->left + panel->scale * (x - panel->x_low);
}

static inline double picture_y(const picture_panel *panel, double y)
{
    return panel->bottom - panel->scale * (y - panel->y_low);
}

static inline void picture_text(FILE *file, double x, double y, const char *style, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, style, text);
}

/* A round step (1, 2 or 5 times a power of ten) that divides a range into about five parts. */
static inline double picture_tick(double range)
{
    const double power = pow(10.0, floor(log10(range / 5.0)));
    const double rest = range / 5.0 / power;
    return power * (rest < 1.5 ? 1.0 : rest < 3.5 ? 2.0 : rest < 7.5 ? 5.0 : 10.0);
}

/* Centred on the page: a colour bar from zero to `largest` newtons, numbered in millinewtons. */
static inline void picture_colour_bar(FILE *file, double top, const char *label, double largest)
{
    const double width = 300.0, height = 10.0, left = 0.5 * (PICTURE_WIDTH + PICTURE_LEFT - PICTURE_RIGHT - width);
    const double millinewtons = 1e3 * largest, step = picture_tick(millinewtons);
    fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"url(#force)\"/>\n", left, top, width,
            height);
    for (int i = 0; i * step <= millinewtons * (1.0 + 1e-9); ++i) {
        char number[32];
        const double x = left + width * i * step / millinewtons;
        snprintf(number, sizeof number, "%g", i * step);
        fprintf(file, "<path d=\"M%.1f %.1fv4\" stroke=\"#555\"/>\n", x, top + height);
        picture_text(file, x, top + height + 17.0, "tick", number);
    }
    picture_text(file, left + 0.5 * width, top + height + 34.0, "label", label);
}

/* At the left edge of a row's first panel: the axes as two short arrows, and how long ten millimetres are. */
static inline void picture_frame(FILE *file, const picture_panel *panel, const char *right, const char *up)
{
    const double x = panel->left - 34.0, y = panel->bottom - 4.0, length = 0.01 * panel->scale;
    const double bar = panel->left + panel->width - length;
    fprintf(file, "<path d=\"M%.1f %.1fv-22l-3 6m3 -6l3 6m-3 16h22l-6 -3m6 3l-6 3\" class=\"axis\"/>\n", x, y);
    picture_text(file, x + 4.0, y + 15.0, "name", right);
    picture_text(file, x - 3.0, y - 28.0, "name", up);
    fprintf(file, "<path d=\"M%.1f %.1fv6m0 -3h%.1fm0 -3v6\" class=\"axis\"/>\n", bar, panel->bottom + 7.0, length);
    picture_text(file, bar - 24.0, panel->bottom + 14.0, "tick", "10 mm");
}

/* Whether a point lies in the cut along a diagonal of the base, where spheres meet in the plane; and where along it. */
static inline bool picture_in_cut(const double position[3], double *along)
{
    *along = (position[0] + position[1]) / sqrt(2.0);
    return fabs(position[0] - position[1]) < 0.5 * radius;
}

/* The spheres of the cut, to be used by every column: drawn once, at x = y = 0. */
static inline void picture_define_cut(FILE *file, const pile *pyramid, double scale)
{
    double along;
    fprintf(file, "<defs><g id=\"cut\" fill=\"#f4f4f2\" stroke=\"#dcdcd8\" stroke-width=\"0.7\">\n");
    for (size_t i = 0; i < pyramid->count; ++i) {
        const double *position = pyramid->states[i].position;
        if (picture_in_cut(position, &along)) {
            fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", scale * along, -scale * position[2],
                    scale * radius);
        }
    }
    fprintf(file, "</g></defs>\n");
}

static inline void picture_draw_chains(FILE *file, const picture *drawing, const force_network *network,
                                       const picture_panel *panel, double largest)
{
    const pile *pyramid = drawing->pyramid;
    fprintf(file, "<use href=\"#cut\" x=\"%.1f\" y=\"%.1f\"/>\n<g stroke-linecap=\"round\">\n", picture_x(panel, 0.0),
            picture_y(panel, 0.0));
    for (size_t i = 0; i < network->contact_count; ++i) {
        const double share = network->force[i] / largest;
        const double *a = pyramid->states[pile_index(pyramid, drawing->contacts[i].body_a)].position;
        const double *b = pyramid->states[pile_index(pyramid, drawing->contacts[i].body_b)].position;
        double along_a, along_b;
        if (share > 1e-3 && picture_in_cut(a, &along_a) && picture_in_cut(b, &along_b)) {
            fprintf(file, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#%06x\" stroke-width=\"%.1f\"/>\n",
                    picture_x(panel, along_a), picture_y(panel, a[2]), picture_x(panel, along_b), picture_y(panel, b[2]),
                    picture_colour(share), panel->scale * radius * (0.1 + 1.2 * share));
        }
    }
    fprintf(file, "</g>\n");
}

static inline void picture_draw_base(FILE *file, const pile *pyramid, const force_network *network,
                                     const picture_panel *panel, double largest)
{
    for (size_t i = 0; i < pyramid->base_count; ++i) {
        const double *position = pyramid->states[i].position;
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#%06x\"/>\n", picture_x(panel, position[0]),
                picture_y(panel, position[1]), 0.97 * panel->scale * radius, picture_colour(network->load[i] / largest));
    }
}

/* How many load bearing contacts have a force in each of equal intervals up to `largest`. */
static inline void picture_count(const force_network *network, double largest, size_t bins[PICTURE_BINS])
{
    memset(bins, 0, PICTURE_BINS * sizeof *bins);
    for (size_t i = 0; i < network->contact_count; ++i) {
        if (network->force[i] > 1e-6 * network->largest) {
            const size_t bin = (size_t)(network->force[i] / largest * PICTURE_BINS);
            ++bins[bin < PICTURE_BINS ? bin : PICTURE_BINS - 1];
        }
    }
}

/* One more than the number, for a logarithmic axis on which 0 has a place. */
static inline double picture_height(double count, double most, double height)
{
    return height * log10(1.0 + count) / log10(1.0 + most);
}

static inline void picture_draw_histogram(FILE *file, const size_t bins[PICTURE_BINS], const picture_panel *panel,
                                          double height, double most)
{
    const double width = panel->width / PICTURE_BINS;
    fprintf(file, "<path fill=\"#3b518b\" d=\"");
    for (size_t i = 0; i < PICTURE_BINS; ++i) {
        const double bar = picture_height((double)bins[i], most, height);
        if (bins[i] > 0) {
            fprintf(file, "M%.1f %.1fv%.1fh%.1fv%.1fz", panel->left + width * (double)i, panel->bottom, -bar, 0.9 * width,
                    bar);
        }
    }
    fprintf(file, "\"/>\n");
}

static inline void picture_histogram_axes(FILE *file, const picture_panel *panel, double height, double most,
                                          double largest, bool first)
{
    const double millinewtons = 1e3 * largest, step = picture_tick(millinewtons);
    char number[32];
    fprintf(file, "<path d=\"M%.1f %.1fv%.1fh%.1f\" class=\"axis\"/>\n", panel->left, panel->bottom - height, height,
            panel->width);
    for (int i = 0; i * step <= millinewtons * (1.0 + 1e-9); ++i) {
        const double x = panel->left + panel->width * i * step / millinewtons;
        snprintf(number, sizeof number, "%g", i * step);
        fprintf(file, "<path d=\"M%.1f %.1fv4\" class=\"axis\"/>\n", x, panel->bottom);
        picture_text(file, x, panel->bottom + 16.0, "tick", number);
    }
    for (double count = 1.0; count <= most; count *= 10.0) {
        const double y = panel->bottom - picture_height(count, most, height);
        fprintf(file, "<path d=\"M%.1f %.1fh-4\" class=\"axis\"/>\n", panel->left, y);
        snprintf(number, sizeof number, "%g", count);
        picture_text(file, panel->left - 21.0, y + 4.0, "tick", first ? number : "");
    }
    picture_text(file, panel->left + 0.5 * panel->width, panel->bottom + 33.0, "label", "normal force of a contact [mN]");
    if (first) {
        fprintf(file, "<text transform=\"translate(%.1f %.1f) rotate(-90)\" class=\"label\">contacts</text>\n",
                panel->left - 43.0, panel->bottom - 0.5 * height);
    }
}

static inline void picture_head(FILE *file, double height)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
            "<style>text{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;fill:#222}"
            ".title{font-size:19px;font-weight:bold}.column{font-size:15px;font-weight:bold}.panel{font-size:14px}"
            ".label{font-size:12px;text-anchor:middle}"
            ".tick{font-size:11px;text-anchor:middle;fill:#444}.name{font-size:12px;font-style:italic;fill:#444}"
            ".caption{font-size:12.5px;fill:#444}.axis{fill:none;stroke:#333;stroke-width:1.1}</style>\n"
            "<defs><linearGradient id=\"force\">",
            PICTURE_WIDTH, height, PICTURE_WIDTH, height);
    for (int i = 0; i < PICTURE_STOPS; ++i) {
        const double share = i / (PICTURE_STOPS - 1.0);
        fprintf(file, "<stop offset=\"%g\" stop-color=\"#%06x\"/>", share, picture_colour(share));
    }
    fprintf(file, "</linearGradient></defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
}

/* The largest values over all networks, so that their panels can be compared. */
typedef struct picture_scales {
    double force, load, count;
} picture_scales;

static inline picture_scales picture_find_scales(const picture *drawing)
{
    picture_scales most = {0.0, 0.0, 0.0};
    for (size_t n = 0; n < drawing->network_count; ++n) {
        most.force = fmax(most.force, drawing->networks[n]->largest);
    }
    for (size_t n = 0; n < drawing->network_count; ++n) {
        size_t bins[PICTURE_BINS];
        picture_count(drawing->networks[n], most.force, bins);
        for (size_t i = 0; i < PICTURE_BINS; ++i) {
            most.count = fmax(most.count, (double)bins[i]);
        }
        for (size_t i = 0; i < drawing->pyramid->base_count; ++i) {
            most.load = fmax(most.load, drawing->networks[n]->load[i]);
        }
    }
    return most;
}

/* Three rows of panels: tops and heights [px]. */
typedef struct picture_rows {
    double column, chains_top, chains, base_top, base, histogram_top, histogram, end;
} picture_rows;

static inline picture_rows picture_layout(const picture *drawing, const double cut[2])
{
    const double count = (double)drawing->network_count;
    const double room = PICTURE_WIDTH - PICTURE_LEFT - PICTURE_RIGHT - (count - 1.0) * PICTURE_GAP;
    picture_rows rows = {.column = room / count, .chains_top = 132.0, .histogram = 150.0};
    rows.chains = rows.column * cut[1] / cut[0];
    rows.base = fmin(rows.column, 300.0);
    rows.base_top = rows.chains_top + rows.chains + 112.0;
    rows.histogram_top = rows.base_top + rows.base + 112.0;
    rows.end = rows.histogram_top + rows.histogram + 66.0;
    return rows;
}

static inline void picture_draw_column(FILE *file, const picture *drawing, const picture_rows *rows, size_t column,
                                       const double cut[2], const picture_scales *most)
{
    const force_network *network = drawing->networks[column];
    const double left = PICTURE_LEFT + (double)column * (rows->column + PICTURE_GAP);
    const double edge = 2.0 * radius * (double)drawing->pyramid->side;
    const picture_panel chains = {left, rows->chains_top + rows->chains, rows->column, -0.5 * cut[0], -radius,
                                  rows->column / cut[0]};
    const picture_panel base = {left + 0.5 * (rows->column - rows->base), rows->base_top + rows->base, rows->base,
                                -0.5 * edge, -0.5 * edge, rows->base / edge};
    const picture_panel histogram = {left, rows->histogram_top + rows->histogram, rows->column, 0.0, 0.0, 1.0};
    size_t bins[PICTURE_BINS];

    picture_text(file, left, 66.0, "column", network->name);
    picture_text(file, left, 84.0, "caption", network->note);
    picture_draw_chains(file, drawing, network, &chains, most->force);
    picture_draw_base(file, drawing->pyramid, network, &base, most->load);
    picture_count(network, most->force, bins);
    picture_draw_histogram(file, bins, &histogram, rows->histogram, most->count);
    picture_histogram_axes(file, &histogram, rows->histogram, most->count, most->force, column == 0);
    if (column == 0) {
        picture_frame(file, &chains, "x = y", "z");
        picture_frame(file, &base, "x", "y");
    }
}

/* Writes the picture; false if the file cannot be written. */
static inline bool picture_write(const picture *drawing, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    const double last = (double)(drawing->pyramid->side - 1);
    const double cut[2] = {2.0 * radius * (sqrt(2.0) * last + 1.0), radius * (sqrt(2.0) * last + 2.0)}; /* width, height */
    const picture_rows rows = picture_layout(drawing, cut);
    const picture_scales most = picture_find_scales(drawing);
    double line = rows.end;

    picture_head(file, rows.end + 74.0);
    picture_define_cut(file, drawing->pyramid, rows.column / cut[0]);
    picture_text(file, PICTURE_LEFT, 34.0, "title", drawing->title);
    picture_text(file, PICTURE_LEFT, rows.chains_top - 14.0, "panel", "Force chains in the diagonal cut, seen from the side");
    picture_text(file, PICTURE_LEFT, rows.base_top - 14.0, "panel", "Vertical force on the spheres of the base, from above");
    picture_text(file, PICTURE_LEFT, rows.histogram_top - 14.0, "panel",
                 "Load bearing contacts of the whole pile by force (scale: log(1 + count))");
    picture_colour_bar(file, rows.chains_top + rows.chains + 22.0, "normal force of a contact [mN]", most.force);
    picture_colour_bar(file, rows.base_top + rows.base + 22.0, "vertical force on a base sphere [mN]", most.load);
    for (size_t column = 0; column < drawing->network_count; ++column) {
        picture_draw_column(file, drawing, &rows, column, cut, &most);
    }
    for (size_t i = 0; i < 4 && drawing->caption[i] != NULL; ++i, line += 18.0) {
        picture_text(file, PICTURE_LEFT, line, "caption", drawing->caption[i]);
    }
    fprintf(file, "</svg>\n");
    const bool written = ferror(file) == 0;
    return fclose(file) == 0 && written;
}

#endif
