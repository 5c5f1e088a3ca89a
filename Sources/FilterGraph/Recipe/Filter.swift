import FrameCore

/// The name of a filter in recipes and on the command line, in kebab case: `white-balance`.
public struct FilterID: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let name: String
  public init(stringLiteral name: String) { self.name = name }
  public init(_ name: String) { self.name = name }
  public var description: String { name }
}

/// Where a filter stands in the canonical order of a plan. Later cases see what earlier ones made.
public enum FilterPhase: Int, Sendable, Comparable, CaseIterable {
  /// Quarter turns and mirroring.
  case orientation
  case straighten
  case crop
  case resize
  case whiteBalance
  case exposure
  /// Contrast and tone curves, in scene-linear light.
  case tone
  /// Saturation and hue.
  case color
  /// LUTs, in the encoding that they declare.
  case look

  public static func < (a: FilterPhase, b: FilterPhase) -> Bool { a.rawValue < b.rawValue }

  /// Whether filters of this phase move pixels rather than change their colour.
  public var isGeometry: Bool { self < .whiteBalance }
}

/// What people name: exposure, white balance, a crop, a LUT. A small immutable value with parameters.
///
/// Filters are equal where their values are; a `struct` gets that from the compiler.
///
/// A filter lowers itself to a few stages and knows nothing of how they are run. To add one, write one file
/// in `Sources/Filters` and one line in `FilterCatalog.all`; one of a program of your own goes into a catalog of its own.
public protocol Filter: Sendable, Equatable {
  static var id: FilterID { get }
  static var phase: FilterPhase { get }
  /// The name for people, by default made of the id: `White balance`.
  static var title: String { get }
  /// One line for lists and help: what it does.
  static var summary: String { get }
  /// Declared once; command-line flags, JSON keys and documentation derive from it.
  static var parameters: [Parameter] { get }
  /// Whether it can hold other filters: recipes in files have them under the key `filters` then. By default it cannot.
  static var holdsFilters: Bool { get }

  /// The neutral filter, which changes nothing.
  init()

  /// Appends what this filter does to the plan.
  ///
  /// Each function of the builder takes the picture to the space that it acts in: `matrix`, `curve`, `tone` and `oklabChroma`
  /// to scene-linear RGB (`PlanBuilder.workingSpace`: Rec. 2020 primaries, D65, unclamped), `lut` to the encoding that it is
  /// given, `geometry` to pixels from the top left corner.
  ///
  /// - Throws: `SafelightError` where the filter does not fit the picture, such as a crop outside it.
  func lower(into plan: inout PlanBuilder) throws

  /// Loads the files that its own parameters name. Called once after decoding, before lowering.
  mutating func loadFiles(from files: FilterFiles) throws

  /// What was loaded from files, as bytes that are equal only where it has the same effect; nil where nothing was loaded.
  ///
  /// It tells edits apart whose files have the same names. By default it is nil: then the files themselves are read for that.
  var fileContents: [UInt8]? { get }

  /// The filters that this one holds, in their order; none by default. Whatever looks for filters in a recipe, or changes
  /// them, does so in here too.
  var nestedFilters: [any Filter] { get set }

  /// This filter at a part of its effect: 0 is neutral, 1 is `self`.
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

  /// Numbers of colour filters move in a straight line from neutral; geometry has no strength.
  public func scaled(by strength: Double) -> Self {
    guard !Self.phase.isGeometry else { return self }
    var scaled = self
    for parameter in Self.parameters { parameter.scale(&scaled, by: strength) }
    return scaled
  }

  /// Refuses values that are out of range, not numbers, or that their own text form refuses, such as a crop to
  /// 0:0, naming the range; also in filters that this one holds.
  public func validate() throws {
    var copy = self
    for parameter in Self.parameters { try parameter.set(parameter.value(in: self), in: &copy) }
    for filter in nestedFilters { try filter.validate() }
  }
}
