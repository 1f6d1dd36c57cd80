//! Collectives between processes: the same bits as between the devices of one process, for every kind and every dtype,
//! with one device or several in each process. The ranks of these tests are threads, each with a world of its own. They
//! find each other's memory through `/proc` and share nothing else, as processes do.

use crate::common::*;
use meshloom_bundle::*;
use meshloom_runtime::collectives::{Letter, Posted, Transport};
use meshloom_runtime::world::{Join, Master, Remote, World};
use meshloom_runtime::{HostTensor, Session, SessionOptions};
use std::collections::{BTreeMap, VecDeque};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Letters = VecDeque<Vec<u8>>;

/// Letters that lie there until they are taken: by receiver, by sender, and by channel or tag.
struct Post {
    size: usize,
    boxes: Mutex<BTreeMap<(usize, usize, usize), Letters>>,
    posted: Mutex<BTreeMap<(usize, usize, u32), VecDeque<Parcel>>>,
}

/// What is sent, until it is received: a send ends then, as with a rendezvous.
type Parcel = Arc<Mutex<Option<Vec<u8>>>>;

/// Messages between threads.
struct Mail(usize, Arc<Post>);

impl Transport for Mail {
    fn place(&self) -> (usize, usize) {
        (self.0, self.1.size)
    }

    fn exchange(&self, channel: usize, out: &[(usize, &[u8])], into: &mut [(usize, &mut [u8])], idle: &dyn Fn()) {
        for (to, bytes) in out {
            self.1.boxes.lock().unwrap().entry((*to, self.0, channel)).or_default().push_back(bytes.to_vec());
        }
        for (from, bytes) in into {
            let letter = loop {
                let letter = self.1.boxes.lock().unwrap().entry((self.0, *from, channel)).or_default().pop_front();
                match letter {
                    Some(letter) => break letter,
                    None => idle(),
                }
            };
            bytes.copy_from_slice(&letter);
        }
    }

    unsafe fn post(&self, m: Letter) -> Box<dyn Posted> {
        if !m.sends {
            return Box::new(Received {
                post: self.1.clone(),
                from: (self.0, m.process, m.tag),
                at: m.at,
                bytes: m.bytes,
            });
        }
        // SAFETY: as the caller promises.
        let bytes = unsafe { std::slice::from_raw_parts(m.at, m.bytes) }.to_vec();
        let parcel = Arc::new(Mutex::new(Some(bytes)));
        self.1.posted.lock().unwrap().entry((m.process, self.0, m.tag)).or_default().push_back(parcel.clone());
        Box::new(Sent(parcel))
    }
}

struct Sent(Parcel);

impl Posted for Sent {
    fn is_done(&mut self) -> bool {
        self.0.lock().unwrap().is_none()
    }

    fn take_back(self: Box<Self>) {
        panic!("a message was not received");
    }
}

struct Received {
    post: Arc<Post>,
    from: (usize, usize, u32),
    at: *mut u8,
    bytes: usize,
}

// SAFETY: an address that is this message's alone.
unsafe impl Send for Received {}

impl Posted for Received {
    fn is_done(&mut self) -> bool {
        let mut posted = self.post.posted.lock().unwrap();
        let Some(parcel) = posted.get_mut(&self.from).and_then(VecDeque::pop_front) else { return false };
        let bytes = parcel.lock().unwrap().take().expect("sent once");
        assert_eq!(bytes.len(), self.bytes);
        // SAFETY: as the caller of `post` promises.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.at, self.bytes) };
        true
    }

    fn take_back(self: Box<Self>) {}
}

/// Runs `work` on every rank; what it returns, by rank.
pub fn ranks<T: Send>(bundle: &Bundle, size: usize, work: impl Fn(&Arc<World>) -> T + Sync) -> Vec<T> {
    ranks_by(bundle, size, false, work)
}

