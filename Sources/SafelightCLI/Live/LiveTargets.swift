import Serving
import FoundationEssentials
import Safelight

/// The sinks of a live run, and the keys that its preview reads.
final class LiveTargets {
  let sinks: [any FrameSink]
  private let keys = EventQueue<LiveKey>()
  private let terminal: Terminal?
  private let reader: TerminalKeys?
  /// The button on the stream's page; nil if it takes no photos.
  let shutter: RemoteShutter?
  private let presses = EventQueue<RemoteShutter.Press>()
  private var announced: Set<ObjectIdentifier> = []

  /// - Parameter movie: makes the sink of a movie.
  init(_ command: LiveCommand, status: StatusText, movie: (String) throws -> MovieSink) throws {
    // Everything else that can be rejected is rejected before the terminal is touched.
    let shutter = command.shutter ? RemoteShutter() : nil
    self.shutter = shutter
    var sinks = try command.targets.compactMap { try Self.sink($0, shutter, movie) }
    if command.targets.contains(.preview) {
      let terminal = try Terminal.controlling(environment: ProcessInfo.processInfo.environment)
      let keys = keys
      reader = try TerminalKeys(terminal) { keys.append($0) }
      sinks.append(TerminalPreview(terminal) { status.text })
      self.terminal = terminal
    } else {
      (terminal, reader) = (nil, nil)
    }
    self.sinks = sinks
  }

  /// The sink of a target; nil for the preview, which is more than a sink.
  private static func sink(
    _ target: SinkSpecification, _ shutter: RemoteShutter?, _ movie: (String) throws -> MovieSink
  ) throws -> (any FrameSink)? {
    switch target {
    case .preview: nil
    case .null: NullSink()
    case .standardOutput(.y4m): Y4MSink()
    case .standardOutput(.rgb): RawVideoSink()
    case .frames(let folder, let format): try FrameFolderSink(folder: folder, format: format)
    case .stream(let host, let port): try MJPEGServer(host: host, port: port, shutter: shutter)
    case .virtualCamera(let device): try virtualCamera(device)
    case .movie(let path): try movie(path)
    }
  }

  private static func virtualCamera(_ device: String) throws -> VirtualCameraSink {
    let number = String(device.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
    if !number.isEmpty, device == "/dev/video" + number, FileContents.kind(of: device) == .missing {
      throw SafelightError(
        .device, "There is no device \(device)",
        remedy: "create it with sudo modprobe v4l2loopback video_nr=\(number) exclusive_caps=1 "
          + "(after sudo modprobe -r v4l2loopback if it is loaded)")
    }
    return VirtualCameraSink(path: device)
  }

  /// The movies among the sinks.
  var movies: [MovieSink] { sinks.compactMap { $0 as? MovieSink } }

  /// Returns the sinks' announcements, such as the port of a stream, each once.
  func takeAnnouncements() -> [String] {
    sinks.compactMap { sink in
      guard let sink = sink as? any AnnouncingSink, let text = sink.announcement,
        announced.insert(ObjectIdentifier(sink)).inserted
      else { return nil }
      return text
    }
  }

  /// What has happened to the movies since the last call, and what is to be told of them.
  func takeMovieNotes() -> [String] {
    movies.flatMap { $0.takeNotes() + $0.recorder.takeEvents().compactMap(RecordReporter.sentence) }
  }

  /// The keys pressed since the last call.
  func takeKeys() -> [LiveKey] { keys.take() }

  /// Lets the stream's page take photos, if it has a shutter.
  func acceptPresses(readiness: @escaping @Sendable () -> PhotoReadiness) {
    shutter?.begin(readiness: readiness) { [presses] in presses.append($0) }
  }

  /// The presses of the page's shutter since the last call, each to be answered.
  func takePresses() -> [RemoteShutter.Press] { presses.take() }

  /// Restores the terminal; called after the sinks are closed.
  func close() {
    reader?.stop()
    terminal?.close()
  }

  /// Stops sinks from waiting for a reader.
  func interrupt() {
    for case let sink as any InterruptibleSink in sinks { sink.interrupt() }
  }
}
