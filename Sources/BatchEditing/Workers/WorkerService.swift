import CProcess
import Editing
import Files
import FrameCore
import Libc
import PhotoIO

/// Answers the requests of a client on standard input and output: the counterpart of `IsolatedBatchEditor`.
public final class WorkerService {
  private let editor: any BatchEditor
  private let answers: Int32
  /// The format of results that are sent as bytes; nil is the photo's own.
  private let format: PhotoFileFormat?
  private var requests = PipeLineReader(0)
  /// The photo that was examined and not yet edited.
  private var photo: (opened: any BatchPhoto, path: String)?

  private init(_ editor: any BatchEditor, _ format: PhotoFileFormat?, answers: Int32) {
    (self.editor, self.format, self.answers) = (editor, format, answers)
  }

  /// Answers requests until standard input is closed.
  ///
  /// - Throws: `SafelightError` if the input cannot be followed any more: it ends within a photo, or a line announces bytes
  ///   that cannot be counted.
  /// - Parameters:
  ///   - hello: the first line, sent unasked.
  ///   - parent: the process that started this one, with which it ends; nil if it ends with its input only.
  public static func run(_ editor: any BatchEditor, hello: WorkerHello, parent: Int32? = nil) throws {
    if let parent {
      cprocess_end_with_parent()
      // The parent may have ended before the line above.
      guard getppid() == parent else { return }
    }
    // Output of libraries must not mix with the answers.
    let answers = dup(1)
    guard answers >= 0, dup2(2, 1) >= 0 else { return }
    signal(SIGPIPE, SIG_IGN)
    guard writeAll(try WorkerLine.encode(hello), to: answers) else { return }
    // A photo may hold a decoder for ever. A parent counts the seconds; any other client may have been killed.
    if parent == nil { try WorkerThread(name: "hang-up") { endWhenUnread(answers) }.detach() }
    let format = hello.format.flatMap { PhotoFileFormat(rawValue: $0) }
    let service = WorkerService(editor, format, answers: answers)
    while try service.answerNext() {}
  }

  /// Waits until nobody can read the answers any more, and ends this process as SIGTERM does: without unfinished files.
  private static func endWhenUnread(_ answers: Int32) {
    var end = pollfd(fd: answers, events: 0, revents: 0)
    while poll(&end, 1, -1) < 0 {
      guard errno == EINTR else { return }
    }
    TemporaryPhoto.removeAll()
    kill(getpid(), SIGTERM)
    // Where that is ignored, as a parent may have asked for.
    sleep(1)
    _exit(128 + SIGTERM)
  }

  /// Answers one request; false at the end.
  private func answerNext() throws -> Bool {
    guard case .line(let line) = requests.next() else {
      guard !requests.isTooLong else {
        throw SafelightError(
          .tooLarge, "A request is longer than \(WorkerProtocol.longestLine) bytes",
          remedy: "send a photo's bytes behind the line that announces them")
      }
      return false
    }
    var reply = WorkerReply()
    var result: [UInt8] = []
    do {
      let envelope = try Self.envelope(line)
      reply.id = envelope?.id
      var own: TemporaryPhoto?
      do {
        let request = try Self.request(line)
        if let count = request.bytes { own = try receive(count, named: request.input) }
        // Nothing keeps the photo that came as bytes once it is answered.
        defer { withExtendedLifetime(own) {} }
        do {
          if let made = try answer(request, input: own?.path ?? request.input, into: &reply) {
            result = try made.contents
            reply.bytes = result.count
          }
        } catch let error as SafelightError {
          throw own?.renamed(request.input ?? "the photo", in: error) ?? error
        }
      } catch let error as NoRequest {
        // What follows the line is a photo and no request.
        if let count = envelope?.bytes, count > 0 { try skip(count) }
        throw error.reason
      }
    } catch let error as Unfollowable {
      throw error.reason
    } catch {
      (reply.examined, reply.edited, reply.analyzed) = (nil, nil, nil)
      reply.failed = WorkerFailure(error)
    }
    return writeAll(try WorkerLine.encode(reply) + result, to: answers)
  }

  /// What matters of a line even if the rest is no request.
  private struct Envelope: Decodable {
    var id: Int?
    var bytes: Int?

    private enum CodingKeys: CodingKey {
      case id, bytes
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      id = try? values.decode(Int.self, forKey: .id)
      guard values.contains(.bytes) else { return }
      do {
        bytes = try values.decode(Int.self, forKey: .bytes)
      } catch {
        throw Unfollowable("A request announces bytes, but not how many", "give their number")
      }
    }
  }

  /// A line that is no request.
  private struct NoRequest: Error {
    let reason: SafelightError
  }

  /// The client can no longer be understood.
  private struct Unfollowable: Error {
    let reason: SafelightError

