/*
 * The picture of pyramid.c as an SVG file: on the left discs seen from above, coloured by force; on the right a
 * cut seen from the side, contacts drawn as lines between sphere centres. Plain C, no library.
 */
#ifndef PYRAMID_PICTURE_H
#define PYRAMID_PICTURE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct picture_disc {
    double x, y;                       /* [m] */
    double force;                      /* [N] */
} picture_disc;

typedef struct picture_chain {
    double x_a, y_a, x_b, y_b;         /* the two centres [m] */
    double force;                      /* [N] */
} picture_chain;

typedef struct picture {
    char title[160], caption[320];
    double radius;                     /* of every sphere [m] */
    picture_disc *base;                /* seen from above */
    picture_disc *spheres;             /* of the cut, seen from the side */
    picture_chain *chains;             /* of the cut */
    size_t base_count, sphere_count, chain_count;
} picture;

/* Where a panel's millimetres go on the page: x to the right, y upwards from the bottom edge. */
typedef struct picture_panel {
    double left, bottom, width;        /* [px] */
    double x_low, y_low;               /* what lies at the left bottom corner [m] */
    double scale;                      /* [px/m] */
} picture_panel;

enum { PICTURE_WIDTH = 900, PICTURE_MARGIN = 34, PICTURE_GAP = 56, PICTURE_TOP = 88 };

/* The colour map viridis, from pale (no force) to dark (the largest): equal steps in force look equal. */
enum { PICTURE_STOPS = 9 };
static const unsigned char picture_stops[PICTURE_STOPS][3] = {
    {253, 231, 37}, {170, 220, 50}, {92, 200, 99}, {39, 173, 129}, {33, 144, 141},
    {44, 113, 142}, {59, 81, 139},  {71, 44, 122}, {68, 1, 84}};

/* `share` of the largest force, as a colour number 0xrrggbb. */
static unsigned picture_colour(double share)
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

static double picture_x(const picture_panel *panel, double x)
{
    return panel->left + panel->scale * (x - panel->x_low);
}

static double picture_y(const picture_panel *panel, double y)
{
    return panel->bottom - panel->scale * (y - panel->y_low);
}

static void picture_text(FILE *file, double x, double y, const char *style, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, style, text);
}

/* A round step (1, 2 or 5 times a power of ten) that divides a range into about five parts. */
static double picture_tick(double range)
{
    const double power = pow(10.0, floor(log10(range / 5.0)));
    const double rest = range / 5.0 / power;
    return power * (rest < 1.5 ? 1.0 : rest < 3.5 ? 2.0 : rest < 7.5 ? 5.0 : 10.0);
}

/* A horizontal colour bar from zero to `largest` newtons, numbered in millinewtons. */
static void picture_colour_bar(FILE *file, const picture_panel *panel, const char *label, double largest)
{
    const double top = panel->bottom + 48.0, width = fmin(panel->width, 300.0), height = 10.0;
    const double left = panel->left + 0.5 * (panel->width - width);
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
    picture_text(file, left + 0.5 * width, top + height + 36.0, "label", label);
}

/* Below a panel's left corner: the axes as two short arrows, and how long ten millimetres are. */
static void picture_frame(FILE *file, const picture_panel *panel, const char *right, const char *up)
{
    const double x = panel->left - 12.0, y = panel->bottom + 14.0, length = 0.01 * panel->scale;
    const double bar = panel->left + panel->width - length;
    fprintf(file, "<path d=\"M%.1f %.1fv-22l-3 6m3 -6l3 6m-3 16h22l-6 -3m6 3l-6 3\" class=\"axis\"/>\n", x, y);
    picture_text(file, x + 27.0, y + 4.0, "name", right);
    picture_text(file, x - 3.0, y - 28.0, "name", up);
    fprintf(file, "<path d=\"M%.1f %.1fv6m0 -3h%.1fm0 -3v6\" class=\"axis\"/>\n", bar, y - 3.0, length);
    picture_text(file, bar - 24.0, y + 4.0, "tick", "10 mm");
}

static void picture_draw_base(FILE *file, const picture *drawing, const picture_panel *panel)
{
    double largest = 0.0;
    for (size_t i = 0; i < drawing->base_count; ++i) {
        largest = fmax(largest, drawing->base[i].force);
    }
    for (size_t i = 0; i < drawing->base_count; ++i) {
        const picture_disc *disc = &drawing->base[i];
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\" fill=\"#%06x\"/>\n", picture_x(panel, disc->x),
                picture_y(panel, disc->y), 0.97 * panel->scale * drawing->radius, picture_colour(disc->force / largest));
    }
    picture_colour_bar(file, panel, "vertical force on a base sphere [mN]", largest);
}

static int picture_weaker(const void *first, const void *second)
{
    const double a = ((const picture_chain *)first)->force, b = ((const picture_chain *)second)->force;
    return (a > b) - (a < b);
}

