// The first picture, handed over from the page's skeleton to its stage: see first-picture.js.

/**
 * Shows it until the first frame comes, unless people have gone elsewhere meanwhile.
 *
 * @param {?Promise<?object>} picture what `firstPicture` promises
 */
export async function showEarly(picture, { store, stage, film }) {
  const frame = await picture;
  if (!frame) return;
  const { photo, problem, mode, welcome } = store.state;
  const isElsewhere = mode === "camera" || ![null, frame.header.photo].includes(photo);
  if (stage.painter.frame || problem || isElsewhere) {
    frame.surface.close();
    return;
  }
  if (!welcome) film.expect(frame.header.photos);
  stage.painter.show([frame]);
  // For who measures, unless it was seen before.
  if (!performance.getEntriesByName("first picture").length) performance.mark("first picture");
}
