// A libnccl.so.2 whose ranks are threads of one process and whose GPU memory is the host's: calls are done when a group ends, and every
// rank waits for the others at each. It moves data for real, and refuses what NCCL refuses. Sums and the like are of f32.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID_ARGUMENT = 4, INVALID_USAGE = 5, IN_PROGRESS = 7, MOST = 64 };
enum kind { ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, BROADCAST, SEND, RECV };

struct call { enum kind kind; const char *from; char *to; size_t count, size; int op, peer; };
struct group { int n; uint64_t id; pthread_barrier_t all; struct call *calls[MOST]; int lengths[MOST], colours[MOST], keys[MOST]; struct group *made[MOST]; struct group *next; };
struct comm { struct group *g; int rank, fresh, finalized; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct group *groups;
static uint64_t ids;
static int aborts, finished;
static __thread struct call pending[256];
static __thread int depth, length;
static __thread struct comm *current;

int fake_nccl_aborts(void) { return aborts; }
int fake_nccl_finished(void) { return finished; }
static struct group *new_group(int n, uint64_t id) {
    struct group *g = calloc(1, sizeof *g);
    g->n = n;
    g->id = id;
    pthread_barrier_init(&g->all, NULL, n);
    return g;
}
static void meet(struct group *g) { pthread_barrier_wait(&g->all); }

unsigned ncclGetVersion(int *v) { *v = 22804; return 0; }
const char *ncclGetErrorString(unsigned e) { return e == INVALID_ARGUMENT ? "invalid argument" : "error"; }
const char *ncclGetLastError(void *c) { (void)c; return ""; }
struct id { char internal[128]; };
unsigned ncclGetUniqueId(struct id *id) { memset(id, 0, sizeof *id); pthread_mutex_lock(&lock); ids++; memcpy(id, &ids, 8); pthread_mutex_unlock(&lock); return 0; }
struct config { size_t size; unsigned magic, version; int blocking; };

unsigned ncclCommInitRankConfig(struct comm **c, int n, struct id id, int rank, struct config *config) {
    if (config->magic != 0xcafebeef || config->blocking != 0 || n > MOST || rank >= n) return INVALID_ARGUMENT;
    uint64_t number;
    memcpy(&number, &id, 8);
    pthread_mutex_lock(&lock);
    struct group *g = groups;
    while (g && g->id != number) g = g->next;
    if (!g) { g = new_group(n, number); g->next = groups; groups = g; }
    pthread_mutex_unlock(&lock);
    meet(g);
    *c = calloc(1, sizeof **c);
    **c = (struct comm){ g, rank, 1, 0 };
    return IN_PROGRESS;
}
unsigned ncclCommSplit(struct comm *c, int colour, int key, struct comm **out, struct config *config) {
    if (config->magic != 0xcafebeef) return INVALID_ARGUMENT;
    struct group *g = c->g;
    g->colours[c->rank] = colour;
    g->keys[c->rank] = key;
    meet(g);
    int n = 0, first = -1, rank = 0;
    for (int r = 0; r < g->n; r++)
        if (g->colours[r] == colour) { n++; if (first < 0) first = r; if (g->keys[r] < key) rank++; }
    if (first == c->rank) g->made[first] = new_group(n, 0);
    meet(g);
    *out = calloc(1, sizeof **out);
    **out = (struct comm){ g->made[first], rank, 1, 0 };
    meet(g);
    return IN_PROGRESS;
}
unsigned ncclCommGetAsyncError(struct comm *c, int *e) { *e = c->fresh ? IN_PROGRESS : 0; c->fresh = 0; return 0; }
unsigned ncclCommRegister(struct comm *c, void *p, size_t n, void **h) { (void)c; (void)n; *h = p; return 0; }
unsigned ncclCommDeregister(struct comm *c, void *h) { (void)c; (void)h; return 0; }
unsigned ncclCommFinalize(struct comm *c) { meet(c->g); c->finalized = 1; return 0; }
unsigned ncclCommDestroy(struct comm *c) {
    if (!c->finalized) return INVALID_USAGE;
    __sync_fetch_and_add(&finished, 1);
    free(c);
    return 0;
}
unsigned ncclCommAbort(struct comm *c) { (void)c; __sync_fetch_and_add(&aborts, 1); return 0; }

static float combine(int op, float a, float b) { return op == 0 ? a + b : op == 1 ? a * b : op == 2 ? (b > a ? b : a) : (b < a ? b : a); }

// All ranks have given the same list, but for sends and receives.
static void perform(struct comm *c) {
    struct group *g = c->g;
    char *results[256] = { 0 };
    size_t bytes[256] = { 0 };
    g->calls[c->rank] = pending;
    g->lengths[c->rank] = length;
    meet(g);
    for (int i = 0; i < length; i++) {
        struct call *k = &pending[i];
        size_t n = k->count * k->size;
        if (k->kind == SEND) continue;
        bytes[i] = k->kind == ALL_GATHER ? g->n * n : n;
        char *out = results[i] = malloc(bytes[i] + 1);
        if (k->kind == ALL_GATHER)
            for (int r = 0; r < g->n; r++) memcpy(out + r * n, g->calls[r][i].from, n);
        else if (k->kind == BROADCAST)
            memcpy(out, g->calls[k->peer][i].from, n);
        else if (k->kind == RECV) {
            // The same number of messages between these two came before.
            int before = 0;
            for (int j = 0; j < i; j++) before += pending[j].kind == RECV && pending[j].peer == k->peer;
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
    meet(g);
    for (int i = 0; i < length; i++)
        if (results[i]) { memcpy(pending[i].to, results[i], bytes[i]); free(results[i]); }
    length = 0;
    meet(g);
}
unsigned ncclGroupStart(void) { depth++; return 0; }
unsigned ncclGroupEnd(void) {
    if (--depth == 0 && current) { struct comm *c = current; current = NULL; perform(c); }
    return 0;
}
static unsigned give(struct comm *c, struct call k, int type) {
    static const size_t sizes[] = { 1, 1, 4, 4, 8, 8, 2, 4, 8, 2 };
    if (type < 0 || type > 9 || k.peer >= c->g->n || length == 256 || (current && current != c)) return INVALID_ARGUMENT;
    if ((k.kind == ALL_REDUCE || k.kind == REDUCE_SCATTER) && type != 7) return INVALID_ARGUMENT;
    k.size = sizes[type];
    current = c;
    pending[length++] = k;
    if (depth == 0) { current = NULL; perform(c); }
    return 0;
}
unsigned ncclAllReduce(const void *a, void *b, size_t n, int t, int op, struct comm *c, void *s) { (void)s; return give(c, (struct call){ ALL_REDUCE, a, b, n, 0, op, 0 }, t); }
unsigned ncclAllGather(const void *a, void *b, size_t n, int t, struct comm *c, void *s) { (void)s; return give(c, (struct call){ ALL_GATHER, a, b, n, 0, 0, 0 }, t); }
unsigned ncclReduceScatter(const void *a, void *b, size_t n, int t, int op, struct comm *c, void *s) { (void)s; return give(c, (struct call){ REDUCE_SCATTER, a, b, n, 0, op, 0 }, t); }
unsigned ncclBroadcast(const void *a, void *b, size_t n, int t, int root, struct comm *c, void *s) { (void)s; return give(c, (struct call){ BROADCAST, a, b, n, 0, 0, root }, t); }
unsigned ncclSend(const void *a, size_t n, int t, int peer, struct comm *c, void *s) { (void)s; return give(c, (struct call){ SEND, a, NULL, n, 0, 0, peer }, t); }
unsigned ncclRecv(void *b, size_t n, int t, int peer, struct comm *c, void *s) { (void)s; return give(c, (struct call){ RECV, NULL, b, n, 0, 0, peer }, t); }
