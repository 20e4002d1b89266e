// The data that the browser keeps for a page, if it allows this: in "localStorage" until the reader clears
// it, in "sessionStorage" while the tab is open. Names are never kept.
export function memory(storage, key) {
  const place = `spadille ${key}`;
  const memory = { kept: {} };
  const attempt = (action) => {
    try {
      action(globalThis[storage]);
    } catch {
      // The browser keeps nothing.
    }
  };
  memory.keep = (what) => {
    memory.kept = what;
    attempt((store) => store.setItem(place, JSON.stringify(what)));
  };
  attempt((store) => { memory.kept = JSON.parse(store.getItem(place)) ?? {}; });
  return memory;
}
