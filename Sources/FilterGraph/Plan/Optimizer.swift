import ColorScience
import FrameCore

/// Named passes over a list of stages, run in order until nothing changes, each recorded.
public struct Optimizer {
  /// One pass that changed the list, or that has to say why it did not.
  public struct Record: Sendable, Hashable {
    public let pass: String
    public let before: Int
    public let after: Int
    /// What the pass has to say, such as the errors of tables it rejected.
    public var remarks: [String] = []
  }

  struct Pass: Sendable {
    let name: String
    let run: @Sendable ([Stage], inout [String]) -> [Stage]
  }

  private(set) var records: [Record] = []

  /// What gives a plan its meaning: one resample in the right light. Every renderer runs at least these.
  static func requiredPasses(encoding: [TransferFunction]) -> [Pass] {
    [
      Pass(name: "join geometry") { stages, _ in joinGeometry(stages) },
      Pass(name: "shrink apart") { stages, _ in shrinkApart(stages, encoding: encoding) },
      Pass(name: "drop identity geometry") { stages, _ in dropIdentityGeometry(stages) },
    ]
  }

  /// What makes a plan fast without changing what it means.
  static let algebraicPasses: [Pass] = [
    Pass(name: "remove no-ops") { stages, _ in removeNoOps(stages) },
    Pass(name: "cancel inverses") { stages, _ in cancelInverses(stages) },
    Pass(name: "multiply matrices") { stages, _ in multiplyMatrices(stages) },
  ]

  /// Runs the passes until none of them changes anything.
  ///
  /// - Throws: `SafelightError` where they never come to rest, such as where one pass makes what another undoes.
  mutating func run(_ passes: [Pass], on stages: [Stage]) throws -> [Stage] {
    var stages = stages
    // Passes take stages away, but for the few that split or move geometry: each round but those leaves fewer.
    let mostRounds = stages.count + Self.sparedRounds
    var changing: [String] = []
    for _ in 0...mostRounds {
      changing = []
      for pass in passes {
        var remarks: [String] = []
        let next = pass.run(stages, &remarks)
        // A pass that leaves the list as it is may still have to say why.
        guard next != stages || !remarks.isEmpty else { continue }
        records.append(Record(pass: pass.name, before: stages.count, after: next.count, remarks: remarks))
        guard next != stages else { continue }
        stages = next
        changing.append(pass.name)
      }
      if changing.isEmpty { return stages }
    }
    throw SafelightError(
      .unsupported,
      "The plan does not settle: after \(mostRounds) rounds these passes still change it: \(changing.joined(separator: ", "))",
      remedy: "simplify the recipe, and report this with it")
  }

  /// Rounds for passes that take nothing away.
  private static let sparedRounds = 8

  // MARK: Geometry

  /// Joins neighbouring resamples; colour in between is moved behind them, which it commutes with.
  static func joinGeometry(_ stages: [Stage]) -> [Stage] {
    var joined: Geometry?
    var rest: [Stage] = []
    for stage in stages {
      guard case .geometry(let geometry) = stage else {
        rest.append(stage)
        continue
      }
      joined = joined?.then(geometry) ?? geometry
    }
    guard let joined else { return stages }
    // Shrinks made from an earlier geometry stay ahead of what is left of it.
    let shrinks = rest.prefix { if case .shrink = $0 { true } else { false } }
    return shrinks + [.geometry(joined)] + rest.dropFirst(shrinks.count)
  }

