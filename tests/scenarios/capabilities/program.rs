//! `--without`, as the real program takes it.

use docket_service::Feature;
use docket_tests::program::{ServiceProgram, path_of};
use serde_json::Value;
use tokio::process::Command;

/// The capability that each word takes away.
const TOLD: [(&str, &str); 6] = [
    ("idempotency", "idempotent_submit"),
    ("lookup", "lookup_by_key"),
    ("traits", "lookup_by_traits"),
    ("abandon", "abandon"),
    ("cancel", "cancel"),
    ("resume", "resumable_files"),
];

async fn capabilities(without: &str) -> Value {
    let folder = tempfile::TempDir::new().expect("a folder for the test can be made");
    let program = ServiceProgram::start(folder.path(), &["--without", without]).await;
    let document = reqwest::get(format!("{}/v1/service", program.url)).await.expect("it answers");
    let text = document.text().await.expect("the answer comes whole");
    let document: Value = serde_json::from_str(&text).expect("a document");
    program.kill().await;
    document["capabilities"].clone()
}

#[tokio::test]
async fn each_word_takes_one_capability_away() {
    for (word, lost) in TOLD {
        let told = capabilities(word).await;
        for (_, capability) in TOLD {
            assert_eq!(told[capability], capability != lost, "{word}: {told}");
        }
    }
    let all = TOLD.map(|(word, _)| word).join(",");
    let told = capabilities(&all).await;
    assert!(TOLD.iter().all(|(_, capability)| told[capability] == false), "{told}");
}

#[tokio::test]
async fn another_word_is_refused_with_the_list() {
    for wrong in ["idempotence", "lookup,", "Lookup", "all"] {
        let ended = Command::new(path_of("docket-service"))
            .args(["--database", "service.db", "--files", "files", "--without", wrong])
            .output()
            .await
            .expect("docket-service starts");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{wrong}: {said}");
        for feature in Feature::ALL {
            assert!(said.contains(feature.as_str()), "{wrong}: {said}");
        }
    }
}
