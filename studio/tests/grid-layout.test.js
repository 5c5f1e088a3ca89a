import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cellsIn,
  cellsInSight,
  firstSize,
  gridLayout,
  indexNear,
  movedBy,
  placeOf,
  scrollAnchored,
  scrollToShow,
  sizes,
} from "../page/library/layout.js";

const laptop = (count = 10_000, size = 220) => gridLayout({ width: 1425, count, size });

test("cells fill the width without overlapping, at every size and on every screen", () => {
  for (const width of [360, 768, 1425, 3840]) {
    for (const size of sizes) {
      const layout = gridLayout({ width, count: 100, size });
      const { columns, cell, gap, left } = layout;
      assert.ok(columns >= 1 && left >= 0);
      const right = left + columns * cell.width + (columns - 1) * gap;
      assert.ok(right <= width && width - right <= left + columns + 1, `${width} px, cells of ${size}`);
      if (columns > 1) assert.ok(cell.width >= size);
    }
  }
});

test("a phone begins with three columns and can have two", () => {
  const columns = (size) => gridLayout({ width: 360, count: 9, size: sizes[size] }).columns;
  assert.equal(columns(firstSize(360)), 3);
  assert.equal(columns(firstSize(360) + 1), 2);
});

test("of ten thousand photos only cells in sight exist, about a hundred", () => {
  const { first, last } = cellsInSight(laptop(), 200_000, 800, 2);
  assert.ok(last - first < 100);
  const y = placeOf(laptop(), first).y;
  assert.ok(y <= 200_000 && placeOf(laptop(), last - 1).y + laptop().cell.height >= 200_800);
});

test("the range stays within the list", () => {
  assert.deepEqual(cellsInSight(laptop(0), 0, 800, 2), { first: 0, last: 0 });
  assert.deepEqual(cellsInSight(laptop(5), 0, 800, 2), { first: 0, last: 5 });
  const end = cellsInSight(laptop(), 1e9, 800, 2);
  assert.equal(end.last, 10_000);
});

test("the point in the middle of a cell finds it again", () => {
  const layout = laptop(1000);
  for (const index of [0, 5, 6, 499, 999]) {
    const { x, y } = placeOf(layout, index);
    assert.equal(indexNear(layout, x + layout.cell.width / 2, y + layout.cell.height / 2), index);
  }
  assert.equal(indexNear(laptop(0), 10, 10), null);
  assert.equal(indexNear(layout, 1e6, 1e9), 999);
});

test("with another size the cell under the pointer stays there", () => {
  const before = laptop(10_000, 220);
  const after = laptop(10_000, 420);
  const scroll = 100_000;
  const index = indexNear(before, 700, scroll + 400);
  const middle = placeOf(before, index).y + before.cell.height / 2 - scroll;
  const next = scrollAnchored(after, index, middle, 800);
  assert.equal(placeOf(after, index).y + after.cell.height / 2 - next, middle);
});

test("a cell in sight does not move the grid; others come in with some of their neighbours", () => {
  const layout = laptop(1000);
  assert.equal(scrollToShow(layout, layout.columns + 2, 40, 800), 40);
  const scroll = scrollToShow(layout, 600, 0, 800);
  const { y } = placeOf(layout, 600);
  assert.ok(y >= scroll && y + layout.cell.height <= scroll + 800);
  assert.equal(scrollToShow(layout, 0, 5000, 800), 0);
});

test("arrows stay in their column, and in the list", () => {
  const layout = laptop(20);
  const { columns } = layout;
  const move = (key, index) => movedBy(key, layout, index, 800);
  assert.equal(columns, 6);
  assert.equal(move("ArrowRight", 19), 19);
  assert.equal(move("ArrowLeft", 0), 0);
  assert.equal(move("ArrowDown", 2), 8);
  assert.equal(move("ArrowUp", 2), 2);
  // Below is a last row of two: the last photo is nearest.
  assert.equal(move("ArrowDown", 16), 19);
  assert.equal(move("ArrowDown", 19), 19);
  assert.equal(move("Home", 9), 0);
  assert.equal(move("End", 9), 19);
  assert.equal(move("PageDown", 1), 19);
  assert.equal(move("PageUp", 19), 1);
  assert.equal(move("x", 3), null);
  assert.equal(movedBy("End", laptop(0), 0, 800), null);
});

test("a rectangle finds the cells that it touches", () => {
  const layout = laptop(100);
  const one = placeOf(layout, 7);
  assert.deepEqual(cellsIn(layout, { x: one.x + 5, y: one.y + 5, width: 1, height: 1 }), [7]);
  const { cell, gap } = layout;
  const four = { x: one.x + 5, y: one.y + 5, width: cell.width + gap, height: cell.height + gap };
  assert.deepEqual(cellsIn(layout, four), [7, 8, 13, 14]);
  // In the gap between two cells is none.
  assert.deepEqual(cellsIn(layout, { x: one.x + cell.width + 1, y: one.y, width: gap - 2, height: 1 }), []);
});
