//! Slices that the tensor memory accelerator copies, and the barriers in shared memory between the threads that ask for slices
//! and the threads that read them.
//!
//! A barrier (`mbarrier`) counts arrivals and promised bytes. When all are there, its phase is over and the next one begins. A
//! thread that waits names the parity of a phase; for a new barrier, the phase of parity 1 counts as over. Copies arrive by
//! themselves. Copies and `wgmma` see memory through the async proxy, so only the initialization of barriers needs a fence.
//!
//! The emulation leaves all of this to its host, which copies boxes as early or as late as is allowed.

use super::block::call;
use crate::emit::builder::{Builder, ElemKind, Ix, Ty, Val};

/// Bytes of a barrier.
pub const BARRIER: u64 = 8;

const I32: Ty = Ty { kind: ElemKind::I32, lanes: 0 };

/// Where a kernel says what it waited for in vain: a variable of the module, with the address of a word or 0. Code generation
/// declares it.
const WAITED: &str = "meshloom_waited";

/// In a kernel's text: the number that code generation gives the kernel.
const KERNEL_NUMBER: &str = "MESHLOOM_KERNEL_NUMBER";

/// For how many of a multiprocessor's cycles a thread waits: half a minute and more. Nothing that comes takes longer, not even where a
/// debugger looks on.
const PATIENCE: u64 = 1 << 36;

/// Waits for the phase of parity `$1` of the barrier at `$0`. What does not come in time is written down, in the form of the bundle's
/// `waited`, and ends the kernel. The first try is all that happens as a rule.
fn wait() -> String {
    let attempt = "mbarrier.try_wait.parity.shared::cta.b64 over, [$0], $1; @over bra done;";
    [
        "{ .reg .pred over, early, nobody; .reg .b32 place, part, number; .reg .b64 since, now, to, word;",
        attempt,
        "mov.u64 since, %clock64;",
        "again:",
        attempt,
        "mov.u64 now, %clock64; sub.u64 now, now, since;",
        &format!("setp.lt.u64 early, now, {PATIENCE}; @early bra again;"),
        &format!("ld.global.u64 to, [{WAITED}]; setp.eq.u64 nobody, to, 0; @nobody bra gone;"),
        // The address of a barrier is a multiple of 8.
        "shl.b32 place, $0, 13; or.b32 place, place, 0x80000000;",
        "shl.b32 part, $1, 15; or.b32 place, place, part;",
        "mov.u32 part, %ctaid.x; and.b32 part, part, 0x7fff; or.b32 place, place, part;",
        &format!("mov.u32 number, {KERNEL_NUMBER}; mov.b64 word, {{place, number}};"),
        "st.volatile.global.u64 [to], word; membar.sys;",
        "gone: trap; done: }",
    ]
    .join(" ")
}

impl Builder {
    /// Makes a barrier whose phases take so many arrivals. By one thread, before [`Builder::fence_barriers`] by the same.
    pub fn init_barrier(&mut self, at: Ix, arrivals: u64) {
        let (at, arrivals) = (self.word(at), self.int(I32, arrivals as i64));
        if self.emulated() {
            self.mail(&[at, arrivals]);
            return self.host(call::INIT_BARRIER);
        }
        self.asm("mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}", &[at, arrivals]);
    }

    /// Barriers that the thread made are there for others, and for copies, once these met it.
    pub fn fence_barriers(&mut self) {
        if self.emulated() {
            return self.host(call::FENCE_BARRIERS);
        }
        self.asm("fence.mbarrier_init.release.cluster;", "~{memory}", &[]);
        self.asm("fence.proxy.async.shared::cta;", "~{memory}", &[]);
    }

    /// Waits until a phase of this parity is over.
    pub fn await_phase(&mut self, at: Ix, parity: Ix) {
        let (at, parity) = (self.word(at), self.word(parity));
        if self.emulated() {
            self.mail(&[at, parity]);
            return self.host(call::AWAIT_PHASE);
        }
        self.asm(&wait(), "r,r,~{memory}", &[at, parity]);
    }

    /// Arrives, if `when`. No branch: sums of warpgroups that are under way had to be waited for at one.
    pub fn arrive(&mut self, at: Ix, when: Val) {
        let at = self.word(at);
        if self.emulated() {
            return self.if_(when, |b| {
                b.mail(&[at]);
                b.host(call::ARRIVE);
            });
        }
        let when = self.cast("extui", when, ElemKind::I32);
        let text = "{ .reg .pred when; setp.ne.b32 when, $1, 0; @when mbarrier.arrive.shared::cta.b64 _, [$0]; }";
        self.asm(text, "r,r,~{memory}", &[at, when]);
    }

    /// Arrives, if `when`, at the barrier that lies there in a block of the cluster. Of what the thread wrote before, blocks are not told:
    /// with `.release.cluster` it would wait for all of its stores each time. Its matmuls only read, and were waited for.
    pub fn arrive_at(&mut self, at: Ix, block: Ix, when: Val) {
        let (at, block) = (self.word(at), self.word(block));
        if self.emulated() {
            return self.if_(when, |b| {
                b.mail(&[at, block]);
                b.host(call::ARRIVE_AT);
            });
        }
        let when = self.cast("extui", when, ElemKind::I32);
        let text = "{ .reg .pred when; .reg .b32 there; setp.ne.b32 when, $2, 0; mapa.shared::cluster.u32 there, $0, $1; \
                    @when mbarrier.arrive.shared::cluster.b64 _, [there]; }";
        self.asm(text, "r,r,r,~{memory}", &[at, block, when]);
    }