    init(_ problem: String, _ remedy: String) {
      reason = SafelightError(.invalidValue, problem, remedy: remedy)
    }
  }

  /// - Throws: `Unfollowable`.
  private static func envelope(_ line: [UInt8]) throws -> Envelope? {
    do {
      return try WorkerLine.decode(Envelope.self, from: line)
    } catch let error as Unfollowable {
      throw error
    } catch {
      // Not JSON.
      return nil
    }
  }

  private static func request(_ line: [UInt8]) throws -> WorkerRequest {
    do {
      return try WorkerLine.decode(WorkerRequest.self, from: line)
    } catch {
      throw NoRequest(
        reason: SafelightError(
          .invalidValue, "This is no request: \(String(decoding: line.prefix(200), as: UTF8.self))",
          remedy: #"write one like {"do":"edit","input":"a.jpg","output":"b.jpg"} on a line of its own"#))
    }
  }

  /// Does the work; returns a result that is to be sent as bytes.
  private func answer(_ request: WorkerRequest, input: String?, into reply: inout WorkerReply) throws
    -> TemporaryPhoto?
  {
    switch request.work {
    case .examine:
      photo = nil
      let path = try Self.required(input)
      let opened = try editor.open(path)
      reply.examined = opened.examination
      // A photo that came as bytes is gone when it is answered.
      if request.bytes == nil { photo = (opened, path) }
    case .edit:
      let opened = try input.map { (try editor.open($0), $0) } ?? photo
      // An idle worker keeps no file open.
      photo = nil
      guard let (opened, path) = opened else {
        throw SafelightError(
          .invalidValue, "No photo was examined before the edit", remedy: "give its input, or its bytes")
      }
      if let output = request.output {
        try checkFormat(of: output)
        reply.edited = try opened.edit(to: output, overwrite: request.overwrite ?? false)
      } else {
        let own = try PhotoHeader.read(path).fileFormat
        // Formats that are only read here become JPEG, as in a batch.
        let writable = own.flatMap { (try? $0.requireEncoder(toWrite: path)) == nil ? nil : $0 }
        let result = try TemporaryPhoto((format ?? writable ?? .jpeg).pathExtensions[0])
        reply.edited = try opened.edit(to: result.path, overwrite: false)
        return result
      }
    case .analyze:
      let sample = try PhotoSample(contentsOf: Self.required(input))
      reply.analyzed = PhotoMeasurements(try PhotoAnalysis(sample))
    }
    return nil
  }

  private static func required(_ input: String?) throws -> String {
    guard let input else {
      throw SafelightError(
        .invalidValue, "The request names no photo",
        remedy: "give its path as input, or the number of its bytes")
    }
    return input
  }

  /// Refuses a name that promises another format than all results of this worker have.
  private func checkFormat(of output: String) throws {
    guard let format, let named = try? PhotoFileFormat(forWritingTo: output), named != format else { return }
    throw SafelightError(
      .invalidValue, "\(output) is the name of a \(named.name) file, but results are \(format.name) files",
      remedy: "name it .\(format.pathExtensions[0]), or start a worker without --format")
  }

  // MARK: Bytes

  /// Takes a photo's bytes, all of them even if they cannot be kept: the next line follows them.
  ///
  /// - Parameter name: a name whose ending the photo has: some camera raws are known by nothing else.
  private func receive(_ count: Int, named name: String?) throws -> TemporaryPhoto {
    guard count > 0 else {
      throw SafelightError(
        count == 0 ? .corruptData : .invalidValue, "The photo has \(count) bytes",
        remedy: "send a photo's bytes, and their number")
    }
    guard count <= WorkerProtocol.mostBytes else {
      try skip(count)
      throw SafelightError(
        .tooLarge, "The photo has \(count) bytes",
        remedy: "send at most \(WorkerProtocol.mostBytes), or name a file")
    }
    let ending =
      name.flatMap { $0.split(separator: "/").last }.flatMap { $0.split(separator: ".").last }
      .map(String.init) ?? ""
    let isPlain =
      (1...8).contains(ending.utf8.count) && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    var problem: (any Error)?
    var file: TemporaryPhoto?
    do { file = try TemporaryPhoto(isPlain ? ending : "photo") } catch { problem = error }
    let isWhole = requests.pass(count) { piece in
      guard problem == nil else { return }
      do { try file?.append(piece) } catch { problem = error }
    }
    guard isWhole else { throw Self.ended }
    guard problem == nil, let file else { throw problem ?? Self.ended }
    return file
  }

  /// Passes over bytes.
  private func skip(_ count: Int) throws {
    guard requests.pass(count, to: { _ in }) else { throw Self.ended }
  }

  private static var ended: Unfollowable {
    Unfollowable("The input ended in the middle of a photo", "send as many bytes as announced")
  }
}
