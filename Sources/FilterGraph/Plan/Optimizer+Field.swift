import ColorScience
import Libc

// Fields and masks depend on places, so no table holds them: what is ahead of the last one runs exactly, and what is
// behind it becomes a table of the light that it leaves.
extension Optimizer {
  /// The most light that a table behind a field is tried for, as a multiple of white.
  private static let mostLight = 16.0

  /// Makes fields of groups that change nothing but exposure under masks of places: a gain commutes with matrices, and
  /// what follows it becomes a table. A stage of groups stays if one of them does more, since the others may be ahead.
  static func foldGroups(_ stages: [Stage]) -> [Stage] {
    var out: [Stage] = []
    for stage in stages {
      guard case .masked(let groups) = stage else {
        out.append(stage)
        continue
      }
      let gains = groups.compactMap(\.gain)
      guard gains.count == groups.count else {
        out.append(stage)
        continue
      }
      let own = Field(masks: gains)
      if case .field(let last, [.linear])? = out.last, let joined = last.joined(with: own) {
        out[out.count - 1] = .field(joined)
      } else {
        out.append(.field(own))
      }
    }
    return out
  }

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
    // Behind groups, the curve of the table's axes is a step of its own, with which the table takes as long as two
    // others.
    if isGroups(stages, last), tail.count(where: { !$0.isMatrix }) <= 2 { return stages }
    guard let (axis, inverse) = tableAxis(behind: head.filter(\.isColor)) else {
      let place = if case .masked = stages[last] { "groups" } else { "field" }
      remarks.append("light behind the \(place) may be negative or too bright for a table: exact stages")
      return stages
    }
    let entry = baker.tables(for: inverse + tail)
    remarks += entry.remarks
    guard !entry.tables.isEmpty else { return stages }
    return head + axis + entry.tables.map(Stage.baked) + rest
  }

  /// Whether a stage is groups, or gains of groups that cannot run on encoded samples.
  private static func isGroups(_ stages: [Stage], _ index: Int) -> Bool {
    switch stages[index] {
    case .masked: return true
    case .field(let field, _):
      guard field.isOnlyMasks else { return false }
      if index > 0, case .curve(.decode) = stages[index - 1] { return false }
      return true
    case .geometry, .downsample, .ycbcr, .denoise, .matrix, .curve, .pointwise, .lut, .sharpen,
      .channelTables, .baked:
      return false
    }
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

  /// Returns the most light that samples become, if it cannot be negative and that is known.
  ///
  /// - Parameter start: of the samples, which are at least 0.
  private static func largestLight(behind stages: [Stage], of start: Double = 1) -> Double? {
    var largest = start
    for stage in stages {
      switch stage {
      case .curve(.decode):
        guard largest <= 1 else { return nil }
      case .curve(.power(let exponent, let pivot)):
        guard exponent > 0 else { return nil }
        largest = pivot * pow(largest / pivot, exponent)
      case .matrix(let matrix):
        let numbers = matrix.rows
        guard numbers.allSatisfy({ $0.min() > -1e-9 }) else { return nil }
        largest *= numbers.map { $0.sum() }.max() ?? 1
      case .field(let field, _): largest = field.largest(of: largest)
      case .masked(let groups):
        // What a mask leaves lies between the colours ahead of a group and behind it.
        for group in groups {
          let lit = group.fields.reduce(largest) { $1.largest(of: $0) }
          guard let changed = largestLight(behind: group.stages, of: lit) else { return nil }
          largest = max(largest, changed)
        }
      case .geometry, .downsample, .ycbcr, .denoise, .curve, .pointwise, .lut, .sharpen, .channelTables,
        .baked:
        return nil
      }
      // Rows of conversions between spaces add up to 1, but for rounding.
      if abs(largest - 1) < 1e-9 { largest = 1 }
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
  ///
  /// - Parameter isStored: whether a projection is ahead of both.
  func behind(_ geometry: Geometry, isStored: Bool) -> Stage {
    switch self {
    case .field(let field, let encoding):
      .field(field.behind(geometry, isStored: isStored), encoding: encoding)
    // With a projection, groups find all their places in the picture as stored.
    case .masked(let groups): isStored ? self : .masked(groups.map { $0.behind(geometry) })
    case .geometry, .downsample, .ycbcr, .denoise, .matrix, .curve, .pointwise, .lut, .sharpen,
      .channelTables, .baked:
      self
    }
  }

  fileprivate var isMatrix: Bool { if case .matrix = self { true } else { false } }

  fileprivate var isBaked: Bool { if case .baked = self { true } else { false } }
}
