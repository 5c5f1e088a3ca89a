import ColorScience
import FrameCore
import Libc

/// The text form of plans: what `safelight plan` prints and tests compare.
extension Plan: CustomStringConvertible {
  public var description: String {
    var lines = ["plan  \(input)  →  \(outputSize) \(output)"]
    var rows = stages.map(\.line)
    if let sharpening {
      rows[rows.count - 1].remark = "halo \(sharpening.halo) of \(formatInBetween.rawValue)"
    }
    rows.append(("store", storeText, copiesSamples ? copyText : dithers ? "dithered" : ""))
    let titleWidth = rows.map(\.title.count).max() ?? 0
    for (number, row) in rows.enumerated() {
      let index = "\(number + 1)"
      let head = String(repeating: " ", count: max(0, 3 - index.count)) + index
      let title = row.title + String(repeating: " ", count: titleWidth - row.title.count)
      lines.append([head, title, row.detail, row.remark].filter { !$0.isEmpty }.joined(separator: "  "))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The format of the output and, of luma and colour differences, their encoding.
  private var storeText: String { storedSamples?.sampleText ?? output.format.rawValue }

  private var copyText: String {
    guard let last = input.format.planes.last, let stored = output.format.planes.last else { return "" }
    let isThinned =
      input.format != .gray8 && output.format != .gray8
      && (last.columnsPerGroup, last.rowsPerGroup) != (stored.columnsPerGroup, stored.rowsPerGroup)
    return isThinned ? "own samples, chroma averaged" : "own samples"
  }

  /// The optimizer's log, one line per pass that changed something or explains why it did not.
  public var log: String {
    records.map { record in
      let change = "\(record.pass): \(record.before) → \(record.after) stages"
      return ([change] + record.remarks.map { "  " + $0 }).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

extension PlanInput: CustomStringConvertible {
  public var description: String {
    "\(size) \(format.rawValue) \(space.name)"
      + (orientation == .up ? "" : ", orientation \(orientation.rawValue)")
      + (alpha == .straight ? ", alpha" : "")
  }
}

extension PlanOutput: CustomStringConvertible {
  public var description: String { "\(format.rawValue) \(space.name)" }
}

extension Stage: CustomStringConvertible {
  public var description: String {
    let row = line
    return [row.title, row.detail, row.remark].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The name of the stage's kind, as in plans and reports.
  package var kindName: String {
    switch self {
    case .geometry: "geometry"
    case .downsample: "downsample"
    case .ycbcr: "ycbcr"
    case .denoise: "denoise"
    case .matrix: "matrix"
    case .curve: "curve"
    case .pointwise: "pointwise"
    case .field: "field"
    case .masked: "masked"
    case .lut: "lut"
    case .sharpen: "sharpen"
    case .channelTables: "tables"
    case .baked: "baked"
    }
  }

  /// The columns of a stage's line in a plan.
  var line: (title: String, detail: String, remark: String) {
    switch self {
    case .geometry(let geometry):
      (kindName, geometry.text, geometry.pixelMove == nil ? geometry.samplingText : "exact")
    case .downsample(let stage):
      (
        kindName,
        "\(stage.inputSize) → \(stage.outputSize)  ÷\(PlainNumber.fixed(max(stage.factors.x, stage.factors.y), 2))",
        "kaiser-sinc in \(stage.linearLight == nil ? "encoded samples" : "linear light")"
      )
    case .ycbcr(let stage):
      (
        kindName, "\(stage.sampleText) → RGB",
        stage.interpolation == .sharp || stage.format == .gray8 ? "" : "bilinear"
      )
    case .denoise(let denoising): (kindName, denoising.text, "DCT 8×8, Wiener")
    case .matrix(let matrix): (kindName, matrix.text, "")
    case .curve(let curve): (kindName, curve.text, "")
    case .pointwise(.oklabChroma(let chroma, _)):
      (kindName, "OKLab chroma ×\(PlainNumber.fixed(chroma, 3))", "")
    case .pointwise(.oklabTurn(let degrees, _)):
      (kindName, "OKLab hue \(PlainNumber.fixed(degrees, 1))°", "")
    case .pointwise(.tone(let curve)): (kindName, curve.text, "")
    case .pointwise(.curves(let curves)): (kindName, curves.text, "")
    case .pointwise(.hues(let adjustment)): (kindName, adjustment.text, "")
    case .pointwise(.gamut(let mapping)): (kindName, "gamut of \(mapping.space.name), hue kept", "")
    case .field(let field, let encoding):
      (kindName, field.text, encoding == [.linear] ? "" : "in \(Curve.name(encoding))")
    case .masked(let groups): (kindName, groups.map(\.text).joined(separator: ", "), "")
    case .lut(let stage):
      (
        kindName, "\(stage.name) \(stage.lut.sizeDescription)",
        stage.strength == 1 ? "" : "strength \(PlainNumber.fixed(stage.strength * 100, 0)) %"
      )
    case .sharpen(let sharpening): (kindName, sharpening.text, "")
    case .channelTables(let stages): (kindName, Self.list(stages), "exact per channel")
    case .baked(let lut):
      (
        "bake \(lut.size)³" + (lut.spacing.isUniform ? "" : " shaper"), Self.list(lut.stages),
        lut.feedsTable
          ? "proven with the next"
          : "ΔE2000 max \(PlainNumber.fixed(lut.error.maximum, 2))  mean \(PlainNumber.fixed(lut.error.mean, 3))"
      )
    }
  }

  private static func list(_ stages: [Stage]) -> String {
    stages.map { stage in
      switch stage {
      case .curve(let curve): curve.text
      case .matrix(let matrix): matrix.isDiagonal ? "gain" : "matrix"
      case .lut: "lut \(stage.line.detail)"
      case .geometry, .downsample, .ycbcr, .denoise, .pointwise, .field, .masked, .sharpen, .channelTables,
        .baked:
        stage.line.detail
      }
    }.joined(separator: " · ")
  }
}

extension YCbCrStage {
  /// The layout and encoding of the samples; grey has only a range.
  var sampleText: String {
    format == .gray8
      ? "gray8 \(encoding.range == .full ? "full" : "limited")" : "\(format.rawValue) \(encoding)"
  }
}

extension Geometry {
  /// The resample in a photographer's words: `turn 2.00° · window 3871×2904`.
  var text: String {
    let turn = turn
    var parts: [String] = []
    if let lens, projection == nil {
      parts.append("lens \(movedText(lens))")
      parts.append("scale ×\(scaleText)")
      if turn.mirrored { parts.append("flip") }
      if abs(turn.degrees) > 1e-9 { parts.append("turn \(PlainNumber.fixed(turn.degrees, 2))°") }
      parts.append("window \(outputSize)")
      if outside == .transparent { parts.append("transparent corners") }
      return parts.joined(separator: " · ")
    }
    if projection != nil {
      if let lens { parts.append("lens \(movedText(lens))") }
      parts.append("perspective scale ×\(scaleText)")
      parts.append("window \(outputSize)")
      return parts.joined(separator: " · ")
    }
    if turn.mirrored { parts.append("flip") }
    if abs(turn.degrees) > 1e-9 { parts.append("turn \(PlainNumber.fixed(turn.degrees, 2))°") }
    let factors = downsampleFactors
    if abs(factors.x - 1) > 1e-3 || abs(factors.y - 1) > 1e-3 {
      parts.append("scale ×\(PlainNumber.fixed(1 / max(factors.x, factors.y), 3))")
    }
    if let move = pixelMove {
      let tight = move.orientation.applied(to: inputSize) == outputSize
      if !tight || parts.isEmpty { parts.append("window \(outputSize) at \(move.x),\(move.y)") }
    } else {
      parts.append("window \(outputSize)")
    }
    if outside == .transparent { parts.append("transparent corners") }
    return parts.joined(separator: " · ")
  }
}

extension Geometry {
  /// From where the picture is shown smallest to where it is shown largest.
  private var scaleText: String {
    let (least, most) = (downsampleFactors, mostDownsampleFactors)
    return
      "\(PlainNumber.fixed(1 / max(most.x, most.y), 2))…\(PlainNumber.fixed(1 / min(least.x, least.y), 2))"
  }

  /// How far the lens moved what the result shows: `moves up to 41.3 px`.
  private func movedText(_ lens: LensWarp) -> String {
    let steps = 16
    let (w, h) = (Double(outputSize.width), Double(outputSize.height))
    let straight = Geometry(inputSize: inputSize, outputSize: outputSize, map: map, projection: projection)
    let most = (0..<(steps + 1) * (steps + 1)).reduce(0.0) { most, index in
      let (column, row) = (index % (steps + 1), index / (steps + 1))
      let (x, y) = (w * Double(column) / Double(steps), h * Double(row) / Double(steps))
      let (a, b) = (place(x, y), straight.place(x, y))
      return max(most, hypot(a.x - b.x, a.y - b.y))
    }
    return "moves up to \(PlainNumber.fixed(most, 1)) px"
  }

  fileprivate var samplingText: String {
    (interpolation == .sharp ? "kaiser-sinc" : "bilinear")
      + (order == .direct ? "" : ", two passes") + blocksText
  }

  private var blocksText: String {
    guard !isAffine else { return "" }
    let blocks = GeometryBlocks(self)
    // Rounded up: never smaller than it is.
    let error = (blocks.error * 1e5).rounded(.up) / 1e5
    return ", blocks of \(blocks.size) within \(PlainNumber.fixed(error, 5)) px"
  }
}

extension Curve {
  var text: String {
    switch self {
    case .decode(let functions): "decode \(Self.name(functions))"
    case .encode(let functions): "encode \(Self.name(functions))"
    case .power(let exponent, let pivot):
      "power \(PlainNumber.fixed(exponent, 3)) around \(PlainNumber.fixed(pivot, 2))"
    }
  }

  fileprivate static func name(_ functions: [TransferFunction]) -> String {
    switch functions.first {
    case .linear?: "linear"
    case .sRGB?: "sRGB"
    case .gamma(let gamma)?: "gamma \(PlainNumber.fixed(gamma, 2))"
    case .bt709?: "BT.709"
    case .sampled?: "profile curve"
    case nil: ""
    }
  }
}

extension ToneCurve {
  /// The amounts that are not neutral, in percent: `tone whites -5 blacks 10`.
  var text: String {
    let amounts = [("whites", whites), ("blacks", blacks)]
    return amounts.reduce("tone") { text, amount in
      amount.1 == 0 ? text : text + " \(amount.0) \(PlainNumber.text((amount.1 * 1e4).rounded() / 100))"
    }
  }
}

extension Matrix3x3 {
  /// All nine numbers, or the three of a diagonal.
  var text: String {
    func row(_ v: SIMD3<Double>) -> String {
      [v.x, v.y, v.z].map { PlainNumber.fixed($0, 4) }.joined(separator: " ")
    }
    if isDiagonal { return "gain \(row(SIMD3(rows[0].x, rows[1].y, rows[2].z)))" }
    return "[\(row(rows[0])) | \(row(rows[1])) | \(row(rows[2]))]"
  }
}
