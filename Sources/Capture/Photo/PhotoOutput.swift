import FrameCore

/// Takes photos from a session's frames, at the moment of the press.
///
///     let output = PhotoOutput { captured, _ in try save(captured.referenceFrame) }
///     try await session.configure { try $0.add(output) }
///     …
///     let photo = try await output.capture().photo()
///
/// The output keeps copies of the newest frames, so that a photo shows the moment of the press although the press
/// arrives later, and several frames around it can be chosen from or merged (`PhotoQualityPrioritization`). Of
/// Motion JPEG and of mosaics it keeps the camera's own bytes.
///
/// A photo goes through the events of `PhotoEvent`. Its frames are processed by the closure given to `init`, on
/// threads of the output's own. Each capture ends in exactly one of `finished` and `failed`, also if the camera is
/// unplugged or the session stops.
public final class PhotoOutput<Photo: Sendable>: CaptureOutput {
  /// Makes a photo of captured frames, and may tell of a thumbnail and, if the photo is deferred, of a proxy before.
  public typealias Process =
    @Sendable (_ captured: CapturedPhoto, _ updates: PhotoUpdates<Photo>) throws -> Photo

  public var purpose: OutputPurpose { .data }
  public var takesEncodedPictures: Bool { true }

  private let spool: PhotoSpool?
  let desk: PhotoDesk<Photo>
  let watch = BracketWatch()
  private let kept: Monitor<PhotoFrameStore>
  private let threads: Int
  private let process: Process

  /// - Parameters:
  ///   - memory: the most bytes that frames are kept in: those of the last half second, at least nine, and those of
  ///     photos that are not processed yet. One frame is always kept.
  ///   - spool: where frames are kept that photos wait for and memory has no room for, as in long bursts; nil loses
  ///     them.
  ///   - isResponsive: whether readiness invites a photo while an earlier one is processed. Photos that are asked for
  ///     all the same are taken as long as there is memory.
  ///   - prioritizesFastCapture: whether rapid presses lower the quality, so that their photos are processed as fast
  ///     as they are taken.
  ///   - threads: the number of photos processed at the same time.
  ///   - yieldsToLivePictures: whether these threads wait for others of the process that want to run, such as those
  ///     that show the frames.
  ///   - cameraValues: reads the camera's values, for `CapturedPhoto.cameraValues`; called as a photo or a burst is
  ///     asked for, on a thread of its own.
  ///   - process: makes a photo of captured frames.
  public init(
    memory: Int = 128 << 20, spool: PhotoSpool? = nil, isResponsive: Bool = true,
    prioritizesFastCapture: Bool = false, threads: Int = 1, yieldsToLivePictures: Bool = true,
    cameraValues: (@Sendable () -> CameraValues?)? = nil, process: @escaping Process
  ) {
    desk = PhotoDesk(
      PhotoOutputStateMachine(isResponsive: isResponsive, prioritizesFastCapture: prioritizesFastCapture),
      yieldsToLivePictures: yieldsToLivePictures, values: cameraValues.map(CameraValueReader.init))
    kept = Monitor(PhotoFrameStore(limit: memory))
    self.spool = spool
    self.threads = max(1, threads)
    self.process = process
  }

  deinit { desk.stop() }

  // MARK: Taking photos

  /// Whether a photo asked for now would be captured at once. Always current: it changes before the calls that
  /// change it return.
  public var readiness: PhotoReadiness { desk.readiness }

  /// The present readiness and its changes.
  public var readinesses: AsyncStream<PhotoReadiness> { desk.readinesses }

  /// Announces a press, which readiness then reflects: for shutter buttons that prepare something first. `capture`
  /// with the same settings, or `stopTracking`, ends it.
  public func startTracking(_ settings: PhotoSettings) { desk.track(settings.id) }

  public func stopTracking(_ settings: PhotoSettings) { desk.untrack(settings.id) }

