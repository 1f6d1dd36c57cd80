// A libcuda.so.1 whose GPU is the host: memory is malloc's, each stream is a thread that does its work in order, streams wait for each
// other by events alone, and a "cubin" is a shared object whose functions take as many machine words as a launch gives. So the runtime's
// calls into the driver are made for real, with their types, on a machine without one, and work that waits (for a rank of NCCL) holds up
// its stream and nothing else. A captured graph has a thread for each stream that took part, and keeps the order between them. Work is
// counted, and the counts are written to $FAKE_CUDA_LOG at the end.
//
// FAKE_CUDA_INIT: what cuInit returns. FAKE_CUDA_VERSION: 13000 if not set. FAKE_CUDA_CAPABILITY: 90 if not set.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef uint64_t u64;
typedef unsigned u32;
enum { INVALID = 1, OUT_OF_MEMORY = 2, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, NOT_FOUND = 500, INVALID_PTX = 218, LAUNCH_FAILED = 719, NOT_READY = 600, IN_CAPTURE = 900 };

static struct { long launches, copies, fills, uploads, downloads, graphs, waits, captured, allocated, clusters, maps; } counts;
#define COUNT(what, n) __sync_fetch_and_add(&counts.what, (long)(n))
static int number(const char *name, int otherwise) { const char *s = getenv(name); return s ? atoi(s) : otherwise; }

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("FAKE_CUDA_LOG");
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f) return;
    fprintf(f, "launches %ld copies %ld fills %ld uploads %ld downloads %ld graphs %ld waits %ld captured %ld allocated %ld clusters %ld maps %ld\n", counts.launches,
            counts.copies, counts.fills, counts.uploads, counts.downloads, counts.graphs, counts.waits, counts.captured, counts.allocated,
            counts.clusters, counts.maps);
    fclose(f);
}

// Threads of streams may outlive whoever loaded this.
__attribute__((constructor)) static void stay(void) {
    Dl_info own;
    if (dladdr((void *)stay, &own)) dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}
