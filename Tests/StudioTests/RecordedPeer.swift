import LibraryTestSupport
import Safelight

@testable import Studio

/// A page that keeps what it is sent.
final class RecordedPeer: StudioPeer {
  struct Message: Sendable {
    let type: String
    let fields: [String: JSONValue]
    /// Behind the header of a binary message.
    let payload: [UInt8]

    func number(_ key: String) -> Double? {
      if case .number(let number)? = fields[key] { number } else { nil }
    }
    func text(_ key: String) -> String? {
      if case .string(let text)? = fields[key] { text } else { nil }
    }
    func object(_ key: String) -> [String: JSONValue] {
      if case .object(let object)? = fields[key] { object } else { [:] }
    }
    func size(_ key: String) -> PixelSize {
      let size = object(key)
      guard case .number(let width)? = size["width"], case .number(let height)? = size["height"] else {
        return PixelSize(width: 0, height: 0)
      }
      return PixelSize(width: Int(width), height: Int(height))
    }
    var isFinal: Bool { fields["final"] == .bool(true) }
  }

  let id: Int
  private let messages = Monitor<[Message]>([])
  private let waiting = Monitor(0)
  private let drawn = Monitor(0)

  /// The messages up to the last frame that a test has drawn.
  var drawnCount: Int {
    get { drawn.read { $0 } }
    set { drawn.update { $0 = newValue } }
  }

  init(id: Int = 1) { self.id = id }

  var bytesWaiting: Int {
    get { waiting.read { $0 } }
    set { waiting.update { $0 = newValue } }
  }

  func send(_ text: String) { keep(Array(text.utf8), payload: []) }

  func send(_ pieces: [[UInt8]]) {
    let bytes = Array(pieces.joined())
    let length = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    keep(Array(bytes[4..<4 + length]), payload: Array(bytes[(4 + length)...]))
  }

  func close(_ reason: String) { send("closed", ["reason": .string(reason)]) }

  private func keep(_ json: [UInt8], payload: [UInt8]) {
    guard case .object(let fields)? = try? JSONValue(parsing: json, file: "message"),
      case .string(let type)? = fields["type"]
    else { return }
    messages.update { $0.append(Message(type: type, fields: fields, payload: payload)) }
  }

  var all: [Message] { messages.read { $0 } }

  /// Waits for the first message of a type after the first `count` messages; nil after ten seconds.
  func next(_ type: String, after count: Int = 0, where matches: @Sendable (Message) -> Bool = { _ in true })
    -> Message?
  {
    messages.wait(until: .now.advanced(bySeconds: 10)) { all in
      all.dropFirst(count).first { $0.type == type && matches($0) }
    }
  }

  /// Waits for a problem, and whether its sentence or its remedy has some words.
  func isTold(_ words: String) -> Bool {
    guard let problem = next("problem") else { return false }
    return [problem.text("message"), problem.text("remedy")].contains { $0?.contains(words) ?? false }
  }
}
