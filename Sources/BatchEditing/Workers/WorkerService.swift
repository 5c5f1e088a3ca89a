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
  private var photo: (any BatchPhoto)?

  private init(_ editor: any BatchEditor, _ format: PhotoFileFormat?, answers: Int32) {
    (self.editor, self.format, self.answers) = (editor, format, answers)
  }

  /// Answers requests until standard input is closed.
  ///
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
    let format = hello.format.flatMap { PhotoFileFormat(rawValue: $0) }
    let service = WorkerService(editor, format, answers: answers)
    while try service.answerNext() {}
  }

  /// Answers one request; false at the end.
  private func answerNext() throws -> Bool {
    guard case .line(let line) = requests.next() else { return false }
    var reply = WorkerReply()
    var result: TemporaryPhoto?
    do {
      reply.id = try? WorkerLine.decode(RequestID.self, from: line).id
      let request = try Self.request(line)
      var own: TemporaryPhoto?
      if let count = request.bytes { own = try receive(count) }
      // Nothing keeps the photo that came as bytes once it is answered.
      defer { withExtendedLifetime(own) {} }
      result = try answer(request, input: own?.path ?? request.input, into: &reply)
    } catch is ClientGone {
      return false
    } catch {
      reply.failed = WorkerFailure(error)
    }
    if let result { reply.bytes = result.length }
    guard writeAll(try WorkerLine.encode(reply), to: answers) else { return false }
    if let result, !(try result.send(to: answers)) { return false }
    return true
  }

  /// What is repeated, even if the rest is no request.
  private struct RequestID: Decodable {
    var id: Int?
  }

  private static func request(_ line: [UInt8]) throws -> WorkerRequest {
    do {
      return try WorkerLine.decode(WorkerRequest.self, from: line)
    } catch {
      throw SafelightError(
        .invalidValue, "This is no request: \(String(decoding: line.prefix(200), as: UTF8.self))",
        remedy: #"write one like {"do":"edit","input":"a.jpg","output":"b.jpg"} on a line of its own"#)
    }
  }

  /// Does the work; returns a result that is to be sent as bytes.
  private func answer(_ request: WorkerRequest, input: String?, into reply: inout WorkerReply) throws
    -> TemporaryPhoto?
  {
    switch request.work {
    case .examine:
      photo = nil
      let opened = try editor.open(Self.required(input))
      reply.examined = opened.examination
      // A photo that came as bytes is gone when it is answered.
      if request.bytes == nil { photo = opened }
    case .edit:
      let opened = try input.map(editor.open) ?? photo
      // An idle worker keeps no file open.
      photo = nil
      guard let opened else {
        throw SafelightError(
          .invalidValue, "No photo was examined before the edit", remedy: "give its input, or its bytes")
      }
      if let output = request.output {
        reply.edited = try opened.edit(to: output, overwrite: request.overwrite ?? false)
      } else {
        let own = input.flatMap { try? PhotoHeader.read($0).fileFormat }
        let result = try TemporaryPhoto((format ?? own ?? .jpeg).pathExtensions[0])
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

  // MARK: Bytes

  /// The client ended in the middle of a photo.
  private struct ClientGone: Error {}

  /// Takes a photo's bytes, all of them even if they cannot be kept: the next line follows them.
  private func receive(_ count: Int) throws -> TemporaryPhoto {
    guard (1...WorkerProtocol.mostBytes).contains(count) else {
      guard count > 0, requests.pass(count, to: { _ in }) else { throw ClientGone() }
      throw SafelightError(
        .tooLarge, "The photo has \(count) bytes",
        remedy: "send at most \(WorkerProtocol.mostBytes), or name a file")
    }
    var problem: (any Error)?
    var file: TemporaryPhoto?
    do { file = try TemporaryPhoto("photo") } catch { problem = error }
    let isWhole = requests.pass(count) { piece in
      guard problem == nil else { return }
      do { try file?.append(piece) } catch { problem = error }
    }
    guard isWhole else { throw ClientGone() }
    if let problem { throw problem }
    guard let file else { throw ClientGone() }
    return file
  }
}
