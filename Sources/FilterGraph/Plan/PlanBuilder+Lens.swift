import FrameCore
import Libc

extension PlanBuilder {
  /// Corrects what a lens did: lines that belong straight become straight, and light is evened out ahead of all colours.
  ///
  /// The result has the picture's size. It is enlarged as little as leaves no corner empty. Light is that of the picture as
  /// stored, wherever geometry that follows moves it.
  ///
  /// - Throws: `SafelightError` if the picture is not the whole one that the lens took, or the profile folds it.
  public mutating func lens(_ profile: LensProfile) throws {
    guard profile.isFinite else {
      unusable = unusable ?? "has a number that is infinite or NaN"
      return
    }
    guard let placed, placed.isAffine, placed.pixelMove != nil, placed.showsWholeInput, lensLight == nil
    else {
      throw SafelightError(
        .unsupported, "A lens correction follows another one, or filters that cut or scale the picture",
        remedy: "leave one of them out, or leave out the order of the recipe")
    }
    let (w, h) = (Double(sourceSize.width), Double(sourceSize.height))
    let unit = hypot(w, h) / 2
    let middle = (x: w / 2 + profile.center.x * unit, y: h / 2 + profile.center.y * unit)
    let toLens = AffineMap.translation(-middle.x, -middle.y).then(.scale(1 / unit, 1 / unit))
    if profile.vignetting != .zero {
      let furthest = hypot(max(middle.x, w - middle.x), max(middle.y, h - middle.y)) / unit
      let most = profile.largestGain(within: furthest)
      if most > 1 {
        let mask = MaskProgram([.lensLight(map: toLens, terms: profile.vignetting, most: most)])
        lensLight = FieldMask(mask: mask, opacity: 1, full: most)
      }
    }
    guard !profile.isStraight else { return }
    guard let (curve, zoom) = profile.fitted(to: sourceSize) else {
      throw SafelightError(
        .invalidValue,
        "The distortion of the lens, \(profile.distortion.map(PlainNumber.text).joined(separator: ",")), "
          + "folds the picture or scales it beyond the double",
        remedy: "give other numbers, or the profile of another lens")
    }
    let warp = LensWarp(curve, toLens: placed.map.then(toLens))
    let centre = placed.map.inverse.apply(middle.x, middle.y)
    try geometry { size in
      Geometry(
        inputSize: size, outputSize: size,
        map: AffineMap.translation(-centre.x, -centre.y).then(.scale(1 / zoom, 1 / zoom))
          .then(.translation(centre.x, centre.y)),
        lens: warp)
    }
  }

  /// Appends the light of a lens correction, if there was one: ahead of the first colour, and behind the geometry ahead of
  /// that.
  mutating func applyLensLight() {
    guard var light = lensLight else { return }
    lensLight = nil
    light.mask = light.mask.behind(placeMap)
    enter(Self.workingSpace)
    append(.field(Field(masks: [light])))
  }
}
