import ColorScience
import FrameCore
import Libc

/// The picture that masks are drawn on: makes their programs.
struct MaskCanvas {
  /// Of the picture turned upright and not cropped.
  let size: PixelSize
  /// From pixels, wherever the picture was cropped and turned to, to its pixels.
  let toPicture: AffineMap
  /// The picture as it is stored: its size, and the map from its pixels to those of the upright one.
  let stored: (size: PixelSize, map: AffineMap)

  /// - Parameter stored: nil if it is stored upright.
  init(size: PixelSize, toPicture: AffineMap, stored: (size: PixelSize, map: AffineMap)? = nil) {
    (self.size, self.toPicture, self.stored) = (size, toPicture, stored ?? (size, .identity))
  }

  private var longEdge: Double { Double(max(size.width, size.height)) }

  private func place(_ point: MaskPoint) -> SIMD2<Double> {
    SIMD2(point.x * Double(size.width), point.y * Double(size.height))
  }

  /// - Throws: `SafelightError` if the mask's values are wrong, or it is nested too deep.
  func program(_ mask: Mask) throws -> MaskProgram {
    try mask.validate()
    var program = MaskProgram([])
    append(mask, to: &program)
    guard program.depth <= MaskProgram.deepest else {
      throw SafelightError(
        .tooLarge, "A mask keeps \(program.depth) masks in mind at once, more than \(MaskProgram.deepest)",
        remedy: "combine them in lists rather than in each other, or write the nested ones first")
    }
    return program
  }

  private func append(_ mask: Mask, to program: inout MaskProgram) {
    switch mask {
    case .linear, .radial, .luminance, .color: program.steps.append(step(mask))
    case .feather(let drawn, let radius, edges: true):
      let shape = MaskShapeCache.shared.shape(of: drawn, for: size, stored: stored)
      program.steps.append(.edges(program.guides.count))
      program.guides.append(MaskGuide(shape: shape, radius: radius))
    case .brush, .polygon, .feather:
      let shape = MaskShapeCache.shared.shape(of: mask, for: size)
      program.steps.append(.shape(program.shapes.count, toGrid: toGrid(shape.size)))
      program.shapes.append(shape)
    case .add(let masks): append(masks, joinedBy: .add, to: &program)
    case .intersect(let masks): append(masks, joinedBy: .intersect, to: &program)
    case .subtract(let mask, let others): append([mask] + others, joinedBy: .subtract, to: &program)
    case .invert(let mask):
      append(mask, to: &program)
      program.steps.append(.invert)
    }
  }

  private func append(_ masks: [Mask], joinedBy step: MaskProgram.Step, to program: inout MaskProgram) {
    for (index, mask) in masks.enumerated() {
      append(mask, to: &program)
      if index > 0 { program.steps.append(step) }
    }
  }

  private func toGrid(_ grid: PixelSize) -> AffineMap {
    toPicture.then(
      .scale(Double(grid.width) / Double(size.width), Double(grid.height) / Double(size.height))
    ).then(.translation(-0.5, -0.5))
  }

  /// The step of a mask that is one formula; of others, 0.
  func step(_ mask: Mask) -> MaskProgram.Step {
    switch mask {
    case .linear(let from, let to): linear(place(from), place(to))
    case .radial(let center, let radiusX, let radiusY, let angle, let feather):
      radial(place(center), SIMD2(radiusX, radiusY) * longEdge, degrees: angle, feather: feather)
    case .luminance(let from, let to, let softness):
      // Black is darkest, but light may exceed white.
      .luminance(
        low: from == 0 ? -Self.mostLightness : from, high: to == 1 ? Self.mostLightness : to,
        soft: max(softness, 0.004))
    case .color(let color, let range, let softness):
      Self.color(color, range: range, softness: max(softness, 0.002))
    case .brush, .polygon, .add, .intersect, .subtract, .invert, .feather: .constant(0)
    }
  }

  /// More than any lightness.
  private static let mostLightness = 1000.0

  private func linear(_ from: SIMD2<Double>, _ to: SIMD2<Double>) -> MaskProgram.Step {
    var line = to - from
    let length = (line * line).sum().squareRoot()
    // An edge is as wide as a pixel; a line of the same place in a picture of one pixel has no direction.
    let direction = length > 0 ? line / length : SIMD2(1, 0)
    let start = (from + to - max(length, 1) * direction) / 2
    line = direction / max(length, 1)
    let joined = toPicture.then(
      AffineMap(a: line.x, b: line.y, c: -(line * start).sum(), d: 0, e: 0, f: 0))
    return .linear(a: joined.a, b: joined.b, c: joined.c)
  }

  private func radial(
    _ center: SIMD2<Double>, _ radii: SIMD2<Double>, degrees: Double, feather: Double
  ) -> MaskProgram.Step {
    let radians = degrees * .pi / 180
    let (cosine, sine) = (cos(radians), sin(radians))
    let turned = AffineMap(
      a: cosine / radii.x, b: sine / radii.x, c: 0, d: -sine / radii.y, e: cosine / radii.y, f: 0)
    // An edge is as wide as a pixel.
    let width = min(max(feather, 1 / min(radii.x, radii.y), 1e-4), 1)
    return .radial(
      map: toPicture.then(.translation(-center.x, -center.y)).then(turned), inner: 1 - width)
  }

  private static func color(_ color: MaskColor, range: Double, softness: Double) -> MaskProgram.Step {
    let samples = SIMD3(Double(color.red), Double(color.green), Double(color.blue)) / 255
    let light = Curve.decode(ColorSpace.sRGB.transfer).evaluate(samples)
    let lab = OKLab.fromXYZ(ColorSpace.sRGB.toXYZ * light)
    return .color(a: lab.y, b: lab.z, inner: range, outer: range + softness)
  }
}
