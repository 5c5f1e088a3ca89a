import ColorScience
import FrameCore

/// What filters lower themselves into: the stages so far, the size of the picture at this point, and the
/// encoding its samples are in.
public struct PlanBuilder {
  /// The size of the picture as the next filter sees it.
  public private(set) var size: PixelSize
  public private(set) var stages: [Stage] = []
  /// What a neutral user of the plan should know, such as an enlargement.
  public var notes: [String] = []
  private var space: ColorSpace

  /// The scene-linear space that colour filters work in: Rec. 2020 primaries, D65, unclamped.
  public static let workingSpace = ColorSpace.linearRec2020

  init(size: PixelSize, space: ColorSpace) {
    self.size = size
    self.space = space
  }

  /// Appends a resample of the current picture.
  public mutating func geometry(_ make: (PixelSize) throws -> Geometry) throws {
    let geometry = try make(size)
    try PixelBuffer.validate(geometry.outputSize)
    // All geometry becomes one resample, which knows only the whole picture: what an earlier window hid would show
    // in the corners.
    if geometry.outside == .transparent, stages.contains(where: \.hidesPixels) {
      throw SafelightError(
        .unsupported,
        "A turn that keeps its empty corners follows a crop, which would show again in the corners",
        remedy: "turn first and crop afterwards, or let the turn crop its corners")
    }
    stages.append(.geometry(geometry))
    size = geometry.outputSize
  }

  /// Appends a 3×3 matrix on linear working-space RGB.
  public mutating func matrix(_ matrix: Matrix3x3) {
    enter(Self.workingSpace)
    stages.append(.matrix(matrix))
  }

  /// Appends a curve on linear working-space RGB.
  public mutating func curve(_ curve: Curve) {
    enter(Self.workingSpace)
    stages.append(.curve(curve))
  }

  /// Appends tone by regions, where that changes anything.
  public mutating func tone(_ curve: ToneCurve) {
    guard !curve.isNeutral else { return }
    enter(Self.workingSpace)
    stages.append(.pointwise(.tone(curve)))
  }

  /// Appends a scaling of OKLab chroma.
  public mutating func oklabChroma(_ chroma: Double) {
    enter(Self.workingSpace)
    stages.append(.pointwise(.oklabChroma(chroma: chroma, space: Self.workingSpace)))
  }

  /// Appends a LUT whose table is meant for samples encoded as `encoding`.
  public mutating func lut(_ lut: ColorLUT, encoding: ColorSpace, strength: Double, name: String) {
    enter(encoding)
    stages.append(.lut(LookupStage(lut: lut, strength: strength, name: name)))
  }

  /// Takes the samples from the current encoding to `next`, through linear light.
  mutating func enter(_ next: ColorSpace) {
    guard next != space else { return }
    stages.append(.curve(.decode(space.transfer)))
    stages.append(.matrix(space.matrix(to: next)))
    stages.append(.curve(.encode(next.transfer)))
    space = next
  }
}
