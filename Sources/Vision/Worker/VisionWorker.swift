import FrameCore
import Libc
import Synchronization

/// Finds things in frames in a process of its own, `safelight-vision`, which is replaced when it is lost.
///
/// The process starts with the first request, or with `start`. It gets frames in shared memory, one at a time; a request
/// that takes too long, crashes the process or is answered with nonsense costs one frame's answer, and the next request
/// starts another process. May be used from any thread; requests wait for each other.
public final class VisionWorker: Sendable {
  /// What a worker is to do, and with what.
  public struct Options: Sendable, Hashable {
    public var abilities: Set<VisionAbility>
    /// A YuNet model in ONNX form instead of the cascade of opencv-data; read by OpenCV's `FaceDetectorYN`.
    public var faceModel: String?
    /// The trained data of Tesseract, as it names them: `eng`, `deu+eng`.
    public var language: String
    /// The memory that the process may allocate, in MiB; a text in a picture of 24 megapixels takes about 300.
    public var memory: Int

    public init(
      _ abilities: Set<VisionAbility>, faceModel: String? = nil, language: String = "eng", memory: Int = 1024
    ) {
      (self.abilities, self.faceModel, self.language) = (abilities, faceModel, language)
      self.memory = memory
    }
  }

  /// What has happened so far.
  public struct Statistics: Sendable, Hashable, Codable {
    /// Requests that were answered.
    public var answers = 0
    /// Requests whose answer was lost: the process took too long, ended or gave none.
    public var lost = 0
    /// Processes that were started after the first.
    public var restarts = 0
  }

  private struct State {
    var frames: SharedFrames?
    var process: VisionProcess?
    var sequence: UInt32 = 0
    var starts = 0
    var report: VisionReport?
  }

  /// How long a process may take to load its libraries and models, in seconds.
  private static let startSeconds = 30.0

  /// The longest edge of a picture that is searched, in pixels, and the most pixels of one.
  package static let longestEdge = VisionRequest.longestEdge
  package static let mostPixels = SharedFrames.mostPixels

  public let options: Options
  private let program: String
  private let allowsTrials: Bool
  private let state = Mutex(State())
  private let counts = Mutex(Statistics())

  /// - Parameter program: the program, if it is not to be looked for.
  /// - Throws: `SafelightError` if there is no program, the face model is no file, or the language is no name.
  public convenience init(_ options: Options, program: String? = nil) throws {
    try self.init(options, program: program, allowsTrials: false)
  }

