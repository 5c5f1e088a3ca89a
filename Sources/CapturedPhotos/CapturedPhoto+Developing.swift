import Capture
import FilterGraph
import FrameAnalysis
import FrameCore
import Rendering

/// The picture that a photo shows, made of its frames.
struct DevelopedFrame {
  var frame: Frame
  /// The index of the frame it is, or whose content it shows.
  var index: Int
  /// Why this frame was chosen among several; nil if there was no choice.
  var reason: String?
  /// How frames were merged; nil if they were not.
  var merge: MergeStatistics?
  /// How far the exposures of a bracket were shifted before they were fused; nil if they were not.
  var shifts: [PictureShift]?

  /// Whether it shows more than one frame.
  var isComposite: Bool { merge != nil || shifts != nil }
}

extension CapturedPhoto {
  /// Makes one picture of the frames, as the quality asks for.
  ///
  /// - Throws: `SafelightError` if memory is short.
  func developed() throws -> DevelopedFrame {
    if isFused { return try fused() }
    guard frames.count > 1 else { return DevelopedFrame(frame: try referenceFrame.frame(), index: reference) }
    switch settings.qualityPrioritization {
    case .speed: return DevelopedFrame(frame: try referenceFrame.frame(), index: reference)
    case .balanced: return try best()
    case .quality: return try merged()
    }
  }

  /// The sharpest frame, weighed against its exposure; of equally good ones the nearest to the press.
  private func best() throws -> DevelopedFrame {
    let meter = try BurstMeter()
    // One decoded frame at a time.
    for frame in frames { try meter.add(frame.frame()) }
    let pressedAt = referenceFrame.time.advanced(bySeconds: -offset)
    let first = try meter.ranking(pressedAt: pressedAt).frames.first
    let index = first?.index ?? reference
    return DevelopedFrame(frame: try frames[index].frame(), index: index, reason: first?.reason)
  }

  /// All frames, merged. They are decoded at the same time: of eight Motion JPEG frames of 12 megapixels, 150 MB.
  private func merged() throws -> DevelopedFrame {
    var merge = FrameMerge()
    merge.threads = 2
    let merged = try merge.merge(
      frames.map { try $0.samples(balancedAs: referenceFrame) }, reference: reference)
    var frame = try referenceFrame.frame()
    frame.buffer = merged.buffer
    return DevelopedFrame(frame: frame, index: reference, merge: merged.statistics)
  }

  // MARK: Brackets

  /// Whether the frames are the exposures of a bracket, to be fused.
  var isFused: Bool { exposures.count > 1 }

  /// All exposures, aligned and fused.
  private func fused() throws -> DevelopedFrame {
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
