import FilterGraph
import Rendering

// The words of groups under masks, as documented in `shaders/masked.glsl`.
extension ProgramTables {
  /// - Returns: the index of the first word.
  mutating func numbers(_ masked: NumericStage.MaskedNumbers) -> UInt32 {
    var words: [UInt32] = [
      UInt32(masked.groups.count), (masked.measuresColors ? 1 : 0) | (masked.followsEdges ? 2 : 0),
    ]
    words += (masked.toLMS + masked.labFromRoots).bits + masked.brightness.words
    let grid = nextGrid(masked.layout)
    for group in masked.groups {
      let steps = group.steps.flatMap { self.words(of: $0, masked.layout, gridAt: grid) }
      words += [append(words: steps), UInt32(group.steps.count), group.measuresColors ? 1 : 0]
      words += [group.opacity.bitPattern, appendSlots(group.stages), UInt32(group.stages.count)]
      let fields = group.fields.flatMap { fieldNumbers($0, gridAt: grid) }
      words += [append(words: fields), UInt32(group.fields.count)]
    }
    return append(words: words)
  }

  /// - Returns: the index of the first word.
  mutating func numbers(_ gains: NumericStage.GainNumbers) -> UInt32 {
    var words: [UInt32] = [UInt32(gains.groups.count), gains.encoding == nil ? 0 : 1]
    words += gains.encoding.map { $0.decode.words + $0.encode.words } ?? [UInt32](repeating: 0, count: 14)
    for (group, gain) in zip(gains.groups, gains.gains) {
      let steps = group.steps.flatMap { self.words(of: $0, nil, gridAt: 0) }
      words += [append(words: steps), UInt32(group.steps.count), group.opacity.bitPattern, gain.bitPattern]
    }
    return append(words: words)
  }

  /// - Parameter start: the first float of the groups' grid, if they have one.
  private mutating func words(
    of step: NumericStage.MaskStep, _ layout: FieldGridLayout?, gridAt start: Int
  ) -> [UInt32] {
    let numbers: [UInt32]
    if step.kind == .edges, let layout, let edges = layout.edges {
      let first = start + edges + 2 * layout.fine.pixelCount * step.guide
      numbers = [layout.fine.width, layout.fine.height, first].map { UInt32($0) }
    } else if let shape = step.shape {
      numbers = [UInt32(shape.size.width), UInt32(shape.size.height), appendCoverage(of: shape)]
    } else {
      numbers = [step.low, step.high, step.scale].bits
    }
    return [step.kind.rawValue] + step.map.map { Float($0) }.bits + numbers + [step.part.bitPattern]
  }

  /// Four nodes in a word, the first in the lowest bits.
  private mutating func appendCoverage(of shape: MaskShape) -> UInt32 {
    let (nodes, count) = (shape.nodes, shape.size.pixelCount)
    return append(
      words: stride(from: 0, to: count, by: 4).lazy.map { first in
        (first..<min(first + 4, count)).reduce(UInt32(0)) {
          $0 | UInt32(nodes[$1]) << UInt32(8 * ($1 - first))
        }
      })
  }
}
