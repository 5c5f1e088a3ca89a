import BenchmarkSupport
import FoundationEssentials
import Glibc
import Safelight

/// The process that runs rival libraries: `rivals.py`, which documents the protocol.
final class HelperProcess {
  private let process: pid_t
  private let toHelper: UnsafeMutablePointer<FILE>
  private let fromHelper: UnsafeMutablePointer<FILE>
  /// The usable modules: their names, with versions.
  private(set) var libraries: [String: String] = [:]

  init(python: String, script: String, log: String) throws {
    var (input, output): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&input) == 0, pipe(&output) == 0 else {
      throw SafelightError(.file, "No pipe can be made: \(String(cString: strerror(errno)))")
    }
    for descriptor in input + output { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    process = try ProcessGroup.spawn(
      [python, "-B", script], log: log, input: input[0], output: output[1])
    close(input[0])
    close(output[1])
    guard let toHelper = fdopen(input[1], "w"), let fromHelper = fdopen(output[0], "r") else {
      throw SafelightError(.file, "No pipe can be opened: \(String(cString: strerror(errno)))")
    }
    (self.toHelper, self.fromHelper) = (toHelper, fromHelper)
    libraries = try request(["do": "libraries"], as: [String: String].self)
  }

  deinit {
    fclose(toHelper)
    fclose(fromHelper)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  /// Sends a request and waits for the answer.
  func request<Answer: Decodable>(_ request: [String: HelperValue], as type: Answer.Type) throws -> Answer {
    let text = String(decoding: try JSONEncoder().encode(request), as: UTF8.self) + "\n"
    guard fputs(text, toHelper) >= 0, fflush(toHelper) == 0 else { throw Self.ended }
    // The buffer contains no part of an answer: each is read to its end before the next request.
    var answers = pollfd(fd: fileno(fromHelper), events: Int16(POLLIN), revents: 0)
    if poll(&answers, 1, Int32(ProgramRunner.timeLimit * 1000)) == 0 {
      kill(process, SIGKILL)
      throw SafelightError(
        .unsupported, "The rival libraries took longer than \(fixed(ProgramRunner.timeLimit, 0)) s")
    }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    guard getline(&line, &capacity, fromHelper) > 0, let line else { throw Self.ended }
    let answer = Data(String(cString: line).utf8)
    if let failure = try? JSONDecoder().decode([String: String].self, from: answer),
      let error = failure["error"]
    {
      throw SafelightError(.unsupported, error)
    }
    return try JSONDecoder().decode(type, from: answer)
  }

  func forgetJobs() throws { _ = try request(["do": "drop"], as: [String: String].self) }

  private static let ended = SafelightError(
    .file, "The process of the rival libraries ended by itself", remedy: "see what it printed above")
}

/// A value in a request.
enum HelperValue: Encodable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case text(String)
  case number(Int)
  case numbers([Double])

  init(stringLiteral text: String) { self = .text(text) }
  init(integerLiteral number: Int) { self = .number(number) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .numbers(let numbers): try container.encode(numbers)
    }
  }
}

/// A job of the helper.
final class LibraryRunner: Runner {
  private let helper: HelperProcess
  private let job: String
  private let file: String

  /// - Parameters:
  ///   - kind: the function of `rivals.py` that does it.
  ///   - source: raw rows without padding.
  init(
    _ workshop: Workshop, _ kind: String, source: String, size: PixelSize, _ more: [String: HelperValue] = [:]
  ) throws {
    guard let helper = workshop.helper else {
      throw SafelightError(
        .unsupported, "The rival libraries are not installed", remedy: "run make bench-rivals")
    }
    self.helper = helper
    job = kind + "-\(workshop.nextNumber())"
    file = "\(workshop.folder)/\(job).raw"
    let request: [String: HelperValue] = [
      "do": "prepare", "job": .text(job), "kind": .text(kind), "source": .text(source),
      "width": .number(size.width),
      "height": .number(size.height),
    ]
    _ = try helper.request(request.merging(more) { $1 }, as: [String: String].self)
  }

  func run() throws -> [Double] {
    let answer = try helper.request(["do": "run", "job": .text(job)], as: [String: Double].self)
    return answer["seconds"].map { [$0] } ?? []
  }

  func picture() throws -> Picture? {
    struct Shape: Decodable {
      var sample: String
      var channels, width, height: Int
    }
    let shape = try helper.request(["do": "dump", "job": .text(job), "path": .text(file)], as: Shape.self)
    defer { unlink(file) }
    return try Picture(
      file: file, size: PixelSize(width: shape.width, height: shape.height), sample: shape.sample,
      channels: shape.channels)
  }
}
