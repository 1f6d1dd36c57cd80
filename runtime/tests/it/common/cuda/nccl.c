// A libnccl.so.2 whose GPU memory is the host's, and whose ranks are threads of one process; or, where FAKE_NCCL_DIR names a folder,
// processes that map files there. It moves data for real, and refuses what NCCL refuses. Sums and the like are of f32.
//
// As NCCL does for communicators that do not block, it works in threads of its own: joining, splitting, finalizing and the launches of a
// group go on after the call has returned, and a split writes the new communicator at its end. Launches go to the stream, by fake.c where
// that is the driver; a graph that captures them holds on to the communicator, which cannot be finalized or aborted before it is let go.
//
// All ranks wait for each other at a group of calls with a collective. A send waits for its receive and a receive for its send, whatever
// the size; those of one group go on side by side. Messages from one rank to another match in the order in which their groups run. Where
// FAKE_NCCL_DEADLINE (or DEADLINE, where that is defined) says after how many milliseconds, a call that still waits is a deadlock: the
// communicator fails and says what waits.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifndef DRIVER
#define DRIVER "libcuda.so.1"
#endif
enum { INTERNAL_ERROR = 3, INVALID_ARGUMENT = 4, INVALID_USAGE = 5, IN_PROGRESS = 7, MOST = 16, LATER = 300, PATIENCE = 3000000 };
// Bytes that a rank shows the others of a group at once, and of a message at once.
enum { SHOWN = 1 << 20, PIECE = 4096, CALLS = 256 };
enum kind { ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, SEND, RECV };

struct call { enum kind kind; const char *from; char *to; size_t count, size; int op, peer; };
// A message from one rank to another: how often it was asked for and sent, piece by piece.
struct box { volatile uint64_t asked, taken; volatile int full; volatile size_t bytes; char piece[PIECE]; };
// What the ranks of a communicator share. Words are changed by one rank, or by atomic operations.
struct group {
    volatile int here, turn;
    volatile int colours[MOST], keys[MOST], sums[MOST], lengths[MOST];
    struct call calls[MOST][CALLS];
    struct box boxes[MOST][MOST];
    char shown[MOST][SHOWN];
};
struct known { char name[80]; struct group *g; struct known *next; };
struct comm { struct group *g; char name[80]; int n, rank, splits; volatile int working, finalized, held, aborted, failed; char said[256]; };
// A group of calls: a list of its own, which graphs replay.
struct job { struct comm *c; int length, kept; struct call calls[CALLS]; };
// What a thread of the library does, after the call that asked for it.
struct work { void (*f)(struct work *); struct comm *c, **out; struct job *job; void *stream; int colour, key; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known *groups;
static uint64_t ids;
static int aborts, finished, hung, on_stacks;
static __thread struct call pending[CALLS];
static __thread int depth, length;
static __thread struct comm *current;
static __thread void *stream;

int fake_nccl_aborts(void) { return aborts; }
int fake_nccl_finished(void) { return finished; }
// Communicators that were to end while graphs held on to them, and were not let go in time.
int fake_nccl_hung(void) { return hung; }
// Splits that were given a place on the stack of their caller, who may be gone when it is written to.
int fake_nccl_on_stacks(void) { return on_stacks; }

static struct group *group_of(const char *name) {
    pthread_mutex_lock(&lock);
    struct known *k = groups;
    while (k && strcmp(k->name, name)) k = k->next;
    if (!k) {
        const char *dir = getenv("FAKE_NCCL_DIR");
        int flags = MAP_ANONYMOUS | MAP_SHARED, fd = -1;
        if (dir) {
            char path[512];
            snprintf(path, sizeof path, "%s/nccl.%s", dir, name);
            fd = open(path, O_RDWR | O_CREAT, 0600);
            if (fd < 0 || ftruncate(fd, sizeof(struct group))) abort();
            flags = MAP_SHARED;
        }
        k = calloc(1, sizeof *k);
        strcpy(k->name, name);
        k->g = mmap(NULL, sizeof(struct group), PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, fd, 0);
        if (k->g == MAP_FAILED) abort();
        if (fd >= 0) close(fd);
        k->next = groups;
        groups = k;
    }
    pthread_mutex_unlock(&lock);
    return k->g;
}
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }
// Whether to go on waiting since `start`; `what` says for what.
static int waits(struct comm *c, double start, const char *what) {
#ifdef DEADLINE
    const char *deadline = DEADLINE;
#else
    const char *deadline = getenv("FAKE_NCCL_DEADLINE");
#endif
    if (c->aborted || c->failed) return 0;
    if (deadline && (now() - start) * 1000 > atoi(deadline)) {
        snprintf(c->said, sizeof c->said, "deadlock: rank %d of %d of communicator %s waits: %s", c->rank, c->n, c->name, what);
        __sync_synchronize();
        c->failed = INTERNAL_ERROR;
        return 0;
    }
    usleep(20);
    return 1;
}
// Returns when all ranks are here, or 0 when the communicator is aborted or has failed.
static int meet(struct comm *c) {
    struct group *g = c->g;
    double start = now();
    int turn = g->turn;
    __sync_synchronize();
    if (__sync_add_and_fetch(&g->here, 1) == c->n) {
        g->here = 0;
        __sync_add_and_fetch(&g->turn, 1);
    }
    while (g->turn == turn)
        if (!waits(c, start, "for all ranks")) return g->turn != turn;
    __sync_synchronize();
    return 1;
}
static void *at_work(void *what) {
    struct work *w = what;
    usleep(LATER);
    struct comm *c = w->c;
    w->f(w);
    free(w);
    __sync_synchronize();
    c->working = 0;
    return NULL;
}
static unsigned begin(struct work w) {
    if (w.c->working) return INVALID_USAGE;
    w.c->working = 1;
    struct work *own = malloc(sizeof w);
    *own = w;
    pthread_t thread;
    if (pthread_create(&thread, NULL, at_work, own)) abort();
    pthread_detach(thread);
    return IN_PROGRESS;
}
static struct comm *new_comm(const char *name, int n, int rank) {
    struct comm *c = calloc(1, sizeof *c);
    strcpy(c->name, name);
    c->n = n;
    c->rank = rank;
    c->g = group_of(name);
    return c;
}

