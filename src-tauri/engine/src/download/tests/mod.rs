//! Fetching over real sockets into real folders.

mod ends;
mod going_on;

use std::{fs, path::PathBuf};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::*;
use crate::connector::tests::{
    call, connector,
    server::{Behaviour, Server, answer},
};

const ETAG: &str = "\"v1\"";

/// A file of some length that no piece of it repeats.
fn bytes() -> Vec<u8> {
    (0..50_000_u32).flat_map(u32::to_be_bytes).collect()
}

fn digest_of(bytes: &[u8]) -> String {
    format!("sha-256=:{}:", STANDARD.encode(Sha256::digest(bytes)))
}

fn hex_of(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// An answer with these bytes as its body.
fn file_answer(status: &str, head: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("Content-Type: text/csv\r\n{head}");
    let mut answer = answer(status, &head, "");
    let text = String::from_utf8(answer).unwrap();
    answer = text.replace("Content-Length: 0", &format!("Content-Length: {}", body.len())).into();
    answer.extend_from_slice(body);
    answer
}

/// The whole file.
fn whole() -> Behaviour {
    Behaviour::Answer(file_answer("200 OK", &format!("ETag: {ETAG}\r\n"), &bytes()))
}

/// The first bytes of the whole file, then the connection closes.
fn cut(at: usize) -> Behaviour {
    let answer = file_answer("200 OK", &format!("ETag: {ETAG}\r\n"), &bytes());
    let body = answer.len() - bytes().len();
    Behaviour::Answer(answer[..body + at].to_vec())
}

/// The rest of the file from here.
fn rest(from: usize, etag: &str) -> Behaviour {
    let bytes = bytes();
    let head = format!(
        "ETag: {etag}\r\nContent-Range: bytes {from}-{}/{}\r\n",
        bytes.len() - 1,
        bytes.len()
    );
    Behaviour::Answer(file_answer("206 Partial Content", &head, &bytes[from..]))
}

fn problem(status: &str, kind: &str) -> Behaviour {
    let code: u16 = status[..3].parse().unwrap();
    let body = format!("{{\"type\": \"urn:docket:problem:{kind}\", \"status\": {code}}}");
    Behaviour::Answer(answer(status, "Content-Type: application/problem+json\r\n", &body))
}

/// A folder, and a file to fetch into it from a server.
struct Rig {
    folder: TempDir,
    server: Server,
    fetch: Fetch,
    stop: CancellationToken,
    done: watch::Sender<u64>,
}

impl Rig {
    async fn new(behaviours: impl IntoIterator<Item = Behaviour>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fetch = Fetch {
            export: ExportId::from_text("E-1"),
            job: BusinessId::from_text("J-1"),
            file: ExportFile {
                name: "orders.csv".to_owned(),
                size: bytes().len() as u64,
                media_type: "text/csv".to_owned(),
                digest: Some(digest_of(&bytes())),
                href: "/v1/tenants/t1/exports/J-1/file".to_owned(),
            },
            folder: folder.path().to_owned(),
        };
        Self {
            folder,
            server: Server::start(behaviours).await,
            fetch,
            stop: CancellationToken::new(),
            done: watch::Sender::new(0),
        }
    }

    async fn fetch(&self) -> FetchEnd {
        let end = self.fetch_unrecorded().await;
        if let FetchEnd::Saved { path, .. } = &end {
            recorded(&self.fetch.export, path);
        }
        end
    }

    /// The same, and the program ends before it is recorded.
    async fn fetch_unrecorded(&self) -> FetchEnd {
        let call = call(&self.server.url());
        self.ended(fetch(&connector(), &call, &self.fetch, &self.stop, &self.done).await)
    }

    fn ended(&self, end: AttemptEnd) -> FetchEnd {
        let AttemptResult::Fetched { end } = end.result else { panic!("{:?}", end.result) };
        end
    }

    fn saved(&self, name: &str, verified: Verified) -> FetchEnd {
        FetchEnd::Saved {
            path: self.folder.path().join(name),
            size: bytes().len() as u64,
            digest: hex_of(&bytes()),
            verified,
        }
    }

    /// The names in the folder.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn part(&self) -> PathBuf {
        self.folder.path().join("docket-E-1.part")
    }
}

/// The headers of the last request, in lower case.
async fn last_request(server: &Server) -> String {
    server.settled().await.requests.last().unwrap().to_ascii_lowercase()
}
