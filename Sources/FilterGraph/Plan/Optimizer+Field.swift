import ColorScience
import Libc

// Fields depend on places, so no table holds them: what is ahead of the last one runs exactly, and what is behind it
// becomes a table of the light that it leaves.
extension Optimizer {
  /// The most light that a table behind a field is tried for, as a multiple of white.
  private static let mostLight = 16.0

  /// Moves fields ahead of matrices, with which a gain commutes, so that the matrices become part of the table.
  static func advanceFields(_ stages: [Stage]) -> [Stage] {
    var stages = stages
    for index in stages.indices.dropFirst() {
      guard case .field(var field, let encoding) = stages[index], encoding == [.linear] else { continue }
      var place = index
      while place > 0, case .matrix(let matrix) = stages[place - 1] {
        field = field.ahead(of: matrix)
        (stages[place - 1], stages[place]) = (.field(field, encoding: encoding), stages[place - 1])
        place -= 1
      }
    }
    return stages
  }

  /// Fuses the colour stages behind the last field into tables.
  ///
  /// - Parameter last: the index of the last field.
  static func fuseBehindField(
    _ stages: [Stage], last: Int, baker: Baker, remarks: inout [String]
  ) -> [Stage] {
    let head = Array(stages[...last])
    // Neighbourhoods follow the colours.
    let tail = Array(stages[(last + 1)...].prefix { $0.isPointwise })
    let rest = stages[(last + 1 + tail.count)...]
    guard !tail.isEmpty else { return stages }
    // Powers of each channel are as fast as the table would be.
    guard !tail.allSatisfy(\.isPerChannel), !tail.contains(where: \.isBaked) else { return stages }
    guard let (axis, inverse) = tableAxis(behind: head.filter(\.isColor)) else {
      remarks.append("light behind the field may be negative or too bright for a table: exact stages")
      return stages
    }
    let entry = baker.tables(for: inverse + tail)
    remarks += entry.remarks
    guard !entry.tables.isEmpty else { return stages }
    return head + axis + entry.tables.map(Stage.baked) + rest
  }

  /// Returns the stages that bring the light behind these stages to 0…1 for a table, and their inverses; nil if there
  /// may be too much of it, or negative light.
  ///
  /// The axes are samples encoded as those of the picture, which are nearly evenly spaced to the eye: fields multiply
  /// their light as they are. Fields that only darken leave what the samples themselves could be, and the table is the
  /// one of the plan without them. For more light, the samples are scaled down; each doubling of the range takes nodes
  /// from the colours that are seen, so it is no larger than the fields ask for.
  private static func tableAxis(behind stages: [Stage]) -> (axis: [Stage], inverse: [Stage])? {
    guard let range = largestLight(behind: stages), range <= mostLight else { return nil }
    var encoding: [TransferFunction] = [.sRGB]
    for case .curve(.decode(let functions)) in stages where functions.isShared { encoding = functions }
    let largest = encoding[0].encode(range)
    guard largest > 1 else { return ([.curve(.encode(encoding))], [.curve(.decode(encoding))]) }
    return (
      [.curve(.encode(encoding)), .matrix(.diagonal(SIMD3(repeating: 1 / largest)))],
      [.matrix(.diagonal(SIMD3(repeating: largest))), .curve(.decode(encoding))]
    )
  }

  /// Returns the most light that samples of 0…1 become, if it cannot be negative and that is known.
  private static func largestLight(behind stages: [Stage]) -> Double? {
    var largest = 1.0
    for stage in stages {
      switch stage {
      case .curve(.decode): break
      case .field(let field, _): largest = field.largest(of: largest)
      case .geometry, .downsample, .ycbcr, .denoise, .matrix, .curve, .pointwise, .lut, .sharpen,
        .channelTables,
        .baked:
        return nil
      }
    }
    return largest
  }

  /// Lets fields between a curve and its inverse run on the encoded samples, without the powers of both.
  static func encodeFields(_ stages: [Stage]) -> [Stage] {
    var out: [Stage] = []
    for stage in stages {
      guard case .curve(.encode(let encoding)) = stage, encoding.isShared,
        let start = out.lastIndex(where: { if case .field = $0 { false } else { true } }),
        case .curve(let curve) = out[start], curve.isInverse(of: .encode(encoding)), start < out.count - 1
      else {
        out.append(stage)
        continue
      }
      let fields = out[(start + 1)...].map { field -> Stage in
        if case .field(let field, _) = field { .field(field, encoding: encoding) } else { field }
      }
      out[start...] = fields[...]
    }
    return out
  }
}

extension [TransferFunction] {
  /// Whether all channels have one function with a formula.
  fileprivate var isShared: Bool {
    guard let first, allSatisfy({ $0 == first }) else { return false }
    switch first {
    case .linear, .sampled: return false
    case .sRGB, .gamma, .bt709: return true
    }
  }
}

extension Stage {
  /// The same stage ahead of which a resample now comes.
  func behind(_ geometry: Geometry) -> Stage {
    guard case .field(let field, let encoding) = self else { return self }
    return .field(field.behind(geometry), encoding: encoding)
  }

  fileprivate var isBaked: Bool { if case .baked = self { true } else { false } }
}
