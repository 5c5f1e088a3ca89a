import FilterGraph
import Filters
import FrameAnalysis
import FrameCore
import Libc

/// The turn of the camera after which upright lines of a photo are upright, and level ones level.
///
/// Lines that are upright in the world meet in one point v of the picture, and as directions of the camera, with the focal
/// length f, that is the direction (v, f) in which the camera sees the zenith or the nadir. The camera is turned about the
/// axis across it, by the smallest angle, until it looks level; what remains is a turn of the picture. Level lines then
/// fix the last angle, about the zenith.
public struct AutoUpright: Sendable {
  /// The filters that do it.
  public struct Turn: Sendable {
    public var keystone: Keystone
    /// In degrees clockwise, as `Straighten` has it.
    public var straighten: Float
  }

  public let kind: Upright
  /// Nil if the photo is better left as it is.
  public let turn: Turn?
  /// One line for users.
  public let summary: String

  /// The weight that lines must have to turn the camera, and the most that it is turned: beyond it, a picture looks drawn
  /// out rather than straight.
  private static let leastStrength = 0.35
  private static let mostDegrees = 30.0
  private static let leastDegrees = 0.2

  /// - Parameter recipe: the recipe that the photo goes through, whose quarter turns and mirroring come first.
  public init(_ sample: PhotoSample, _ kind: Upright, joining recipe: Recipe = Recipe()) {
    self.init(
      PhotoHorizon(sample), size: sample.size,
      focalLength: sample.metadata.captureFacts.focalLengthIn35mmFilm.map(Double.init), kind, joining: recipe)
  }

  /// - Parameters:
  ///   - size: of the photo as displayed.
  ///   - focalLength: in mm, as on 35 mm film; nil assumes that of phones.
  package init(
    _ found: PhotoHorizon, size: PixelSize, focalLength: Double?, _ kind: Upright,
    joining recipe: Recipe = Recipe()
  ) {
    self.kind = kind
    // Files say 65535 and the like, too.
    let focalLength = focalLength.flatMap { Keystone.focalLengths.contains($0) ? $0 : nil }
    let focal = focalLength ?? Double(Keystone.usualFocalLength)
    let directions = Directions(found.evidence, size: size, focalLength: focal, through: recipe)
    guard found.horizon.isConfident || (directions.zenith?.strength ?? 0) > Self.leastStrength else {
      (turn, summary) = (nil, "not made upright: not sure enough what is level")
      return
    }
    let zenith = directions.zenith.flatMap { $0.strength >= Self.leastStrength ? $0 : nil }
    var why = "no upright lines were found"
    if kind != .level, let zenith {
      var axis = Self.level(zenith.direction)
      if kind == .full, let level = directions.horizontal(from: axis, least: Self.leastStrength) {
        axis = level
      }
      let turn = Self.turn(axis: axis, zenith: zenith.direction, focalLength: focal)
      let most = max(abs(turn.keystone.vertical), abs(turn.keystone.horizontal))
      if Double(most) <= Self.mostDegrees, Straighten.range.contains(Double(turn.straighten)) {
        (self.turn, summary) = Self.told(turn, focalLength: focalLength)
        return
      }
      why = "that would turn the camera by \(PlainNumber.fixed(Double(most), 0))°"
    }
    guard kind == .auto || kind == .level, let degrees = found.horizon.degrees, found.horizon.isConfident
    else {
      (turn, summary) = (nil, "not made upright: \(kind == .level ? "no horizon was found" : why)")
      return
    }
    let isMirrored = directions.isMirrored
    let angle = Float((degrees * (isMirrored ? -10 : 10)).rounded() / 10)
    (turn, summary) = Self.told(Turn(keystone: Keystone(), straighten: angle), focalLength: focalLength)
  }

  private static func told(_ turn: Turn, focalLength: Double?) -> (Turn?, String) {
    let angles = [
      ("keystone-vertical", turn.keystone.vertical), ("keystone-horizontal", turn.keystone.horizontal),
      ("straighten", turn.straighten),
    ].filter { $0.1 != 0 }.map { (flag: $0.0, degrees: PlainNumber.rounded(Double($0.1), 1)) }
    guard angles.contains(where: { abs($0.degrees) >= leastDegrees }) else {
      return (nil, "not made upright: it is already")
    }
    var flags = angles.map { "--\($0.flag) \(PlainNumber.text($0.degrees))" }
    let isTurned = turn.keystone.vertical != 0 || turn.keystone.horizontal != 0
    if isTurned, turn.keystone.focalLength != Keystone.usualFocalLength {
      flags.append("--keystone-focal-length \(PlainNumber.text(Double(turn.keystone.focalLength)))")
    }
    let assumed =
      !isTurned || focalLength != nil
      ? "" : " (a lens of \(PlainNumber.text(Double(Keystone.usualFocalLength))) mm is assumed)"
    return (turn, "upright: " + flags.joined(separator: " ") + assumed)
  }

