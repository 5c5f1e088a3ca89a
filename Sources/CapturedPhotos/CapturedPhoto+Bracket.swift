import Capture
import Filters
import FilterGraph
import FrameAnalysis
import FrameCore
import Libc
import PhotoIO
import Rendering

extension CapturedPhoto {
  /// Whether the frames are the exposures of a bracket, to be fused.
  var isFused: Bool { exposures.count > 1 }

  /// All exposures, aligned and fused.
  func fused() throws -> DevelopedFrame {
    let pictures = try frames.map { try Self.rgb($0.samples(balancedAs: referenceFrame)) }
    let shifts = try BracketAlignment().shifts(of: pictures)
    var frame = try referenceFrame.frame()
    frame.buffer = try ExposureFusion.balanced.fuse(pictures, shifts: shifts)
    return DevelopedFrame(frame: frame, index: reference, shifts: shifts)
  }

  /// Returns the samples as R, G, B, as fusing needs them.
  private static func rgb(_ buffer: PixelBuffer) throws -> PixelBuffer {
    if buffer.format == .rgba8 || buffer.format == .rgba16 { return buffer }
    let renderer = CPURenderer()
    let output = PlanOutput(format: .rgba8, space: .sRGB)
    let plan = try renderer.plan(Recipe(), input: PlanInput(buffer), output: output)
    return try renderer.render(buffer, through: plan)
  }
}

extension CaptureFacts {
  /// States that a photo is an exposure of a bracket.
  mutating func take(_ exposure: BracketedExposure) {
    exposureMode = .autoBracket
    exposureBias = exposure.stops
  }

  /// States that a photo is fused of exposures, of which none is its own.
  mutating func takeFusion(of count: Int) {
    exposureMode = .autoBracket
    (exposureTime, exposureBias, mergedFrames) = (nil, nil, count)
  }
}

extension PhotoDelivery {
  /// States of a photo, if it is of a bracket, how it was exposed.
  ///
  /// - Parameters:
  ///   - index: the frame that it shows.
  ///   - burst: the id of the exposures that are kept beside a fused photo.
  func takeExposure(
    of captured: CapturedPhoto, frame index: Int, burst: String, in made: inout PhotoMaker.Made
  ) {
    guard !captured.exposures.isEmpty else { return }
    made.facts = facts(of: captured, exposure: index)
    guard captured.isFused else { return }
    made.facts.takeFusion(of: captured.frames.count)
    if original == .beside { made.facts.burst = CaptureFacts.Burst(id: burst, isPrimary: true) }
  }

  /// The circumstances of one exposure.
  private func facts(of captured: CapturedPhoto, exposure index: Int) -> CaptureFacts {
    let shift = captured.offset + captured.frames[index].time.seconds(since: captured.referenceFrame.time)
    let moment = captured.settings.pressedAt.advanced(bySeconds: shift)
    // By now the camera has other values.
    let exposure = captured.exposures[index]
    var facts = CaptureFacts(at: moment, camera: camera, values: exposure.values)
    facts.take(exposure)
    facts.burst = captured.settings.burst.map {
      CaptureFacts.Burst(id: $0.id, isPrimary: exposure.askedStops == 0)
    }
    return facts
  }

  /// Writes the exposures of a fused photo beside it, unedited: `NAME-1`, `NAME-2` …
  ///
  /// - Parameter burst: the id that they share with the fused photo.
  /// - Throws: `SafelightError`; then none of them is left.
  func writeExposures(of captured: CapturedPhoto, beside photo: inout DeliveredPhoto, burst: String) throws {
    do {
      for index in captured.frames.indices {
        let frame = captured.frames[index]
        var facts = facts(of: captured, exposure: index)
        facts.burst = CaptureFacts.Burst(id: burst, isPrimary: false)
        let kept = try names.placing(PhotoNames.numbered(photo.path, index + 1)) {
          try maker.write(frame.frame(), jpeg: frame.jpeg, facts, through: Recipe(), to: $0, Stopwatch())
        }
        photo.bracket?[index].path = kept.path
        photo.warnings += kept.warnings
      }
    } catch {
      for path in (photo.bracket ?? []).compactMap(\.path) { unlink(path) }
      throw error
    }
  }
}
