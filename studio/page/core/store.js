// One object holds all that the page shows. Everything else derives from it, so that no two places disagree.

/** Equal, or lists of equal things: what a subscription compares. */
const same = (a, b) =>
  Object.is(a, b) ||
  (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, i) => Object.is(value, b[i])));

/**
 * @param {object} initial
 * @returns a store: `state`, `update(patch)`, `subscribe(select, run)`
 */
export function createStore(initial) {
  let state = { ...initial };
  const listeners = new Set();
  let notifying = false;
  let again = false;

  function notify() {
    // A listener may update the store: the round is run again after it ends, so that each sees one state at a time.
    if (notifying) {
      again = true;
      return;
    }
    notifying = true;
    try {
      do {
        again = false;
        for (const listener of [...listeners]) listener();
      } while (again);
    } finally {
      notifying = false;
    }
  }

  return {
    get state() {
      return state;
    },
    /** Merges a patch, or what a function of the state returns. Listeners whose selection changed are called at once. */
    update(patch) {
      const changes = typeof patch === "function" ? patch(state) : patch;
      if (!changes || Object.keys(changes).every((key) => Object.is(state[key], changes[key]))) return;
      state = { ...state, ...changes };
      notify();
    },
    /** Calls `run(selected)` now and whenever `select(state)` changes. Returns a function that ends this. */
    subscribe(select, run) {
      let last = select(state);
      const listener = () => {
        const selected = select(state);
        if (same(last, selected)) return;
        last = selected;
        run(selected, state);
      };
      listeners.add(listener);
      run(last, state);
      return () => listeners.delete(listener);
    },
  };
}