static void picture_draw_chains(FILE *file, const picture *drawing, const picture_panel *panel)
{
    const double radius = panel->scale * drawing->radius;
    fprintf(file, "<g fill=\"#f4f4f2\" stroke=\"#dcdcd8\" stroke-width=\"0.7\">\n");
    for (size_t i = 0; i < drawing->sphere_count; ++i) {
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\"/>\n", picture_x(panel, drawing->spheres[i].x),
                picture_y(panel, drawing->spheres[i].y), radius);
    }
    /* weak ones first, so that strong ones lie on top */
    qsort(drawing->chains, drawing->chain_count, sizeof *drawing->chains, picture_weaker);
    const double largest = drawing->chain_count > 0 ? drawing->chains[drawing->chain_count - 1].force : 0.0;
    fprintf(file, "</g>\n<g stroke-linecap=\"round\">\n");
    for (size_t i = 0; i < drawing->chain_count && largest > 0.0; ++i) {
        const picture_chain *chain = &drawing->chains[i];
        const double share = chain->force / largest;
        if (share > 1e-3) {
            fprintf(file, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#%06x\" stroke-width=\"%.2f\"/>\n",
                    picture_x(panel, chain->x_a), picture_y(panel, chain->y_a), picture_x(panel, chain->x_b),
                    picture_y(panel, chain->y_b), picture_colour(share), radius * (0.08 + 0.8 * share));
        }
    }
    fprintf(file, "</g>\n");
    picture_colour_bar(file, panel, "normal force of a contact [mN]", largest);
}

/* The extent of discs, their radius included: x low, y low, width, height [m]. */
static void picture_extent(const picture_disc *discs, size_t count, double radius, double extent[4])
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; ++i) {
        low[0] = fmin(low[0], discs[i].x - radius);
        low[1] = fmin(low[1], discs[i].y - radius);
        high[0] = fmax(high[0], discs[i].x + radius);
        high[1] = fmax(high[1], discs[i].y + radius);
    }
    extent[0] = low[0];
    extent[1] = low[1];
    extent[2] = high[0] - low[0];
    extent[3] = high[1] - low[1];
}

static void picture_head(FILE *file, double height)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
            "<style>text{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;fill:#222}"
            ".title{font-size:19px;font-weight:bold}.panel{font-size:14px}.label{font-size:12px;text-anchor:middle}"
            ".tick{font-size:11px;text-anchor:middle;fill:#444}.name{font-size:12px;font-style:italic;fill:#444}"
            ".caption{font-size:12px;fill:#444}.axis{fill:none;stroke:#333;stroke-width:1.1}</style>\n"
            "<defs><linearGradient id=\"force\">",
            PICTURE_WIDTH, height, PICTURE_WIDTH, height);
    for (int i = 0; i < PICTURE_STOPS; ++i) {
        const double share = i / (PICTURE_STOPS - 1.0);
        fprintf(file, "<stop offset=\"%g\" stop-color=\"#%06x\"/>", share, picture_colour(share));
    }
    fprintf(file, "</linearGradient></defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
}

/* Writes the picture; false if the file cannot be written. Reorders the chains. */
static bool picture_write(const picture *drawing, const char *path)
{
    double above[4], side[4];
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    /* both panels of one height, side by side */
    picture_extent(drawing->base, drawing->base_count, drawing->radius, above);
    picture_extent(drawing->spheres, drawing->sphere_count, drawing->radius, side);
    const double room = PICTURE_WIDTH - 2 * PICTURE_MARGIN - PICTURE_GAP;
    const double height = room / (above[2] / above[3] + side[2] / side[3]);
    const double bottom = PICTURE_TOP + height, scale_above = height / above[3], scale_side = height / side[3];
    const picture_panel left = {PICTURE_MARGIN, bottom, scale_above * above[2], above[0], above[1], scale_above};
    const picture_panel right = {PICTURE_MARGIN + PICTURE_GAP + left.width, bottom, scale_side * side[2], side[0], side[1],
                                 scale_side};

    picture_head(file, bottom + 144.0);
    picture_text(file, PICTURE_MARGIN, 36.0, "title", drawing->title);
    picture_text(file, left.left, PICTURE_TOP - 16.0, "panel", "Pressure on the base, seen from above");
    picture_text(file, right.left, PICTURE_TOP - 16.0, "panel", "Force chains, seen from the side (diagonal cut)");
    picture_draw_base(file, drawing, &left);
    picture_draw_chains(file, drawing, &right);
    picture_frame(file, &left, "x", "y");
    picture_frame(file, &right, "x = y", "z");
    picture_text(file, PICTURE_MARGIN, bottom + 124.0, "caption", drawing->caption);
    fprintf(file, "</svg>\n");
    const bool written = ferror(file) == 0;
    return fclose(file) == 0 && written;
}

#endif
