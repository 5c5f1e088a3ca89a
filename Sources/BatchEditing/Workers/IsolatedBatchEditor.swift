import FilterGraph
import Files
import FrameCore
import Libc

/// Edits photos in a separate process, so that a file that makes a codec crash, hang or exhaust memory affects no
/// other file.
///
/// A lost process is replaced, and its photo is tried once more: it may have been damaged by an earlier photo or
/// killed from outside. A photo that hangs is not tried again.
public final class IsolatedBatchEditor: BatchEditor {
  /// How to start a worker: a program that calls `WorkerService.run`.
  public struct Command: Sendable {
    public var executable: String
    public var arguments: [String]

    public init(executable: String, arguments: [String]) {
      self.executable = executable
      self.arguments = arguments
    }
  }

  /// The resources a photo may use before it is abandoned.
  public struct Bounds: Sendable, Hashable {
    /// The seconds that a photo may take, and the additional seconds per megapixel that it takes to decode and to
    /// encode, as counted by `BatchExamination.effort`.
    public var seconds: Double
    public var secondsPerMegapixel: Double
    /// The bytes that a worker may allocate in any case; nil sets no bound. A photo that is expected to need more
    /// may take four times the estimate.
    public var memory: Int?
    public init(seconds: Double = 60, secondsPerMegapixel: Double = 4, memory: Int? = nil) {
      (self.seconds, self.secondsPerMegapixel, self.memory) = (seconds, secondsPerMegapixel, memory)
    }

    /// The program's memory besides the photo: libraries' data, their threads' stacks.
    private static let program = 512 << 20
    /// The additional address space of a GPU driver: drivers reserve far more than they use.
    private static let driver = 4 << 30

    /// - Parameters:
    ///   - estimate: the memory that the photo is expected to take, in bytes.
    ///   - usesGPU: whether the process may have opened a GPU, or may soon do so.
    func bytes(forEstimate estimate: Int, usesGPU: Bool = false) -> Int? {
      memory.map { max($0, 4 * min(estimate, 1 << 48)) + Self.program + (usesGPU ? Self.driver : 0) }
    }
  }

  /// The worker of this editor ended while editing a photo.
  private struct Lost: Error {
    let reason: SafelightError
  }

  private let command: Command
  private let bounds: Bounds
  private let usesGPU: @Sendable () -> Bool
  /// Stays true once set: an open GPU keeps its memory.
  private var mayUseGPU = false
  private var worker: WorkerProcess?
  /// How often a result whose worker was lost is made again to confirm it.
  private static let mostConfirmations = 4
  /// The photo that the worker has open.
  private weak var current: Photo?

