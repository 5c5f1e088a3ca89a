import Safelight
import Synchronization

/// What the camera can show: what the studio was started with, and the cameras of this machine. Pages know sources by
/// these texts alone and can open no other file.
final class CameraSources: Sendable {
  enum Kind: String, Sendable {
    case camera
    /// The procedural scene.
    case scene
    /// A video, or stills as frames.
    case clip
  }

  struct Entry: Sendable, Hashable {
    let source: String
    let name: String
    let kind: Kind
  }

  /// What the studio was started with; nil if it was with photos alone.
  let start: Entry?
  private let discover: @Sendable () -> [Entry]
  private let makeInput: @Sendable (Entry, StreamRequest) throws -> any CaptureInput
  private let list: Mutex<[Entry]>

  /// - Parameter text: as `LiveSource` reads it; nil for none.
  /// - Throws: `SafelightError` if there is no such source, or if no camera is connected.
  init(_ text: String?) throws {
    start = try text.map(Self.entry)
    discover = { CaptureDevice.cameras().map { Entry(source: $0.id, name: $0.name, kind: .camera) } }
    makeInput = Self.open
    list = Mutex([])
    refresh()
  }

  /// For tests: sources of their own.
  init(start: Entry?, makeInput: @escaping @Sendable (Entry, StreamRequest) throws -> any CaptureInput) {
    (self.start, self.makeInput) = (start, makeInput)
    discover = { [] }
    list = Mutex([])
    refresh()
  }

  /// The sources, that of the start first.
  var entries: [Entry] { list.withLock { $0 } }

  /// Looks for cameras, which takes some milliseconds for each; returns whether there are others than before.
  @discardableResult
  func refresh() -> Bool {
    let found = (start.map { [$0] } ?? []) + discover().filter { $0.source != start?.source }
    return list.withLock { list in
      defer { list = found }
      return list != found
    }
  }

  /// - Throws: `SafelightError` if the source is none of those that pages are told of.
  func entry(_ source: String) throws -> Entry {
    let known = entries
    if let entry = known.first(where: { $0.source == source }) { return entry }
    guard refresh(), let entry = entries.first(where: { $0.source == source }) else {
      throw SafelightError(
        .invalidValue, "There is no such camera here",
        remedy: known.isEmpty ? "connect it" : "choose \(known.map(\.name).joined(separator: " or "))")
    }
    return entry
  }

  /// Makes the input of a source.
  ///
  /// - Throws: `SafelightError` or `CaptureFailure` if it is gone.
  func input(_ entry: Entry, _ request: StreamRequest) throws -> any CaptureInput {
    try makeInput(entry, request)
  }

  var json: JSONValue {
    .array(
      entries.map {
        .object(["source": .string($0.source), "name": .string($0.name), "kind": .string($0.kind.rawValue)])
      })
  }

  private static func entry(_ text: String) throws -> Entry {
    do {
      let source = try LiveSource(text)
      let input = try source.makeInput(loops: true)
      if let clip = input as? VideoFileInput {
        // Names the problem before a browser opens.
        try clip.openStream(StreamRequest()).close()
      }
      switch source {
      case .defaultCamera, .camera, .cameraWithID:
        return Entry(source: input.id, name: input.name, kind: .camera)
      case .synthetic, .syntheticPages: return Entry(source: text, name: input.name, kind: .scene)
      case .pictures, .video: return Entry(source: text, name: input.name, kind: .clip)
      }
    } catch let failure as CaptureFailure {
      throw failure.error
    } catch let error as SafelightError where text == "default" {
      throw SafelightError(
        error.code, error.problem,
        remedy: "connect one, or open the drawn scene with “safelight studio synthetic”")
    }
  }

  private static func open(_ entry: Entry, _ request: StreamRequest) throws -> any CaptureInput {
    switch entry.kind {
    case .camera: DeviceInput(try CaptureDevice.camera(entry.source))
    case .scene, .clip:
      try LiveSource(entry.source).makeInput(
        loops: true, size: request.size, framesPerSecond: request.framesPerSecond)
    }
  }
}