unsigned ncclGetVersion(int *v) { *v = 22804; return 0; }
const char *ncclGetErrorString(unsigned e) { return e == INVALID_ARGUMENT ? "invalid argument" : e == INTERNAL_ERROR ? "internal error" : "error"; }
const char *ncclGetLastError(struct comm *c) { return c && c->failed ? c->said : ""; }
struct id { char internal[128]; };
unsigned ncclGetUniqueId(struct id *id) {
    memset(id, 0, sizeof *id);
    pthread_mutex_lock(&lock);
    snprintf(id->internal, sizeof id->internal, "%d.%lu", getpid(), ++ids);
    pthread_mutex_unlock(&lock);
    return 0;
}
struct config { size_t size; unsigned magic, version; int blocking; };

static void do_join(struct work *w) { meet(w->c); }
unsigned ncclCommInitRankConfig(struct comm **c, int n, struct id id, int rank, struct config *config) {
    if (config->magic != 0xcafebeef || config->blocking != 0 || n > MOST || rank >= n) return INVALID_ARGUMENT;
    char name[64] = "";
    for (int i = 0; i < 24 && id.internal[i]; i++) snprintf(name + strlen(name), 3, id.internal[i] > 32 ? "%c" : "%02x", id.internal[i]);
    *c = new_comm(name, n, rank);
    return begin((struct work){ .f = do_join, .c = *c });
}
static int on_own_stack(void *p) {
    pthread_attr_t a;
    void *from;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &a)) return 0;
    pthread_attr_getstack(&a, &from, &size);
    pthread_attr_destroy(&a);
    return (char *)p >= (char *)from && (char *)p < (char *)from + size;
}
static struct comm *made(struct work *w) {
    struct comm *c = w->c;
    struct group *g = c->g;
    g->colours[c->rank] = w->colour;
    g->keys[c->rank] = w->key;
    int number = c->splits++;
    if (!meet(c)) return NULL;
    int n = 0, rank = 0;
    for (int r = 0; r < c->n; r++)
        if (g->colours[r] == w->colour) { n++; if (g->keys[r] < w->key) rank++; }
    char name[80];
    snprintf(name, sizeof name, "%.60s_%d_%d", c->name, number, w->colour);
    struct comm *new = w->colour < 0 ? NULL : new_comm(name, n, rank);
    return meet(c) ? new : NULL;
}
// Whatever came of it, the place is written to.
static void do_split(struct work *w) { __atomic_store_n(w->out, made(w), __ATOMIC_RELEASE); }
unsigned ncclCommSplit(struct comm *c, int colour, int key, struct comm **out, struct config *config) {
    if (config->magic != 0xcafebeef) return INVALID_ARGUMENT;
    on_stacks += on_own_stack(out);
    *out = NULL;
    return begin((struct work){ .f = do_split, .c = c, .out = out, .colour = colour, .key = key });
}
unsigned ncclCommGetAsyncError(struct comm *c, int *e) {
    if (!c) return INVALID_ARGUMENT;
    *e = c->failed ? c->failed : c->working ? IN_PROGRESS : 0;
    return 0;
}
unsigned ncclCommRegister(struct comm *c, void *p, size_t n, void **h) { (void)n; if (c->working) return INVALID_USAGE; *h = p; return 0; }
unsigned ncclCommDeregister(struct comm *c, void *h) { (void)c; (void)h; return 0; }
// Whoever holds on to it lets it go, or it waits in vain.
static int let_go(struct comm *c) {
    for (long waited = 0; c->held > 0 && waited < PATIENCE; waited += 100) usleep(100);
    if (c->held > 0) __sync_fetch_and_add(&hung, 1);
    return c->held == 0;
}
static void do_finalize(struct work *w) {
    if (meet(w->c) && let_go(w->c)) w->c->finalized = 1;
}
unsigned ncclCommFinalize(struct comm *c) { return begin((struct work){ .f = do_finalize, .c = c }); }
unsigned ncclCommDestroy(struct comm *c) {
    if (!c->finalized || c->working) return INVALID_USAGE;
    __sync_fetch_and_add(&finished, 1);
    free(c);
    return 0;
}
unsigned ncclCommAbort(struct comm *c) {
    c->aborted = 1;
    while (c->working) usleep(100);
    let_go(c);
    __sync_fetch_and_add(&aborts, 1);
    return 0;
}