u32 cuInit(u32 flags) { return flags ? INVALID : number("FAKE_CUDA_INIT", 0); }
u32 cuDriverGetVersion(int *v) { *v = number("FAKE_CUDA_VERSION", 13000); return 0; }
u32 cuDeviceGetCount(int *n) { *n = number("FAKE_CUDA_GPUS", 1); return number("FAKE_CUDA_INIT", 0); }
u32 cuDeviceGet(int *d, int k) { *d = k; return 0; }
u32 cuDeviceGetName(char *name, int n, int d) { (void)d; snprintf(name, n, "A GPU that is none"); return 0; }
u32 cuDeviceGetAttribute(int *v, u32 a, int d) {
    (void)d;
    int capability = number("FAKE_CUDA_CAPABILITY", 90);
    *v = a == 75 ? capability / 10 : a == 76 ? capability % 10 : a == 11 ? 0x7fffffff : a == 16 ? 132 : 0;
    return 0;
}
u32 cuDevicePrimaryCtxRetain(void **c, int d) { (void)d; *c = &counts; return 0; }
u32 cuDevicePrimaryCtxRelease_v2(int d) { (void)d; return 0; }
// Of this thread. Most calls here do without; tensor maps do not.
static __thread void *current;
u32 cuCtxSetCurrent(void *c) { return c && c != &counts ? INVALID : (current = c, 0); }
static __thread void *below[8];
static __thread int depth;
u32 cuCtxPushCurrent_v2(void *c) { return c != &counts || depth == 8 ? INVALID : (below[depth++] = current, current = c, 0); }
u32 cuCtxPopCurrent_v2(void **c) { return depth == 0 ? INVALID_CONTEXT : (*c = current, current = below[--depth], 0); }
u32 cuGetErrorName(u32 e, const char **s) {
    *s = e == INVALID ? "CUDA_ERROR_INVALID_VALUE" : e == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : e == 999 ? "CUDA_ERROR_UNKNOWN"
       : e == INVALID_CONTEXT ? "CUDA_ERROR_INVALID_CONTEXT"
       : e == NOT_FOUND ? "CUDA_ERROR_NOT_FOUND" : e == INVALID_PTX ? "CUDA_ERROR_INVALID_PTX"
       : e == LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED" : NULL;
    return *s ? 0 : INVALID;
}
u32 cuGetErrorString(u32 e, const char **s) { *s = e == 999 ? "unknown error" : NULL; return *s ? 0 : INVALID; }
u32 cuMemGetInfo_v2(size_t *free, size_t *total) { *free = *total = (size_t)1 << 37; return 0; }
u32 cuMemAlloc_v2(u64 *p, size_t n) {
    if (n == 0) return INVALID;
    if (n > (size_t)1 << 37) return OUT_OF_MEMORY;
    void *m = aligned_alloc(512, (n + 511) & ~(size_t)511);
    // What was there before is nobody's business.
    memset(m, 0xA5, n);
    *p = (u64)m;
    COUNT(allocated, n);
    return 0;
}
u32 cuMemFree_v2(u64 p) { free((void *)p); return 0; }
// Pinned memory: what is captured may copy from there, and from no other memory of the host.
static struct { char *p; size_t n; } pins[256];
static pthread_mutex_t pinning = PTHREAD_MUTEX_INITIALIZER;
static void pin(char *was, char *p, size_t n) {
    pthread_mutex_lock(&pinning);
    for (int i = 0; i < 256; i++) if (pins[i].p == was) { pins[i].p = p; pins[i].n = n; break; }
    pthread_mutex_unlock(&pinning);
}
static int is_pinned(const char *p, size_t n) {
    int found = 0;
    pthread_mutex_lock(&pinning);
    for (int i = 0; i < 256; i++) found |= pins[i].p && p >= pins[i].p && p + n <= pins[i].p + pins[i].n;
    pthread_mutex_unlock(&pinning);
    return found;
}
u32 cuMemHostAlloc(void **p, size_t n, u32 flags) {
    if (flags & ~2u) return INVALID;
    *p = malloc(n);
    if (*p) pin(NULL, *p, n);
    return *p ? 0 : OUT_OF_MEMORY;
}
// The word that kernels write before they trap: from then on all work has failed.
static volatile u64 *trapped;
u32 cuMemFreeHost(void *p) { if (p == trapped) trapped = NULL; pin(p, NULL, 0); free(p); return 0; }
static u32 trap(void) { return trapped && *trapped ? LAUNCH_FAILED : 0; }
u32 cuMemHostGetDevicePointer_v2(u64 *seen, void *p, u32 flags) { trapped = p; *seen = (u64)p; return flags ? INVALID : 0; }

enum kind { COPY, UP, DOWN, ROWS, FILL, LAUNCH, CALL, RECORD, WAIT, GRAPH };
struct work { enum kind kind; u64 dst, src; size_t n, width, height, dst_pitch, src_pitch; u64 value; void *f; u64 args[40]; };
struct user { void (*release)(void *); void *object; };
// Work that was captured: on which of the streams, and the piece of another one before it (or -1).
struct node { struct work w; int stream, after, nothing; volatile int done; };
// A graph has what libraries gave it to hold on to, which it gives back when it ends: not before it has run.
struct graph { struct node *all; int n; u64 id; struct stream *streams[64]; int last[64], joined; struct user users[1024]; int held, running, over; };
// What a stream is captured into, and the work that waits, oldest first.
struct stream { struct graph *capture; struct work *queue; size_t from, to, room; int busy, stop; pthread_cond_t more; };
// What an event was recorded in, and where there; how often it was recorded, and has come.
struct event { struct graph *capture; u64 id; int node; volatile u64 recorded, come; double when; };
// The capture that this thread began.
static __thread struct graph *capture;
static __thread int failing;
static u64 captures;
static pthread_mutex_t giving = PTHREAD_MUTEX_INITIALIZER;
// Something is done.
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;

typedef void kernel(u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64,
                    u64, u64, u64, u64, u64, u64, u64);

