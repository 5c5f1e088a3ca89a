import Safelight

/// Photos of a live run's frames, saved in the working folder: of full quality and with the look of the moment, also
/// while the unedited frames are shown.
final class LiveStills {
  let output: PhotoOutput<DeliveredPhoto>
  private var captures: [PhotoCapture<DeliveredPhoto>] = []
  private let report: @Sendable (String) -> Void

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
    self.report = report
    var delivery = PhotoDelivery(
      names: try PhotoNames("", format: export.format ?? .jpeg), export: export, camera: input.name)
    delivery.recipe = recipe
    if let device = (input as? DeviceInput)?.device {
      delivery.cameraValues = { try? device.cameraValues() }
    }
    output = PhotoOutput(prioritizesFastCapture: true) { [delivery] captured, _ in
      try delivery.deliver(captured)
    }
  }

  /// Takes a photo of this moment.
  func take() {
    captures.removeAll(where: \.hasEnded)
    do {
      let capture = try output.capture { [report] event in
        switch event {
        case .finished(let photo): report("Saved \(photo.path)")
        case .failed(let error): report("\(error)")
        case .willBegin, .willCapture, .didCapture, .proxy: break
        }
      }
      captures.append(capture)
    } catch {
      report("\(error)")
    }
  }

  /// Waits for the photos that are not written yet.
  func finish() {
    let deadline = Timestamp.now.advanced(bySeconds: Self.patience)
    for capture in captures { _ = try? capture.wait(until: deadline) }
  }
}
