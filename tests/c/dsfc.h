/*
 * Contact problems in files (.dsfc): read, and turned into problems of the C interface.
 *
 *     char[4] "DSFC"; u32 version, flags, dim, nc, nblk, nbodies, 0
 *     f64 mu[nc]; (dim 5: f64 mu_r[nc]); f64 q[dim*nc]
 *     i32 rowptr[nc+1]; i32 col[nblk]; (one i32 of padding if nc+1+nblk is odd)
 *     f64 blk[nblk][dim][dim]
 *     flags&1: f64 r_ref[dim*nc], u_ref[dim*nc]
 *     flags&2: f64 mass[nb], inertia[nb][3], rot[nb][3][3], v_free[nb][6]; i32 ca[nc], cb[nc];
 *              f64 frame[nc][3][3] (rows n, t1, t2), ra[nc][3], rb[nc][3], w[nc][3]
 *
 * Little-endian, as the machines that run these tests. In the files n points from b to a and impulses act on a.
 */
#ifndef DRYSTONE_TESTS_DSFC_H
#define DRYSTONE_TESTS_DSFC_H
#include "check.h"

typedef struct dsfc {
    uint32_t dimension, contacts, blocks, bodies; /* bodies 0: given by its Delassus operator alone */
    double *friction, *rolling, *q;
    uint32_t *offsets, *columns;
    double *block;
    double *mass, *inertia, *rotation, *free_velocity;
    int32_t *body_a, *body_b;
    double *frame, *arm_a, *arm_b, *offset;
} dsfc;

static inline void dsfc_fetch(void *into, size_t size, size_t count, FILE *file)
{
    if (fread(into, size, count, file) != count) {
        printf("FAIL the file ends too early\n");
        exit(EXIT_FAILURE);
    }
}

static inline double *dsfc_numbers(size_t count, FILE *file)
{
    double *numbers = allocate(count, sizeof(double));
    dsfc_fetch(numbers, sizeof(double), count, file);
    return numbers;
}

static inline uint32_t *dsfc_indices(size_t count, FILE *file)
{
    uint32_t *indices = allocate(count, sizeof(uint32_t));
    dsfc_fetch(indices, sizeof(uint32_t), count, file);
    return indices;
}

static inline dsfc dsfc_read(const char *folder, const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s.dsfc", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        printf("FAIL cannot open %s\n", path);
        exit(EXIT_FAILURE);
    }
    char magic[4];
    uint32_t head[7];
    dsfc_fetch(magic, 1, 4, file);
    dsfc_fetch(head, sizeof(uint32_t), 7, file);
    uint32_t flags = head[1], dim = head[2], nc = head[3], blocks = head[4], bodies = head[5];
    dsfc p = {.dimension = dim, .contacts = nc, .blocks = blocks, .bodies = (flags & 2) ? bodies : 0};
    p.friction = dsfc_numbers(nc, file);
    p.rolling = dim == 5 ? dsfc_numbers(nc, file) : NULL;
    p.q = dsfc_numbers((size_t)dim * nc, file);
    p.offsets = dsfc_indices((size_t)nc + 1, file);
    p.columns = dsfc_indices(blocks, file);
    if ((nc + 1 + blocks) % 2 == 1)
        free(dsfc_indices(1, file));
    p.block = dsfc_numbers((size_t)blocks * dim * dim, file);
    if (flags & 1)
        free(dsfc_numbers((size_t)2 * dim * nc, file));
    if (flags & 2) {
        p.mass = dsfc_numbers(bodies, file);
        p.inertia = dsfc_numbers((size_t)3 * bodies, file);
        p.rotation = dsfc_numbers((size_t)9 * bodies, file);
        p.free_velocity = dsfc_numbers((size_t)6 * bodies, file);
        p.body_a = (int32_t *)dsfc_indices(nc, file);
        p.body_b = (int32_t *)dsfc_indices(nc, file);
        p.frame = dsfc_numbers((size_t)9 * nc, file);
        p.arm_a = dsfc_numbers((size_t)3 * nc, file);
        p.arm_b = dsfc_numbers((size_t)3 * nc, file);
        p.offset = dsfc_numbers((size_t)3 * nc, file);
    }
    (void)fclose(file);
    return p;
}

static inline void dsfc_free(dsfc *p)
{
    void *all[] = {p->friction, p->rolling, p->q, p->offsets, p->columns, p->block, p->mass, p->inertia, p->rotation,
                   p->free_velocity, p->body_a, p->body_b, p->frame, p->arm_a, p->arm_b, p->offset};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
        free(all[k]);
}

static inline dry_local_problem dsfc_local(const dsfc *p)
{
    return (dry_local_problem){.struct_size = sizeof(dry_local_problem), .contact_count = p->contacts,
                               .dimension = p->dimension, .row_offsets = p->offsets, .columns = p->columns,
                               .blocks = p->block, .q = p->q, .friction = p->friction, .rolling = p->rolling};
}

