import FrameAnalysis
import FrameCore

/// What a worker says.
struct VisionAnswer: Equatable {
  /// The most bytes of an answer.
  static let mostBytes = 4 << 20
  static let version: UInt16 = 1
  private static let mostThings = 1024
  private static let corners = 3...16
  private static let mostDetails = 16

  /// Something found, in pixels of the frame.
  struct Thing: Equatable {
    var corners: [SIMD2<Double>]
    var confidence: Double
    var text: String?
    var details: [String: String]

    func detection(_ kind: Detection.Kind, in size: PixelSize) -> Detection {
      let scale = SIMD2(Double(size.width), Double(size.height))
      return Detection(
        kind, outline: corners.map { NormalizedPoint($0.x / scale.x, $0.y / scale.y) },
        confidence: confidence,
        text: text, details: details)
    }
  }

  /// Why something can or cannot be looked for.
  enum State: UInt8 {
    case ready, noLibrary, noFile, badFile, notAsked
  }

  enum Body: Equatable {
    case found([Thing])
    case failed(String)
    /// - abilities: the state of each, and its library with its version, or the file concerned.
    /// - measures: how the worker is confined: each with `active`, or why it is not.
    case ready(abilities: [VisionAbility: Ability], measures: [String: String])
  }

  struct Ability: Equatable {
    var state: State
    var detail: String
  }

  var sequence: UInt32
  var body: Body

  /// Reads a message, without its length.
  ///
  /// - Throws: `MessageReader.Malformed` for anything that is not exactly one.
  init(_ bytes: [UInt8]) throws {
    var reader = MessageReader(bytes)
    sequence = try reader.number32()
    switch try reader.byte() {
    case 0: body = .found(try Self.things(&reader))
    case 1: body = .failed(try reader.text())
    case 2: body = try Self.ready(&reader)
    default: throw MessageReader.Malformed()
    }
    try reader.finish()
  }

  private static func things(_ reader: inout MessageReader) throws -> [Thing] {
    let count = try reader.count(reader.number16(), atMost: mostThings)
    var things: [Thing] = []
    for _ in 0..<count {
      let cornerCount = Int(try reader.byte())
      guard corners.contains(cornerCount) else { throw MessageReader.Malformed() }
      // Outlines may lie partly outside, but not anywhere.
      let bound = Float(2 * VisionRequest.longestEdge)
      var corners: [SIMD2<Double>] = []
      for _ in 0..<cornerCount {
        corners.append(SIMD2(try reader.float(in: -bound...bound), try reader.float(in: -bound...bound)))
      }
      let confidence = try reader.float(in: 0...1)
      let text: String? =
        switch try reader.byte() {
        case 0: nil
        case 1: try reader.text()
        default: throw MessageReader.Malformed()
        }
      let details = try pairs(&reader, count: reader.byte())
      things.append(Thing(corners: corners, confidence: confidence, text: text, details: details))
    }
    return things
  }

  private static func pairs(_ reader: inout MessageReader, count: UInt8) throws -> [String: String] {
    var pairs: [String: String] = [:]
    for _ in 0..<(try reader.count(count, atMost: mostDetails)) {
      let name = try reader.text()
      guard pairs.updateValue(try reader.text(), forKey: name) == nil else { throw MessageReader.Malformed() }
    }
    return pairs
  }

  private static func ready(_ reader: inout MessageReader) throws -> Body {
    guard try reader.number16() == version else { throw MessageReader.Malformed() }
    var abilities: [VisionAbility: Ability] = [:]
    for _ in 0..<(try reader.count(reader.byte(), atMost: VisionAbility.allCases.count)) {
      guard let ability = VisionAbility(rawValue: try reader.byte()),
        let state = State(rawValue: try reader.byte())
      else { throw MessageReader.Malformed() }
      abilities[ability] = Ability(state: state, detail: try reader.text())
    }
    return .ready(abilities: abilities, measures: try pairs(&reader, count: reader.byte()))
  }
}
