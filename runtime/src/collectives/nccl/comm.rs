//! Communicators.

use super::library::Nccl;
use crate::error::{ErrorKind, Result, RuntimeError};
use cudarc::nccl::sys::{ncclComm_t, ncclConfig_t, ncclUniqueId};
use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::{Duration, Instant};

/// `ncclInProgress`: what calls of a communicator that does not block return before they are done.
const IN_PROGRESS: u32 = 7;
/// `NCCL_SPLIT_NOCOLOR`
const NO_COLOUR: i32 = -1;
/// "The default" in a configuration.
const UNDEFINED: i32 = i32::MIN;

/// What NCCL's `NCCL_CONFIG_INITIALIZER` makes, for communicators whose calls return at once. An older library reads the fields that
/// it knows, by the size.
fn config() -> ncclConfig_t {
    ncclConfig_t {
        size: size_of::<ncclConfig_t>(),
        magic: 0xcafe_beef,
        version: 22_804,
        blocking: 0,
        cgaClusterSize: UNDEFINED,
        minCTAs: UNDEFINED,
        maxCTAs: UNDEFINED,
        netName: std::ptr::null(),
        splitShare: UNDEFINED,
        trafficClass: UNDEFINED,
        commName: std::ptr::null(),
        collnetEnable: UNDEFINED,
        CTAPolicy: UNDEFINED,
        shrinkShare: UNDEFINED,
        nvlsCTAs: UNDEFINED,
        nChannelsPerNetPeer: UNDEFINED,
        nvlinkCentricSched: UNDEFINED,
        graphUsageMode: UNDEFINED,
        numRmaCtx: UNDEFINED,
        maxP2pPeers: UNDEFINED,
    }
}

/// A number that ranks find each other by; rank 0 makes it and hands it around.
pub const ID_BYTES: usize = 128;

pub fn unique_id(nccl: &Nccl) -> Result<[u8; ID_BYTES]> {
    let mut id = ncclUniqueId { internal: [0; ID_BYTES] };
    // SAFETY: writes the id.
    let code = unsafe { (nccl.functions.ncclGetUniqueId)(&mut id) };
    if code != 0 {
        return Err(failed(nccl, "ncclGetUniqueId", code, null_mut()));
    }
    Ok(id.internal.map(|c| c as u8))
}

fn failed(nccl: &Nccl, what: &str, code: u32, comm: ncclComm_t) -> RuntimeError {
    // SAFETY: the communicator is alive or null.
    let why = unsafe { nccl.explain(code, comm) };
    let help = "NCCL_DEBUG=INFO makes NCCL say more";
    RuntimeError::new(ErrorKind::Rank, "nccl", format!("{what} failed: {why} (code {code}; {help})"))
}

/// Asked while ranks wait for each other: an error ends the wait.
pub type Watch = Arc<dyn Fn() -> Result<()> + Send + Sync>;

/// Where NCCL writes a communicator's handle. A thread of NCCL's may do so long after the call that asked for it, even one that has
/// failed by then, so it lies in a place of its own.
type Slot = Box<AtomicPtr<c_void>>;

fn slot() -> Slot {
    Box::new(AtomicPtr::new(null_mut()))
}

/// A communicator, alive.
pub struct Comm {
    nccl: Arc<Nccl>,
    slot: Slot,
    /// Those of splits that failed, which may still be written to as long as this communicator is there.
    lost: RefCell<Vec<Slot>>,
    pub rank: usize,
    pub size: usize,
    buffers: Vec<*mut c_void>,
    timeout: Duration,
    watch: Option<Watch>,
}

impl Comm {
    /// Joins `size` ranks as number `rank`; returns when all have.
    ///
    /// # Errors
    /// What NCCL says; of kind [`ErrorKind::Rank`] too if a rank does not come within the timeout.
    pub fn join(
        nccl: &Arc<Nccl>,
        id: &[u8; ID_BYTES],
        rank: usize,
        size: usize,
        timeout: Duration,
        watch: Option<Watch>,
    ) -> Result<Comm> {
        let id = ncclUniqueId { internal: id.map(|b| b as std::ffi::c_char) };
        let (slot, mut config) = (slot(), config());
        let (to, n, rank_of) = (slot.as_ptr().cast(), size as i32, rank as i32);
        // SAFETY: the handle's place lives as long as the communicator; the configuration is read before the call returns.
        let code = unsafe { (nccl.functions.ncclCommInitRankConfig)(to, n, id, rank_of, &mut config) };
        let lost = RefCell::default();
        let comm = Comm { nccl: nccl.clone(), slot, lost, rank, size, buffers: Vec::new(), timeout, watch };
        comm.settle("ncclCommInitRank", code)?;
        Ok(comm)
    }

