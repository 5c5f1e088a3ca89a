import ColorScience
import FrameCore

/// The positions of a baked table's nodes along an axis: position = min(x·steep, x·gentle + offset), as a fraction
/// of the axis. Both a uniform grid and one with denser nodes near black are cheap to index.
public struct NodeSpacing: Sendable, Hashable {
  /// The sample value at which the slope changes, and its position.
  public let knee: Double
  public let kneePosition: Double

  public static let uniform = NodeSpacing(knee: 1, kneePosition: 1)

  public init(knee: Double, kneePosition: Double) {
    self.knee = knee
    self.kneePosition = kneePosition
  }

  package var isUniform: Bool { knee == 1 }
  package var steep: Double { kneePosition / knee }
  package var gentle: Double { isUniform ? 1 : (1 - kneePosition) / (1 - knee) }
  public var offset: Double { 1 - gentle }

  /// Returns the position, 0…1, of a sample value of 0…1.
  public func position(of x: Double) -> Double { min(x * steep, x * gentle + offset) }

  /// Returns the sample value at `position`.
  public func sample(at position: Double) -> Double {
    position <= kneePosition ? position / steep : (position - offset) / gentle
  }
}

/// The deviation of a baked table from the stages it replaces, measured at baking.
public struct BakeError: Sendable, Hashable {
  /// ΔE2000 on the clipped output: the maximum over all colours tried and the mean over random ones.
  public var maximum: Double
  public var mean: Double
  /// The number of colours tried; trying stops once the bound is broken.
  public var colors: Int

  /// The bound that a table must keep to be used.
  public static let maximumBound = 1.0
  public static let meanBound = 0.05

  /// The largest error among the probes at which a table is accepted; slightly below the bound, because other
  /// colours may be slightly worse.
  static let acceptedMaximum = 0.97

  /// Above this error a table is searched ten times as densely before it is accepted.
  static let closeMaximum = 0.7

  package var isWithinBounds: Bool { maximum <= Self.acceptedMaximum && mean <= Self.meanBound }
}

/// A run of colour stages as one 3D table, for 8-bit output.
///
/// Nodes are not clipped to the output's range: clipping follows interpolation, which preserves the edges of the
/// gamut. They are stored at `BakedLUT.unit` codes per unit over -2…2, as the kernel reads them.
public struct BakedLUT: Sendable, Hashable {
  /// The number of codes per unit: 32 per 8-bit level.
  public static let unit = 32 * 255

  public let size: Int
  public let spacing: NodeSpacing
  /// The error of the whole run of colour stages; two tables that replace one run have the same.
  public let error: BakeError
  /// The stages that this table replaces.
  public let stages: [Stage]
  /// Whether a second table reads this one's output, which must then not be rounded to 8 bits.
  package let feedsTable: Bool
  /// The slope outside 0…1: value + slope · (input - clipped input). Only second tables have one other than 0.
  public let slopeOutside: Double
  /// int16 R, G, B, 0 per node, red fastest.
  public let nodes: NodeStorage

  init(_ table: TetrahedralTable, error: BakeError, stages: [Stage], feedsTable: Bool) {
    size = table.size
    spacing = table.spacing
    slopeOutside = table.slopeOutside
    nodes = NodeStorage(table.codes)
    self.error = error
    self.stages = stages
    self.feedsTable = feedsTable
  }

  /// Shared, immutable node memory.
  public final class NodeStorage: Sendable, Hashable {
    public let codes: [Int16]
    init(_ codes: [Int16]) { self.codes = codes }
    public static func == (a: NodeStorage, b: NodeStorage) -> Bool { a === b || a.codes == b.codes }
    public func hash(into hasher: inout Hasher) { hasher.combine(codes.count) }
  }

  /// Returns the tetrahedrally interpolated value for a colour of 0…1.
  public func evaluate(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    TetrahedralTable(codes: nodes.codes, size: size, spacing: spacing).extended(by: slopeOutside).evaluate(
      rgb)
  }
}
