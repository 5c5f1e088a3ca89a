import Backends
import Files
import Rendering
import FoundationEssentials
import FrameCore

/// What a batch asks of a worker process, a line of JSON each on its standard input.
enum WorkerRequest: Sendable, Hashable, Codable {
  case examine(input: String)
  case edit(output: String, overwrite: Bool)
}

/// What a worker process answers, a line of JSON each on its standard output; the first unasked, when it is ready.
enum WorkerReply: Sendable, Hashable, Codable {
  case ready
  case examined(BatchExamination)
  case edited(BatchResult)
  case failed(WorkerFailure)
}

extension BatchExamination {
  /// Whether an edit can take that: what a worker says may be made by a file that took it over.
  var isSensible: Bool {
    PixelBuffer.accepts(width: width, height: height)
      && PixelBuffer.accepts(width: resultWidth, height: resultHeight)
      && (0...1 << 48).contains(memory) && (0...1e6).contains(effort)
  }
}

extension BatchResult {
  /// Whether an edit can have done that.
  var isSensible: Bool {
    PixelBuffer.accepts(width: width, height: height) && (0...1e9).contains(seconds) && fingerprint.isSensible
      && (backend?.isSensible ?? true)
  }
}

extension BackendReport {
  /// Whether a renderer can have said that.
  fileprivate var isSensible: Bool {
    Backend(rawValue: backend) != nil && [device, fallback].allSatisfy { ($0?.utf8.count ?? 0) <= 1024 }
  }
}

extension FileFingerprint {
  /// Whether a file can have it: the hash is 32 hexadecimal digits.
  var isSensible: Bool {
    (0...1 << 48).contains(bytes) && hash.utf8.count == 32
      && hash.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

extension PixelBuffer {
  fileprivate static func accepts(width: Int, height: Int) -> Bool {
    // The edges first: their product must not overflow.
    (1...maximumEdge).contains(width) && (1...maximumEdge).contains(height)
      && width * height <= maximumPixelCount
  }
}

/// An error on its way between processes.
struct WorkerFailure: Sendable, Hashable, Codable {
  var code: String
  var problem: String
  var remedy: String

  init(_ error: any Error) {
    if let error = error as? SafelightError {
      (code, problem, remedy) = (error.code.rawValue, error.problem, error.remedy)
    } else {
      (code, problem, remedy) = (SafelightError.Code.file.rawValue, "\(error)", "")
    }
  }

  var error: SafelightError {
    SafelightError(SafelightError.Code(rawValue: code) ?? .file, problem, remedy: remedy)
  }
}

/// Messages as lines.
enum WorkerLine {
  static func encode(_ message: some Encodable) throws -> [UInt8] {
    var line = [UInt8](try JSONEncoder().encode(message))
    line.append(10)
    return line
  }

  static func decode<Message: Decodable>(_ type: Message.Type, from line: some Sequence<UInt8>) throws
    -> Message
  {
    try JSONDecoder().decode(type, from: Data(line))
  }
}
