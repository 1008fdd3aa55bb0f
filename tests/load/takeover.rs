//! Two processes on one store with many open: one drives, the other records clicks and wishes. The
//! driver is killed, and the other goes on. Nothing is lost, and nothing is there twice.

use std::collections::BTreeMap;

use docket_engine::{
    engine::Engine,
    stage::{Section, Stage},
    store::{PAGE_MAX, Role},
    view::{ExportView, ListQuery},
};
use docket_tests::{World, process::high_water_kb, program::Terminal};

use crate::crowd::{PATIENCE, Place, abandon_at_the_service, service_of, size, until};

/// Clicks of the second process while the first one drives, and after it was killed.
const CLICKS: u32 = 30;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_only_records_takes_over_from_a_driver_that_is_killed() {
    let world = World::new().await;
    let terminal = Terminal::at(world.path("ada"));
    let place = Place::beside(&terminal);
    let crowd = place.fill(&world.proxy.url(), size(120)).await;
    // A half was given up at the service; the rest never arrived, and is sent again.
    let half = crowd.len() / 2;
    abandon_at_the_service(&world, &crowd[..half]);
    let mut driver = terminal.start(["run"]);
    driver.says().await;
    let second = place.open().await;
    assert_eq!(second.role(), Role::Observer);
    second.start();
    let service = service_of(&second).await;
    let mut clicked = Vec::new();
    for number in 0..CLICKS {
        clicked.push(place.ask(&second, &service, 100_000 + number).await);
        let (wished, _) = &crowd[half + number as usize];
        // One that is over by now has nothing to wish for.
        drop(match number % 2 {
            0 => second.cancel(wished).await,
            _ => second.check_now(wished).await,
        });
    }
    until(&second, "the driver drives", |counts| counts.finished > 0).await;
    eprintln!("driver: {:?} kB at most", high_water_kb(driver.process()));
    driver.kill().await;
    let open = crate::crowd::counts(&second).await.in_progress;
    assert!(open > 0, "it was killed in the midst of it");
    for number in CLICKS..2 * CLICKS {
        clicked.push(place.ask(&second, &service, 100_000 + number).await);
    }
    let views = all_at_rest(&second).await;
    assert_eq!(second.role(), Role::Driver);
    assert_eq!(views.len(), crowd.len() + clicked.len(), "nothing is lost");
    for id in &clicked {
        let view = &views[id.as_str()];
        assert_eq!(view.stage, Stage::Saved, "{view:#?}");
    }
    for (id, _) in &crowd[..half] {
        assert_eq!(views[id.as_str()].stage, Stage::NotCreated);
    }
    let known = views.values().filter(|view| view.business_id.is_some()).count();
    assert_eq!(world.rows().jobs().len(), known, "each job is one export's");
    world.holds(&[]);
    second.shutdown().await;
}

/// Every export, once nothing happens any more without a person.
async fn all_at_rest(engine: &Engine) -> BTreeMap<String, ExportView> {
    let mut changes = engine.subscribe();
    let resting = async {
        loop {
            let views = all(engine).await;
            if views.values().all(ExportView::is_at_rest) {
                return views;
            }
            drop(changes.recv().await);
            while changes.try_recv().is_ok() {}
        }
    };
    tokio::time::timeout(PATIENCE, resting).await.expect("all come to rest in time")
}

async fn all(engine: &Engine) -> BTreeMap<String, ExportView> {
    let mut views = BTreeMap::new();
    for section in Section::ALL {
        let mut query =
            ListQuery { section: Some(*section), limit: PAGE_MAX, ..ListQuery::default() };
        loop {
            let page = engine.list(query.clone()).await.expect("the list can be read");
            views.extend(page.items.into_iter().map(|view| (view.id.clone(), view)));
            if !page.more {
                break;
            }
            query.offset += PAGE_MAX;
        }
    }
    views
}