    /// All threads of the cluster's blocks meet.
    pub fn cluster_barrier(&mut self) {
        if self.emulated() {
            return self.host(call::CLUSTER_BARRIER);
        }
        self.asm("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;", "~{memory}", &[]);
    }

    /// Arrives, and has the phase wait for so many bytes.
    pub fn arrive_expecting(&mut self, at: Ix, bytes: u64) {
        let (at, bytes) = (self.word(at), self.int(I32, bytes as i64));
        if self.emulated() {
            self.mail(&[at, bytes]);
            return self.host(call::ARRIVE_EXPECTING);
        }
        self.asm("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}", &[at, bytes]);
    }

    /// Has a tensor map at hand before it is used.
    pub fn prefetch_map(&mut self, map: usize) {
        if !self.emulated() {
            let map = self.map_address(map);
            self.asm("prefetch.tensormap [$0];", "l,~{memory}", &[map]);
        }
    }

    /// Begins to bring the box of a tensor map that begins here, innermost dim first, to an address in shared memory, a multiple of 1024;
    /// then its bytes, all of them wherever the tensor ends, arrive at the barrier.
    pub fn fetch(&mut self, map: usize, coordinates: &[Ix], to: Ix, barrier: Ix) {
        self.fetch_for(1, map, coordinates, to, barrier);
    }

    /// The same for so many blocks of a cluster: to the same address and barrier of each.
    pub fn fetch_for(&mut self, blocks: u32, map: usize, coordinates: &[Ix], to: Ix, barrier: Ix) {
        let at: Vec<Val> = coordinates.iter().map(|&c| self.word(c)).collect();
        let (to, barrier) = (self.word(to), self.word(barrier));
        if self.emulated() {
            let map = self.int(I32, map as i64);
            self.mail(&[&[map, to, barrier][..], &at].concat());
            return self.host(if blocks > 1 { call::FETCH_TO_BOTH } else { call::FETCH });
        }
        let (rank, map) = (at.len(), self.map_address(map));
        let names: Vec<String> = (0..rank).map(|i| format!("${}", i + 3)).collect();
        let copy = format!("cp.async.bulk.tensor.{rank}d.shared::cluster.global.mbarrier::complete_tx::bytes");
        let names = names.join(", ");
        let text = if blocks > 1 {
            let all = (1 << blocks) - 1;
            format!(
                "{{ .reg .b16 all; mov.b16 all, {all}; {copy}.multicast::cluster [$0], [$1, {{{names}}}], [$2], all; }}"
            )
        } else {
            format!("{copy} [$0], [$1, {{{names}}}], [$2];")
        };
        let constraints = format!("r,l,r,{}~{{memory}}", "r,".repeat(rank));
        self.asm(&text, &constraints, &[&[to, map, barrier][..], &at].concat());
    }

    /// Begins to store a box of shared memory, from a multiple of 1024, as far as the tensor reaches. What threads wrote of it has to be
    /// fenced ([`Builder::fence_async`]) by them, before the thread that calls this meets them.
    pub fn store_box(&mut self, map: usize, coordinates: &[Ix], from: Ix) {
        let at: Vec<Val> = coordinates.iter().map(|&c| self.word(c)).collect();
        let from = self.word(from);
        if self.emulated() {
            let map = self.int(I32, map as i64);
            self.mail(&[&[map, from][..], &at].concat());
            return self.host(call::STORE_BOX);
        }
        let (rank, map) = (at.len(), self.map_address(map));
        let names: Vec<String> = (0..rank).map(|i| format!("${}", i + 2)).collect();
        let text =
            format!("cp.async.bulk.tensor.{rank}d.global.shared::cta.bulk_group [$1, {{{}}}], [$0];", names.join(", "));
        let constraints = format!("r,l,{}~{{memory}}", "r,".repeat(rank));
        self.asm(&text, &constraints, &[&[from, map][..], &at].concat());
    }

    /// The boxes that the thread had stored since the last call are one group.
    pub fn commit_stores(&mut self) {
        if self.emulated() {
            return self.host(call::COMMIT_STORES);
        }
        self.asm("cp.async.bulk.commit_group;", "~{memory}", &[]);
    }

    /// All but the last `pending` groups of the thread's boxes are stored; or at least read, so that their memory may be written.
    pub fn wait_stores(&mut self, pending: u64, read: bool) {
        if self.emulated() {
            let words = [pending as i64, read.into()].map(|n| self.int(I32, n));
            self.mail(&words);
            return self.host(call::WAIT_STORES);
        }
        let what = if read { ".read" } else { "" };
        self.asm(&format!("cp.async.bulk.wait_group{what} {pending};"), "~{memory}", &[]);
    }

    /// Of stages that are filled one after the other: the one of a tile, by the number of those before, and the parity of the phase of its
    /// full barrier.
    pub fn stage_of(&mut self, count: Ix, stages: u64) -> (Ix, Ix) {
        let (round, stage) = self.div_rem(count, stages);
        (stage, self.div_rem(round, 2).1)
    }

    /// From here on the threads of the warpgroup, all of which come here, have so many registers each: fewer than before, or more, which
    /// they wait for.
    pub fn set_registers(&mut self, registers: u32, more: bool) {
        if !self.emulated() {
            let way = if more { "inc" } else { "dec" };
            self.asm(&format!("setmaxnreg.{way}.sync.aligned.u32 {registers};"), "~{memory}", &[]);
        }
    }

    /// All lanes of the warp meet; what one wrote to shared memory before, the others read after.
    pub fn warp_barrier(&mut self) {
        if self.emulated() {
            return self.host(call::WARP_BARRIER);
        }
        self.asm("bar.warp.sync 0xffffffff;", "~{memory}", &[]);
    }
}
