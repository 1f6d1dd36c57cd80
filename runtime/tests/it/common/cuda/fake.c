// A libcuda.so.1 whose GPU is the host: memory is malloc's, work is done when it is given (or when a captured graph is launched), and a
// "cubin" is a shared object whose functions take as many machine words as a launch gives. So the runtime's calls into the driver are
// made for real, with their types, on a machine without one. Work is counted, and the counts are written to $FAKE_CUDA_LOG at the end.
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
#include <unistd.h>

typedef uint64_t u64;
typedef unsigned u32;
enum { INVALID = 1, OUT_OF_MEMORY = 2, INVALID_IMAGE = 200, NOT_FOUND = 500, INVALID_PTX = 218, LAUNCH_FAILED = 719, IN_CAPTURE = 900 };

static struct { long launches, copies, fills, uploads, downloads, graphs, waits, captured, allocated, clusters, maps; } counts;
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
u32 cuCtxSetCurrent(void *c) { return c == &counts ? 0 : INVALID; }
u32 cuGetErrorName(u32 e, const char **s) {
    *s = e == INVALID ? "CUDA_ERROR_INVALID_VALUE" : e == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : e == 999 ? "CUDA_ERROR_UNKNOWN"
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
    counts.allocated += n;
    return 0;
}
u32 cuMemFree_v2(u64 p) { free((void *)p); return 0; }
u32 cuMemHostAlloc(void **p, size_t n, u32 flags) { if (flags & ~2u) return INVALID; *p = malloc(n); return *p ? 0 : OUT_OF_MEMORY; }
// The word that kernels write before they trap: from then on all work has failed.
static volatile u64 *trapped;
u32 cuMemFreeHost(void *p) { if (p == trapped) trapped = NULL; free(p); return 0; }
static u32 trap(void) { return trapped && *trapped ? LAUNCH_FAILED : 0; }
u32 cuMemHostGetDevicePointer_v2(u64 *seen, void *p, u32 flags) { trapped = p; *seen = (u64)p; return flags ? INVALID : 0; }

// Work is a list while a stream is captured. A graph has what libraries gave it to hold on to, which it gives back when it ends.
enum kind { COPY, DOWN, ROWS, FILL, LAUNCH, CALL };
struct work { enum kind kind; u64 dst, src; size_t n, width, height, dst_pitch, src_pitch; u64 value; void *f; u64 args[40]; };
struct user { void (*release)(void *); void *object; };
struct graph { struct work *all; size_t n; u64 id; struct stream *streams[64]; int joined; struct user users[1024]; int held; };
// What a stream is captured into, and what an event was recorded in.
struct stream { struct graph *capture; };
struct event { struct graph *capture; u64 id; };
// The capture that this thread began.
static __thread struct graph *capture;
static __thread int failing;
static u64 captures;
static pthread_mutex_t giving = PTHREAD_MUTEX_INITIALIZER;

typedef void kernel(u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64,
                    u64, u64, u64, u64, u64, u64, u64);

static void execute(struct work *w) {
    switch (w->kind) {
    case COPY: counts.copies++; memmove((void *)w->dst, (void *)w->src, w->n); break;
    case CALL: ((void (*)(u64))w->f)(w->dst); break;
    case DOWN: counts.downloads++; memcpy((void *)w->dst, (void *)w->src, w->n); break;
    case ROWS:
        counts.copies++;
        for (size_t r = 0; r < w->height; r++) memmove((char *)w->dst + r * w->dst_pitch, (char *)w->src + r * w->src_pitch, w->width);
        break;
    case FILL:
        counts.fills++;
        for (size_t r = 0; r < w->height; r++)
            for (size_t i = 0; i < w->width; i++) memcpy((char *)w->dst + r * w->dst_pitch + i * w->n, &w->value, w->n);
        break;
    case LAUNCH: {
        u64 *a = w->args;
        counts.launches++;
        ((kernel *)w->f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16], a[17],
                         a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30], a[31]);
    }
    }
}
static u32 submit(struct stream *s, struct work w) {
    struct graph *g = s->capture;
    if (!g) { execute(&w); return 0; }
    // Threads of libraries give work to streams that others capture.
    pthread_mutex_lock(&giving);
    g->all = realloc(g->all, (g->n + 1) * sizeof w);
    g->all[g->n++] = w;
    counts.captured++;
    pthread_mutex_unlock(&giving);
    return 0;
}
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
u32 cuMemcpyHtoDAsync_v2(u64 dst, const void *src, size_t n, void *s) {
    (void)s;
    if (capture) return IN_CAPTURE;
    counts.uploads++;
    memcpy((void *)dst, src, n);
    return 0;
}
u32 cuMemcpyDtoHAsync_v2(void *dst, u64 src, size_t n, void *s) {
    return submit(s, (struct work){ DOWN, (u64)dst, src, n });
}
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

