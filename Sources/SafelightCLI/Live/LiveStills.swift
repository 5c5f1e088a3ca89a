import Safelight
import Synchronization

/// Photos of a live run's frames, saved in the working folder: of full quality and with the look of the moment, also
/// while the unedited frames are shown.
final class LiveStills {
  let output: PhotoOutput<DeliveredPhoto>
  /// Why photos have failed.
  let failures = Monitor<[String]>([])
  /// The number of photos of which the end is not told yet.
  private let underWay = Monitor(0)
  private let report: @Sendable (String) -> Void
  private let recipe: @Sendable () -> Recipe
  /// The looks of photos under way, by their settings.
  private let looks = LookTable()

  private final class LookTable: Sendable {
    private let recipes = Mutex<[UInt64: Recipe]>([:])
    func set(_ recipe: Recipe, for id: UInt64) { recipes.withLock { $0[id] = recipe } }
    func take(_ id: UInt64) -> Recipe { recipes.withLock { $0.removeValue(forKey: id) ?? Recipe() } }
  }

  /// The bytes that frames are kept in: half of what a capture takes, since most runs take no photo.
  private static let memory = 64 << 20

  /// The time for photos that are not written yet when a run ends, in seconds.
  private static let patience = 5.0

  /// - Parameters:
  ///   - export: how photos are written; JPEG, unless it names a format.
  ///   - recipe: returns the look of the moment.
  ///   - report: receives a line for people about each photo.
  init(
    _ export: PhotoExport, of input: any CaptureInput, recipe: @escaping @Sendable () -> Recipe,
    report: @escaping @Sendable (String) -> Void
  ) throws {
    (self.report, self.recipe) = (report, recipe)
    var delivery = PhotoDelivery(
      names: try PhotoNames("", format: export.format ?? .jpeg), export: export, camera: input.name)
    delivery.recipe = { [looks] in looks.take($0.id) }
    output = PhotoOutput(
      memory: Self.memory, prioritizesFastCapture: true,
      cameraValues: input.valueReader
    ) { [delivery] captured, _ in
      try delivery.deliver(captured)
    }
  }

  /// Photos with the look of the moment, if a key or a page may take them.
  static func asked(
    of command: LiveCommand, _ input: any CaptureInput, _ pipeline: LivePipeline, _ status: StatusText
  ) throws -> LiveStills? {
    guard command.takesStills else { return nil }
    var export = command.stills.export
    export.interpolation = command.sampling.interpolation
    return try LiveStills(
      export, of: input,
      recipe: {
        var look = pipeline.look
        look.showsOriginal = false
        return look.effectiveRecipe
      }, report: { status.note($0) })
  }

  /// Takes a photo of a moment, with the look of this one.
  ///
  /// - Parameter whenDone: called once it is written or has failed, on any thread.
  func take(
    pressedAt: Timestamp = .now,
    whenDone: @escaping @Sendable (Result<DeliveredPhoto, any Error>) -> Void = { _ in }
  ) {
    let settings = PhotoSettings()
    looks.set(recipe(), for: settings.id)
    do {
      underWay.update { $0 += 1 }
      _ = try output.capture(settings, pressedAt: pressedAt) { [report, underWay, failures] event in
        switch event {
        case .finished(let photo):
          report("Saved \(photo.path)")
          whenDone(.success(photo))
          underWay.update { $0 -= 1 }
        case .failed(let error):
          report("\(error)")
          failures.update { $0.append("\(error)") }
          whenDone(.failure(error))
          underWay.update { $0 -= 1 }
        case .willBegin, .willCapture, .didCapture, .thumbnail, .proxy: break
        }
      }
    } catch {
      underWay.update { $0 -= 1 }
      failures.update { $0.append("\(error)") }
      _ = looks.take(settings.id)
      report("\(error)")
      whenDone(.failure(error))
    }
  }

  /// Waits for the photos that are not written yet, and until it was told of them.
  func finish() {
    let deadline = Timestamp.now.advanced(bySeconds: Self.patience)
    _ = underWay.wait(until: deadline) { $0 == 0 ? true : nil }
  }
}
