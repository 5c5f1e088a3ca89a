import FrameCore

/// What the query of `POST /photo` asks for: `age=12.5` or `at=81234567.25`, and `wait=0`.
struct PressRequest: Equatable {
  enum Moment: Equatable {
    /// Milliseconds before the request's arrival.
    case age(Double)
    /// Milliseconds on CLOCK_MONOTONIC.
    case clock(Double)
  }

  /// How old a press may be, in milliseconds.
  static let ages = 0.0...2000.0
  /// How far, in milliseconds, a press may seem to be in the future: the two clocks are compared over a network.
  static let largestLead = 1000.0

  var moment = Moment.age(0)
  /// Whether the answer waits for the photo.
  var waits = true

  /// - Throws: `SafelightError(.invalidValue)`.
  init(query: String) throws {
    var hasMoment = false
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count > 1 ? pair[1] : ""
      switch pair[0] {
      case "age", "at":
        guard !hasMoment else {
          throw SafelightError(
            .invalidValue, "The press has two moments", remedy: "give either age or at, once")
        }
        hasMoment = true
        let number = try Self.milliseconds(value, of: pair[0])
        moment = pair[0] == "age" ? .age(number) : .clock(number)
      case "wait":
        guard value == "0" || value == "1" else {
          throw SafelightError(
            .invalidValue, "wait is neither 0 nor 1", remedy: "leave it out, or give wait=0")
        }
        waits = value == "1"
      default:
        throw SafelightError(
          .invalidValue, "A parameter of the press is unknown", remedy: "give age or at, and wait")
      }
    }
  }

  /// A decimal number that is not negative, without an exponent.
  private static func milliseconds(_ text: Substring, of name: Substring) throws -> Double {
    let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    guard isDecimal, (1...24).contains(text.utf8.count), let number = Double(text) else {
      throw SafelightError(
        .invalidValue, "\(name) is not a number of milliseconds", remedy: "write it like \(name)=12.5")
    }
    return number
  }

  /// The moment of the press on CLOCK_MONOTONIC.
  ///
  /// - Throws: `SafelightError(.invalidValue)` if it is too old, or ahead of the clock.
  func moment(now: Timestamp) throws -> Timestamp {
    let age: Double
    switch moment {
    case .age(let given): age = given
    case .clock(let time): age = Double(now.nanoseconds) / 1e6 - time
    }
    guard age >= -Self.largestLead else {
      throw SafelightError(
        .invalidValue, "The press is ahead of this machine's clock",
        remedy: "read “clock” of /shutter.json again")
    }
    guard age <= Self.ages.upperBound else {
      throw SafelightError(
        .invalidValue, "The press is more than \(Int(Self.ages.upperBound / 1000)) seconds old",
        remedy: "press again")
    }
    return now.advanced(bySeconds: -max(0, age) / 1000)
  }
}
