// Runs in the window's page, once: writes down every stage that was on screen, in order, and every view that the
// program published.
if (window.e2e === undefined) {
  const shown = [];
  const last = new Map();
  const look = () => {
    for (const element of document.querySelectorAll('[data-export-id]')) {
      const place = element.dataset.view === 'inspector' ? 'inspector' : 'row';
      const { exportId, stage } = element.dataset;
      if (last.get(`${place} ${exportId}`) === stage) continue;
      last.set(`${place} ${exportId}`, stage);
      shown.push({ place, export_id: exportId, stage });
    }
  };
  const attributeFilter = ['data-export-id', 'data-stage'];
  new MutationObserver(look).observe(document.documentElement, { subtree: true, childList: true, attributeFilter });
  look();
  const views = [];
  const { invoke, transformCallback } = window.__TAURI_INTERNALS__;
  const handler = transformCallback(({ payload }) => payload.change === 'export' && views.push(payload.export));
  invoke('plugin:event|listen', { event: 'docket://change', target: { kind: 'Any' }, handler });
  window.e2e = { shown, views };
}
