// A libnccl.so.2 whose ranks are threads of one process and whose GPU memory is the host's: every rank waits for the others at each group
// of calls. It moves data for real, and refuses what NCCL refuses. Sums and the like are of f32.
//
// As NCCL does for communicators that do not block, it works in threads of its own: joining, splitting, finalizing and the launches of a
// group go on after the call has returned, and a split writes the new communicator at its end. Launches go to the stream, by fake.c where
// that is the driver; a graph that captures them holds on to the communicator, which cannot be finalized or aborted before it is let go.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef DRIVER
#define DRIVER "libcuda.so.1"
#endif
enum { INVALID_ARGUMENT = 4, INVALID_USAGE = 5, IN_PROGRESS = 7, MOST = 64, LATER = 300, PATIENCE = 3000000 };
enum kind { ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, SEND, RECV };

struct call { enum kind kind; const char *from; char *to; size_t count, size; int op, peer; };
struct group {
    int n, here;
    unsigned turn;
    uint64_t id;
    pthread_mutex_t lock;
    struct call *calls[MOST];
    int lengths[MOST], colours[MOST], keys[MOST];
    struct group *made[MOST], *next;
};
struct comm { struct group *g; int rank; volatile int working, finalized, held, aborted; };
// A group of calls: a list of its own, which graphs replay.
struct job { struct comm *c; int length; struct call calls[256]; };
// What a thread of the library does, after the call that asked for it.
struct work { void (*f)(struct work *); struct comm *c, **out; struct job *job; void *stream; int colour, key; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct group *groups;
static uint64_t ids;
static int aborts, finished, hung, on_stacks;
static __thread struct call pending[256];
static __thread int depth, length;
static __thread struct comm *current;
static __thread void *stream;

int fake_nccl_aborts(void) { return aborts; }
int fake_nccl_finished(void) { return finished; }
// Communicators that were to end while graphs held on to them, and were not let go in time.
int fake_nccl_hung(void) { return hung; }
// Splits that were given a place on the stack of their caller, who may be gone when it is written to.
int fake_nccl_on_stacks(void) { return on_stacks; }
static struct group *new_group(int n, uint64_t id) {
    struct group *g = calloc(1, sizeof *g);
    g->n = n;
    g->id = id;
    pthread_mutex_init(&g->lock, NULL);
    return g;
}
// Returns when all ranks are here, or 0 when the communicator is aborted.
static int meet(struct comm *c) {
    struct group *g = c->g;
    pthread_mutex_lock(&g->lock);
    unsigned turn = g->turn;
    if (++g->here == g->n) { g->here = 0; g->turn++; }
    while (g->turn == turn && !c->aborted) {
        pthread_mutex_unlock(&g->lock);
        usleep(20);
        pthread_mutex_lock(&g->lock);
    }
    int met = g->turn != turn;
    pthread_mutex_unlock(&g->lock);
    return met;
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
static struct comm *new_comm(struct group *g, int rank) {
    struct comm *c = calloc(1, sizeof *c);
    *c = (struct comm){ .g = g, .rank = rank };
    return c;
}

unsigned ncclGetVersion(int *v) { *v = 22804; return 0; }
const char *ncclGetErrorString(unsigned e) { return e == INVALID_ARGUMENT ? "invalid argument" : "error"; }
const char *ncclGetLastError(void *c) { (void)c; return ""; }
struct id { char internal[128]; };
unsigned ncclGetUniqueId(struct id *id) { memset(id, 0, sizeof *id); pthread_mutex_lock(&lock); ids++; memcpy(id, &ids, 8); pthread_mutex_unlock(&lock); return 0; }
struct config { size_t size; unsigned magic, version; int blocking; };

static void do_join(struct work *w) { meet(w->c); }
unsigned ncclCommInitRankConfig(struct comm **c, int n, struct id id, int rank, struct config *config) {
    if (config->magic != 0xcafebeef || config->blocking != 0 || n > MOST || rank >= n) return INVALID_ARGUMENT;
    uint64_t number;
    memcpy(&number, &id, 8);
    pthread_mutex_lock(&lock);
    struct group *g = groups;
    while (g && g->id != number) g = g->next;
    if (!g) { g = new_group(n, number); g->next = groups; groups = g; }
    pthread_mutex_unlock(&lock);
    *c = new_comm(g, rank);
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
    if (!meet(c)) return NULL;
    int n = 0, first = -1, rank = 0;
    for (int r = 0; r < g->n; r++)
        if (g->colours[r] == w->colour) { n++; if (first < 0) first = r; if (g->keys[r] < w->key) rank++; }
    if (first == c->rank) g->made[first] = new_group(n, 0);
    if (!meet(c)) return NULL;
    struct comm *new = new_comm(g->made[first], rank);
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
    *e = c->working ? IN_PROGRESS : 0;
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

// All ranks have given the same list, but for sends and receives.
static void perform(void *what) {
    struct job *job = what;
    struct comm *c = job->c;
    struct group *g = c->g;
    struct call *own = job->calls;
    char *results[256] = { 0 };
    size_t bytes[256] = { 0 };
    g->calls[c->rank] = own;
    g->lengths[c->rank] = job->length;
    if (!meet(c)) return;
    for (int i = 0; i < job->length; i++) {
        struct call *k = &own[i];
        size_t n = k->count * k->size;
        if (k->kind == SEND) continue;
        bytes[i] = k->kind == ALL_GATHER ? g->n * n : n;
        char *out = results[i] = malloc(bytes[i] + 1);
        if (k->kind == ALL_GATHER)
            for (int r = 0; r < g->n; r++) memcpy(out + r * n, g->calls[r][i].from, n);
        else if (k->kind == RECV) {
            // The same number of messages between these two came before.
            int before = 0;
            for (int j = 0; j < i; j++) before += own[j].kind == RECV && own[j].peer == k->peer;
            for (int j = 0; j < g->lengths[k->peer]; j++) {
                struct call *s = &g->calls[k->peer][j];
                if (s->kind == SEND && s->peer == c->rank && before-- == 0) memcpy(out, s->from, n);
            }
        } else {
            size_t from = k->kind == REDUCE_SCATTER ? c->rank * k->count : 0;
            for (size_t x = 0; x < k->count; x++) {
                float sum = ((float *)g->calls[0][i].from)[from + x];
                for (int r = 1; r < g->n; r++) sum = combine(k->op, sum, ((float *)g->calls[r][i].from)[from + x]);
                ((float *)out)[x] = sum;
            }
        }
    }
    if (!meet(c)) return;
    for (int i = 0; i < job->length; i++)
        if (results[i]) { memcpy(own[i].to, results[i], bytes[i]); free(results[i]); }
    meet(c);
}
static void release(void *what) {
    struct job *job = what;
    __sync_fetch_and_sub(&job->c->held, 1);
    free(job);
}
// Gives the job to the stream. The driver is fake.c, or one that does everything at once and knows nothing of this.
static void do_launch(struct work *w) {
    void *driver = w->stream ? dlopen(DRIVER, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (!driver) { perform(w->job); free(w->job); return; }
    void (*call)(void (*)(void *), void *, void *) = (void (*)(void (*)(void *), void *, void *))dlsym(driver, "fake_cuda_call");
    int (*hold)(void (*)(void *), void *, void *) = (int (*)(void (*)(void *), void *, void *))dlsym(driver, "fake_cuda_hold");
    int kept = hold(release, w->job, w->stream);
    if (kept) __sync_fetch_and_add(&w->c->held, 1);
    call(perform, w->job, w->stream);
    if (!kept) free(w->job);
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
    if (type < 0 || type > 9 || k.peer >= c->g->n || length == 256 || (current && (current != c || stream != s))) return INVALID_ARGUMENT;
    if ((k.kind == ALL_REDUCE || k.kind == REDUCE_SCATTER) && type != 7) return INVALID_ARGUMENT;
    if (c->working) return INVALID_USAGE;
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
