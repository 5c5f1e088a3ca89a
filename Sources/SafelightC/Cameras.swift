import CSafelight
import Libc
import Safelight

/// A camera that C holds, with the plan for the frames that it sends.
final class CameraHandle: Handle, @unchecked Sendable {
  override class var name: String { "camera" }

  private let session = CaptureSession()
  private let frames = VideoDataOutput(lateFrames: .discard(keepingNewest: 1))
  private let renderer: RendererHandle
  private let recipe: Recipe
  private let format: SampleFormat
  private let name: String
  private let isFile: Bool
  /// The plan for the latest frame's size and format.
  private var prepared: InterleavedPlan?
  /// The first frame of a file, which has told the size before it was asked for.
  private var waiting: Frame?

  private static let optionNames = ["size", "rate"]

  init(
    _ source: String, through recipe: Recipe, format: SampleFormat, _ given: Options,
    by renderer: RendererHandle
  ) throws {
    (self.renderer, self.recipe, self.format) = (renderer, recipe, format)
    var options = given
    let size = try options.take("size").map { try PixelSize(option: $0, "size") }
    let rate = try options.takeNumber("rate", in: 0.01...1000)
    try options.refuseRest(known: Self.optionNames)
    let origin = try LiveSource(source)
    isFile = origin.isFile
    // Files wait for whoever takes their pictures.
    let input = try origin.makeInput(paced: !isFile, size: size, framesPerSecond: rate)
    name = input.name
    super.init()
    let (session, frames) = (session, frames)
    try Blocking { begun in
      try await session.configure {
        begun()
        try $0.add(input)
        try $0.add(frames)
      }
      try await session.start()
    }.wait()
  }

  deinit { session.stopAndWait() }

  /// The size of results, from the first frame.
  func size(seconds: Double) throws -> PixelSize {
    if let prepared { return prepared.plan.outputSize }
    guard let frame = try take(seconds: seconds) else { throw ended }
    // That of a camera would no longer be fresh.
    if isFile { waiting = frame }
    return try plan(for: frame).plan.outputSize
  }

  /// Renders the next frame; returns false at the end of the source.
  func next(seconds: Double, into result: Image, _ moment: inout safelight_moment) throws -> Bool {
    let frame: Frame
    if let first = waiting {
      (frame, waiting) = (first, nil)
    } else {
      guard let next = try take(seconds: seconds) else {
        moment.dropped = UInt64(clamping: frames.statistics.dropped)
        return false
      }
      frame = next
    }
    let prepared = try plan(for: frame)
    guard result.size == prepared.plan.outputSize, result.format.number == format.number else {
      if isFile { waiting = frame }
      throw SafelightError(
        .invalidValue,
        "The camera's pictures are \(prepared.plan.outputSize) of format \(format.number), the memory is for "
          + "\(result.size) of format \(result.format.number)",
        remedy: "ask the camera for the size first")
    }
    try prepared.render(frame.buffer, into: result.samples)
    moment.nanoseconds = frame.time.nanoseconds
    moment.number = frame.sequence
    moment.dropped = UInt64(clamping: frames.statistics.dropped)
    return true
  }

  /// Waits for a frame; returns nil at the end of the source.
  private func take(seconds: Double) throws -> Frame? {
    if let frame = frames.nextFrame(until: Timestamp.now.advanced(bySeconds: seconds)) { return frame }
    if case .failed(let failure) = session.state { throw failure }
    if frames.isFinished { return nil }
    throw SafelightError(
      .device, "No frame came from \(name) within \(PlainNumber.text(seconds)) s",
      remedy: "check that the source sends pictures, or wait longer")
  }

  private var ended: SafelightError {
    SafelightError(.device, "\(name) ended before its first frame", remedy: "check the source")
  }

  private func plan(for frame: Frame) throws -> InterleavedPlan {
    let input = try frame.planInput
    if let prepared, prepared.plan.input == input { return prepared }
    let plan = try renderer.renderer.plan(
      recipe, input: input, output: PlanOutput(format: format.engine, space: .sRGB), bakes: renderer.bakes)
    let made = try InterleavedPlan(renderer.renderer.prepare(plan))
    prepared = made
    return made
  }
}

@_cdecl("safelight_camera_open")
public func cameraOpen(
  _ renderer: OpaquePointer?, _ source: UnsafePointer<CChar>?, _ recipe: OpaquePointer?, _ format: Int32,
  _ options: UnsafePointer<safelight_option>?, _ count: Int, _ error: FailurePlace
) -> OpaquePointer? {
  attempt(error) {
    let own: RendererHandle = try Pointers.object(renderer)
    let look = try recipe == nil ? Recipe() : Pointers.object(recipe, as: RecipeHandle.self).recipe
    let samples = try SampleFormat(format)
    guard samples.channels > 1 else {
      throw SafelightError(.unsupported, "Pictures of cameras are not grey here", remedy: "ask for RGB")
    }
    return Pointers.owned(
      try CameraHandle(
        Pointers.string(source, "source"), through: look, format: samples, Options(options, count), by: own))
  }
}

/// How long a camera may take to send its first frame, in seconds.
private let patience = 10.0

@_cdecl("safelight_camera_size")
public func cameraSize(
  _ camera: OpaquePointer?, _ width: UnsafeMutablePointer<Int>?, _ height: UnsafeMutablePointer<Int>?,
  _ error: FailurePlace
) -> Bool {
  succeeds(error) {
    let size = try Pointers.object(camera, as: CameraHandle.self).size(seconds: patience)
    width?.pointee = size.width
    height?.pointee = size.height
  }
}

@_cdecl("safelight_camera_next")
public func cameraNext(
  _ camera: OpaquePointer?, _ seconds: Double, _ output: UnsafePointer<safelight_image>?,
  _ moment: UnsafeMutablePointer<safelight_moment>?, _ error: FailurePlace
) -> Bool {
  succeeds(error) {
    guard seconds >= 0, seconds.isFinite else {
      throw SafelightError(.invalidValue, "The time to wait is \(seconds) s", remedy: "give 0 or more")
    }
    guard let moment else {
      throw SafelightError(
        .invalidValue, "There is no place for the moment, which tells the end of the source",
        remedy: "give a safelight_moment")
    }
    var found = safelight_moment()
    let own: CameraHandle = try Pointers.object(camera)
    found.is_end = try !own.next(seconds: min(seconds, 1e6), into: Image(output), &found)
    moment.pointee = found
  }
}

@_cdecl("safelight_camera_destroy")
public func cameraDestroy(_ camera: OpaquePointer?) { Pointers.release(camera, as: CameraHandle.self) }