    /// The communicator of those that say the same colour, in the order of keys. All ranks of this one call it.
    ///
    /// # Errors
    /// As [`Comm::join`].
    pub fn split(&self, colour: usize, key: usize, size: usize) -> Result<Comm> {
        let (slot, mut config) = (slot(), config());
        let (to, colour, place) = (slot.as_ptr().cast(), colour as i32, key as i32);
        // SAFETY: as for joining, and this communicator is alive; the handle's place lives as long as one of the two.
        let code = unsafe { (self.nccl.functions.ncclCommSplit)(self.handle(), colour, place, to, &mut config) };
        if let Err(e) = self.settle("ncclCommSplit", code) {
            self.lost.borrow_mut().push(slot);
            return Err(e);
        }
        let comm = Comm {
            nccl: self.nccl.clone(),
            slot,
            lost: RefCell::default(),
            rank: key,
            size,
            buffers: Vec::new(),
            timeout: self.timeout,
            watch: self.watch.clone(),
        };
        comm.settle("ncclCommSplit", 0)?;
        Ok(comm)
    }

    /// Takes no part in the communicators into which the others split this one.
    ///
    /// # Errors
    /// As [`Comm::join`].
    pub fn split_without(&self) -> Result<()> {
        let (slot, mut config) = (slot(), config());
        // SAFETY: as for `split`; of `NCCL_SPLIT_NOCOLOR` nothing is made.
        let code = unsafe {
            (self.nccl.functions.ncclCommSplit)(self.handle(), NO_COLOUR, 0, slot.as_ptr().cast(), &mut config)
        };
        let settled = self.settle("ncclCommSplit", code);
        self.lost.borrow_mut().push(slot);
        settled
    }

    pub fn nccl(&self) -> &Nccl {
        &self.nccl
    }

    pub fn handle(&self) -> ncclComm_t {
        self.slot.load(Ordering::Acquire).cast()
    }

    /// Lets NCCL reach a buffer directly, where it can; a buffer that it refuses is used all the same.
    ///
    /// # Safety
    /// Device memory of so many bytes, which lives longer than the communicator.
    pub unsafe fn register(&mut self, at: u64, bytes: u64) -> Result<()> {
        let mut handle = null_mut();
        // SAFETY: as the caller promises.
        let code = unsafe {
            (self.nccl.functions.ncclCommRegister)(self.handle(), at as *mut c_void, bytes as usize, &mut handle)
        };
        match code {
            0 if !handle.is_null() => self.buffers.push(handle),
            0 | 4 | 5 => {}
            code => self.settle("ncclCommRegister", code)?,
        }
        Ok(())
    }

    /// What happened to work that was given out: nothing, or why it will never be done.
    pub fn check(&self) -> Result<()> {
        match self.state("communication")? {
            0 | IN_PROGRESS => Ok(()),
            code => Err(failed(&self.nccl, "communication", code, self.handle())),
        }
    }

    fn state(&self, what: &str) -> Result<u32> {
        let mut state = 0;
        // SAFETY: writes one integer; the communicator is alive.
        match unsafe { (self.nccl.functions.ncclCommGetAsyncError)(self.handle(), &mut state) } {
            0 => Ok(state as u32),
            code => Err(failed(&self.nccl, what, code, self.handle())),
        }
    }

    /// Waits until a call is done that said that it was in progress.
    pub fn settle(&self, what: &str, code: u32) -> Result<()> {
        if code != 0 && code != IN_PROGRESS {
            return Err(failed(&self.nccl, what, code, self.handle()));
        }
        let until = Instant::now() + self.timeout;
        loop {
            match self.state(what)? {
                0 => return Ok(()),
                IN_PROGRESS if Instant::now() < until => {
                    self.watch.as_ref().map_or(Ok(()), |w| w())?;
                    std::thread::sleep(Duration::from_micros(200));
                }
                IN_PROGRESS => {
                    let (rank, size, seconds) = (self.rank, self.size, self.timeout.as_secs_f64());
                    let message = format!("{what}: rank {rank} of {size} waited {seconds} s for the others in vain");
                    return Err(RuntimeError::new(ErrorKind::Rank, "nccl", message));
                }
                code => return Err(failed(&self.nccl, what, code, self.handle())),
            }
        }
    }

    /// The orderly end: all ranks come to it, after all work is done.
    ///
    /// # Errors
    /// Somebody did not come; the communicator is then aborted.
    pub fn finalize(mut self) -> Result<()> {
        let (f, handle) = (&self.nccl.functions, self.handle());
        for b in self.buffers.drain(..) {
            // SAFETY: registered with this communicator, and given back once.
            unsafe { (f.ncclCommDeregister)(handle, b) };
        }
        // SAFETY: the communicator is alive, and nothing is called with it afterwards but what ends it.
        let code = unsafe { (f.ncclCommFinalize)(handle) };
        self.settle("ncclCommFinalize", code)?;
        let handle = self.slot.swap(null_mut(), Ordering::AcqRel).cast();
        // SAFETY: finalized, and destroyed once.
        match unsafe { (self.nccl.functions.ncclCommDestroy)(handle) } {
            0 => Ok(()),
            code => Err(failed(&self.nccl, "ncclCommDestroy", code, null_mut())),
        }
    }
}

impl Drop for Comm {
    /// A communicator that was not finalized belongs to a run that failed: kernels that wait for ranks that are gone are stopped.
    fn drop(&mut self) {
        let handle = self.handle();
        if !handle.is_null() {
            // SAFETY: alive, and ended once.
            unsafe { (self.nccl.functions.ncclCommAbort)(handle) };
        }
    }
}