  /// - Parameter usesGPU: whether workers may use a GPU by now, whose driver allocates memory in them; called
  ///   before each photo.
  public init(
    _ command: Command, bounds: Bounds = Bounds(), usesGPU: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.command, self.bounds, self.usesGPU) = (command, bounds, usesGPU)
  }

  deinit { _ = worker?.stop(kill: false) }

  /// A photo that a worker edits.
  private final class Photo: BatchPhoto {
    let input: String
    fileprivate(set) var examination: BatchExamination
    private let editor: IsolatedBatchEditor

    init(_ input: String, _ examination: BatchExamination, _ editor: IsolatedBatchEditor) {
      (self.input, self.examination, self.editor) = (input, examination, editor)
    }

    func edit(to output: String, overwrite: Bool) throws -> BatchResult {
      try editor.edit(self, to: output, overwrite: overwrite)
    }
  }

  public func open(_ input: String) throws -> any BatchPhoto {
    current = nil
    let examination: BatchExamination
    do {
      examination = try examineOnce(input)
    } catch is Lost {
      examination = try withoutLoss { try examineOnce(input) }
    }
    let photo = Photo(input, examination, self)
    current = photo
    return photo
  }

  private func edit(_ photo: Photo, to output: String, overwrite: Bool) throws -> BatchResult {
    guard current === photo else {
      throw SafelightError(.invalidValue, "\(photo.input) is no longer open in its worker")
    }
    current = nil
    do {
      return try editOnce(photo, to: output, overwrite: overwrite)
    } catch is Lost {
      return try withoutLoss {
        var tries = 0
        while true {
          Leftovers.remove(of: [output], in: "")
          tries += 1
          do {
            return try editAgain(photo, to: output, overwrite: overwrite)
          } catch is Lost where !overwrite && FileIdentity(output) != nil && tries < Self.mostConfirmations {
            // A photo with a result is not what ends workers.
          } catch {
            Leftovers.remove(of: [output], in: "")
            throw error
          }
        }
      }
    }
  }

  private func editAgain(_ photo: Photo, to output: String, overwrite: Bool) throws -> BatchResult {
    photo.examination = try examineOnce(photo.input)
    // The worker may have been lost just after the file got its name; or somebody else may have created the file.
    if !overwrite, FileIdentity(output) != nil { return try confirm(photo, output) }
    return try editOnce(photo, to: output, overwrite: overwrite)
  }

  /// Returns the result at `output` if the lost worker made it: then editing again gives the same bytes.
  ///
  /// - Throws: `SafelightError(.file)` for any other file, which stays.
  private func confirm(_ photo: Photo, _ output: String) throws -> BatchResult {
    let ending = output.lastIndex(of: ".").map { output[$0...] } ?? ""
    let name = ".safelight-\(String(UInt64.random(in: .min ... .max), radix: 36))\(ending)"
    let again = FolderListing.path(name, in: FolderListing.parent(of: output))
    defer { unlink(again) }
    let result = try editOnce(photo, to: again, overwrite: false)
    guard try FileFingerprint(contentsOf: output) == result.fingerprint else {
      throw SafelightError(
        .file, "\(output) was made by another program while its photo was edited",
        remedy: "move it away, or choose --on-conflict skip, overwrite or rename")
    }
    return result
  }

  private func withoutLoss<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let lost as Lost {
      throw lost.reason
    }
  }

  private func examineOnce(_ input: String) throws -> BatchExamination {
    let worker: WorkerProcess
    do {
      worker = try self.worker ?? WorkerProcess(command)
    } catch let error as SafelightError {
      throw Lost(reason: error)
    }
    self.worker = worker
    mayUseGPU = mayUseGPU || usesGPU()
    let reply = try ask(
      worker, WorkerRequest(.examine, input: input), about: input, seconds: bounds.seconds, estimate: 0)
    guard let examination = reply.examined, examination.isSensible else { throw confusion(input) }
    return examination
  }

  private func editOnce(_ photo: Photo, to output: String, overwrite: Bool) throws -> BatchResult {
    let (input, examination) = (photo.input, photo.examination)
    guard let worker else {
      throw SafelightError(.invalidValue, "No photo was examined before the edit")
    }
    do {
      let reply = try ask(
        worker, WorkerRequest(.edit, output: output, overwrite: overwrite), about: input,
        seconds: bounds.seconds + bounds.secondsPerMegapixel * examination.effort,
        estimate: examination.memory)
      guard let result = reply.edited, result.isSensible else { throw confusion(input) }
      return result
    } catch {
      // A lost process could not clean up.
      if self.worker == nil { Leftovers.remove(of: [output], in: "") }
      throw error
    }
  }

  private func ask(
    _ worker: WorkerProcess, _ request: WorkerRequest, about input: String, seconds: Double, estimate: Int
  ) throws -> WorkerReply {
    let bound = bounds.bytes(forEstimate: estimate, usesGPU: mayUseGPU)
    if let bound { worker.limitMemory(bound) }
    switch try worker.ask(request, seconds: seconds) {
    case .line(let bytes):
      let reply: WorkerReply
      do {
        reply = try WorkerLine.decode(WorkerReply.self, from: bytes)
      } catch {
        throw confusion(input)
      }
      if let failure = reply.failed { throw failure.error }
      return reply
    case .timeout:
      _ = worker.stop(kill: true)
      self.worker = nil
      throw SafelightError(
        .corruptData,
        "\(input) took more than \(PlainNumber.fixed(seconds, seconds < 10 ? 1 : 0)) s and was abandoned",
        remedy: "open it with another program, or allow more with --timeout")
    case .end:
      // A process that closed the pipe but still runs is useless too; one that has exited keeps its status.
      let end = worker.stop(kill: true)
      self.worker = nil
      throw Lost(reason: end.reason(input, bound: bound))
    }
  }

  private func confusion(_ input: String) -> SafelightError {
    _ = worker?.stop(kill: true)
    worker = nil
    return SafelightError(.corruptData, "The process that edited \(input) gave no valid answer")
  }
}
