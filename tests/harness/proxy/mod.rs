//! The fault proxy: between client and service, on TCP, doing to each call what a rule says.
//!
//! Every request that comes is counted and written down, whatever becomes of it. Each goes to the
//! service on a connection of its own, so what a service sees is what a caller sent, once, unless a
//! rule says otherwise. While nobody listens the port stays ours, so a refusal is the system's own.
//! A delivery that has begun is finished even if its caller has gone: networks do the same.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::watch,
    task::{JoinHandle, JoinSet},
};

mod carry;
pub mod rule;
mod seen;
pub mod wire;

pub use rule::{At, Back, Call, Rule, Toward};
pub use seen::Seen;
pub use wire::Message;

/// How long a connection takes at most to be queued on this computer.
const QUEUE_FULL_AFTER: Duration = Duration::from_millis(200);
/// Connections at once.
const CONNECTIONS_MAX: usize = 256;
/// Requests written down; a test that makes more has lost its way.
const SEEN_MAX: usize = 50_000;

/// See the head of this file.
pub struct Proxy {
    shared: Arc<Shared>,
    address: SocketAddr,
    /// Bound and never listening: the port stays ours while nobody listens.
    _port: TcpSocket,
    listening: Mutex<Option<JoinHandle<()>>>,
    hole: Mutex<Option<Hole>>,
}

/// A listener that accepts nobody, and the connections that fill its queue.
struct Hole {
    _listener: TcpListener,
    _filling: Vec<TcpStream>,
}

/// What the connections share.
struct Shared {
    upstream: Mutex<SocketAddr>,
    rules: Mutex<Vec<Rule>>,
    seen: watch::Sender<Vec<Seen>>,
    /// How often the test let go of what stalls.
    released: watch::Sender<u64>,
    kept: Mutex<Vec<Vec<u8>>>,
    /// Requests that are being carried and do not stall.
    busy: watch::Sender<usize>,
    moves: AtomicU64,
    /// What stalls now.
    resting: Mutex<Vec<Call>>,
}

/// One more request is being carried, until this is dropped.
struct Busy(Arc<Shared>);

impl Busy {
    fn with(shared: &Arc<Shared>) -> Self {
        shared.busy.send_modify(|busy| *busy += 1);
        Self(Arc::clone(shared))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.send_modify(|busy| *busy -= 1);
    }
}

/// A request that is being carried stalls, until this is dropped.
struct Resting<'a>(&'a Shared, Call);

impl<'a> Resting<'a> {
    fn of(shared: &'a Shared, call: Call) -> Self {
        lock(&shared.resting).push(call);
        shared.busy.send_modify(|busy| *busy -= 1);
        Self(shared, call)
    }
}

impl Drop for Resting<'_> {
    fn drop(&mut self) {
        let mut resting = lock(&self.0.resting);
        if let Some(at) = resting.iter().position(|call| *call == self.1) {
            resting.remove(at);
        }
        self.0.busy.send_modify(|busy| *busy += 1);
    }
}

impl Proxy {
    /// A proxy before the service at `upstream`, passing everything on.
    ///
    /// # Panics
    /// This computer has no free port.
    pub fn start(upstream: SocketAddr) -> Self {
        let port = socket(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        let address = port.local_addr().expect("a bound socket has an address");
        let shared = Arc::new(Shared {
            upstream: Mutex::new(upstream),
            rules: Mutex::default(),
            seen: watch::Sender::new(Vec::new()),
            released: watch::Sender::new(0),
            kept: Mutex::default(),
            busy: watch::Sender::new(0),
            moves: AtomicU64::new(0),
            resting: Mutex::default(),
        });
        let proxy = Self {
            shared,
            address,
            _port: port,
            listening: Mutex::default(),
            hole: Mutex::default(),
        };
        proxy.listen();
        proxy
    }

    /// `http://ADDRESS:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where the service is from now on.
    pub fn set_upstream(&self, upstream: SocketAddr) {
        *lock(&self.shared.upstream) = upstream;
    }

    /// From now on these rules and no others.
    pub fn rules(&self, rules: impl IntoIterator<Item = Rule>) {
        *lock(&self.shared.rules) = rules.into_iter().collect();
    }

    /// After those in force.
    pub fn add_rule(&self, rule: Rule) {
        lock(&self.shared.rules).push(rule);
    }

    /// Fair weather.
    pub fn clear(&self) {
        self.rules([]);
    }

    /// Nobody listens from now on, and open connections break.
    pub async fn refuse(&self) {
        let listening = lock(&self.listening).take();
        if let Some(listening) = listening {
            listening.abort();
            // Ends as aborted; when it has, its listener and its connections are closed.
            drop(listening.await);
        }
    }

    /// Whoever connects from now on hears nothing at all, and open connections break: the queue of
    /// the port is full, so the system drops what would open another.
    ///
    /// # Panics
    /// The port can not be listened on.
    pub async fn black_hole(&self) {
        self.refuse().await;
        let listener = socket(self.address).listen(1).expect("the port is ours");
        let mut filling = Vec::new();
        let opens = || tokio::time::timeout(QUEUE_FULL_AFTER, TcpStream::connect(self.address));
        while let Ok(opened) = opens().await {
            filling.push(opened.expect("there is still room in the queue"));
        }
        *lock(&self.hole) = Some(Hole { _listener: listener, _filling: filling });
    }

    /// Somebody listens again.
    pub fn listen(&self) {
        drop(lock(&self.hole).take());
        let listener = socket(self.address).listen(128).expect("the port is ours");
        let accepting = tokio::spawn(accept(Arc::clone(&self.shared), listener));
        if let Some(before) = lock(&self.listening).replace(accepting) {
            before.abort();
        }
    }

    /// Lets go of whatever stalls now.
    pub fn release(&self) {
        self.shared.released.send_modify(|times| *times += 1);
    }

    /// Delivers the oldest request that was kept, and hands back the service's answer.
    ///
    /// # Panics
    /// None is kept; the service does not answer.
    pub async fn deliver_kept(&self) -> Message {
        let kept = {
            let mut kept = lock(&self.shared.kept);
            assert!(!kept.is_empty(), "no request is kept");
            kept.remove(0)
        };
        self.shared.deliver(&kept).await.expect("the service answers")
    }

    /// Delivers the oldest request that was kept, if one is. None where the service does not answer.
    pub async fn deliver_kept_if_any(&self) -> Option<Message> {
        let kept = {
            let mut kept = lock(&self.shared.kept);
            if kept.is_empty() {
                return None;
            }
            kept.remove(0)
        };
        self.shared.deliver(&kept).await.ok()
    }

    /// Waits until no request is under way but those that stall.
    pub async fn until_idle(&self) {
        let mut busy = self.shared.busy.subscribe();
        busy.wait_for(|busy| *busy == 0).await.expect("the proxy lives as long as the test");
    }

    /// Whether no request is under way but those that stall.
    pub fn is_idle(&self) -> bool {
        *self.shared.busy.borrow() == 0
    }

    /// What stalls now.
    pub fn stalling(&self) -> Vec<Call> {
        lock(&self.shared.resting).clone()
    }

    /// How often anything was written down so far; the same number twice: nothing moved.
    pub fn moves(&self) -> u64 {
        self.shared.moves.load(Ordering::Relaxed)
    }

    /// The requests that came since there were so many.
    pub fn seen_since(&self, number: usize) -> Vec<Seen> {
        self.shared.seen.borrow().iter().skip(number).cloned().collect()
    }

    /// Every request that came so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.borrow().clone()
    }

