import Backends
import Editing
import Files
import FoundationEssentials
import FrameCore
import PhotoIO
import Rendering

/// What a worker process and its client say to each other: lines of JSON, described in `docs/worker.md`. A batch is such a
/// client, too.
public enum WorkerProtocol {
  /// The version, raised when a client of an earlier one would misunderstand.
  public static let version = 1
  /// The longest line in bytes; longer ones are taken for damage.
  public static let longestLine = 1 << 24
  /// The most bytes of a photo or a result that follow a line.
  public static let mostBytes = 1 << 30
}

/// The first line of a worker: what it is and what it can do.
public struct WorkerHello: Sendable, Hashable, Codable {
  /// `WorkerProtocol.version`.
  public var `protocol`: Int
  /// The version of the engine.
  public var engine: String
  /// Identifies what was asked for: equal texts, equal results of a photo in a format.
  public var edit: String
  /// The edit as a recipe, without the lens of raws; nil if values are to be found in each photo, and for the workers of
  /// a batch.
  public var recipe: String?
  /// The format of all results: `jpeg`, `png` …; nil is that of the output's name and, of results that are sent as bytes,
  /// that of each photo, or JPEG for those that are only read.
  public var format: String?
  public var longestLine: Int
  public var mostBytes: Int

  public init(edit: String, recipe: String? = nil, format: PhotoFileFormat? = nil) {
    (self.protocol, engine) = (WorkerProtocol.version, SafelightVersion.current)
    (self.edit, self.recipe) = (edit, recipe)
    self.format = format?.rawValue
    (longestLine, mostBytes) = (WorkerProtocol.longestLine, WorkerProtocol.mostBytes)
  }
}

/// A request to a worker: one line on its standard input, and perhaps a photo's bytes behind it.
struct WorkerRequest: Sendable, Hashable, Codable {
  enum Work: String, Sendable, Hashable, Codable {
    /// Opens a photo, reads its header and plans its edit.
    case examine
    /// Edits the given photo or, if there is none, the one examined before.
    case edit
    case analyze
  }

  /// Repeated in the reply.
  var id: Int?
  var work: Work
  /// The path of the photo.
  var input: String?
  /// The number of bytes of the photo that follow the line.
  var bytes: Int?
  /// The path of the result; nil asks for its bytes.
  var output: String?
  /// Whether a file at `output` is replaced.
  var overwrite: Bool?

  private enum CodingKeys: String, CodingKey {
    case id, input, bytes, output, overwrite
    case work = "do"
  }

  init(_ work: Work, input: String? = nil, output: String? = nil, overwrite: Bool? = nil) {
    (self.work, self.input, self.output, self.overwrite) = (work, input, output, overwrite)
  }
}

/// A reply of a worker: one line on its standard output, and perhaps a result's bytes behind it. One of the first four
/// members is set.
struct WorkerReply: Sendable, Codable {
  var examined: BatchExamination?
  var edited: BatchResult?
  var analyzed: PhotoMeasurements?
  var failed: WorkerFailure?
  /// That of the request.
  var id: Int?
  /// The number of bytes of the result that follow the line.
  var bytes: Int?
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
  /// The name of a `SafelightError.Code`.
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
    Array(try ReportText.jsonLine(message).utf8) + [10]
  }

  static func decode<Message: Decodable>(_ type: Message.Type, from line: some Sequence<UInt8>) throws
    -> Message
  {
    try JSONDecoder().decode(type, from: Data(line))
  }
}
