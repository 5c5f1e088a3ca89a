import ColorScience

/// The number of a table's nodes per axis and their spacing.
struct TableShape: Sendable, Hashable {
  let size: Int
  let spacing: NodeSpacing

  init(_ size: Int, _ spacing: NodeSpacing) { (self.size, self.spacing) = (size, spacing) }

  /// The sample values of the nodes along each axis.
  var axis: [Float] { (0..<size).map { Float(spacing.sample(at: Double($0) / Double(size - 1))) } }
}

/// The form in which a run of stages may be baked: one table for all, or one for the stages before a LUT and one
/// for the rest.
///
/// A LUT's nodes are creases. Behind other colour stages they can lie anywhere, and a single table needs many
/// nodes to follow them; a separate table keeps them at its nodes.
struct TableForm: Sendable, Hashable, CustomStringConvertible {
  let shape: TableShape
  /// The number of stages ahead of the second table; nil if there is only one.
  var split: Int?
  /// The number of nodes per axis of the second table, which is uniform.
  var tailSize = 0

  var description: String {
    "\(shape.size)³" + (shape.spacing.isUniform ? "" : " shaper") + (split == nil ? "" : " and \(tailSize)³")
  }

  static let shapes: [TableShape] = [
    TableShape(33, .uniform),
    TableShape(33, NodeSpacing(knee: 0.125, kneePosition: 0.25)),
    TableShape(49, NodeSpacing(knee: 0.125, kneePosition: 0.25)),
    TableShape(65, NodeSpacing(knee: 0.125, kneePosition: 0.3125)),
    // Contains every node of a look's 33³ table, at which its creases lie.
    TableShape(65, .uniform),
  ]

  /// Returns the forms in the order to try them. Behind other colour stages a LUT rarely fits a single table that
  /// is fast to look up, so pairs are tried before large tables, which take as long.
  static func candidates(for stages: [Stage]) -> [TableForm] {
    let single = shapes.map { TableForm(shape: $0) }
    guard let (split, size) = lookup(in: stages) else { return single }
    let pairs = shapes.prefix(3).map { TableForm(shape: $0, split: split, tailSize: size) }
    return single.prefix(2) + pairs + single.dropFirst(2)
  }

  /// Returns the index of the first 3D LUT behind other stages, and its nodes per axis, at least 17; nil if there
  /// is none or it has more than 65.
  private static func lookup(in stages: [Stage]) -> (index: Int, size: Int)? {
    for (index, stage) in stages.enumerated() where index > 0 {
      if case .lut(let lookup) = stage, let cube = lookup.lut.cube {
        return cube.size <= 65 ? (index, max(cube.size, 17)) : nil
      }
    }
    return nil
  }

  /// Returns the stages of each table.
  func parts(of stages: [Stage]) -> [[Stage]] {
    guard let split else { return [stages] }
    return [Array(stages[..<split]), Array(stages[split...])]
  }

  /// Returns the slope of the stages outside 0…1: the share of the input that a LUT's strength leaves continues
  /// unchanged.
  static func slopeOutside(of stages: [Stage]) -> Double {
    if stages.count == 1, case .lut(let lookup) = stages[0] { 1 - lookup.strength } else { 0 }
  }
}
