// Work on many photos: pasting, taking that back, and exporting. Its progress stands on the photos themselves; the bar counts.

/** How long the ticks of an export stay on its photos. */
const TICKS = 1600;

const remedy = "Start again when it is back.";
const lost = { message: "The connection was lost before all was done.", remedy };
const offline = { message: "There is no connection to Safelight.", remedy };

/**
 * @param {object} parts `store`; `session`; `send(message)`; `renew(photos)`: these look different now; `pasted(steps)`: these
 *   were pasted onto, with the steps of their histories; `say(sentence)`
 */
export function createJobs({ store, session, send, renew, pasted, say }) {
  const set = (job) => store.update({ job });
  const own = () => store.state.job;

  /** Begins work on photos, in their order. Returns whether it could be sent. */
  function start(kind, photos, fields, ended = () => {}) {
    const before = own();
    if (before && !before.result) return false;
    const job = {
      kind,
      photos,
      members: new Set(photos),
      done: new Set(),
      failed: new Map(),
      result: null,
      isCancelled: false,
      ticks: true,
      ended,
    };
    const request = session.ask({ type: kind, photo: undefined, photos, ...fields }, (message) => {
      if (own()?.request === request) receivers[message.type]?.(message);
    });
    if (!request) {
      store.update({ problem: offline });
      return false;
    }
    set({ ...job, request });
    return true;
  }

  function finished({ done, failed, cancelled = false, ...facts }) {
    const job = own();
    set({
      ...job,
      done: new Set(done),
      failed: new Map(failed.map((one) => [one.photo, one])),
      isCancelled: cancelled,
      result: facts,
    });
    if (job.kind !== "export-all") renew(done);
    job.ended(done, failed.map(({ photo }) => photo));
    const count = job.kind === "paste" ? Object.keys(facts.steps).length : 0;
    if (count > 0) {
      pasted(facts.steps);
      say(`Pasted onto ${photosText(count)}. Ctrl+Z takes it back.`);
    }
    // What was pasted is seen in the photos; of files there is something to tell.
    const hasNews = job.kind === "export-all" || failed.length > 0;
    setTimeout(() => {
      if (own()?.request === job.request) set(hasNews ? { ...own(), ticks: false } : null);
    }, TICKS);
  }

  const receivers = {
    progress({ photo }) {
      if (!photo) return;
      const job = own();
      set({ ...job, done: new Set([...job.done, photo]) });
      if (job.kind !== "export-all") renew([photo]);
    },
    pasted: (message) => finished({ ...message, done: message.photos }),
    "exported-all": finished,
    problem({ message, remedy: advice }) {
      set(null);
      store.update({ problem: { message, remedy: advice } });
    },
    lost: () => receivers.problem(lost),
  };

  return {
    paste: (photos, edit, parts) => start("paste", photos, { edit, parts }),
    /** Takes what was pasted back, or gives it again: see `use` of core/steps.js. */
    stepOfPaste: (steps, isUndo, ended) =>
      start(isUndo ? "undo-paste" : "redo-paste", Object.keys(steps), { steps }, ended),
    exportAll: (photos, options) => start("export-all", photos, { options }),
    cancel() {
      const job = own();
      if (!job || job.result || job.isCancelled) return;
      send({ type: "cancel", request: job.request });
      set({ ...job, isCancelled: true });
    },
    /** What has been read goes. */
    dismiss: () => own()?.result && set(null),
    /** How work on a photo stands: "waits", "works", "done", "failed" or null. */
    of(photo) {
      const job = own();
      if (!job?.members.has(photo)) return null;
      if (job.failed.has(photo)) return "failed";
      if (job.done.has(photo)) return job.kind === "export-all" && job.ticks ? "done" : null;
      if (job.result || job.isCancelled) return null;
      return current(job) === photo ? "works" : "waits";
    },
  };
}

export const photosText = (count) => (count === 1 ? "1 photo" : `${count} photos`);

/** The photo in work: the first that is not done. Found once for each state of a job. */
const currents = new WeakMap();
function current(job) {
  if (!currents.has(job)) currents.set(job, job.photos.find((photo) => !job.done.has(photo)));
  return currents.get(job);
}
