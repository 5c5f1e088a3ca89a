import AllocationCounter
import AnalysisTestSupport
import FrameCore
import Libc
import Testing

@testable import FrameAnalysis

@Suite("Following what was detected")
struct MotionTrackTests {
  /// How the camera and the page on the ground move, each from 0 to 1 in a second.
  enum Move: String, CaseIterable, Sendable {
    case still, pan, turn, tilt, shake, page

    func maps(_ t: Double, _ scene: MovingScene) -> (camera: Homography, page: Homography) {
      switch self {
      case .still: (.identity, .identity)
      case .pan: (scene.camera(shift: SIMD2(120 * t, 40 * t)), .identity)
      case .turn: (scene.camera(degrees: 15 * t, scale: 1 + 0.2 * t), .identity)
      case .tilt: (scene.camera(degrees: 5 * t, tilt: SIMD2(0.0003 * t, 0.0002 * t)), .identity)
      case .shake: (scene.camera(shift: SIMD2(12 * sin(t * 60), 9 * cos(t * 47))), .identity)
      case .page: (.identity, scene.camera(shift: SIMD2(80 * t, 20 * t), degrees: 10 * t))
      }
    }
  }

  private static let size = PixelSize(width: 640, height: 480)

  private func outline(_ quad: Quad) -> [NormalizedPoint] {
    (0..<4).map {
      NormalizedPoint(quad[$0].x / Double(Self.size.width), quad[$0].y / Double(Self.size.height))
    }
  }

  private func time(_ frame: Int) -> Timestamp { Timestamp(nanoseconds: Int64(frame) * 33_000_000) }

  /// The farthest that a corner is from where it should be, in diagonals.
  private func error(_ found: [NormalizedPoint], _ truth: Quad) -> Double {
    (0..<4).reduce(0) { worst, index in
      let off =
        SIMD2(found[index].x * Double(Self.size.width), found[index].y * Double(Self.size.height))
        - truth[index]
      return max(worst, (off * off).sum().squareRoot() / 800)
    }
  }

  private func truth(_ maps: (camera: Homography, page: Homography)) -> Quad {
    MovingScene.rest.map { maps.page($0).flatMap { maps.camera($0) } ?? .zero }
  }

  @Test(
    "Outlines follow moves of the camera and of the page to 1 % of the diagonal", arguments: Move.allCases)
  func follows(move: Move) throws {
    let scene = try MovingScene(seed: 1)
    let (track, proxy) = (MotionTrack(), AnalysisProxy())
    var quads: [Quad] = []
    for frame in 0..<30 {
      let maps = move.maps(Double(frame) / 30, scene)
      quads.append(truth(maps))
      try proxy.update(from: try scene.frame(camera: maps.camera, page: maps.page, seed: UInt64(frame)))
      track.update(from: proxy, at: time(frame))
      // What was seen at first, and what a detector saw a tenth of a second ago.
      for seen in [0, max(frame - 3, 0)] {
        let moved = try #require(
          track.moved(outline(quads[seen]), from: time(seen)), "frame \(frame) from \(seen)")
        let off = error(moved, quads[frame])
        #expect(off < (seen == 0 ? 0.01 : 0.003), "frame \(frame) from \(seen): \(off)")
      }
    }
  }

  @Test("A detection keeps what it says, and is as certain as the points agree")
  func detections() throws {
    let scene = try MovingScene(seed: 2)
    let (track, proxy) = (MotionTrack(), AnalysisProxy())
    for frame in 0..<4 {
      let camera = scene.camera(shift: SIMD2(3 * Double(frame), 0))
      try proxy.update(from: try scene.frame(camera: camera))
      track.update(from: proxy, at: time(frame))
    }
    let seen = Detection(
      .code, outline: outline(MovingScene.rest), confidence: 0.8, text: "abc", details: ["symbology": "QR"])
    let moved = try #require(track.moved(seen, from: time(0)))
    #expect(moved.text == "abc" && moved.details == seen.details && moved.kind == .code)
    #expect(moved.confidence > 0.7 && moved.confidence <= 0.8)
    #expect(abs(moved.outline[0].x - seen.outline[0].x - 9.0 / 640) < 0.001)
    // Seen on the newest frame, it is where it is.
    #expect(track.moved(seen, from: time(3)) == seen)
    // Between two frames, the earlier one counts.
    let between = try #require(track.moved(seen, from: time(0).advanced(bySeconds: 0.01)))
    #expect(between == moved)
  }

  @Test("What was seen before the frames that are remembered, or on a cut, is not moved anywhere")
  func forgets() throws {
    let scene = try MovingScene(seed: 3)
    let (track, proxy) = (MotionTrack(), AnalysisProxy())
    #expect(track.moved(outline(MovingScene.rest), from: time(0)) == nil)
    let picture = try scene.frame(camera: .identity)
    for frame in 1..<40 {
      try proxy.update(from: picture)
      track.update(from: proxy, at: time(frame))
    }
    #expect(track.moved(outline(MovingScene.rest), from: time(0)) == nil)
    #expect(track.moved(outline(MovingScene.rest), from: time(39 - MotionTrack.mostFrames)) == nil)
    #expect(track.moved(outline(MovingScene.rest), from: time(20)) != nil)
    // A cut to black.
    try proxy.update(from: try Pictures.gray8(Self.size.width, Self.size.height) { _, _ in 0 })
    track.update(from: proxy, at: time(40))
    #expect(track.moved(outline(MovingScene.rest), from: time(39)) == nil)
  }

  @Test("Frames without anything, tiny ones and old ones do no harm")
  func unusual() throws {
    let (track, proxy) = (MotionTrack(), AnalysisProxy())
    for (frame, size) in [(1, 1), (640, 480), (640, 480), (20, 300), (60, 60), (60, 60)].enumerated() {
      try proxy.update(from: try Pictures.gray8(size.0, size.1) { _, _ in 77 })
      track.update(from: proxy, at: time(frame))
      #expect(track.pointCount == 0)
      #expect(track.moved(outline(MovingScene.rest), from: time(0)) == nil)
    }
    let scene = try MovingScene(seed: 3)
    try proxy.update(from: try scene.frame(camera: .identity))
    track.update(from: proxy, at: time(10))
    let count = track.pointCount
    #expect(count > 20)
    try proxy.update(from: try Scenes.clouds(seed: 5))
    track.update(from: proxy, at: time(10))
    track.update(from: proxy, at: time(9))
    #expect(track.pointCount == count)
  }

  @Test(
    "Following allocates nothing after the first frames", .enabled(if: AnalysisAllocationTests.counterWorks))
  func allocations() throws {
    let scene = try MovingScene(seed: 4)
    let track = MotionTrack()
    let proxies = try (0..<4).map { frame in
      let proxy = AnalysisProxy()
      try proxy.update(from: try scene.frame(camera: scene.camera(shift: SIMD2(Double(frame) * 2, 0))))
      return proxy
    }
    for frame in 0..<4 { track.update(from: proxies[frame], at: time(frame)) }
    let before = allocation_counter_of_this_thread()
    for frame in 4..<12 { track.update(from: proxies[frame % 4], at: time(frame)) }
    #expect(allocation_counter_of_this_thread() == before)
  }
}