/* The projection of (x_n, x_t, x_r) on |x_t| <= mu x_n, |x_r| <= mu_r x_n, by bisection on the normal part. */
static inline void dsfc_project(double *x, uint32_t dim, double mu, double mu_r)
{
    double t = hypot(x[1], x[2]), r = dim == 5 ? hypot(x[3], x[4]) : 0;
    double low = fmin(x[0], 0), high = fmax(x[0], 0) + mu * t + mu_r * r, n = x[0];
    if (x[0] + mu * t + mu_r * r <= 0) {
        memset(x, 0, dim * sizeof *x);
        return;
    }
    /* the root of n - x_n - mu (t - mu n)+ - mu_r (r - mu_r n)+: exact on the piece where it lies */
    for (int k = 0; k < 200; ++k) {
        n = 0.5 * (low + high);
        if (n - x[0] - mu * fmax(t - mu * n, 0) - mu_r * fmax(r - mu_r * n, 0) > 0)
            high = n;
        else
            low = n;
    }
    int slides = t > mu * n, rolls = r > mu_r * n;
    n = (x[0] + (slides ? mu * t : 0) + (rolls ? mu_r * r : 0)) / (1 + (slides ? mu * mu : 0) + (rolls ? mu_r * mu_r : 0));
    n = fmax(n, 0);
    x[0] = n;
    for (int k = 1; k < 3 && slides; ++k)
        x[k] *= mu * n / t;
    for (int k = 3; k < (int)dim && rolls; ++k)
        x[k] *= mu_r * n / r;
}

/* The error of the literature (fc3d_compute_error of Siconos): || r - P_K(r - u - (mu |u_t| + mu_r |u_r|, 0, 0)) ||
   over the largest of ||q||, ||r||, ||u||. */
static inline double dsfc_error(const dsfc *p, const double *r)
{
    uint32_t dim = p->dimension;
    double error = 0, sum_q = 0, sum_r = 0, sum_u = 0;
    for (uint32_t i = 0; i < p->contacts; ++i) {
        double u[5] = {0}, z[5] = {0};
        for (uint32_t a = 0; a < dim; ++a)
            u[a] = p->q[dim * i + a];
        for (uint32_t k = p->offsets[i]; k < p->offsets[i + 1]; ++k)
            for (uint32_t a = 0; a < dim; ++a)
                for (uint32_t b = 0; b < dim; ++b)
                    u[a] += p->block[(size_t)dim * dim * k + dim * a + b] * r[dim * p->columns[k] + b];
        double mu = p->friction[i], mu_r = dim == 5 ? p->rolling[i] : 0;
        for (uint32_t a = 0; a < dim; ++a)
            z[a] = r[dim * i + a] - u[a];
        z[0] -= mu * hypot(u[1], u[2]) + (dim == 5 ? mu_r * hypot(u[3], u[4]) : 0);
        dsfc_project(z, dim, mu, mu_r);
        for (uint32_t a = 0; a < dim; ++a) {
            double one = r[dim * i + a], q = p->q[dim * i + a];
            error += (one - z[a]) * (one - z[a]);
            sum_r += one * one;
            sum_u += u[a] * u[a];
            sum_q += q * q;
        }
    }
    return sqrt(error) / sqrt(fmax(sum_q, fmax(sum_r, sum_u)));
}

/* ---- files with bodies --------------------------------------------------------------------- */

/* The problem with its bodies and contacts, which the caller frees. Bodies a and b change places: our normals point from
   a to b. */
static inline dry_problem dsfc_problem(const dsfc *p, dry_problem_body **bodies, dry_problem_contact **contacts)
{
    *bodies = allocate(p->bodies, sizeof **bodies);
    *contacts = allocate(p->contacts, sizeof **contacts);
    for (size_t b = 0; b < p->bodies; ++b) {
        dry_problem_body *body = &(*bodies)[b];
        const double *turn = &p->rotation[9 * b], *inertia = &p->inertia[3 * b], *v = &p->free_velocity[6 * b];
        static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
        body->inverse_mass = 1 / p->mass[b];
        for (int k = 0; k < 6; ++k)
            for (int axis = 0; axis < 3; ++axis)
                body->inverse_inertia[k] += turn[3 * row[k] + axis] * turn[3 * column[k] + axis] / inertia[axis];
        memcpy(body->velocity, v, sizeof body->velocity);
        memcpy(body->angular_velocity, v + 3, sizeof body->angular_velocity);
    }
    for (size_t i = 0; i < p->contacts; ++i) {
        dry_problem_contact *contact = &(*contacts)[i];
        const double *frame = &p->frame[9 * i], *w = &p->offset[3 * i];
        contact->key = i + 1;
        contact->body_a = (uint32_t)p->body_b[i];
        contact->body_b = (uint32_t)p->body_a[i];
        memcpy(contact->normal, frame, sizeof contact->normal);
        memcpy(contact->arm_a, &p->arm_b[3 * i], sizeof contact->arm_a);
        memcpy(contact->arm_b, &p->arm_a[3 * i], sizeof contact->arm_b);
        contact->normal_bias = w[0];
        for (int axis = 0; axis < 3; ++axis)
            contact->surface_velocity[axis] = -(w[1] * frame[3 + axis] + w[2] * frame[6 + axis]);
        contact->friction = p->friction[i];
    }
    return (dry_problem){.struct_size = sizeof(dry_problem), .step = 1, .bodies = *bodies, .body_count = p->bodies,
                         .contacts = *contacts, .contact_count = p->contacts};
}

/* Impulses in the frames of the file. */
static inline void dsfc_impulses(const dsfc *p, const dry_contact_solution *solution, double *r)
{
    for (size_t i = 0; i < p->contacts; ++i)
        for (size_t k = 0; k < 3; ++k)
            r[3 * i + k] = dot(vec(&p->frame[9 * i + 3 * k]), vec(solution[i].impulse));
}
#endif