  /// Returns the recipe with the turn in the place of its own keystones and straightenings.
  public func joined(to recipe: Recipe) -> Recipe {
    guard let turn else { return recipe }
    var joined = recipe
    joined.filters.removeAll { $0 is Keystone || $0 is Straighten }
    if turn.keystone.vertical != 0 || turn.keystone.horizontal != 0 { joined.filters.append(turn.keystone) }
    if turn.straighten != 0 { joined.filters.append(Straighten(turn.straighten)) }
    return joined
  }

  // MARK: Directions

  /// Returns the direction nearest to the optical axis that is level: across the zenith.
  private static func level(_ zenith: SIMD3<Double>) -> SIMD3<Double> {
    let axis = SIMD3(0, 0, 1) - zenith.z * zenith
    return axis / (axis * axis).sum().squareRoot()
  }

  /// Returns the filters after which the camera looks along `axis`, with the zenith above.
  private static func turn(axis: SIMD3<Double>, zenith: SIMD3<Double>, focalLength: Double) -> Turn {
    // The optical axis of the turned camera, in directions of the real one: as in `Keystone`.
    let horizontal = asin(min(max(-axis.x, -1), 1))
    let vertical = atan2(axis.y, axis.z)
    let (cp, sp, cy, sy) = (cos(vertical), sin(vertical), cos(horizontal), sin(horizontal))
    // The zenith as the turned camera sees it: the inverse of both turns.
    let (y1, z1) = (cp * zenith.y - sp * zenith.z, sp * zenith.y + cp * zenith.z)
    let x0 = cy * zenith.x + sy * z1
    let roll = atan2(-x0, -y1)
    func rounded(_ radians: Double) -> Float { Float((radians * 1800 / .pi).rounded() / 10) }
    return Turn(
      keystone: Keystone(
        vertical: rounded(vertical), horizontal: rounded(horizontal), focalLength: Float(focalLength)),
      straighten: rounded(roll))
  }
}

/// The directions in which a camera sees where lines of a photo meet: x to the right, y down, z ahead.
private struct Directions {
  typealias Found = (direction: SIMD3<Double>, strength: Double)

  /// Up.
  private(set) var zenith: Found?
  private var levels: [Found] = []
  let isMirrored: Bool

  init(_ evidence: HorizonEvidence, size: PixelSize, focalLength: Double, through recipe: Recipe) {
    let orientation = recipe.quarterTurns
    isMirrored = orientation.isMirrored
    let unit = Double(max(size.longEdge, 1))
    let middle = SIMD2(Double(size.width), Double(size.height)) / (2 * unit)
    let focal = focalLength / Keystone.filmDiagonal * hypot(Double(size.width), Double(size.height)) / unit
    for point in evidence.vanishingPoints {
      let angle = point.direction * .pi / 180
      var way = SIMD3(cos(angle), -sin(angle), 0)
      if let position = point.position { way = SIMD3(position - middle, focal) }
      way /= (way * way).sum().squareRoot()
      // Mirrored first, then turned clockwise.
      if orientation.isMirrored { way.x = -way.x }
      for _ in 0..<orientation.quarterTurns { (way.x, way.y) = (-way.y, way.x) }
      let isUpright = (point.role == .upright) == (orientation.quarterTurns % 2 == 0)
      if isUpright {
        if way.y > 0 { way = -way }
        if (zenith?.strength ?? 0) < point.strength { zenith = (way, point.strength) }
      } else {
        levels.append((way, point.strength))
      }
    }
  }

  /// Returns the level direction in which the camera looks if the best seen level lines are to run across the picture: the
  /// one across them and the zenith. Nil if there are none, or they are far from running across.
  func horizontal(from axis: SIMD3<Double>, least: Double) -> SIMD3<Double>? {
    guard let zenith = zenith?.direction else { return nil }
    let candidates = levels.filter { $0.strength >= least }.compactMap { found -> Found? in
      let level = found.direction - (found.direction * zenith).sum() * zenith
      let length = (level * level).sum().squareRoot()
      guard length > 0.5 else { return nil }
      // Across the lines and the zenith, ahead.
      var ahead = cross(level / length, zenith)
      if ahead.z < 0 { ahead = -ahead }
      return (ahead, found.strength)
    }
    // Within 40° of where the camera looks.
    return candidates.filter { ($0.direction * axis).sum() > 0.77 }.max { $0.strength < $1.strength }?
      .direction
  }

  private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}

extension Recipe {
  /// What its quarter turns and mirrorings come to.
  fileprivate var quarterTurns: Orientation {
    filtersInPlanOrder.reduce(.up) { orientation, filter in
      if let turn = filter as? Rotate {
        return orientation.then(Orientation(mirrored: false, quarterTurns: turn.turn.rawValue / 90))
      }
      guard let flip = filter as? Flip else { return orientation }
      switch flip.axis {
      case .none: return orientation
      case .horizontal: return orientation.then(Orientation(mirrored: true, quarterTurns: 0))
      case .vertical: return orientation.then(Orientation(mirrored: true, quarterTurns: 2))
      }
    }
  }
}
