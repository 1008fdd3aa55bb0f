//! A store that another program keeps locked: one sentence, nothing lost, and it works once it lets go.

use docket_tests::{World, program::Terminal};

#[tokio::test]
async fn a_store_that_another_program_keeps_is_said_to_be_and_works_afterwards() {
    let world = World::new().await;
    let terminal = Terminal::at(world.path("terminal"));
    terminal.add_service(&world.proxy.url()).await;
    let viewer = rusqlite::Connection::open(terminal.home().join("docket.db")).expect("it opens");
    viewer.execute_batch("BEGIN IMMEDIATE").expect("nobody else has it");
    let asked =
        ["export", "orders", "-p", "from=2026-11-01", "-p", "to=2026-11-07", "--no-wait", "--json"];
    let ended = terminal.run(asked).await.with_code(1);
    assert_eq!(ended.json()["error"]["code"], "store_busy", "{ended:?}");
    assert!(ended.stderr.contains("keeps") && ended.stderr.contains("locked"), "{ended:?}");
    viewer.execute_batch("ROLLBACK").expect("it lets go");
    drop(viewer);
    terminal.run(asked).await.with_code(0);
    terminal.run(["run", "--until-settled"]).await.with_code(0);
    assert_eq!(world.rows().jobs().len(), 1, "the click that was refused was not recorded");
}
