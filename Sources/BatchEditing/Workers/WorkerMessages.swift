import Backends
import Files
import Rendering
import FoundationEssentials
import FrameCore

/// A request of a batch to a worker process: one line of JSON on its standard input.
enum WorkerRequest: Sendable, Hashable, Codable {
  case examine(input: String)
  case edit(output: String, overwrite: Bool)
}

/// A reply of a worker process: one line of JSON on its standard output. The first is sent unasked, when it is
/// ready.
enum WorkerReply: Sendable, Hashable, Codable {
  case ready
  case examined(BatchExamination)
  case edited(BatchResult)
  case failed(WorkerFailure)
}

extension BatchExamination {
  /// Whether these values are plausible: a malicious file may have taken over the worker and forged its answer.
  var isSensible: Bool {
    PixelBuffer.accepts(width: width, height: height)
      && PixelBuffer.accepts(width: resultWidth, height: resultHeight)
      && (0...1 << 48).contains(memory) && (0...1e6).contains(effort)
  }
}

extension BatchResult {
  /// Whether an edit can have this result.
  var isSensible: Bool {
    PixelBuffer.accepts(width: width, height: height) && (0...1e9).contains(seconds) && fingerprint.isSensible
      && (backend?.isSensible ?? true)
  }
}

extension BackendReport {
  /// Whether a renderer can have reported this.
  fileprivate var isSensible: Bool {
    Backend(rawValue: backend) != nil && [device, fallback].allSatisfy { ($0?.utf8.count ?? 0) <= 1024 }
  }
}

extension FileFingerprint {
  /// Whether a file can have this fingerprint: the hash is 32 hexadecimal digits.
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

/// An error passed between processes.
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