/// `mail`: as if every rank had a host of its own.
pub fn ranks_by<T: Send>(bundle: &Bundle, size: usize, mail: bool, work: impl Fn(&Arc<World>) -> T + Sync) -> Vec<T> {
    let post = Arc::new(Post { size, boxes: Mutex::default(), posted: Mutex::default() });
    let socket = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = socket.local_addr().unwrap().port();
    let mut socket = Some(socket);
    std::thread::scope(|s| {
        let start = |rank: usize| {
            let join = Join {
                rank,
                size,
                master: Master { host: "127.0.0.1".into(), port },
                listener: if rank == 0 { socket.take() } else { None },
                timeout: Duration::from_secs(120),
                key: None,
                options: Default::default(),
                remote: mail.then(|| {
                    let mail = Mail(rank, post.clone());
                    Remote { name: "mail".into(), forced: true, make: Box::new(|| Ok(Box::new(mail))) }
                }),
                generation: 0,
                on_failure: Box::new(move |e| eprintln!("rank {rank}: {e}")),
            };
            let work = &work;
            s.spawn(move || {
                let world = World::join(bundle, join).unwrap();
                let result = work(&world);
                world.finish();
                result
            })
        };
        let threads: Vec<_> = (0..size).map(start).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    })
}

/// A program of collectives one after the other, each from an input of its own to an output of its own, all devices' rows in one tensor.
fn program_of(mesh: &[(&str, u32)], calls: &[(CollectiveKind, Vec<u32>, DType)]) -> Program {
    let mut p = program(mesh, 0);
    let all: Vec<u32> = (0..mesh.len() as u32).collect();
    let devices = p.devices() as u64;
    let mut at = 0;
    for (i, (kind, axes, dtype)) in calls.iter().enumerate() {
        let (s, d) = kind.elements(p.group_size(axes)).unwrap();
        let (src, dst) = (s * dtype.bytes(), d * dtype.bytes());
        let second = at + src.next_multiple_of(ALIGN);
        p.ports.push(port(&p, &format!("src{i}"), Role::Input, *dtype, &[devices, s], &[&all, &[]], at));
        p.ports.push(port(&p, &format!("dst{i}"), Role::Output, *dtype, &[devices, d], &[&all, &[]], second));
        let (a, b) = (BufRef::fixed(at, src), BufRef::fixed(second, dst));
        p.instrs.push(collective(i as u32, kind.clone(), axes, *dtype, a, b));
        at = second + dst.next_multiple_of(ALIGN);
    }
    p.arena_bytes = at;
    p
}

fn calls(n: u64, axes: &[u32]) -> Vec<(CollectiveKind, Vec<u32>, DType)> {
    use DType::*;
    let mut all = Vec::new();
    let mut add = |kind: CollectiveKind, dtype| all.push((kind, axes.to_vec(), dtype));
    for dtype in [F32, F64, BF16, F16, I32, I64, U32, I8, U8] {
        for reduction in [Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::Prod] {
            add(CollectiveKind::AllReduce { reduction, count: 5003 }, dtype);
            add(CollectiveKind::ReduceScatter { reduction, outer: 3, block: 5, inner: 7 }, dtype);
        }
        if !dtype.is_float() {
            add(CollectiveKind::AllReduce { reduction: Reduction::And, count: 77 }, dtype);
            add(CollectiveKind::AllReduce { reduction: Reduction::Or, count: 77 }, dtype);
        }
        add(CollectiveKind::AllGather { outer: 4, block: 3, inner: 90 }, dtype);
        for split_first in [true, false] {
            let kind = CollectiveKind::AllToAll { split_first, outer: 2, split: 3, middle: 2, concat: 5, inner: 4 };
            add(kind, dtype);
        }
        let pairs = (1..n as u32).map(|k| (k - 1, k)).collect();
        add(CollectiveKind::CollectivePermute { count: 6001, pairs }, dtype);
    }
    add(CollectiveKind::AllGather { outer: 4, block: 3, inner: 90 }, Bool);
    all
}

/// Random bytes, but for floats numbers that are some.
fn value(rng: &mut Rng, dtype: DType, n: u64) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..n {
        let x = rng.next(1 << 20) as f64 / 777.0 - 600.0;
        match dtype {
            DType::F32 => out.extend((x as f32).to_le_bytes()),
            DType::F64 => out.extend(x.to_le_bytes()),
            DType::F16 => out.extend(half::f16::from_f64(x / 300.0).to_le_bytes()),
            DType::BF16 => out.extend(half::bf16::from_f64(x).to_le_bytes()),
            DType::Bool => out.push((x > 0.0).into()),
            _ => out.extend((x as i64).to_le_bytes().into_iter().take(dtype.bytes() as usize)),
        }
    }
    out
}