static void execute(struct work *w) {
    switch (w->kind) {
    case COPY: COUNT(copies, 1); memmove((void *)w->dst, (void *)w->src, w->n); break;
    case CALL: ((void (*)(u64))w->f)(w->dst); break;
    case UP: COUNT(uploads, 1); memcpy((void *)w->dst, (void *)w->src, w->n); break;
    case DOWN: COUNT(downloads, 1); memcpy((void *)w->dst, (void *)w->src, w->n); break;
    case ROWS:
        COUNT(copies, 1);
        for (size_t r = 0; r < w->height; r++) memmove((char *)w->dst + r * w->dst_pitch, (char *)w->src + r * w->src_pitch, w->width);
        break;
    case FILL:
        COUNT(fills, 1);
        for (size_t r = 0; r < w->height; r++)
            for (size_t i = 0; i < w->width; i++) memcpy((char *)w->dst + r * w->dst_pitch + i * w->n, &w->value, w->n);
        break;
    case LAUNCH: {
        u64 *a = w->args;
        COUNT(launches, 1);
        ((kernel *)w->f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16], a[17],
                         a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30], a[31]);
    }
    }
}
static void end_graph(struct graph *g) {
    for (int i = 0; i < g->held; i++) g->users[i].release(g->users[i].object);
    free(g->all);
    free(g);
}
struct lane { struct graph *g; int stream; };
// The work of one stream of a graph, in order, each after what it waits for.
static void *run_lane(void *what) {
    struct lane *lane = what;
    struct graph *g = lane->g;
    for (int i = 0; i < g->n; i++) {
        struct node *node = &g->all[i];
        if (node->stream != lane->stream) continue;
        if (node->after >= 0) {
            pthread_mutex_lock(&giving);
            while (!g->all[node->after].done) pthread_cond_wait(&moved, &giving);
            pthread_mutex_unlock(&giving);
        }
        if (!node->nothing) execute(&node->w);
        pthread_mutex_lock(&giving);
        node->done = 1;
        pthread_cond_broadcast(&moved);
        pthread_mutex_unlock(&giving);
    }
    return NULL;
}
static void run_graph(struct graph *g) {
    pthread_t threads[64];
    struct lane lanes[64];
    for (int i = 0; i < g->n; i++) g->all[i].done = 0;
    for (int s = 0; s < g->joined; s++) {
        lanes[s] = (struct lane){ g, s };
        if (s && pthread_create(&threads[s], NULL, run_lane, &lanes[s])) abort();
    }
    run_lane(&lanes[0]);
    for (int s = 1; s < g->joined; s++) pthread_join(threads[s], NULL);
    pthread_mutex_lock(&giving);
    int over = --g->running == 0 && g->over;
    pthread_mutex_unlock(&giving);
    if (over) end_graph(g);
}
static double milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}
static void *run_stream(void *what) {
    struct stream *s = what;
    pthread_mutex_lock(&giving);
    for (;;) {
        while (s->from == s->to && !s->stop) pthread_cond_wait(&s->more, &giving);
        if (s->from == s->to) break;
        struct work w = s->queue[s->from++];
        struct event *e = w.f;
        s->busy = 1;
        if (w.kind == WAIT) while (e->come < w.n) pthread_cond_wait(&moved, &giving);
        else if (w.kind == RECORD) { if (e->come < w.n) { e->come = w.n; e->when = milliseconds(); } }
        else {
            pthread_mutex_unlock(&giving);
            if (w.kind == GRAPH) run_graph(w.f); else execute(&w);
            pthread_mutex_lock(&giving);
        }
        s->busy = 0;
        pthread_cond_broadcast(&moved);
    }
    pthread_mutex_unlock(&giving);
    return NULL;
}
static int add_node(struct graph *g, struct stream *s, struct node node) {
    for (node.stream = 0; g->streams[node.stream] != s; node.stream++);
    g->all = realloc(g->all, (g->n + 1) * sizeof node);
    g->all[g->n] = node;
    return g->last[node.stream] = g->n++;
}
static u32 submit(struct stream *s, struct work w) {
    // The default stream, which nothing else is given to.
    if (!s) { execute(&w); return 0; }
    // Threads of libraries give work to streams that others capture.
    pthread_mutex_lock(&giving);
    if (s->capture) {
        add_node(s->capture, s, (struct node){ .w = w, .after = -1 });
        counts.captured++;
    } else {
        if (s->from == s->to) s->from = s->to = 0;
        if (s->to == s->room) s->queue = realloc(s->queue, (s->room = 2 * s->room + 64) * sizeof w);
        s->queue[s->to++] = w;
        pthread_cond_signal(&s->more);
    }
    pthread_mutex_unlock(&giving);
    return 0;
}
static int is_idle(struct stream *s) { return !s || (s->from == s->to && !s->busy); }
// For libraries that put work of their own on a stream.
void fake_cuda_call(void (*f)(void *), void *job, void *s) { submit(s, (struct work){ CALL, (u64)job, .f = f }); }
// Has what the stream is captured into hold on to an object, until it ends; 0 if it is not captured.
int fake_cuda_hold(void (*release)(void *), void *object, struct stream *s) {
    if (!s->capture || s->capture->held == 1024) return 0;
    s->capture->users[s->capture->held++] = (struct user){ release, object };
    return 1;
}
// Replays of this thread fail from now on.
void fake_cuda_fail(void) { failing = 1; }
// Captures that were begun, and graphs that were launched.
int fake_cuda_captures(void) { return (int)captures; }
int fake_cuda_host_copies(void) { return (int)(counts.uploads + counts.downloads); }
int fake_cuda_replays(void) { return (int)counts.graphs; }
u32 cuMemcpyHtoDAsync_v2(u64 dst, const void *src, size_t n, void *s) {
    return capture && !is_pinned(src, n) ? IN_CAPTURE : submit(s, (struct work){ UP, dst, (u64)src, n });
}
u32 cuMemcpyDtoHAsync_v2(void *dst, u64 src, size_t n, void *s) {
    return submit(s, (struct work){ DOWN, (u64)dst, src, n });
}
u32 cuMemcpyDtoH_v2(void *dst, u64 src, size_t n) { return current ? (COUNT(downloads, 1), memcpy(dst, (void *)src, n), 0) : INVALID_CONTEXT; }
u32 cuMemcpyDtoDAsync_v2(u64 dst, u64 src, size_t n, void *s) { return submit(s, (struct work){ COPY, dst, src, n }); }
// As CUDA_MEMCPY2D of cuda.h.
struct rows {
    size_t src_x, src_y; u32 src_type; const void *src_host; u64 src; void *src_array; size_t src_pitch;
    size_t dst_x, dst_y; u32 dst_type; void *dst_host; u64 dst; void *dst_array; size_t dst_pitch, width, height;
};
u32 cuMemcpy2DAsync_v2(const struct rows *r, void *s) {
    if (r->src_type != 2 || r->dst_type != 2 || r->src_x || r->src_y || r->dst_x || r->dst_y) return INVALID;
    if (r->width > r->src_pitch || r->width > r->dst_pitch) return INVALID;
    return submit(s, (struct work){ ROWS, r->dst, r->src, 0, r->width, r->height, r->dst_pitch, r->src_pitch });
}
static u32 fill(u64 dst, size_t pitch, u64 value, size_t size, size_t width, size_t height, void *s) {
    return submit(s, (struct work){ FILL, dst, 0, size, width, height, pitch, 0, value });
}
u32 cuMemsetD8Async(u64 p, unsigned char v, size_t n, void *s) { return fill(p, 0, v, 1, n, 1, s); }
u32 cuMemsetD16Async(u64 p, unsigned short v, size_t n, void *s) { return fill(p, 0, v, 2, n, 1, s); }
u32 cuMemsetD32Async(u64 p, u32 v, size_t n, void *s) { return fill(p, 0, v, 4, n, 1, s); }
u32 cuMemsetD2D32Async(u64 p, size_t pitch, u32 v, size_t width, size_t height, void *s) {
    return pitch < 4 * width ? INVALID : fill(p, pitch, v, 4, width, height, s);
}

