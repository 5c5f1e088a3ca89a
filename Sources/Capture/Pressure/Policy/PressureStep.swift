import FrameCore

/// What a session does to need less of the machine, in its present state.
public enum PressureMeasure: Sendable, Hashable, Codable {
  /// Analyses run on one frame of so many; 1 is all of them, 0 means that they are off.
  case analyses(oneOf: Int)
  /// The encoder's preset is so many faster than was asked for.
  case encoderSpeed(Int)
  /// Frames a second.
  case frameRate(Double)
  /// Both sides of the picture times this, above 0 to 1. Never within a file.
  case size(Double)
  /// Whether frames have stopped until the pressure falls.
  case interruption(Bool)

  /// What it does, as the beginning of a sentence.
  ///
  /// - Parameter isUndo: whether it takes an earlier step back.
  func text(isUndo: Bool) -> String {
    switch self {
    case .frameRate(let rate) where isUndo:
      "The frame rate is \(PlainNumber.text(PlainNumber.rounded(rate))) a second again"
    case .analyses(oneOf: 0): "Analyses are off"
    case .analyses(oneOf: 1): "Analyses run on every frame again"
    case .analyses(let count): "Analyses run on one of \(count) frames"
    case .encoderSpeed(0): "The encoder works as was asked for again"
    case .encoderSpeed(1): "The encoder works one preset faster"
    case .encoderSpeed(let count): "The encoder works \(count) presets faster"
    case .frameRate(let rate): "The frame rate is \(PlainNumber.text(PlainNumber.rounded(rate))) a second"
    case .size(1): "Pictures have their full size again"
    case .size(let scale): "Pictures have \(PlainNumber.fixed(100 * scale, 0)) % of their width and height"
    case .interruption(true): "The session is interrupted"
    case .interruption(false): "The session goes on"
    }
  }
}

/// A change that a policy made.
public struct PressureStep: Sendable, Hashable, Codable {
  /// What holds from now on.
  public let measure: PressureMeasure
  /// Whether it takes an earlier step back.
  public let isUndo: Bool
  public let time: Timestamp
  /// One sentence: what and why.
  public internal(set) var sentence: String
}

/// What a session can do under pressure.
public struct PressureAbilities: Sendable, Hashable {
  /// Whether there are analyses to run less often.
  public var hasAnalyses = false
  /// The number of encoder presets faster than the one asked for; 0 without an encoder, or if it cannot
  /// change.
  public var encoderSpeeds = 0
  /// The frame rate asked for, in frames a second; nil if it cannot change.
  public var frameRate: Double?
  /// Smaller sizes as scales of both sides, falling, between 1 and 0. Empty for a session that only writes
  /// files without segments.
  public var sizes: [Double] = []
  /// Whether the session can be interrupted.
  public var canInterrupt = true

  public init() {}
}

/// One step of the ladder.
struct PressureRung: Sendable {
  enum Kind: Sendable { case analyses, encoder, frameRate, size, interruption }
  let kind: Kind
  let engaged: PressureMeasure
  private(set) var released: PressureMeasure
  /// By which factor it is taken to change the load, before that is known.
  private(set) var expected: Double
  /// The smallest factor that is believed, when several steps at once had an effect together.
  private(set) var least: Double
  /// The factor as measured; nil before.
  var gain: Double?
  /// How often it was taken back in vain.
  var failures = 0

  init(
    _ kind: Kind, _ engaged: PressureMeasure, instead released: PressureMeasure, expected: Double,
    least: Double
  ) {
    (self.kind, self.engaged, self.released) = (kind, engaged, released)
    (self.expected, self.least) = (expected, least)
    // A rate is what it is.
    if case .frameRate = kind { gain = expected }
  }

  /// Takes the place of the step before it too, which the session refused.
  mutating func swallow(_ refused: PressureRung) {
    guard refused.kind == kind else { return }
    released = refused.released
    expected *= refused.expected
    least *= refused.least
    if case .frameRate = kind { gain = expected }
  }

  /// Frame rates that a camera's is lowered to.
  static let rates = [30.0, 24, 15]

  /// The steps of a session, in their order.
  static func ladder(_ abilities: PressureAbilities) -> [PressureRung] {
    var rungs: [PressureRung] = []
    if abilities.hasAnalyses {
      for (count, before) in [(2, 1), (4, 2), (0, 4)] {
        rungs.append(
          PressureRung(
            .analyses, .analyses(oneOf: count), instead: .analyses(oneOf: before), expected: 0.9, least: 0.5))
      }
    }
    for speed in 0..<max(0, abilities.encoderSpeeds) {
      rungs.append(
        PressureRung(
          .encoder, .encoderSpeed(speed + 1), instead: .encoderSpeed(speed), expected: 0.8, least: 0.5))
    }
    if var present = abilities.frameRate {
      // Cameras' rates are a little off: 29.97.
      for rate in rates where rate < present * 0.95 {
        rungs.append(
          PressureRung(
            .frameRate, .frameRate(rate), instead: .frameRate(present), expected: rate / present,
            least: rate / present))
        present = rate
      }
    }
    var present = 1.0
    for scale in abilities.sizes where scale > 0 && scale < present {
      let area = (scale / present) * (scale / present)
      rungs.append(
        PressureRung(.size, .size(scale), instead: .size(present), expected: (1 + area) / 2, least: area))
      present = scale
    }
    if abilities.canInterrupt {
      rungs.append(
        PressureRung(
          .interruption, .interruption(true), instead: .interruption(false), expected: 0, least: 0))
    }
    return rungs
  }
}
