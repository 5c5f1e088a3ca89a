import AnalysisTestSupport
import Libc
import Safelight
import Testing

@testable import FrameAnalysis
@testable import LiveVideo

@Suite("Following detections through live frames") struct DetectionHubTests {
  /// How the camera and the page move, at a time in seconds.
  enum Move: String, CaseIterable, Sendable {
    /// A camera held by hand that looks around.
    case camera
    /// The page is moved by hand before a camera that stands still.
    case page
    /// Away from the page, and back.
    case zoom

    func maps(_ t: Double, _ scene: MovingScene) -> (camera: Homography, page: Homography) {
      let (a, b) = (sin(2 * .pi * 1.7 * t), sin(2 * .pi * 1.1 * t + 1))
      switch self {
      case .camera: return (scene.camera(shift: SIMD2(40 * a, 30 * b), degrees: 3 * b), .identity)
      case .page: return (.identity, scene.camera(shift: SIMD2(50 * a, 35 * b), degrees: 4 * a))
      case .zoom: return (scene.camera(shift: SIMD2(15 * b, 0), scale: 1 + 0.2 * a), .identity)
      }
    }
  }

  private static let size = PixelSize(width: 640, height: 480)
  private static let framesPerSecond = 60.0
  /// A page is looked for in every eighth frame, and known six frames later.
  private static let (lookEvery, late) = (8, 6)

  /// Follows a page through frames; returns how far the farthest corner is from its place in each, in diagonals.
  ///
  /// - Parameters:
  ///   - lag: by how many frames following is behind when a frame is drawn; nil does not follow.
  private func errors(_ move: Move, lag: Int?) throws -> [Double] {
    let scene = try MovingScene(seed: 1, size: Self.size)
    let detector = try LiveDetector(.document) { DocumentDetector() }
    let hub = DetectionHub([detector], zones: []) { _ in }
    let (looking, following) = (AnalysisProxy(), AnalysisProxy())
    var frames: [Frame] = []
    return try (0..<100).compactMap { number in
      let seconds = Double(number) / Self.framesPerSecond
      let maps = move.maps(seconds, scene)
      frames.append(
        Frame(
          buffer: try scene.frame(camera: maps.camera, page: maps.page, seed: UInt64(number)),
          time: Timestamp(nanoseconds: 0).advanced(bySeconds: seconds), sequence: UInt64(number)))
      if let lag, number >= lag { try hub.follow(frames[number - lag], following) }
      let looked = number - Self.late
      if looked >= 0, looked.isMultiple(of: Self.lookEvery) {
        try looking.update(from: frames[looked])
        try hub.look(detector, in: looking, of: frames[looked])
      }
      // Three looks give something its identity and its flow.
      guard number >= 3 * Self.lookEvery else { return nil }
      let tracks = hub.tracks(at: frames[number].time)
      #expect(tracks.count == 1 && tracks[0].id == 1, "frame \(number): \(tracks.map(\.id))")
      let outline = try #require(tracks.first?.detection.outline)
      let truth = MovingScene.rest.map { maps.page($0).flatMap { maps.camera($0) } ?? .zero }
      return error(outline, truth)
    }
  }

  private func error(_ outline: [NormalizedPoint], _ truth: Quad) -> Double {
    let (width, height) = (Double(Self.size.width), Double(Self.size.height))
    // Outlines begin at the corner nearest to the top left, which may be another one of the page.
    return (0..<4).map { turn in
      (0..<4).map { index in
        let point = outline[(index + turn) & 3]
        return hypot(point.x * width - truth[index].x, point.y * height - truth[index].y)
          / hypot(width, height)
      }.max() ?? .infinity
    }.min() ?? .infinity
  }

  @Test(
    "An outline stays on its page in every frame between late looks, to 1 % of the diagonal",
    arguments: Move.allCases)
  func sticks(_ move: Move) throws {
    let errors = try errors(move, lag: 0)
    #expect(errors.count == 76 && errors.allSatisfy { $0 < 0.01 }, "\(errors.max() ?? 0)")
    // Also where following is a frame behind, as on a busy machine.
    let behind = try self.errors(move, lag: 1)
    #expect(behind.allSatisfy { $0 < 0.01 }, "a frame behind: \(behind.max() ?? 0)")
  }

  @Test("Without following it would not", arguments: Move.allCases)
  func drifts(_ move: Move) throws {
    let errors = try errors(move, lag: nil)
    #expect(errors.count { $0 > 0.01 } > errors.count / 4, "\(errors)")
  }

  @Test("Nothing is followed while nothing is there, and what moves by itself is not")
  func idle() throws {
    let scene = try MovingScene(seed: 2, size: Self.size)
    let detector = try LiveDetector(.motion) { DocumentDetector() }
    let hub = DetectionHub([detector], zones: []) { _ in }
    let proxy = AnalysisProxy()
    try hub.follow(Frame(buffer: scene.frame(camera: .identity)), proxy)
    #expect(proxy.size == PixelSize(width: 0, height: 0))
  }
}