  /// Splits a resample that shrinks into an antialiased reduction along the input's axes and a resample at
  /// scale 1. Beyond a factor of 1.5 the reduction averages linear light: averages of encoded samples darken.
  static func shrinkApart(_ stages: [Stage], encoding: [TransferFunction]) -> [Stage] {
    guard case .geometry(let geometry)? = stages.first else { return stages }
    let factors = geometry.shrinkFactors
    // Less than 0.1 % is the rounding of sizes. What an earlier split left is not seen: a shrink comes first then.
    guard max(factors.x, factors.y) > 1.001 else { return stages }

    let axisAligned = geometry.map.b == 0 && geometry.map.d == 0 || geometry.map.a == 0 && geometry.map.e == 0
    let input = (width: Double(geometry.inputSize.width), height: Double(geometry.inputSize.height))
    var bounds = geometry.inputBounds
    if !axisAligned {
      // Room for the kernel of the resample that follows.
      let margin = 4 * max(factors.x, factors.y)
      bounds = (
        (bounds.minX - margin).rounded(.down), (bounds.minY - margin).rounded(.down),
        (bounds.maxX + margin).rounded(.up), (bounds.maxY + margin).rounded(.up)
      )
    }
    if geometry.outside == .transparent { bounds = (0, 0, input.width, input.height) }
    bounds = (
      max(bounds.minX, 0), max(bounds.minY, 0), min(bounds.maxX, input.width), min(bounds.maxY, input.height)
    )

    let (width, height) = (bounds.maxX - bounds.minX, bounds.maxY - bounds.minY)
    let outputSize = PixelSize(
      width: max(1, Int((width / max(factors.x, 1)).rounded())),
      height: max(1, Int((height / max(factors.y, 1)).rounded())))
    let shrink = Shrink(
      inputSize: geometry.inputSize, x: bounds.minX, y: bounds.minY, width: width, height: height,
      outputSize: outputSize, linearLight: max(factors.x, factors.y) > 1.5 ? encoding : nil)
    let toShrunk = AffineMap.translation(-bounds.minX, -bounds.minY)
      .then(.scale(Double(outputSize.width) / width, Double(outputSize.height) / height))
    var rest = geometry
    rest.inputSize = outputSize
    rest.map = geometry.map.then(toShrunk)
    return [.shrink(shrink), .geometry(rest)] + stages.dropFirst()
  }

  static func dropIdentityGeometry(_ stages: [Stage]) -> [Stage] {
    stages.filter { if case .geometry(let geometry) = $0 { !geometry.isIdentity } else { true } }
  }

  // MARK: Colour

  /// Drops stages that return what they are given.
  static func removeNoOps(_ stages: [Stage]) -> [Stage] {
    stages.filter { stage in
      switch stage {
      case .matrix(let matrix): !matrix.isIdentity(within: 1e-9)
      case .curve(.decode(let functions)), .curve(.encode(let functions)):
        functions.contains { $0 != .linear }
      case .curve(.power(let exponent, _)): exponent != 1
      case .pointwise(.oklabChroma(let chroma, _)): chroma != 1
      case .pointwise(.tone(let curve)): !curve.isNeutral
      case .lut(let lookup): lookup.strength != 0
      default: true
      }
    }
  }

  /// Drops neighbouring curves that undo each other.
  static func cancelInverses(_ stages: [Stage]) -> [Stage] {
    var out: [Stage] = []
    for stage in stages {
      if case .curve(let next) = stage, case .curve(let last)? = out.last, last.isInverse(of: next) {
        out.removeLast()
      } else {
        out.append(stage)
      }
    }
    return out
  }

  static func multiplyMatrices(_ stages: [Stage]) -> [Stage] {
    var out: [Stage] = []
    for stage in stages {
      if case .matrix(let next) = stage, case .matrix(let last)? = out.last, (next * last).isFinite {
        out[out.count - 1] = .matrix(next * last)
      } else {
        out.append(stage)
      }
    }
    return out
  }

  /// Joins the run of colour stages into exact tables per channel, or into one or two proven 3D tables.
  static func fuseColor(_ stages: [Stage], baker: Baker, remarks: inout [String]) -> [Stage] {
    let colour = stages.suffix(from: stages.firstIndex(where: \.isPointwise) ?? stages.endIndex)
    let fusedAlready = colour.contains {
      switch $0 {
      case .baked, .channelTables: true
      default: false
      }
    }
    guard !colour.isEmpty, !fusedAlready else { return stages }
    let geometry = stages.prefix(stages.count - colour.count)
    if colour.allSatisfy(\.isPerChannel) { return geometry + [.channelTables(Array(colour))] }
    let entry = baker.tables(for: Array(colour))
    remarks += entry.remarks
    return entry.tables.isEmpty ? stages : geometry + entry.tables.map(Stage.baked)
  }
}