static float combine(int op, float a, float b) { return op == 0 ? a + b : op == 1 ? a * b : op == 2 ? (b > a ? b : a) : (b < a ? b : a); }

static int is_message(struct call *k) { return k->kind == SEND || k->kind == RECV; }
// Where a message is: how much of it has gone, and since it was asked for.
struct message { size_t gone; int begun, over; };
// Whether anything of a message moved.
static int advance(struct comm *c, struct call *k, struct message *m) {
    size_t bytes = k->count * k->size;
    struct box *b = k->kind == SEND ? &c->g->boxes[c->rank][k->peer] : &c->g->boxes[k->peer][c->rank];
    if (k->kind == RECV) {
        if (!m->begun) { m->begun = 1; b->bytes = bytes; __sync_fetch_and_add(&b->asked, 1); return 1; }
        if (!b->full && bytes) return 0;
        size_t n = bytes - m->gone < PIECE ? bytes - m->gone : PIECE;
        __sync_synchronize();
        memcpy(k->to + m->gone, b->piece, n);
        m->gone += n;
        __sync_synchronize();
        b->full = 0;
    } else {
        // The receiver is there, and the message before has gone.
        if (!m->begun) {
            if (b->asked == b->taken) return 0;
            if (b->bytes != bytes) {
                snprintf(c->said, sizeof c->said, "a message of %zu bytes to rank %d, which takes %zu", bytes, k->peer, b->bytes);
                c->failed = INVALID_ARGUMENT;
                return 0;
            }
            m->begun = 1;
            b->taken++;
        }
        if (b->full) return 0;
        size_t n = bytes - m->gone < PIECE ? bytes - m->gone : PIECE;
        memcpy(b->piece, k->from + m->gone, n);
        __sync_synchronize();
        b->full = 1;
        m->gone += n;
    }
    if (m->gone == bytes) m->over = 1;
    return 1;
}
// Whether an earlier call of the group goes the same way and is not over.
static int is_behind(struct call *calls, struct message *all, int i) {
    for (int j = 0; j < i; j++)
        if (!all[j].over && calls[j].kind == calls[i].kind && calls[j].peer == calls[i].peer) return 1;
    return 0;
}
static void messages(struct comm *c, struct call *calls, int n) {
    struct message all[CALLS] = { { 0 } };
    int left = 0;
    for (int i = 0; i < n; i++) left += is_message(&calls[i]);
    double start = now();
    while (left > 0) {
        int moved = 0, waiting = 0;
        for (int i = 0; i < n; i++) {
            if (!is_message(&calls[i]) || all[i].over || is_behind(calls, all, i)) continue;
            moved += advance(c, &calls[i], &all[i]);
            left -= all[i].over;
            if (!all[i].over) waiting = i;
        }
        char what[128];
        struct call *k = &calls[waiting];
        snprintf(what, sizeof what, "%s of %zu bytes %s rank %d", k->kind == SEND ? "a send" : "a receive", k->count * k->size, k->kind == SEND ? "to" : "from", k->peer);
        if (moved) start = now();
        else if (left > 0 && !waits(c, start, what)) return;
    }
}
// All ranks have given the same list, but for sends and receives.
static void collectives(struct comm *c, struct call *own, int n) {
    struct group *g = c->g;
    size_t used = 0, at[CALLS];
    char *results[CALLS] = { 0 };
    size_t bytes[CALLS] = { 0 };
    for (int i = 0; i < n; i++) {
        size_t size = own[i].count * own[i].size * (own[i].kind == REDUCE_SCATTER ? c->n : 1);
        at[i] = used;
        if (is_message(&own[i])) continue;
        if (used + size > SHOWN) { fprintf(stderr, "fake NCCL: a collective of %zu bytes\n", size); abort(); }
        memcpy(g->shown[c->rank] + used, own[i].from, size);
        used += size;
    }
    if (!meet(c)) return;
    for (int i = 0; i < n; i++) {
        struct call *k = &own[i];
        size_t part = k->count * k->size;
        if (is_message(k)) continue;
        bytes[i] = k->kind == ALL_GATHER ? c->n * part : part;
        char *out = results[i] = malloc(bytes[i] + 1);
        if (k->kind == ALL_GATHER)
            for (int r = 0; r < c->n; r++) memcpy(out + r * part, g->shown[r] + at[i], part);
        else {
            size_t from = k->kind == REDUCE_SCATTER ? c->rank * k->count : 0;
            for (size_t x = 0; x < k->count; x++) {
                float sum, next;
                memcpy(&sum, g->shown[0] + at[i] + 4 * (from + x), 4);
                for (int r = 1; r < c->n; r++) {
                    memcpy(&next, g->shown[r] + at[i] + 4 * (from + x), 4);
                    sum = combine(k->op, sum, next);
                }
                memcpy(out + 4 * x, &sum, 4);
            }
        }
    }
    int met = meet(c);
    for (int i = 0; i < n; i++)
        if (results[i]) { if (met) memcpy(own[i].to, results[i], bytes[i]); free(results[i]); }
}
static void perform(void *what) {
    struct job *job = what;
    int all = 0;
    // What is over is over: later work of a communicator that has failed or was aborted comes to nothing.
    if (job->c->failed || job->c->aborted) { if (!job->kept) free(job); return; }
    for (int i = 0; i < job->length; i++) all += !is_message(&job->calls[i]);
    if (all) collectives(job->c, job->calls, job->length);
    messages(job->c, job->calls, job->length);
    if (!job->kept) free(job);
}
static void release(void *what) {
    struct job *job = what;
    __sync_fetch_and_sub(&job->c->held, 1);
    free(job);
}
// Gives the job to the stream. The driver is fake.c, or one that does everything at once and knows nothing of this.
static void do_launch(struct work *w) {
    void *driver = w->stream ? dlopen(DRIVER, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (!driver) { perform(w->job); return; }
    void (*call)(void (*)(void *), void *, void *) = (void (*)(void (*)(void *), void *, void *))dlsym(driver, "fake_cuda_call");
    int (*hold)(void (*)(void *), void *, void *) = (int (*)(void (*)(void *), void *, void *))dlsym(driver, "fake_cuda_hold");
    w->job->kept = hold(release, w->job, w->stream);
    if (w->job->kept) __sync_fetch_and_add(&w->c->held, 1);
    call(perform, w->job, w->stream);
}
static unsigned launch(void) {
    struct comm *c = current;
    struct job *job = malloc(sizeof *job);
    *job = (struct job){ .c = c, .length = length };
    memcpy(job->calls, pending, length * sizeof *pending);
    length = 0;
    current = NULL;
    return begin((struct work){ .f = do_launch, .c = c, .job = job, .stream = stream });
}
unsigned ncclGroupStart(void) { depth++; return 0; }
unsigned ncclGroupEnd(void) { return --depth == 0 && current ? launch() : 0; }
static unsigned give(struct comm *c, struct call k, int type, void *s) {
    static const size_t sizes[] = { 1, 1, 4, 4, 8, 8, 2, 4, 8, 2 };
    if (type < 0 || type > 9 || k.peer >= c->n || length == CALLS || (current && (current != c || stream != s))) return INVALID_ARGUMENT;
    if ((k.kind == ALL_REDUCE || k.kind == REDUCE_SCATTER) && type != 7) return INVALID_ARGUMENT;
    if (c->working) return INVALID_USAGE;
    if (c->failed) return c->failed;
    k.size = sizes[type];
    current = c;
    stream = s;
    pending[length++] = k;
    return depth == 0 ? launch() : 0;
}
unsigned ncclAllReduce(const void *a, void *b, size_t n, int t, int op, struct comm *c, void *s) { return give(c, (struct call){ ALL_REDUCE, a, b, n, 0, op, 0 }, t, s); }
unsigned ncclAllGather(const void *a, void *b, size_t n, int t, struct comm *c, void *s) { return give(c, (struct call){ ALL_GATHER, a, b, n, 0, 0, 0 }, t, s); }
unsigned ncclReduceScatter(const void *a, void *b, size_t n, int t, int op, struct comm *c, void *s) { return give(c, (struct call){ REDUCE_SCATTER, a, b, n, 0, op, 0 }, t, s); }
unsigned ncclSend(const void *a, size_t n, int t, int peer, struct comm *c, void *s) { return give(c, (struct call){ SEND, a, NULL, n, 0, 0, peer }, t, s); }
unsigned ncclRecv(void *b, size_t n, int t, int peer, struct comm *c, void *s) { return give(c, (struct call){ RECV, NULL, b, n, 0, 0, peer }, t, s); }
