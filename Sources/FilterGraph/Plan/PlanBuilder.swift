import ColorScience
import FrameCore

/// Collects the stages that filters lower to, with the size of the picture and the encoding of its samples at this
/// point.
///
/// A filter calls one or a few of the functions below and need not know the current space: each function first
/// converts the samples to the space that it works in. `matrix`, `curve`, `light`, `tone`, … work on
/// scene-linear RGB of `workingSpace` (Rec. 2020 primaries, D65, 1.0 = white, unclamped: values may be negative or
/// above 1), `lut` and `samples` on samples in the given encoding, and `geometry` on the picture's coordinates, in pixels from
/// its top left corner.
public struct PlanBuilder {
  /// The size of the picture that the next filter receives.
  public private(set) var size: PixelSize
  public private(set) var stages: [Stage] = []
  /// Remarks for the person who edits, such as that a filter enlarges the picture. They are no errors. Each is a
  /// sentence without its full stop. `Plan.notes` has them all, in the order of the filters.
  public var notes: [String] = []
  /// The size of the picture as stored.
  let sourceSize: PixelSize
  /// The input's primaries.
  let sourceSpace: ColorSpace
  /// Noise reduction, which the plan does first.
  private(set) var denoising: Denoising?
  private let noise: NoiseLevel
  var space: ColorSpace
  /// The log encoding of the samples, whose light is linear on primaries that `space` need not have; nil if they have none.
  var log: LogEncoding?
  private var reach = ColorReach()
  /// All resamples so far, joined.
  private(set) var placed: Geometry?
  /// The light of a lens correction that is to be applied ahead of the first colour.
  var lensLight: FieldMask?
  /// From pixels to pixels as stored; where geometry is not affine, which fields and masks do not know, of pixels as
  /// stored.
  var placeMap: AffineMap {
    guard let placed, placed.isAffine else { return .identity }
    return placed.map
  }
  /// The picture turned upright and not cropped, on which masks are drawn: its size, and the map from its pixels to
  /// pixels as stored.
  private(set) var upright: (size: PixelSize, map: AffineMap)
  /// Why the last stage cannot be computed, as found before it was appended.
  var unusable: String?
  var sharpenings = SharpeningRequests()
  /// For light of a scene: what is known of it, and how far it has come.
  let scene: SceneLight?
  var sceneProgress = SceneProgress.stored
  /// Whether colours beyond the result's space keep their hue; nil until a filter decides.
  var keepsHueInGamut: Bool?
  /// Whether a scene gets the detail that its sensitivity needs; nil until a filter decides.
  var addsSceneDetail: Bool?
  /// Whether this collects the stages of a group.
  private(set) var isInGroup = false

  /// The scene-linear space of colour filters: Rec. 2020 primaries, D65, unclamped.
  public static let workingSpace = ColorSpace.linearRec2020

  init(
    size: PixelSize, space: ColorSpace, statistics: PictureStatistics = PictureStatistics(),
    scene: SceneLight? = nil
  ) {
    self.scene = scene
    upright = (size, .identity)
    noise = statistics.noise ?? .typical
    self.size = size
    sourceSize = size
    sourceSpace = space
    self.space = space
  }

  /// The builder of a group, which begins in `workingSpace` where `outer` is.
  init(groupIn outer: PlanBuilder) {
    self = outer
    (stages, notes, denoising) = ([], [], nil)
    (space, reach, sharpenings) = (Self.workingSpace, ColorReach(), SharpeningRequests())
    // Outside of the group.
    lensLight = nil
    log = nil
    (keepsHueInGamut, addsSceneDetail) = (nil, nil)
    isInGroup = true
  }

  /// Takes the picture as it is now for the one that masks are drawn on.
  mutating func beginUpright() { upright = (size, placed?.map ?? .identity) }

  /// Whether a filter asked for what is not done where it stands: noise reduction, sharpening, a gamut.
  var actsElsewhere: Bool {
    denoising != nil || !sharpenings.isEmpty || keepsHueInGamut != nil || addsSceneDetail != nil
  }

  /// Why the last stage cannot be computed, as the end of a sentence about its filter; nil if it can.
  var problem: String? { unusable ?? reach.problem }

  /// The remedy for `problem`.
  var remedy: String {
    unusable == nil ? "give it smaller values, or take filters out" : "give it other values, or take it out"
  }

  /// Appends a resample of the current picture.
  ///
  /// The plan rejects the filter unless the numbers of its map are finite, all places that it shows are within 2³¹
  /// pixels, and the map has an inverse.
  public mutating func geometry(_ make: (PixelSize) throws -> Geometry) throws {
    let geometry = try make(size)
    try PixelBuffer.validate(geometry.outputSize)
    // All geometry becomes one resample of the whole picture, so parts cropped earlier would reappear in the
    // corners.
    if geometry.outside == .transparent, stages.contains(where: \.hidesPixels) {
      throw SafelightError(
        .unsupported,
        "A rotation that keeps its empty corners follows a crop, and what was cropped would show in those corners",
        remedy: "rotate first and crop afterwards, or let the rotation crop its corners")
    }
    if !geometry.isAffine, stages.contains(where: { $0.isColor && $0.usesPosition }) {
      throw SafelightError(
        .unsupported,
        "A projection or a lens correction follows filters that depend on the places of pixels, which it moves",
        remedy: "put it before them, or leave out the order of the recipe")
    }
    append(.geometry(geometry))
    size = geometry.outputSize
    guard unusable == nil else { return }
    let joined = placed?.then(geometry) ?? geometry
    unusable = joined.unreachable
    placed = joined
  }

