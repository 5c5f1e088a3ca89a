import FilterGraph
import Rendering

// The words of groups under masks, as documented in `shaders/masked.glsl`.
extension ProgramTables {
  /// - Returns: the index of the first word.
  mutating func numbers(_ masked: NumericStage.MaskedNumbers) -> UInt32 {
    var words: [UInt32] = [UInt32(masked.groups.count), masked.measuresColors ? 1 : 0]
    words += (masked.toLMS + masked.labFromRoots).bits + masked.brightness.words
    let grid = nextGrid(masked.layout)
    for group in masked.groups {
      let steps = group.steps.flatMap { self.words(of: $0) }
      words += [append(words: steps), UInt32(group.steps.count), group.measuresColors ? 1 : 0]
      words += [group.opacity.bitPattern, appendSlots(group.stages), UInt32(group.stages.count)]
      let fields = group.fields.flatMap { fieldNumbers($0, gridAt: grid) }
      words += [append(words: fields), UInt32(group.fields.count)]
    }
    return append(words: words)
  }

  private mutating func words(of step: NumericStage.MaskStep) -> [UInt32] {
    let numbers: [UInt32]
    if let shape = step.shape {
      numbers = [UInt32(shape.size.width), UInt32(shape.size.height), appendCoverage(of: shape)]
    } else {
      numbers = [step.low, step.high, step.scale].bits
    }
    return [step.kind.rawValue] + step.map.map { Float($0) }.bits + numbers
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
