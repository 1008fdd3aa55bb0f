//! A server whose certificate nobody vouches for. It counts what it could read of a request.

use std::{
    io::Read,
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use rustls::{
    ServerConfig, ServerConnection, Stream,
    pki_types::{CertificateDer, PrivateKeyDer},
};

/// For 127.0.0.1, signed by itself, good for a hundred years, and trusted by no computer.
const CERTIFICATE: &[u8] = include_bytes!("self-signed.cert.der");
/// Its key (PKCS #8).
const KEY: &[u8] = include_bytes!("self-signed.key.der");

/// See the head of this file.
pub struct SelfSigned {
    address: SocketAddr,
    read: Arc<AtomicUsize>,
}

impl SelfSigned {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let read = Arc::new(AtomicUsize::new(0));
        let (config, count) = (Arc::new(config()), Arc::clone(&read));
        // It ends with the test's process.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                count.fetch_add(plain_bytes_of(stream, Arc::clone(&config)), Ordering::Relaxed);
            }
        });
        Self { address, read }
    }

    pub fn url(&self) -> String {
        format!("https://{}", self.address)
    }

    /// How many bytes came inside the encryption.
    pub fn plain_bytes(&self) -> usize {
        self.read.load(Ordering::Relaxed)
    }
}

fn config() -> ServerConfig {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let key = PrivateKeyDer::try_from(KEY).expect("the key is as openssl wrote it");
    ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider knows TLS")
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from(CERTIFICATE)], key)
        .expect("the key is the certificate's")
}

/// A client that trusts it not breaks the handshake off: then nothing could be read.
fn plain_bytes_of(mut stream: TcpStream, config: Arc<ServerConfig>) -> usize {
    let mut connection = ServerConnection::new(config).expect("the settings are good");
    let mut buffer = [0; 1024];
    Stream::new(&mut connection, &mut stream).read(&mut buffer).unwrap_or(0)
}