  /// Removes noise from the input's samples, ahead of all that is appended, in two channels: luma and colour.
  ///
  /// Two of them remove what one leaves; the details are those of the last.
  ///
  /// - Parameters:
  ///   - luminance, color: the part of the noise that is removed, 0…1.
  ///   - luminanceDetail, colorDetail: 0…1; higher keeps weaker patterns.
  public mutating func denoise(
    luminance: Double, luminanceDetail: Double, color: Double, colorDetail: Double
  ) {
    let next = Denoising(
      luminance: luminance, luminanceDetail: luminanceDetail, color: color, colorDetail: colorDetail,
      noise: noise)
    guard next.isFinite else {
      unusable = unusable ?? "has a number that is infinite or NaN"
      return
    }
    guard !next.isNeutral else { return }
    var joined = next
    if let denoising {
      joined.luminance = 1 - (1 - denoising.luminance) * (1 - luminance)
      joined.color = 1 - (1 - denoising.color) * (1 - color)
      if luminance == 0 { joined.luminanceDetail = denoising.luminanceDetail }
      if color == 0 { joined.colorDetail = denoising.colorDetail }
    }
    denoising = joined
  }

  /// Appends a 3×3 matrix on scene-linear RGB of `workingSpace`.
  ///
  /// The plan rejects the filter unless the elements are finite and colours remain so after all matrices so far.
  public mutating func matrix(_ matrix: Matrix3x3) {
    enter(Self.workingSpace)
    append(.matrix(matrix))
  }

  /// Appends a curve on each channel of scene-linear RGB of `workingSpace`. Its numbers must be finite.
  public mutating func curve(_ curve: Curve) {
    enter(Self.workingSpace)
    append(.curve(curve))
  }

  /// Appends the ends of the range of tones, on scene-linear RGB of `workingSpace`, unless it is neutral.
  public mutating func tone(_ curve: ToneCurve) {
    guard !curve.isNeutral else { return }
    enter(Self.workingSpace)
    append(.pointwise(.tone(curve)))
  }

  /// Gives grain the size of the result, behind every geometry.
  mutating func placeGrain() {
    stages = stages.map { stage in
      guard case .field(var field, let encoding) = stage, let grain = field.grain else { return stage }
      field.grain = grain.placed(on: size)
      return .field(field, encoding: encoding)
    }
  }

  /// Appends a scaling of OKLab chroma on scene-linear RGB of `workingSpace`.
  ///
  /// - Parameter chroma: 0 leaves only grey, 1 changes nothing, 2 doubles chroma.
  public mutating func oklabChroma(_ chroma: Double) {
    enter(Self.workingSpace)
    append(.pointwise(.oklabChroma(chroma: chroma, space: Self.workingSpace)))
  }

  /// Sharpens the picture once it has its final size and encoding, wherever this filter stands in the recipe.
  ///
  /// - Parameters:
  ///   - amount: 0…1.5; 0 asks for nothing.
  ///   - radius: σ of the Gaussian in pixels of the original.
  ///   - detail, masking: 0…1. `Sharpening` has the formula.
  public mutating func sharpen(amount: Double, radius: Double, detail: Double, masking: Double) {
    guard amount != 0 else { return }
    sharpenings.add(amount: amount, radius: radius, detail: detail, masking: masking)
  }

  /// Sharpens the picture for what it is shown on, once it has its final size and encoding.
  public mutating func sharpen(for output: OutputSharpening) { sharpenings.add(output) }

  /// Pixels of the picture as it is now for each of the original, along an axis; where geometry is not affine, in the
  /// middle.
  var scale: Double {
    guard let placed else { return 1 }
    let map = placed.tangent(
      atX: Double(placed.outputSize.width) / 2, y: Double(placed.outputSize.height) / 2)
    return 1 / abs(map.a * map.e - map.b * map.d).squareRoot()
  }

  /// Appends the sharpening that filters asked for, behind every other stage.
  mutating func sharpenResult() {
    guard !sharpenings.isEmpty else { return }
    if let sharpening = sharpenings.sharpening(scale: scale, space: space, notes: &notes) {
      append(.sharpen(sharpening))
    }
  }

  /// Converts the samples from the current encoding to `next`, through linear light.
  mutating func enter(_ next: ColorSpace) {
    applyLensLight()
    leaveLog()
    guard next != space else { return }
    append(.curve(.decode(space.transfer)))
    append(.matrix(space.matrix(to: next)))
    append(.curve(.encode(next.transfer)))
    space = next
  }

  /// Replaces the last stage by one that has its effect too.
  mutating func replaceLast(with stage: Stage) {
    stages.removeLast()
    append(stage)
  }

  /// Appends a group, or adds it to those just before it; it alone takes colours further than they did.
  mutating func append(_ group: MaskedGroup) {
    let last = stages.last
    append(.masked([group]))
    guard case .masked(let groups)? = last else { return }
    stages.removeLast(2)
    stages.append(.masked(groups + [group]))
  }

  mutating func append(_ stage: Stage) {
    stages.append(stage)
    guard unusable == nil else { return }
    if stage.hasFiniteNumbers {
      reach.follow(stage)
    } else {
      unusable = "has a number that is infinite or NaN"
    }
  }
}