  /// Takes a photo of the moment `pressedAt`.
  ///
  /// Returns at once. The first two events come before it returns, on the caller's thread; the others on threads of
  /// the output's own.
  ///
  /// - Parameters:
  ///   - pressedAt: on CLOCK_MONOTONIC; the frame nearest to it is taken, from the past too.
  ///   - onEvent: called for each event, in order.
  /// - Throws: `SafelightError` if the session is not running, or if `pressedAt` is more than a second ahead or an hour ago.
  public func capture(
    _ settings: PhotoSettings = PhotoSettings(), pressedAt: Timestamp = .now,
    onEvent: (@Sendable (PhotoEvent<Photo>) -> Void)? = nil
  ) throws -> PhotoCapture<Photo> {
    try desk.capture(settings, pressedAt: pressedAt, burst: nil, onEvent: onEvent)
  }

  /// Takes photos of `count` successive frames, the first nearest to the press. Each is made of one frame.
  ///
  /// - Parameter count: a large number lasts until `PhotoBurst.stop()`.
  /// - Throws: as `capture`.
  public func captureBurst(
    of count: Int, _ settings: PhotoSettings = PhotoSettings(), pressedAt: Timestamp = .now,
    onEvent: (@Sendable (PhotoEvent<Photo>) -> Void)? = nil
  ) throws -> PhotoBurst<Photo> {
    guard count > 0 else {
      throw SafelightError(.invalidValue, "A burst of \(count) photos has none", remedy: "give at least 1")
    }
    let burst = PhotoBurst<Photo>(count: count)
    var settings = settings
    settings.qualityPrioritization = .speed
    _ = try desk.capture(settings, pressedAt: pressedAt, burst: burst, onEvent: onEvent)
    return burst
  }

  /// Gives up a photo that is not captured yet; it fails. One that is captured is finished. Brackets are given up by
  /// `PhotoBracket.cancel`.
  public func cancel(_ capture: PhotoCapture<Photo>) { desk.cancel(capture.settings.id) }

  /// The number of frames that could not be kept, because photos in work held all memory.
  public var framesNotKept: Int { desk.framesNotKept }

  /// The bytes of memory that kept frames occupy.
  package var keptBytes: Int { kept.read { $0.bytes } }

  // MARK: The session's side

  public func attach(to session: ObjectIdentifier) throws {
    try desk.attach(to: session)
    do {
      try desk.start(threads: threads, process)
    } catch {
      desk.detach(from: session)
      throw error
    }
  }

  public func detach(from session: ObjectIdentifier) { desk.detach(from: session) }

  public func open() { desk.open() }

  public func close() {
    watch.closed()
    desk.close()
    kept.update { $0.release() }
  }

  public func accept(_ frame: Frame) {
    let (place, isOnly) = kept.update { store -> (PhotoFrame.Place?, Bool) in
      while true {
        // Without system memory the frame is one that is not kept.
        if let content = try? store.copy(frame) { return (.memory(content), store.holdsOne(frame)) }
        // Older frames may be those that the burst takes next.
        if let content = spooled(frame) { return (.disk(content), false) }
        guard desk.makeRoom() else { return (nil, false) }
      }
    }
    guard let place else {
      watch.frameNotKept()
      return desk.countFrameNotKept()
    }
    desk.captured(PhotoFrame(frame, at: place), isOnly: isOnly)
    watch.frame(frame)
  }

  /// Returns a copy of the frame on the disk, if photos wait for frames; nil if there is no room either.
  private func spooled(_ frame: Frame) -> SpooledContent? {
    guard let spool, desk.awaitsFrames else { return nil }
    return try? spool.write(frame)
  }

  public func sourceDropped(first: DroppedFrame, count: Int) {}

  /// False: frames are copied.
  public var holdsFrames: Bool { false }

  /// True: an unpaced source need not wait for photos.
  public func waitForRoom(until deadline: Timestamp) -> Bool { true }
}