    /// The requests of one kind.
    pub fn seen_of(&self, call: Call) -> Vec<Seen> {
        self.seen().into_iter().filter(|seen| seen.call == call).collect()
    }

    /// Waits until what was seen fits.
    pub async fn until(&self, fits: impl Fn(&[Seen]) -> bool) {
        let mut seen = self.shared.seen.subscribe();
        crate::in_time("what the proxy sees", async {
            seen.wait_for(|seen| fits(seen)).await.expect("the proxy lives as long as the test");
        })
        .await;
    }

    /// Waits until so many requests of a kind have come.
    pub async fn until_seen(&self, call: Call, times: usize) {
        self.until(|seen| seen.iter().filter(|seen| seen.call == call).count() >= times).await;
    }

    /// Waits until a request of this kind stalls.
    pub async fn until_stalled(&self, call: Call) {
        self.until(|seen| seen.iter().any(|seen| seen.call == call && seen.stalled)).await;
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Some(listening) = lock(&self.listening).take() {
            listening.abort();
        }
    }
}

impl Shared {
    /// Writes a request down and takes its rule.
    fn begin(&self, head: &Message) -> (usize, Toward, Back) {
        let mut seen = Seen::of(head);
        let rule = self.take(seen.call, seen.trace.as_deref());
        seen.fate = rule.as_ref().map(Rule::fate);
        seen.rule = rule.as_ref().and_then(|rule| rule.name.clone());
        let (toward, back) =
            rule.map_or((Toward::Service, Back::Answer), |rule| (rule.toward, rule.back));
        let mut number = 0;
        self.moves.fetch_add(1, Ordering::Relaxed);
        self.seen.send_modify(|all| {
            assert!(all.len() < SEEN_MAX, "more requests than any test makes");
            number = all.len();
            all.push(seen);
        });
        (number, toward, back)
    }

    fn take(&self, call: Call, trace: Option<&str>) -> Option<Rule> {
        let mut rules = lock(&self.rules);
        for rule in rules.iter_mut() {
            if rule.times == 0 || !rule.fits(call, trace) {
                continue;
            }
            if rule.skip > 0 {
                rule.skip -= 1;
                continue;
            }
            rule.times = rule.times.saturating_sub(u32::from(rule.times != u32::MAX));
            return Some(rule.clone());
        }
        None
    }

    fn note(&self, number: usize, change: impl FnOnce(&mut Seen)) {
        self.moves.fetch_add(1, Ordering::Relaxed);
        self.seen.send_modify(|all| change(&mut all[number]));
    }
}

async fn accept(shared: Arc<Shared>, listener: TcpListener) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            Ok((stream, _)) = listener.accept(), if connections.len() < CONNECTIONS_MAX => {
                connections.spawn(connection(Arc::clone(&shared), stream));
            }
            Some(ended) = connections.join_next(), if !connections.is_empty() => {
                ended.expect("a connection ends by itself");
            }
        }
    }
}

/// One connection of a caller, request after request.
async fn connection(shared: Arc<Shared>, mut stream: TcpStream) {
    while let Some(head) = wire::peek_head(&stream).await {
        let _busy = Busy::with(&shared);
        let (number, toward, back) = shared.begin(&head);
        if carry::carry(&shared, &mut stream, number, toward, back).await == carry::Then::Close {
            return;
        }
    }
}

/// A socket of ours on this address; several may be bound to it, one of them listening.
fn socket(address: SocketAddr) -> TcpSocket {
    let bind = || {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        #[cfg(unix)]
        socket.set_reuseport(true)?;
        socket.bind(address)?;
        Ok::<_, std::io::Error>(socket)
    };
    bind().expect("a port of this computer can be bound")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
