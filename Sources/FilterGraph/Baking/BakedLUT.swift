import ColorScience
import FrameCore

/// Where the nodes of a baked table stand along an axis: position = min(x·steep, x·gentle + offset), in parts
/// of the whole axis, so both a uniform grid and one with denser nodes near black are cheap to index.
public struct NodeSpacing: Sendable, Hashable {
  /// The sample value at which the slope changes, and the position it has there.
  public let knee: Double
  public let kneePosition: Double

  public static let uniform = NodeSpacing(knee: 1, kneePosition: 1)

  public init(knee: Double, kneePosition: Double) {
    self.knee = knee
    self.kneePosition = kneePosition
  }

  public var isUniform: Bool { knee == 1 }
  public var steep: Double { kneePosition / knee }
  public var gentle: Double { isUniform ? 1 : (1 - kneePosition) / (1 - knee) }
  public var offset: Double { 1 - gentle }

  /// 0…1 → 0…1.
  public func position(of x: Double) -> Double { min(x * steep, x * gentle + offset) }

  /// The sample value that stands at `position`.
  public func sample(at position: Double) -> Double {
    position <= kneePosition ? position / steep : (position - offset) / gentle
  }
}

/// How far a baked table is from the stages it replaces, measured when it was baked.
public struct BakeProof: Sendable, Hashable {
  /// ΔE2000 on the clipped output: the largest over all colours tried and the mean over random ones.
  public var maximum: Double
  public var mean: Double
  /// Colours tried, until the bound was broken or there were no more.
  public var colors: Int

  /// The bound that a table must keep to be used.
  public static let maximumBound = 1.0
  public static let meanBound = 0.05

  /// The largest error among the probes with which a table is taken, a little under the bound since other colours may
  /// be a little worse.
  static let acceptedMaximum = 0.97

  /// Above this a table is searched ten times as densely before it is taken.
  static let closeMaximum = 0.7

  public var holds: Bool { maximum <= Self.acceptedMaximum && mean <= Self.meanBound }
}

/// A run of colour stages as one 3D table, for 8-bit output.
///
/// Nodes are not clipped to the output's range: clipping follows interpolation, so edges of the gamut stay
/// where they are. They are stored at `BakedLUT.unit` codes a unit over -2…2, as the kernel reads them.
public struct BakedLUT: Sendable, Hashable {
  /// Codes a unit: 32 for every level of 8 bits.
  public static let unit = 32 * 255

  public let size: Int
  public let spacing: NodeSpacing
  /// Of the whole run of colour stages; where it became two tables both have the same.
  public let proof: BakeProof
  /// What this table replaces.
  public let stages: [Stage]
  /// Whether a second table reads what this one makes, in which case nothing may round it to 8 bit.
  public let feedsTable: Bool
  /// How the table goes on outside 0…1: value + slope · (input - clipped input). Not 0 in second tables alone.
  public let slopeOutside: Double
  /// int16 R, G, B, 0 a node, red fastest.
  public let nodes: NodeStorage

  init(_ table: TetrahedralTable, proof: BakeProof, stages: [Stage], feedsTable: Bool) {
    size = table.size
    spacing = table.spacing
    slopeOutside = table.slopeOutside
    nodes = NodeStorage(table.codes)
    self.proof = proof
    self.stages = stages
    self.feedsTable = feedsTable
  }

  /// Shared, immutable node memory; equality of a baked table follows from its stages and shape.
  public final class NodeStorage: Sendable, Hashable {
    public let codes: [Int16]
    init(_ codes: [Int16]) { self.codes = codes }
    public static func == (a: NodeStorage, b: NodeStorage) -> Bool { a === b || a.codes == b.codes }
    public func hash(into hasher: inout Hasher) { hasher.combine(codes.count) }
  }

  /// The table's value, tetrahedrally interpolated, for a colour of 0…1.
  public func evaluate(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    TetrahedralTable(codes: nodes.codes, size: size, spacing: spacing).extended(by: slopeOutside).evaluate(
      rgb)
  }
}