/// Every output, as all ranks see it.
fn run(bundle: &Bundle, world: Option<&Arc<World>>, threads: usize) -> Vec<Vec<u8>> {
    let options = SessionOptions { threads: Some(threads), seed: 0, world: world.cloned(), late: None };
    let mut s = Session::open(bundle, "test", &options).unwrap();
    let ports: Vec<Port> = s.program().ports.clone();
    let mut rng = Rng(7);
    for p in ports.iter().filter(|p| p.role == Role::Input) {
        let bytes = value(&mut rng, p.dtype, p.global_shape.iter().product());
        s.write(&p.name, HostTensor { dtype: p.dtype, shape: p.global_shape.clone(), bytes }).unwrap();
    }
    s.run().unwrap();
    // Twice, since what is left from the first time must not matter.
    s.run().unwrap();
    ports.iter().filter(|p| p.role == Role::Output).map(|p| s.read(&p.name).unwrap().bytes).collect()
}

#[test]
fn bits_are_those_of_one_process() {
    for (mesh, axes, sizes) in [
        (&[("a", 2u32), ("b", 2)][..], &[0u32, 1][..], &[2usize, 4][..]),
        (&[("a", 2), ("b", 3)], &[1], &[2, 3, 6]),
        (&[("a", 2), ("b", 2)], &[1, 0], &[4]),
    ] {
        let n = axes.iter().map(|&a| u64::from(mesh[a as usize].1)).product();
        let b = bundle(vec![(EntryKind::Function, program_of(mesh, &calls(n, axes)))], "int none;");
        let alone = run(&b, None, 2);
        for &size in sizes {
            for (threads, mail) in [(1, false), (2, false), (2, true)] {
                if mail && Some(&size) != sizes.last() {
                    continue;
                }
                for (rank, seen) in ranks_by(&b, size, mail, |w| run(&b, Some(w), threads)).into_iter().enumerate() {
                    for (i, (a, b)) in alone.iter().zip(&seen).enumerate() {
                        assert!(
                            a == b,
                            "output {i} on rank {rank} of {size}, {threads} threads, mail: {mail}, {mesh:?} over {axes:?}"
                        );
                    }
                }
            }
        }
    }
}

/// Processes need not have equally many threads.
#[test]
fn threads_may_differ() {
    let mesh = [("a", 4)];
    let b = bundle(vec![(EntryKind::Function, program_of(&mesh, &calls(4, &[0])))], "int none;");
    let alone = run(&b, None, 1);
    for seen in ranks(&b, 4, |w| run(&b, Some(w), 1 + w.rank() % 3)) {
        assert!(alone == seen);
    }
}

/// What one rank does alone, it does while the others hand it what it asks for, in its own order.
#[test]
fn rank_0_reads_what_the_others_hold() {
    let mesh = [("a", 4)];
    let mut p = program(&mesh, 64);
    p.ports.push(port(&p, "x", Role::Parameter, DType::I32, &[8], &[&[0]], 0));
    let b = bundle(vec![(EntryKind::Function, p)], "int none;");
    for mail in [false, true] {
        let all = ranks_by(&b, 4, mail, |w| {
            let mut s =
                Session::open(&b, "test", &SessionOptions { world: Some(w.clone()), ..SessionOptions::default() })
                    .unwrap();
            assert_eq!(s.devices(), w.rank()..w.rank() + 1);
            s.write("x", HostTensor::i32(&[8], &[1, 2, 3, 4, 5, 6, 7, 8])).unwrap();
            let read = |s: &Session| s.read("x").map(|t| t.to_i64().unwrap());
            (s.on_first(|s| read(s).and_then(|_| read(s))).unwrap(), read(&s).unwrap())
        });
        let x = vec![1, 2, 3, 4, 5, 6, 7, 8];
        for (rank, (first, everybody)) in all.into_iter().enumerate() {
            assert_eq!((first, everybody), ((rank == 0).then(|| x.clone()), x.clone()));
        }
    }
}
