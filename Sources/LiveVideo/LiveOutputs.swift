import ColorScience
import FrameCore
import Rendering

/// The sinks of a run, and the buffers for the pictures they receive. Used by the render thread.
///
/// If the look changes nothing, sinks for video get a copy of the frame's own samples, and nothing is rendered
/// unless some sink wants RGB. It is a copy because a sink may hold a picture for long and a camera has few
/// buffers.
struct LiveOutputs {
  /// The buffers of one frame.
  struct Buffers {
    /// The buffer to render into; nil if no sink wants it.
    var picture: PixelBuffer?
    /// A copy of the frame's samples; nil if no sink wants it, or if the look changes them.
    var samples: PixelBuffer?
  }

  let runners: [SinkRunner]
  /// Properties of the source that a sink cannot convey or that the edit makes untrue, one sentence each.
  let notes: [String]
  /// Whether a sink shows pictures to people.
  let hasScreen: Bool
  private let pictures: BufferRing
  private let samples: BufferRing?
  private let copier: SampleCopier?
  /// Whether a sink wants every frame as RGB.
  private let wantsPictures: Bool
  private let painter = OverlayPainter()
  private let source: (size: PixelSize, format: PixelFormat, tags: ColorTags)

  /// Opens the sinks and allocates the buffers.
  ///
  /// - Parameters:
  ///   - first: the first frame.
  ///   - compiled: its plan; all pictures of the run have its size and space.
  ///   - mayTurn: whether later frames may be rotated by a few degrees even if the first one is not.
  ///   - framesPerSecond: the source's rate; 0 if it has none.
  ///   - constantRate: as in `LivePipeline`.
  ///   - opened: called with each sink that is open, even if a later one fails.
  init(
    _ sinks: [any FrameSink], policy: SinkRunner.Policy, _ first: Frame, _ compiled: LookCompiler.Compiled,
    mayTurn: Bool, framesPerSecond: Double, constantRate: Double?, framesInFlight: Int,
    opened: (SinkRunner) -> Void
  ) throws {
    let plan = compiled.prepared.plan
    let buffer = first.buffer
    source = (buffer.size, buffer.format, buffer.tags)
    let shape = VideoShape(of: first, through: plan, mayTurn: mayTurn)
    notes = shape.notes(for: sinks)
    let format = SinkFormat(
      size: plan.outputSize, framesPerSecond: framesPerSecond, source: buffer.format, sourceTags: buffer.tags,
      sourceSize: buffer.size, isUnedited: compiled.keepsSamples, sampleAspect: shape.sampleAspect,
      fieldOrder: shape.fieldOrder)
    // Pictures for viewing become sRGB.
    let foreign = plan.output.space == .sRGB ? nil : plan.output.space
    var runners: [SinkRunner] = []
    for sink in sinks {
      var own = format
      if sink is any ConstantRateSink, let constantRate { own.framesPerSecond = constantRate }
      let pictures = sink.pictures(of: buffer.format)
      let runner = try SinkRunner(
        sink, policy: policy, format: own, pictures: pictures,
        convertingFrom: pictures == .screen ? foreign : nil, makesPlanes: plan.output.format.isRGBA)
      opened(runner)
      runners.append(runner)
    }
    self.runners = runners
    hasScreen = runners.contains { $0.pictures == .screen }
    wantsPictures = runners.contains { !$0.takesSamples }
    // The pictures being rendered plus one, and for each sink one being written, one waiting, and those that it
    // keeps.
    let count = 1 + max(1, framesInFlight) + runners.reduce(0) { $0 + 2 + $1.heldPictures }
    pictures = try BufferRing(
      count: count, size: plan.outputSize, format: plan.output.format,
      tags: plan.output.format.isRGBA ? plan.output.space.tags : format.videoTags)
    // The samples are allocated even if the current plan changes them, since a later one may not; memory that is
    // never touched costs nothing.
    let wantsSamples = runners.contains(where: \.takesSamples)
    let isFitting = !buffer.format.isRGBA && plan.outputSize == buffer.size
    guard wantsSamples, isFitting else {
      (samples, copier) = (nil, nil)
      return
    }
    samples = try BufferRing(count: count, size: buffer.size, format: buffer.format, tags: buffer.tags)
    copier = SampleCopier(from: buffer.format, to: buffer.format, size: buffer.size)
  }

  /// Returns the format of luma and colour differences that all sinks want of frames of `source`; nil if they differ, so
  /// that frames are rendered to RGBA and each sink's thread converts for itself.
  static func planes(of sinks: [any FrameSink], from source: PixelFormat) -> PixelFormat? {
    guard let first = sinks.first, case .planes(let format) = first.pictures(of: source),
      sinks.allSatisfy({ $0.pictures(of: source) == .planes(format) })
    else { return nil }
    return format
  }

  /// Returns buffers for a frame; nil if sinks hold all of them. Samples are copied at once.
  func take(for frame: Frame, _ compiled: LookCompiler.Compiled) -> Buffers? {
    let keepsSamples = compiled.keepsSamples && isLikeFirst(frame.buffer)
    var buffers = Buffers()
    if keepsSamples, let samples, let copier {
      guard let copy = samples.take() else { return nil }
      buffers.samples = copy
      guard wantsPictures else {
        copier.copy(frame.buffer, into: copy)
        return buffers
      }
    }
    guard let picture = pictures.take() else { return nil }
    buffers.picture = picture
    if let copy = buffers.samples { copier?.copy(frame.buffer, into: copy) }
    return buffers
  }

  private func isLikeFirst(_ buffer: PixelBuffer) -> Bool {
    buffer.size == source.size && buffer.format == source.format && buffer.tags == source.tags
  }

  /// Draws marks over the pictures of a frame.
  func draw(_ marks: [OverlayMark], _ placement: OverlayPlacement, over buffers: Buffers) throws {
    for picture in [buffers.picture, buffers.samples] {
      if let picture { try painter.draw(marks, placement, over: picture) }
    }
  }

  /// Offers every sink the kind of picture it takes.
  func offer(_ buffers: Buffers, of frame: Frame) {
    for runner in runners {
      let own = runner.takesSamples ? buffers.samples ?? buffers.picture : buffers.picture
      guard let picture = own else { continue }
      runner.offer(
        RenderedFrame(
          picture: picture, time: frame.time, sequence: frame.sequence, duration: frame.duration))
    }
  }
}

/// A frame that was submitted to the renderer, with the buffers of its pictures.
struct SubmittedFrame {
  let frame: Frame
  let buffers: LiveOutputs.Buffers
  /// Where places of the frame are in its pictures; nil if nothing is drawn over them.
  let placement: OverlayPlacement?
  let began: Timestamp
}
