import FrameAnalysis
import FrameCore

/// Which events something is to be done at.
///
/// | text | means |
/// |---|---|
/// | `motion:start` | something of the kind is there, and nothing was before |
/// | `motion:end` | the last one has gone |
/// | `document:still` | one has stayed where it is for a moment |
/// | `motion:start@door` | the same in a zone |
/// | `code:https*` | one whose text is like this: `*` is any text, `?` any letter |
/// | `focus:peak` | the sharpest moment of a lens that is turned |
public struct EventPattern: Sendable, Hashable, CustomStringConvertible {
  enum Moment: Sendable, Hashable {
    case start, end, still, peak
    case text(TextPattern)
  }

  /// What is detected; nil for the focus.
  public let kind: Detection.Kind?
  /// The name of the zone that counts; nil for the whole picture.
  public let zone: String?
  let moment: Moment
  public let description: String

  private static let focus = "focus"

  /// - Throws: `SafelightError(.invalidValue)` for another kind or moment.
  public init(_ text: String) throws {
    description = text
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[1].isEmpty else {
      throw SafelightError(
        .invalidValue, "The event “\(NearestName.shortened(text))” has no moment",
        remedy: "write it like motion:start, code:'https*', document:still or focus:peak")
    }
    if parts[0] == Self.focus {
      guard parts[1] == "peak" else {
        throw NearestName.error(unknown: "moment of focus", parts[1], among: ["peak"])
      }
      (kind, zone, moment) = (nil, nil, .peak)
      return
    }
    guard let kind = Detection.Kind(rawValue: parts[0]) else {
      throw NearestName.error(
        unknown: "kind of event", parts[0], among: Detection.Kind.allCases.map(\.rawValue) + [Self.focus])
    }
    self.kind = kind
    let moments: [String: Moment] = ["start": .start, "end": .end, "still": .still]
    // A text may hold the sign of a zone: an address of e-mail does.
    let place = parts[1].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    if let moment = moments[place[0]] {
      self.moment = moment
      zone = place.count > 1 ? place[1] : nil
      return
    }
    guard kind == .code || kind == .text else {
      throw NearestName.error(
        unknown: "moment of \(kind.rawValue)", place[0], among: ["start", "end", "still"])
    }
    (zone, moment) = (nil, .text(TextPattern(parts[1])))
  }

  /// - Throws: `SafelightError(.invalidValue)` if the pattern names a zone that there is not.
  public func check(zones: [Zone]) throws {
    guard let zone, !zones.contains(where: { $0.name == zone }) else { return }
    throw SafelightError(
      .invalidValue, "The event \(description) is in a zone that is not given",
      remedy: "give --zone \(NearestName.shortened(zone))=x,y,x,y,x,y"
        + (zones.isEmpty ? "" : "; known: \(zones.map(\.name).joined(separator: ", "))"))
  }
}

/// A pattern of text: `*` is any number of characters, `?` a single one, all others themselves.
struct TextPattern: Sendable, Hashable {
  private let pattern: [Character]

  init(_ pattern: String) { self.pattern = Array(pattern) }

  /// Whether it is like the whole of `text`. Takes time in proportion to the product of both lengths at most.
  func matches(_ text: String) -> Bool {
    let text = Array(text)
    var (place, next) = (0, 0)
    // Where the last star was, and how much of the text it takes.
    var star: (next: Int, place: Int)?
    while place < text.count {
      if next < pattern.count, pattern[next] == "*" {
        star = (next + 1, place)
        next += 1
      } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[place] {
        place += 1
        next += 1
      } else if let former = star {
        star = (former.next, former.place + 1)
        (next, place) = (former.next, former.place + 1)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == "*" }
  }
}
