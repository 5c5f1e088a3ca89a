import FilterGraph
import Filters
import FrameCore
import Rendering
import TestSupport

extension EqualityCases {
  /// Masks of each kind, and trees of them.
  package static let masks: [Mask] = [
    .linear(from: MaskPoint(0.1, 0.2), to: MaskPoint(0.8, 0.9)),
    .radial(center: MaskPoint(0.6, 0.4), radiusX: 0.4, radiusY: 0.15, angle: 25, feather: 0.6),
    .luminance(from: 0.3, to: 0.7, softness: 0.2),
    .color(MaskColor(red: 180, green: 120, blue: 90), range: 0.08, softness: 0.1),
    .brush([
      BrushStroke([MaskPoint(0.1, 0.7), MaskPoint(0.5, 0.2), MaskPoint(1.1, 0.5)], radius: 0.12),
      BrushStroke([MaskPoint(0.4, 0.4)], radius: 0.1, hardness: 0.8, flow: 0.6, erases: true),
    ]),
    .feather(
      .polygon([MaskPoint(0.2, 0.1), MaskPoint(0.9, 0.3), MaskPoint(0.3, 0.95), MaskPoint(0.7, 0.05)]),
      radius: 0.05),
    .subtract(
      .add([
        .radial(center: MaskPoint(0.3, 0.5), radiusX: 0.3, radiusY: 0.3, feather: 0.9),
        .polygon([MaskPoint(0.5, -0.2), MaskPoint(1.4, 0.4), MaskPoint(0.6, 0.8)]),
      ]), [.invert(.luminance(from: 0.2, to: 1, softness: 0.3))]),
  ]

  /// The formats that groups are rendered from.
  package static let groupFormats: [(PixelFormat, AlphaMode)] = [
    (.rgba8, .opaque), (.rgba8, .straight), (.rgba16, .opaque), (.rgbaF32, .opaque), (.yuyv422, .opaque),
    (.nv12, .opaque), (.gray8, .opaque),
  ]

  /// Groups behind and ahead of other filters, from pixels as stored, turned, cropped, made small, with alpha, deep and
  /// from cameras.
  package static func groups(_ format: PixelFormat, _ alpha: AlphaMode) throws -> [EqualityCase] {
    var random = SeededRandom(seed: 6900)
    let size = PixelSize(width: 531, height: 87)
    let source =
      try format.isRGBA
      ? RandomPicture.noise(size, format, alpha: alpha, using: &random)
      : CameraPictures.noise(size, format, using: &random)
    let inside: [[any Filter]] = [
      [Exposure(stops: 0.8)], [Exposure(stops: -1), Saturation(-40)],
      [WhiteBalance(temperature: 5000, tint: 10), Contrast(25), Tone(whites: 20, blacks: -30)],
    ]
    var edits: [[any Filter]] = masks.enumerated().map { index, mask in
      [Group(mask, opacity: index % 2 == 0 ? 100 : 60, filters: inside[index % inside.count])]
    }
    edits += [
      [
        Contrast(10), Group(masks[0], filters: inside[0]), Group(masks[6], opacity: 70, filters: inside[2]),
        Group(masks[2], filters: inside[1]), Saturation(15),
      ],
      [Vignette(amount: -40), Group(masks[4], filters: inside[1])] + (try lookBehindColor()),
      [Group(masks[1], filters: [try PresetLibrary.preset("cool-film").recipe.filters[0]])],
    ]
    // Of deep samples, positions alone are further off than colours.
    let turned: [[any Filter]] =
      format == .rgba16 || format == .rgbaF32
      ? [] : [[Straighten(4), Crop(.proportions(width: 3, height: 1))], [Resize(longEdge: 200)]]
    let geometry: [[any Filter]] = turned + [[], [Crop(.rectangle(x: 31, y: 7, width: 350, height: 70))]]
    let output: PixelFormat = format.isRGBA ? format : .rgba8
    return try edits.enumerated().flatMap { index, edit in
      // Each edit at two of the places.
      try [geometry[index % geometry.count], geometry[(index + 2) % geometry.count]].map { geometry in
        try EqualityCase(
          Recipe(filters: geometry + edit), source,
          input: PlanInput(size: size, format: format, alpha: alpha), output: PlanOutput(format: output),
          throughTables: true, bound: exactBound(output) * (geometry.isEmpty ? 1 : 2))
      }
    }
  }

  /// Groups on small and narrow pictures.
  package static func smallGroups() throws -> [EqualityCase] {
    var random = SeededRandom(seed: 6950)
    let sizes: [(Int, Int)] = [(1, 1), (1, 40), (17, 33), (300, 3), (257, 9)]
    return try sizes.flatMap { width, height in
      let source = try RandomPicture.noise(PixelSize(width: width, height: height), .rgba8, using: &random)
      return try masks.map { mask in
        try EqualityCase(
          [Group(mask, filters: [Exposure(stops: 0.7)])], source, throughTables: true, bound: 1)
      }
    }
  }
}
