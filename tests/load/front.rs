//! A front before a service that counts what is open at once, and can die.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use docket_engine::clock::{Clock, SystemClock};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};

/// What becomes of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The service gets it.
    Pass,
    /// Its request is read, and after a while it closes without an answer.
    Dead,
    /// Its request is read, and nothing ever comes.
    Hole,
}

/// See the head of this file.
pub struct Front {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

struct Shared {
    service: SocketAddr,
    mode: Mutex<Mode>,
    open: AtomicUsize,
    most: AtomicUsize,
    connections: AtomicUsize,
}

impl Front {
    pub async fn before(service: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let shared = Arc::new(Shared {
            service,
            mode: Mutex::new(Mode::Pass),
            open: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
        });
        let accepting = tokio::spawn(accept(Arc::clone(&shared), listener));
        Self { address, shared, accepting }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn set(&self, mode: Mode) {
        *self.shared.mode.lock().expect("nobody panics with it") = mode;
    }

    /// The most connections that were open at once, since the last time that it was asked.
    pub fn most(&self) -> usize {
        self.shared.most.swap(self.shared.open.load(SeqCst), SeqCst)
    }

    /// How many are open now.
    pub fn open(&self) -> usize {
        self.shared.open.load(SeqCst)
    }

    /// How many there were.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(SeqCst)
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(shared: Arc<Shared>, listener: TcpListener) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            Ok((caller, _)) = listener.accept() => {
                connections.spawn(connection(Arc::clone(&shared), caller));
            }
            Some(ended) = connections.join_next(), if !connections.is_empty() => {
                ended.expect("a connection ends by itself");
            }
        }
    }
}

async fn connection(shared: Arc<Shared>, mut caller: TcpStream) {
    let open = shared.open.fetch_add(1, SeqCst) + 1;
    shared.most.fetch_max(open, SeqCst);
    shared.connections.fetch_add(1, SeqCst);
    let mode = *shared.mode.lock().expect("nobody panics with it");
    match mode {
        Mode::Pass => {
            if let Ok(mut service) = TcpStream::connect(shared.service).await {
                let carried = tokio::io::copy_bidirectional(&mut caller, &mut service).await;
                drop(carried);
            }
        }
        Mode::Dead => {
            let mut request = [0; 4096];
            let read = caller.read(&mut request).await;
            let later = docket_engine::journal::later(SystemClock.now(), Duration::from_millis(5));
            SystemClock.sleep_until(later).await;
            drop((read, caller.shutdown().await));
        }
        Mode::Hole => {
            let mut request = [0; 4096];
            while caller.read(&mut request).await.is_ok_and(|came| came > 0) {}
        }
    }
    shared.open.fetch_sub(1, SeqCst);
}
