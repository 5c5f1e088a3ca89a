import FrameCore
import Libc
import Synchronization
import TestSupport
import Testing

@testable import Capture

/// A camera whose pictures are as bright as its exposure makes them, two frames after it was set.
private final class ExposedCamera: ControlDriver, @unchecked Sendable {
  let name = "Cam"
  /// Held for each access to the driver.
  private let driver: Monitor<SimulatedCamera>
  private var queue: [Int64] = []
  private var sequence: UInt64 = 0

  /// - Parameter time: of the exposure that automatic exposure has found, in units of 100 µs.
  init() { driver = Monitor(SimulatedCamera(SimulatedCamera.webcamControls)) }

  func controls() throws -> [DeviceControl] { try driver.read { try $0.controls() } }
  func control(_ id: UInt32) throws -> DeviceControl? { try driver.read { try $0.control(id) } }
  func write(_ value: Int64, to control: DeviceControl) -> Int32 {
    driver.update { $0.write(value, to: control) }
  }
  func check(_ status: Int32) throws { try driver.read { try $0.check(status) } }

  var values: [UInt32: Int64] { driver.read { $0.values } }
  /// From now on every access fails.
  func unplug() { driver.update { $0.failsAfter = 0 } }

  /// The luma of an exposure: 100 at the automatic one.
  static func luma(_ time: Int64) -> UInt8 { UInt8(min(255, 100 * pow(Double(time) / 156, 1 / 2.2))) }

  func nextFrame() throws -> Frame {
    let values = values
    queue.append(values[ControlID.autoExposure] == 3 ? 156 : values[ControlID.exposureTime] ?? 156)
    if queue.count > 3 { queue.removeFirst() }
    let buffer = try PixelBuffer(size: PixelSize(width: 64, height: 48), format: .gray8)
    let plane = buffer.planes[0]
    memset(plane.base, Int32(Self.luma(queue[0])), plane.rowBytes * plane.rows)
    sequence += 1
    return Frame(buffer: buffer, time: .now, sequence: sequence)
  }
}

/// What a photo is in these tests: the first sample of each of its frames, and its exposures.
private struct Levels: Sendable {
  var levels: [UInt8]
  var exposures: [BracketedExposure]
  var lag: ZeroShutterLag
  var burst: BurstPosition?
}

private func makeOutput() -> PhotoOutput<Levels> {
  PhotoOutput(memory: 1 << 20) { captured, _ in
    Levels(
      levels: try captured.frames.map { try $0.samples().row(0, of: 0, as: UInt8.self)[0] },
      exposures: captured.exposures, lag: captured.settings.zeroShutterLag, burst: captured.settings.burst)
  }
}

extension PhotoOutput {
  /// Passes frames on until `condition` holds.
  fileprivate func feed(_ camera: ExposedCamera, until condition: () -> Bool) throws {
    while !condition() {
      accept(try camera.nextFrame())
      usleep(1000)
    }
  }

  fileprivate func bracket(
    _ stops: [Double], _ camera: ExposedCamera, isFused: Bool = false,
    onEvent: (@Sendable (PhotoEvent<Photo>) -> Void)? = nil
  ) throws -> PhotoBracket<Photo> {
    let bracket = try ExposureBracket(stops)
    return try captureBracket(
      bracket, isFused: isFused, PhotoSettings(), pressedAt: .now, onEvent: onEvent
    ) { try BracketCamera(bracket, camera) }
  }
}

@Suite("Brackets", .timeLimit(.minutes(1)))
struct PhotoBracketTests {
  private let camera = ExposedCamera()
  private let output = makeOutput()

  init() throws {
    try output.attach(to: ObjectIdentifier(output))
    output.open()
    try output.feed(camera) { output.readiness == .ready }
  }

  /// The levels that exposures show.
  private func levels(_ times: Int64...) -> [UInt8] { times.map(ExposedCamera.luma) }

  @Test("Kept apart, are photos of one burst that show their exposures, and the controls are back")
  func apart() async throws {
    let before = camera.values
    let bracket = try output.bracket([-2, 0, 2], camera)
    #expect(output.readiness == .notReadyWaitingForCapture)
    try output.feed(camera) { bracket.hasEnded }
    let photos = try await bracket.photos()
    #expect(photos.flatMap(\.levels) == levels(39, 156, 624))
    #expect(photos.map { $0.exposures.map(\.stops) } == [[-2], [0], [2]])
    #expect(photos.compactMap { $0.exposures[0].values.exposureSeconds } == [0.0039, 0.0156, 0.0624])
    #expect(photos.allSatisfy { $0.exposures[0].brightness == .settled && $0.exposures[0].warning == nil })
    #expect(photos.allSatisfy { $0.lag == .doesNotApply(.bracket) })
    #expect(photos.map(\.burst?.index) == [0, 1, 2])
    #expect(Set(photos.map(\.burst?.id)).count == 1)
    #expect(camera.values[ControlID.autoExposure] == before[ControlID.autoExposure])
    #expect(camera.values[ControlID.gain] == before[ControlID.gain])
    #expect(bracket.failure == nil && bracket.controlsProblem == nil)
    // No frame of the bracket becomes a photo of a later press.
    #expect(output.readiness == .notReadyMomentarily)
    try output.feed(camera) { output.readiness == .ready }
    let photo = try await output.capture(PhotoSettings(qualityPrioritization: .speed)).photo()
    #expect(photo.levels == levels(156) && photo.exposures.isEmpty)
  }

