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