// Of reductions over the arenas of one GPU, whose PTX the runtime writes, this GPU has sums of f32.
void all_reduce_sum_f32(const u64 *bases, u64 n, u64 src, u64 dst, u64 count) {
    for (u64 i = 0; i < count; i++) {
        float sum = ((float *)(bases[0] + src))[i];
        for (u64 r = 1; r < n; r++) sum += ((float *)(bases[r] + src))[i];
        for (u64 r = 0; r < n; r++) ((float *)(bases[r] + dst))[i] = sum;
    }
}
void reduce_scatter_sum_f32(const u64 *bases, u64 n, u64 src, u64 dst, u64 rows, u64 run) {
    for (u64 i = 0; i < rows * n * run; i++) {
        float sum = ((float *)(bases[0] + src))[i];
        for (u64 r = 1; r < n; r++) sum += ((float *)(bases[r] + src))[i];
        ((float *)(bases[i / run % n] + dst))[i / (n * run) * run + i % run] = sum;
    }
}
u32 cuModuleLoadDataEx(void **m, const void *image, u32 n, u32 *options, void **values) {
    const Elf64_Ehdr *head = image;
    Dl_info own;
    if (memcmp(image, ELFMAG, SELFMAG) != 0 && strstr(image, ".entry all_reduce_sum_f32(") && dladdr((void *)stay, &own)) {
        *m = dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD);
        return *m ? 0 : INVALID_IMAGE;
    }
    if (memcmp(image, ELFMAG, SELFMAG) != 0) {
        // The log's buffer and its size: CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES.
        for (u32 i = 0; i < n; i++)
            if (options[i] == 5) strcpy(values[i], "ptxas fatal   : this GPU assembles nothing\n");
        return INVALID_PTX;
    }
    size_t size = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
    int fd = memfd_create("cubin", 0);
    if (write(fd, image, size) != (ssize_t)size) return INVALID_IMAGE;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    *m = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return *m ? 0 : INVALID_IMAGE;
}
u32 cuModuleUnload(void *m) { (void)m; return 0; }
u32 cuModuleGetFunction(void **f, void *m, const char *name) { *f = dlsym(m, name); return *f ? 0 : NOT_FOUND; }
u32 cuModuleGetGlobal_v2(u64 *at, size_t *bytes, void *m, const char *name) {
    *at = (u64)dlsym(m, name);
    *bytes = 8;
    return *at ? 0 : NOT_FOUND;
}
u32 cuFuncSetAttribute(void *f, u32 a, int v) { (void)f; (void)a; (void)v; return 0; }
u32 cuLaunchKernel(void *f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 shared, void *s, void **params, void **extra) {
    (void)shared;
    if (!gx || !gy || !gz || !bx || !by || !bz || bx * by * bz > 1024 || gy > 65535 || gz > 65535 || extra) return INVALID;
    struct work w = { LAUNCH };
    w.f = f;
    // The runtime gives room for as many words as any kernel takes.
    for (int i = 0; i < 32; i++) w.args[i] = *(u64 *)params[i];
    return submit(s, w);
}
// As CUlaunchConfig and CUlaunchAttribute of cuda.h, with clusters alone.
struct attribute { u32 id; char pad[4]; u32 x, y, z, rest[13]; };
struct config { u32 gx, gy, gz, bx, by, bz, shared; void *s; struct attribute *attrs; u32 n; };
u32 cuLaunchKernelEx(const struct config *c, void *f, void **params, void **extra) {
    if (c->n > 1) return INVALID;
    if (c->n == 1 && (c->attrs->id != 4 || c->attrs->x > 8 || c->attrs->y != 1 || c->attrs->z != 1 || c->gx % c->attrs->x)) return INVALID;
    COUNT(clusters, c->n);
    return cuLaunchKernel(f, c->gx, c->gy, c->gz, c->bx, c->by, c->bz, c->shared, c->s, params, extra);
}
// A map begins with the address that it shows, so that a kernel of the host can take it for a pointer.
u32 cuTensorMapEncodeTiled(u64 *map, u32 type, u32 rank, void *at, const u64 *shape, const u64 *strides, const u32 *tile, const u32 *steps,
                           u32 interleave, u32 swizzle, u32 promotion, u32 outside) {
    if (number("FAKE_CUDA_NO_MAPS", 0)) return INVALID;
    if (!current) return INVALID_CONTEXT;
    if ((u64)map % 64 || (u64)at % 16 || type > 9 || rank < 1 || rank > 5 || interleave || swizzle > 3 || promotion > 3 || outside) return INVALID;
    for (u32 i = 0; i < rank; i++)
        if (!shape[i] || !tile[i] || tile[i] > 256 || steps[i] != 1) return INVALID;
    for (u32 i = 0; i + 1 < rank; i++)
        if (strides[i] % 16) return INVALID;
    memset(map, 0, 128);
    map[0] = (u64)at;
    COUNT(maps, 1);
    return 0;
}
u32 cuCtxGetStreamPriorityRange(int *least, int *greatest) { *least = 0; *greatest = -5; return 0; }
u32 cuStreamCreateWithPriority(void **out, u32 flags, int p) {
    (void)p;
    if (flags != 1) return INVALID;
    struct stream *s = *out = calloc(1, sizeof *s);
    pthread_cond_init(&s->more, NULL);
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_stream, s)) return OUT_OF_MEMORY;
    pthread_detach(thread);
    return 0;
}
// Its thread may still be at work that never ends, so its memory stays.
u32 cuStreamDestroy_v2(struct stream *s) {
    pthread_mutex_lock(&giving);
    s->stop = 1;
    pthread_cond_signal(&s->more);
    pthread_mutex_unlock(&giving);
    return 0;
}
u32 cuStreamSynchronize(struct stream *s) {
    if (capture) return IN_CAPTURE;
    pthread_mutex_lock(&giving);
    while (!is_idle(s)) pthread_cond_wait(&moved, &giving);
    pthread_mutex_unlock(&giving);
    return trap();
}
u32 cuStreamQuery(struct stream *s) {
    if (capture) return IN_CAPTURE;
    pthread_mutex_lock(&giving);
    int idle = is_idle(s);
    pthread_mutex_unlock(&giving);
    return idle ? trap() : NOT_READY;
}
static u32 join(struct stream *s, struct graph *g) {
    if (s->capture == g) return 0;
    if (s->capture || g->joined == 64) return INVALID;
    g->last[g->joined] = -1;
    g->streams[g->joined++] = s;
    s->capture = g;
    return 0;
}
u32 cuStreamWaitEvent(struct stream *s, struct event *e, u32 flags) {
    COUNT(waits, 1);
    if (flags) return INVALID;
    if (!capture || e->capture != capture || e->id != capture->id) {
        return s->capture ? 0 : submit(s, (struct work){ .kind = WAIT, .f = e, .n = e->recorded });
    }
    // A stream that waits for captured work is captured, too.
    u32 code = join(s, capture);
    pthread_mutex_lock(&giving);
    if (!code) add_node(capture, s, (struct node){ .after = e->node, .nothing = 1 });
    pthread_mutex_unlock(&giving);
    return code;
}
u32 cuStreamBeginCapture_v2(struct stream *s, u32 mode) {
    if (capture || mode > 2) return INVALID;
    capture = calloc(1, sizeof *capture);
    capture->id = __sync_add_and_fetch(&captures, 1);
    return join(s, capture);
}
u32 cuStreamEndCapture(struct stream *s, void **g) {
    if (!capture || s != capture->streams[0]) return INVALID;
    for (int i = 0; i < capture->joined; i++) capture->streams[i]->capture = NULL;
    *g = capture;
    capture = NULL;
    return 0;
}
u32 cuEventCreate(void **e, u32 flags) { (void)flags; *e = calloc(1, sizeof(struct event)); return 0; }
u32 cuEventDestroy_v2(void *e) { (void)e; return 0; }
u32 cuEventSynchronize(struct event *e) {
    if (capture) return IN_CAPTURE;
    pthread_mutex_lock(&giving);
    u64 wanted = e->recorded;
    while (e->come < wanted) pthread_cond_wait(&moved, &giving);
    pthread_mutex_unlock(&giving);
    return trap();
}
u32 cuEventRecord(struct event *e, struct stream *s) {
    struct graph *g = s->capture;
    e->capture = g;
    e->id = g ? g->id : 0;
    if (!g) return submit(s, (struct work){ .kind = RECORD, .f = e, .n = ++e->recorded });
    pthread_mutex_lock(&giving);
    for (int i = 0; i < g->joined; i++) if (g->streams[i] == s) e->node = g->last[i];
    pthread_mutex_unlock(&giving);
    return 0;
}
u32 cuEventElapsedTime(float *ms, struct event *a, struct event *b) { *ms = (float)(b->when - a->when); return a->come && b->come ? 0 : INVALID; }
u32 cuGraphInstantiateWithFlags(void **x, void *g, unsigned long long flags) { *x = g; return flags ? INVALID : 0; }
u32 cuGraphLaunch(void *x, void *s) {
    struct graph *g = x;
    if (failing) return 999;
    if (trap()) return trap();
    COUNT(graphs, 1);
    pthread_mutex_lock(&giving);
    g->running++;
    pthread_mutex_unlock(&giving);
    return submit(s, (struct work){ .kind = GRAPH, .f = g });
}
u32 cuGraphDestroy(void *g) { (void)g; return 0; }
u32 cuGraphExecDestroy(struct graph *g) {
    pthread_mutex_lock(&giving);
    g->over = 1;
    int idle = g->running == 0;
    pthread_mutex_unlock(&giving);
    if (idle) end_graph(g);
    return 0;
}
