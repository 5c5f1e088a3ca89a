import ColorScience

/// How many nodes a table has and where they stand.
struct TableShape: Sendable, Hashable {
  let size: Int
  let spacing: NodeSpacing

  init(_ size: Int, _ spacing: NodeSpacing) { (self.size, self.spacing) = (size, spacing) }

  /// The samples along each axis at which nodes stand.
  var axis: [Float] { (0..<size).map { Float(spacing.sample(at: Double($0) / Double(size - 1))) } }
}

/// What a run of stages may be baked into: one table for all, or one for what precedes a LUT and one for the rest.
///
/// A LUT's nodes are creases. Behind other colour they lie anywhere, and a table of the whole needs many nodes to
/// follow them; in a table of its own they are where they were.
struct TableForm: Sendable, Hashable, CustomStringConvertible {
  let shape: TableShape
  /// Stages ahead of the second table; nil where there is but one.
  var split: Int?
  /// Nodes an edge of the second table, which is uniform.
  var tailSize = 0

  var description: String {
    "\(shape.size)³" + (shape.spacing.isUniform ? "" : " shaper") + (split == nil ? "" : " and \(tailSize)³")
  }

  static let shapes: [TableShape] = [
    TableShape(33, .uniform),
    TableShape(33, NodeSpacing(knee: 0.125, kneePosition: 0.25)),
    TableShape(49, NodeSpacing(knee: 0.125, kneePosition: 0.25)),
    TableShape(65, NodeSpacing(knee: 0.125, kneePosition: 0.3125)),
    // Has every node of a look's 33³, whose creases lie there.
    TableShape(65, .uniform),
  ]

  /// In this order. Behind other colour a LUT rarely fits a single table that is quickly looked up: pairs are tried
  /// ahead of large ones, which take as long.
  static func candidates(for stages: [Stage]) -> [TableForm] {
    let single = shapes.map { TableForm(shape: $0) }
    guard let (split, size) = lookup(in: stages) else { return single }
    let pairs = shapes.prefix(3).map { TableForm(shape: $0, split: split, tailSize: size) }
    return single.prefix(2) + pairs + single.dropFirst(2)
  }

  /// The first 3D LUT that has other colour ahead of it, with its nodes an edge.
  private static func lookup(in stages: [Stage]) -> (index: Int, size: Int)? {
    for (index, stage) in stages.enumerated() where index > 0 {
      if case .lut(let lookup) = stage, let cube = lookup.lut.cube {
        return cube.size <= 65 ? (index, max(cube.size, 17)) : nil
      }
    }
    return nil
  }

  /// The stages of each table.
  func parts(of stages: [Stage]) -> [[Stage]] {
    guard let split else { return [stages] }
    return [Array(stages[..<split]), Array(stages[split...])]
  }

  /// How stages go on outside 0…1: what a LUT's strength leaves of its input goes on as it is.
  static func slopeOutside(of stages: [Stage]) -> Double {
    if stages.count == 1, case .lut(let lookup) = stages[0] { 1 - lookup.strength } else { 0 }
  }
}
