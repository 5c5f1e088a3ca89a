// The ways between grid and stage: a photo is picked up from its cell, and put back there.
import { createHero, fitted } from "./hero.js";

/** No longer than this a copy stands for a photo that does not come. */
const WAIT = 4000;

export function createFlights({ store, stage, grid, pictures }) {
  const hero = createHero();
  let waits = null;
  let timer = 0;
  let landing = null;

  const boxOf = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  };

  /** Where the image of a cell is in the window. */
  function cellRect(photo, image) {
    const cell = grid.cellOf(photo);
    if (!cell) return null;
    const box = boxOf(cell.element.querySelector(".cell-picture"));
    const room = boxOf(grid.element);
    if (box.y + box.height < room.y || box.y > room.y + room.height) return null;
    return fitted(box, image.naturalWidth, image.naturalHeight, grid.layout.plain);
  }

  /** Where a fitted picture of this shape will be on the stage. */
  function stageRect(image) {
    const [pane] = stage.layout({ mode: "fit" }).panes;
    const { ratio } = store.state.canvas;
    const box = stage.canvas.getBoundingClientRect();
    const room = {
      x: box.x + pane.x / ratio,
      y: box.y + pane.y / ratio,
      width: pane.width / ratio,
      height: pane.height / ratio,
    };
    return fitted(room, image.naturalWidth, image.naturalHeight);
  }

  function stop() {
    clearTimeout(timer);
    waits = null;
    landing?.classList.remove("landing");
    landing = null;
    hero.end();
  }

  const arrived = () => {
    const { state } = store;
    return waits !== null && waits.hasLanded && !state.loading && state.frame !== null && state.photo === waits.photo;
  };
  function handOver() {
    clearTimeout(timer);
    waits = null;
    hero.handOver();
  }

  store.subscribe((s) => [s.photo, s.loading, s.frame, s.problem, s.room], ([photo, , , problem]) => {
    if (waits && (photo !== waits.photo || problem) && waits.isOpen) stop();
    else if (arrived()) handOver();
  });

  return {
    /** Before the photo is opened. */
    toStage(photo) {
      stop();
      const image = pictures.image(photo);
      const from = image ? cellRect(photo, image) : null;
      const isThere = store.state.photo === photo && store.state.frame !== null;
      // What was on the stage must not shine through below.
      if (!isThere) stage.painter.clear();
      if (!from) return;
      const mine = { photo, hasLanded: false, isOpen: false };
      waits = mine;
      const flies = hero.fly(image, from, stageRect(image), () => {
        mine.hasLanded = true;
        if (waits === mine && arrived()) handOver();
      });
      if (!flies) {
        waits = null;
        return;
      }
      queueMicrotask(() => (mine.isOpen = true));
      timer = setTimeout(() => waits === mine && handOver(), WAIT);
    },
    /** After the grid is shown. */
    toCell(photo) {
      stop();
      const image = photo === null ? null : pictures.image(photo);
      const to = image ? cellRect(photo, image) : null;
      const cell = grid.cellOf(photo);
      if (!to || store.state.loading || store.state.view.mode !== "fit") return;
      // Its own picture waits for the copy.
      landing = cell.element;
      landing.classList.add("landing");
      if (!hero.fly(image, stageRect(image), to, stop)) stop();
    },
  };
}
