//! The fault proxy: between client and service, on TCP, doing to each call what a rule says.
//!
//! Every request that comes is counted and written down, whatever becomes of it. Each goes to the
//! service on a connection of its own, so what a service sees is what a caller sent, once, unless a
//! rule says otherwise. While nobody listens the port stays ours, so a refusal is the system's own.
//! A delivery that has begun is finished even if its caller has gone: networks do the same.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
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
}

/// What the connections share.
struct Shared {
    upstream: Mutex<SocketAddr>,
    rules: Mutex<Vec<Rule>>,
    seen: watch::Sender<Vec<Seen>>,
    /// How often the test let go of what stalls.
    released: watch::Sender<u64>,
    kept: Mutex<Vec<Vec<u8>>>,
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
        });
        let proxy = Self { shared, address, _port: port, listening: Mutex::default() };
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

    /// Somebody listens again.
    pub fn listen(&self) {
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
        let seen = Seen::of(head);
        let (toward, back) = self.take(seen.call);
        let mut number = 0;
        self.seen.send_modify(|all| {
            assert!(all.len() < SEEN_MAX, "more requests than any test makes");
            number = all.len();
            all.push(seen);
        });
        (number, toward, back)
    }

    fn take(&self, call: Call) -> (Toward, Back) {
        let mut rules = lock(&self.rules);
        for rule in rules.iter_mut() {
            if rule.times == 0 || (rule.on != Call::Any && rule.on != call) {
                continue;
            }
            if rule.skip > 0 {
                rule.skip -= 1;
                continue;
            }
            rule.times = rule.times.saturating_sub(u32::from(rule.times != u32::MAX));
            return (rule.toward, rule.back.clone());
        }
        (Toward::Service, Back::Answer)
    }

    fn note(&self, number: usize, change: impl FnOnce(&mut Seen)) {
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
