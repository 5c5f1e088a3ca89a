import FrameCore

/// The course of a bracket: sets an exposure, waits until it shows, takes a frame, and in the end puts the controls
/// back, whatever happens. A state machine without clock, lock or thread.
///
/// Its methods are the events, in the order in which they happen; they return what to do. Every bracket that begins
/// comes to `putBack` once, and then to `end`.
struct BracketStateMachine {
  typealias Brightness = BracketedExposure.Brightness

  enum Action: Hashable {
    /// Set the exposure with this index; answered by `exposureSet` or `refused`.
    case set(Int)
    /// Take the frame of this time, on the source's clock, or the next one; answered by `captured` or `refused`.
    case take(Int, at: Timestamp, Brightness)
    /// Answered by `wasPutBack`.
    case putBack
    case end
  }

  /// An exposure to come.
  struct Exposure: Hashable {
    var stops: Double
    /// The exposure time; nil if it is the camera's choice.
    var seconds: Double?
  }

  private enum Phase {
    case waiting
    /// The brightness before is measured.
    case metering
    case setting(Int)
    case settling(Int, ExposureSettling)
    case taking(Int)
    case puttingBack
    /// The former exposure comes back.
    case recovering(ExposureSettling)
    case ended
  }

  /// How long, in nanoseconds, a frame is waited for; slow streams get `patientIntervals` instead.
  static let patience: Int64 = 1_000_000_000
  static let patientIntervals: Int64 = 10
  /// The frames that a long exposure delays at most: those under way, and its own.
  static let delayedFrames = 4.0
  /// The largest difference of mean luma at 0 EV from before.
  static let largestDifference = 0.1

  private let exposures: [Exposure]
  private let limit: Double
  private var phase = Phase.waiting
  private var clock = FrameClock()
  private var lastTime: Timestamp?
  private var interval: Int64 = 0
  /// The mean luma of the last frame, and of the first.
  private var luma: Double?
  private var lumaBefore: Double?
  /// The exposure that the camera has, in stops.
  private var stops = 0.0
  /// When frames are no longer waited for.
  private(set) var deadline: Timestamp?
  private var problem: SafelightError?
  /// The number of exposures that were taken.
  private(set) var taken = 0

  /// - Parameter limit: how long, in seconds, the brightness may take to settle.
  init(_ exposures: [Exposure], limit: Double) {
    (self.exposures, self.limit) = (exposures, limit)
  }

  /// What ended the bracket before its time.
  var failure: SafelightError? { taken < exposures.count ? problem : nil }

  // MARK: The photographer's and the session's events

  mutating func begin(now: Timestamp) -> [Action] {
    guard case .waiting = phase else { return [] }
    guard problem == nil else { return putBack() }
    phase = .metering
    expectFrame(from: now)
    return []
  }

  /// The photographer gives up what is not taken yet.
  mutating func cancel() -> [Action] {
    stop(SafelightError(.device, "it was given up", remedy: "take it again"))
  }

  /// No more frames come.
  mutating func closed() -> [Action] {
    stop(SafelightError(.device, "the capture ended", remedy: "take it again"))
  }

  /// A frame found no memory, and none will be free before the bracket has ended.
  mutating func memoryIsShort() -> [Action] {
    stop(
      SafelightError(
        .noMemory, "its frames do not fit into the memory for photos",
        remedy: "take fewer exposures, or a smaller size"))
  }

  /// A frame was kept.
  mutating func frame(meanLuma: Double, at time: Timestamp, now: Timestamp) -> [Action] {
    clock.frame(time, arrivedAt: now)
    if let lastTime, time > lastTime {
      let passed = time.nanoseconds - lastTime.nanoseconds
      interval = interval == 0 ? passed : min(interval, passed)
    }
    lastTime = time
    luma = meanLuma
    switch phase {
    case .waiting, .setting, .taking, .puttingBack, .ended: return []
    case .metering:
      lumaBefore = meanLuma
      return set(0)
    case .settling(let index, var settling):
      expectFrame(from: now, of: exposures[index])
      let brightness = settling.frame(meanLuma: meanLuma, at: time)
      phase = .settling(index, settling)
      guard let brightness else { return [] }
      (phase, deadline) = (.taking(index), nil)
      return [.take(index, at: time, checked(brightness, index))]
    case .recovering(var settling):
      expectFrame(from: now)
      guard settling.frame(meanLuma: meanLuma, at: time) == nil else { return end() }
      phase = .recovering(settling)
      return []
    }
  }

  /// When `timePassed` is to be called at the latest: `deadline`.
  mutating func timePassed(now: Timestamp) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    if case .recovering = phase { return end() }
    return stop(
      SafelightError(
        .device, "no more frames came", remedy: "check that the camera is connected, and take it again"))
  }

  // MARK: Answers

  mutating func exposureSet(now: Timestamp) -> [Action] {
    guard case .setting(let index) = phase else { return [] }
    if problem != nil { return putBack() }
    let exposure = exposures[index]
    phase = .settling(
      index,
      ExposureSettling(
        from: luma, by: exposure.stops - stops, since: clock.sourceTime(of: now), limit: limit))
    stops = exposure.stops
    expectFrame(from: now, of: exposure)
    return []
  }

  /// The frame of an exposure was captured; nothing of it is needed any more.
  mutating func captured(_ index: Int) -> [Action] {
    guard case .taking(index) = phase else { return [] }
    taken += 1
    return problem == nil && index + 1 < exposures.count ? set(index + 1) : putBack()
  }

  /// An exposure could not be set, or its frame not be taken.
  mutating func refused(_ index: Int, _ error: SafelightError) -> [Action] {
    switch phase {
    case .setting(index), .taking(index):
      problem = problem ?? error
      return putBack()
    default: return []
    }
  }

  mutating func wasPutBack(isComplete: Bool, now: Timestamp) -> [Action] {
    guard case .puttingBack = phase else { return [] }
    // Without frames there is nothing to wait for.
    guard isComplete, problem == nil, let luma else { return end() }
    phase = .recovering(
      ExposureSettling(from: luma, by: -stops, since: clock.sourceTime(of: now), limit: limit))
    expectFrame(from: now)
    return []
  }

  // MARK: Steps

  private mutating func set(_ index: Int) -> [Action] {
    (phase, deadline) = (.setting(index), nil)
    return [.set(index)]
  }

  private mutating func putBack() -> [Action] {
    (phase, deadline) = (.puttingBack, nil)
    return [.putBack]
  }

  private mutating func end() -> [Action] {
    (phase, deadline) = (.ended, nil)
    return [.end]
  }

  private mutating func stop(_ error: SafelightError) -> [Action] {
    switch phase {
    case .metering, .settling:
      problem = problem ?? error
      return putBack()
    case .waiting, .setting, .taking:
      // Their answers come, and lead to `putBack`; of the last exposure nothing is missing.
      problem = problem ?? error
      return []
    case .recovering: return end()
    case .puttingBack, .ended: return []
    }
  }

  private mutating func expectFrame(from now: Timestamp, of exposure: Exposure? = nil) {
    deadline = now.advanced(by: max(Self.patience, Self.patientIntervals * interval))
      .advanced(bySeconds: Self.delayedFrames * (exposure?.seconds ?? 0))
  }

  private func checked(_ brightness: Brightness, _ index: Int) -> Brightness {
    let exposure = exposures[index]
    guard brightness == .settled, exposure.stops == 0, exposure.seconds != nil, let luma, let lumaBefore,
      abs(luma - lumaBefore) > Self.largestDifference
    else { return brightness }
    return .unlikeBefore
  }
}
