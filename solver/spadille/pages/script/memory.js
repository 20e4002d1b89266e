// The data that the browser keeps for a page, if it allows this: in "localStorage" until the reader clears
// it, in "sessionStorage" while the tab is open. Names are never kept.
export function memory(storage, key) {
  const place = `spadille ${key}`;
  const found = { kept: {}, keep: (what) => { found.kept = what; } };
  try {
    found.kept = JSON.parse(globalThis[storage].getItem(place) ?? "{}");
    found.keep = (what) => {
      found.kept = what;
      globalThis[storage].setItem(place, JSON.stringify(what));
    };
  } catch {
    // The browser keeps nothing.
  }
  return found;
}