  @Test("Fused, are one photo of all exposures, with the events of one")
  func fused() async throws {
    let events = Mutex<[String]>([])
    let bracket = try output.bracket([2, 0, -2], camera, isFused: true) { event in
      let name = "\(event)".prefix { $0 != "(" }
      events.withLock { $0.append(String(name)) }
    }
    try output.feed(camera) { bracket.hasEnded }
    let photos = try await bracket.photos()
    #expect(photos.count == 1)
    #expect(photos.first?.levels == levels(624, 156, 39))
    #expect(photos.first?.exposures.map(\.askedStops) == [2, 0, -2])
    while events.withLock({ $0.count }) < 4 { usleep(1000) }
    #expect(events.withLock { $0 } == ["willBegin", "willCapture", "didCapture", "finished"])
  }

  @Test(
    "Of a camera that is unplugged between exposures, keep what was taken, and say so",
    arguments: [false, true])
  func unplugged(isFused: Bool) async throws {
    let bracket = try output.bracket([-2, 0, 2], camera, isFused: isFused)
    try output.feed(camera) { bracket.exposures.count == 1 || bracket.hasEnded }
    camera.unplug()
    try output.feed(camera) { bracket.hasEnded }
    #expect(bracket.exposures.map(\.askedStops).first == -2)
    let failure = try #require(bracket.failure)
    #expect(failure.problem.hasPrefix("The bracket has "), "\(failure)")
    #expect(failure.problem.contains("−2 EV") && failure.problem.contains("errno 5"), "\(failure)")
    #expect(bracket.controlsProblem?.problem.contains("auto_exposure") == true)
    await #expect(throws: SafelightError.self) { try await bracket.photos() }
    if !isFused { #expect(try await bracket.captures.first?.photo().levels == levels(39)) }
  }

  @Test("That are given up put the controls back, and each photo that began ends", arguments: [false, true])
  func cancelled(isFused: Bool) async throws {
    let bracket = try output.bracket([-2, 0, 2], camera, isFused: isFused)
    try output.feed(camera) { !bracket.exposures.isEmpty }
    bracket.cancel()
    try output.feed(camera) { bracket.hasEnded }
    #expect(bracket.captures.allSatisfy { $0.hasEnded })
    #expect(camera.values[ControlID.autoExposure] == 3)
    if bracket.exposures.count < 3 {
      #expect(bracket.failure?.problem.hasSuffix(": it was given up") == true)
    }
  }

  @Test("End with the session, also fused", arguments: [false, true])
  func closed(isFused: Bool) async throws {
    let bracket = try output.bracket([-2, 0, 2], camera, isFused: isFused)
    output.close()
    while !bracket.hasEnded { usleep(1000) }
    #expect(bracket.failure?.problem == "The bracket has 0 of 3 exposures: the capture ended")
    #expect(bracket.captures.count == (isFused ? 1 : 0))
    #expect(camera.values[ControlID.autoExposure] == 3)
    #expect(throws: SafelightError.self) { try output.bracket([-2, 0], camera) }
  }

  @Test("Come one at a time, and what the camera cannot do is refused before anything is set")
  func refusals() async throws {
    let bracket = try output.bracket([-1, 1], camera)
    do {
      _ = try output.bracket([-1, 1], camera)
      Issue.record("a second bracket began")
    } catch {
      #expect("\(error)" == "Another bracket is being taken; wait until it has ended.")
    }
    try output.feed(camera) { bracket.hasEnded }
    #expect(try await bracket.photos().count == 2)
    try camera.check(camera.write(1, to: try #require(try camera.control(ControlID.autoExposure))))
    try camera.check(camera.write(9000, to: try #require(try camera.control(ControlID.exposureTime))))
    let before = camera.values
    #expect(throws: SafelightError.self) { try output.bracket([0, 2], camera) }
    #expect(camera.values == before)
    #expect(output.readiness != .notReadyWaitingForCapture)
  }

  @Test("Whose frames do not fit into memory are given up, fused")
  func memory() async throws {
    // Frames of 3 kB: two fit.
    let small = PhotoOutput<Int>(memory: 7000) { captured, _ in captured.frames.count }
    try small.attach(to: ObjectIdentifier(small))
    small.open()
    try small.feed(camera) { small.readiness == .ready }
    let bracket = try small.bracket([-2, -1, 0, 1, 2], camera, isFused: true)
    try small.feed(camera) { bracket.hasEnded }
    #expect(bracket.failure?.code == .noMemory)
    #expect(
      bracket.failure?.problem.contains("(−2 EV, −1 EV)") == true, "\(String(describing: bracket.failure))")
    #expect(camera.values[ControlID.autoExposure] == 3)
  }
}