u32 cuModuleLoadDataEx(void **m, const void *image, u32 n, u32 *options, void **values) {
    const Elf64_Ehdr *head = image;
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
    counts.clusters += c->n;
    return cuLaunchKernel(f, c->gx, c->gy, c->gz, c->bx, c->by, c->bz, c->shared, c->s, params, extra);
}
// A map begins with the address that it shows, so that a kernel of the host can take it for a pointer.
u32 cuTensorMapEncodeTiled(u64 *map, u32 type, u32 rank, void *at, const u64 *shape, const u64 *strides, const u32 *tile, const u32 *steps,
                           u32 interleave, u32 swizzle, u32 promotion, u32 outside) {
    if (number("FAKE_CUDA_NO_MAPS", 0)) return INVALID;
    if ((u64)map % 64 || (u64)at % 16 || type > 9 || rank < 1 || rank > 5 || interleave || swizzle > 3 || promotion > 3 || outside) return INVALID;
    for (u32 i = 0; i < rank; i++)
        if (!shape[i] || !tile[i] || tile[i] > 256 || steps[i] != 1) return INVALID;
    for (u32 i = 0; i + 1 < rank; i++)
        if (strides[i] % 16) return INVALID;
    memset(map, 0, 128);
    map[0] = (u64)at;
    counts.maps++;
    return 0;
}
u32 cuCtxGetStreamPriorityRange(int *least, int *greatest) { *least = 0; *greatest = -5; return 0; }
u32 cuStreamCreateWithPriority(void **s, u32 flags, int p) { (void)p; if (flags != 1) return INVALID; *s = calloc(1, sizeof(struct stream)); return 0; }
u32 cuStreamDestroy_v2(void *s) { free(s); return 0; }
u32 cuStreamSynchronize(void *s) { (void)s; return capture ? IN_CAPTURE : trap(); }
u32 cuStreamQuery(void *s) { (void)s; return capture ? IN_CAPTURE : trap(); }
static u32 join(struct stream *s, struct graph *g) {
    if (s->capture == g) return 0;
    if (s->capture || g->joined == 64) return INVALID;
    g->streams[g->joined++] = s;
    s->capture = g;
    return 0;
}
u32 cuStreamWaitEvent(struct stream *s, struct event *e, u32 flags) {
    counts.waits++;
    if (flags) return INVALID;
    // A stream that waits for captured work is captured, too.
    return capture && e->capture == capture && e->id == capture->id ? join(s, capture) : 0;
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
u32 cuEventDestroy_v2(void *e) { free(e); return 0; }
u32 cuEventSynchronize(void *e) { (void)e; return capture ? IN_CAPTURE : trap(); }
u32 cuEventRecord(struct event *e, struct stream *s) {
    *e = (struct event){ s->capture, s->capture ? s->capture->id : 0 };
    return 0;
}
// Half a microsecond from any event to any other.
u32 cuEventElapsedTime(float *ms, void *a, void *b) { *ms = 0.0005f; return a && b ? 0 : INVALID; }
u32 cuGraphInstantiateWithFlags(void **x, void *g, unsigned long long flags) { *x = g; return flags ? INVALID : 0; }
u32 cuGraphLaunch(void *x, void *s) {
    (void)s;
    struct graph *g = x;
    if (failing) return 999;
    if (trap()) return trap();
    counts.graphs++;
    for (size_t i = 0; i < g->n; i++) execute(&g->all[i]);
    return 0;
}
u32 cuGraphDestroy(void *g) { (void)g; return 0; }
u32 cuGraphExecDestroy(struct graph *g) {
    for (int i = 0; i < g->held; i++) g->users[i].release(g->users[i].object);
    free(g->all);
    free(g);
    return 0;
}
