import FrameCore

/// The name of a filter in recipes and on the command line, in kebab case: `white-balance`.
public struct FilterID: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let name: String
  public init(stringLiteral name: String) { self.name = name }
  public init(_ name: String) { self.name = name }
  public var description: String { name }
}

/// The position of a filter in the canonical order of a plan. Later cases see the output of earlier ones.
public enum FilterPhase: Int, Sendable, Comparable, CaseIterable {
  /// Noise reduction, of the samples as stored.
  case noise
  /// What the lens did to the picture that it took.
  case lens
  /// Quarter turns and mirroring.
  case orientation
  /// Perspective.
  case perspective
  case straighten
  case crop
  case resize
  /// What the samples of the picture mean.
  case input
  case whiteBalance
  case exposure
  /// Gains that depend on the place and on the light around it, in scene-linear light.
  case light
  /// Highlights, shadows, whites and blacks, in scene-linear light.
  case range
  /// What shows the light of a scene, as of a camera raw, as that of a display.
  case toneMap
  /// Contrast and tone curves, in scene-linear light.
  case tone
  /// Saturation and hue.
  case color
  /// Groups of filters under masks, in scene-linear light.
  case group
  /// LUTs, in the encoding that they declare.
  case look
  /// What brings colours into the space of the result.
  case gamut
  /// What reads neighbouring pixels, once the picture has its final size and encoding.
  case detail

  public static func < (a: FilterPhase, b: FilterPhase) -> Bool { a.rawValue < b.rawValue }

  /// Whether filters of this phase move pixels rather than change their colour.
  package var isGeometry: Bool { self > .noise && self < .input }
}

/// A named edit: exposure, white balance, a crop, a LUT. A small immutable value with parameters.
///
/// Filters are equal if their values are; a `struct` gets that from the compiler.
///
/// A filter lowers itself to a few stages and knows nothing about how they run. To add one to Safelight, write one
/// file in `Sources/Filters` and one line in `FilterCatalog.all`; a program's own filters go into its own catalog.
public protocol Filter: Sendable, Equatable {
  static var id: FilterID { get }
  static var phase: FilterPhase { get }
  /// The display name, by default derived from the id: `White balance`.
  static var title: String { get }
  /// One line for lists and help: what the filter does.
  static var summary: String { get }
  /// Declared once; command-line flags, JSON keys and documentation derive from it.
  static var parameters: [Parameter] { get }
  /// Whether this filter can hold other filters, which recipe files then list under the key `filters`. False by
  /// default.
  static var holdsFilters: Bool { get }

  /// The neutral filter, which changes nothing.
  init()

  /// Appends what this filter does to the plan.
  ///
  /// Each function of the builder first converts the picture to the space that it works in: `matrix`, `curve`,
  /// `light`, `tone`, `vignette`, `curves`, `hues`, `oklabChroma`, `oklabTurn` and `group` to scene-linear RGB
  /// (`PlanBuilder.workingSpace`: Rec. 2020 primaries, D65, unclamped), `lut` and `samples` to the given encoding, `geometry` to pixels from the top left corner.
  /// `sharpen` takes effect after all of them.
  ///
  /// - Throws: `SafelightError` if the filter does not fit the picture, such as a crop outside it.
  func lower(into plan: inout PlanBuilder) throws

  /// Loads the files named by this filter's own parameters. Called once after decoding, before lowering.
  mutating func loadFiles(from files: FilterFiles) throws

  /// The loaded file contents, as bytes that are equal only if their effect is equal; nil if nothing was loaded.
  ///
  /// They distinguish edits whose files have the same names. Nil by default: the files themselves are then read
  /// instead.
  var fileContents: [UInt8]? { get }

  /// The filters that this one holds, in order; none by default. Code that searches or changes the filters of a
  /// recipe includes these.
  var nestedFilters: [any Filter] { get set }

  /// Returns this filter at a fraction of its effect: 0 is neutral, 1 is `self`.
  func scaled(by strength: Double) -> Self
}

extension Filter {
  public static var title: String { Parameter.title(of: id.name) }
  public static var holdsFilters: Bool { false }

  public mutating func loadFiles(from files: FilterFiles) throws {}
  public var fileContents: [UInt8]? { nil }
  public var nestedFilters: [any Filter] {
    get { [] }
    set {}
  }

  /// The numbers of colour filters are interpolated linearly from neutral; geometry has no strength.
  public func scaled(by strength: Double) -> Self {
    guard !Self.phase.isGeometry else { return self }
    var scaled = self
    for parameter in Self.parameters { parameter.scale(&scaled, by: strength) }
    return scaled
  }

  /// Throws for values that are out of range, not numbers, or rejected by their own text form, such as a crop to
  /// 0:0, naming the range. Also checks the filters that this one holds.
  public func validate() throws {
    var copy = self
    for parameter in Self.parameters { try parameter.set(parameter.value(in: self), in: &copy) }
    for filter in nestedFilters { try filter.validate() }
  }
}