  init(_ options: Options, program: String?, allowsTrials: Bool) throws {
    if let model = options.faceModel, access(model, R_OK) != 0 {
      throw SafelightError(
        .file, "Cannot read the face model \(model): \(errorText(errno))",
        remedy: "name a YuNet model, an .onnx file")
    }
    let isName = options.language.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "_+-/".utf8.contains(byte)
    }
    guard isName, !options.language.isEmpty, options.language.utf8.count <= 100, options.language.first != "/"
    else {
      throw SafelightError(
        .invalidValue, "“\(options.language)” is no language of Tesseract",
        remedy: "use a name such as eng or deu+eng")
    }
    self.options = options
    self.program = try program ?? VisionProgram.find()
    self.allowsTrials = allowsTrials
  }

  /// What has happened so far; never waits for a request.
  public var statistics: Statistics { counts.withLock { $0 } }

  /// Starts the process, unless it runs, and says what it can do and how it is confined.
  ///
  /// - Throws: `SafelightError` if it cannot be started, or if something that was asked for cannot be looked for; the
  ///   sentence names the package that is missing.
  @discardableResult
  public func start() throws -> VisionReport {
    let report = try state.withLock { state in
      _ = try running(&state)
      return state.report
    }
    guard let report else { throw SafelightError(.unsupported, "\(VisionProgram.name) said nothing") }
    return report.counting(statistics)
  }

  /// Starts a process and ends it again: what can be looked for, what cannot and why, and how it is confined.
  ///
  /// - Throws: `SafelightError` if it cannot be started.
  public func inventory() throws -> VisionReport {
    try state.withLock { state in
      let frames = try state.frames ?? SharedFrames()
      state.frames = frames
      return try launch(frames).report
    }
  }

  /// The process, if one runs; for tests, which end it.
  var processIdentifier: Int32? { state.withLock { $0.process?.process } }

  /// Looks for something in a frame.
  ///
  /// - Parameters:
  ///   - seconds: the process is ended if it takes longer.
  ///   - size: of the frame that `write` writes, the right way up.
  /// - Throws: `SafelightError` if the frame is too large or its answer was lost.
  func find(
    _ ability: VisionAbility, _ flags: VisionRequest.Flags, seconds: Double, size: PixelSize,
    write: (UprightLuma.Target) throws -> Void
  ) throws -> [VisionAnswer.Thing] {
    try ask(.find(ability, flags), what: ability.name, seconds: seconds, size: size, write: write)
  }

  /// Makes a worker misbehave that was started for it.
  func attempt(_ trial: VisionTrial, seconds: Double) throws -> [VisionAnswer.Thing] {
    let size = PixelSize(width: 1, height: 1)
    return try ask(.trial(trial), what: "trial", seconds: seconds, size: size) { $0.base[0] = 0 }
  }

  private func ask(
    _ task: VisionRequest.Task, what: String, seconds: Double, size: PixelSize,
    write: (UprightLuma.Target) throws -> Void
  ) throws -> [VisionAnswer.Thing] {
    try state.withLock { state in
      let process = try running(&state)
      guard let frames = state.frames else { throw lost(&state, "ended") }
      let target = try frames.target(for: size)
      try write(target)
      state.sequence &+= 1
      let request = VisionRequest(
        sequence: state.sequence, task: task, size: size, rowBytes: target.rowBytes, seconds: seconds)
      switch process.ask(request) {
      case .answer(let answer):
        switch answer.body {
        case .found(let things):
          counts.withLock { $0.answers += 1 }
          return things
        case .failed(let reason):
          counts.withLock { $0.answers += 1 }
          throw SafelightError(.unsupported, "The picture cannot be searched for \(what): \(reason)")
        case .ready: throw lost(&state, "gave an answer that is none")
        }
      case .timeout:
        throw lost(&state, "took more than \(PlainNumber.fixed(seconds, seconds < 10 ? 1 : 0)) s")
      case .lost(let reason): throw lost(&state, reason)
      }
    }
  }

  private func running(_ state: inout State) throws -> VisionProcess {
    if let process = state.process { return process }
    let frames = try state.frames ?? SharedFrames()
    state.frames = frames
    if state.starts > 0 { counts.withLock { $0.restarts += 1 } }
    state.starts += 1
    let (process, report) = try launch(frames)
    if let problem = report.problem(of: options.abilities) { throw problem }
    state.report = report
    state.process = process
    return process
  }

  private func launch(_ frames: SharedFrames) throws -> (process: VisionProcess, report: VisionReport) {
    let process = try VisionProcess(program, arguments, frames: frames)
    switch process.answer(to: 0, seconds: Self.startSeconds) {
    case .answer(let answer):
      guard case .ready(let abilities, let measures) = answer.body else {
        throw cannotStart("said something else first")
      }
      return (process, VisionReport(program: program, abilities: abilities, measures: measures, options))
    case .timeout: throw cannotStart("was not ready after \(Int(Self.startSeconds)) s")
    case .lost(let reason): throw cannotStart(reason)
    }
  }

  private func cannotStart(_ reason: String) -> SafelightError {
    let words = reason.split(separator: " ")
    if let file = words.last, file.contains(".so"), let ability = VisionAbility.ofLibrary(named: String(file))
    {
      return SafelightError(
        .missingLibrary, "\(program) \(reason)",
        remedy:
          "install the packages \(ability.debianPackages) of Debian, and build it again with make vision")
    }
    return SafelightError(
      .unsupported, "\(program) \(reason) when it was started", remedy: "build it again with make vision")
  }

  private var arguments: [String] {
    var arguments = options.abilities.sorted { $0.rawValue < $1.rawValue }.map { "--\($0.name)" }
    if let model = options.faceModel { arguments.append("--face-model=\(model)") }
    arguments += ["--language=\(options.language)", "--memory=\(options.memory)"]
    return arguments + (allowsTrials ? ["--trials"] : [])
  }

  private func lost(_ state: inout State, _ reason: String) -> SafelightError {
    let signal = state.process?.stop() ?? 0
    state.process = nil
    counts.withLock { $0.lost += 1 }
    let words =
      signal != 0 && signal != SIGKILL
      ? strsignal(signal).map { " (\(String(cString: $0).lowercased()))" } : nil
    return SafelightError(
      .noResources, "This picture's answer is lost: \(VisionProgram.name) \(reason)\(words ?? "")",
      remedy: "other pictures are searched all the same")
  }
}
