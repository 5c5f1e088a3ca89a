import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("The studio's camera")
struct StudioCameraTests {
  @Test("is told of at first, opens, and sends frames with their times")
  func opening() throws {
    let visit = try CameraVisit()
    let welcome = try #require(visit.peer.next("welcome"))
    guard case .array(let cameras)? = welcome.fields["cameras"] else { throw Problem.missing }
    #expect(
      cameras.count == 1 && welcome.text("start") == "camera" && welcome.text("cameraFolder") == "shots")
    visit.open()
    let running = try #require(visit.peer.next("camera") { $0.text("state") == "running" })
    #expect(running.text("name") == "Test camera" && running.number("framesPerSecond") == 30)
    #expect(running.number("width") == 320 && running.number("height") == 240)
    let photo = try #require(visit.peer.next("photo"))
    #expect(photo.text("photo") == "camera" && photo.number("undo") == 0)
    let frame = try #require(visit.frame())
    #expect(frame.text("photo") == "camera" && !frame.isFinal && frame.text("kind") == "edited")
    #expect(frame.size("full") == CameraVisit.size)
    #expect(frame.size("picture") == PixelSize(width: 160, height: 120))
    #expect(frame.payload.starts(with: [0xff, 0xd8]) && frame.number("age") ?? -1 > 0)
    #expect(frame.object("histogram")["lightness"] != nil)
    let later = try #require(visit.frame { $0.number("sequence") ?? 0 > frame.number("sequence") ?? 0 })
    #expect(later.number("captured") ?? 0 > frame.number("captured") ?? 0)
  }

  @Test("sends a page that draws nothing two frames, then the newest, and counts what it missed")
  func credit() throws {
    let visit = try CameraVisit()
    visit.open()
    _ = visit.peer.next("frame")
    // Once a second.
    let report = try #require(visit.peer.next("live"))
    let frames = visit.peer.all.filter { $0.type == "frame" }
    #expect(frames.count == 2)
    #expect(report.number("captured") ?? 0 > 5)
    let second = try #require(visit.peer.next("live", after: visit.peer.all.count))
    guard case .number(let missed)? = second.object("dropped")["page"] else { throw Problem.missing }
    #expect(missed > 5 && second.number("fps") == 0)
    visit.draw(frames[1])
    let next = try #require(
      visit.peer.next("frame") { $0.number("frame") ?? 0 > frames[1].number("frame") ?? 0 })
    #expect(next.number("sequence") ?? 0 > (frames[1].number("sequence") ?? 0) + 5)
  }

  @Test("shows the look as the engine renders it, exactly, and the frame's original beside it")
  func pixels() throws {
    let visit = try CameraVisit()
    visit.open()
    visit.ask("assist", #""compare": "split""#)
    visit.edit(#"{"values": {"exposure": 0.7, "crop": "1:1"}}"#, input: 3)
    let edited = try #require(
      visit.frame {
        $0.number("input") == 3 && $0.text("kind") == "edited"
          && $0.size("full") == PixelSize(width: 240, height: 240)
      })
    let sequence = try #require(edited.number("sequence"))
    let original = try #require(
      visit.peer.all.first { $0.text("kind") == "original" && $0.number("sequence") == sequence })
    let scene = try Self.frame(Int(sequence))
    let square = Recipe { Crop(.square) }
    for (frame, recipe) in [(edited, Recipe { Exposure(stops: 0.7) }.then(square)), (original, square)] {
      let renderer = CPURenderer()
      let plan = try renderer.plan(
        recipe, input: scene.planInput, output: PlanOutput(maximumSize: PixelSize(width: 120, height: 120)))
      let picture = try renderer.render(scene.buffer, through: plan)
      #expect(try StripeEncoder().encode(picture, .moving).map(\.bytes) == frame.stripes)
    }
  }

  /// The frame of the simulated camera that has a number.
  private static func frame(_ number: Int) throws -> Frame {
    let stream = try SyntheticInput(size: CameraVisit.size, framesPerSecond: 30, paced: false).openStream(
      StreamRequest())
    defer { stream.close() }
    while true {
      if case .frame(let frame) = try stream.next(until: .now.advanced(bySeconds: 10)),
        frame.sequence == UInt64(number)
      {
        return frame
      }
    }
  }

  @Test("enlarges the middle")
  func zooming() throws {
    let visit = try CameraVisit()
    visit.open()
    visit.ask("zoom", #""factor": 2"#)
    #expect(visit.frame { $0.size("full") == PixelSize(width: 160, height: 120) } != nil)
    visit.edit(#"{"values": {"crop": "1:1"}}"#, input: 1)
    #expect(visit.frame { $0.size("full") == PixelSize(width: 120, height: 120) } != nil)
  }

  @Test("keeps its edit's history for all pages")
  func history() throws {
    let visit = try CameraVisit()
    let other = RecordedPeer(id: 2)
    visit.room.join(other)
    visit.open()
    visit.open(from: 2)
    _ = try #require(visit.frame(of: other))
    visit.edit(#"{"values": {"exposure": 1}}"#, input: 1, type: "commit")
    let own = try #require(visit.peer.next("edited"))
    #expect(own.number("input") == 1 && own.number("undo") == 1 && own.text("label") == "Exposure")
    let news = try #require(other.next("edited"))
    #expect(news.fields["input"] == .null && news.fields["edit"] == own.fields["edit"])
    visit.say(#"{"type": "undo", "photo": "camera"}"#)
    let undone = try #require(other.next("edited") { $0.number("redo") == 1 })
    #expect(undone.object("edit")["values"] == .object([:]))
    visit.say(#"{"type": "redo", "photo": "camera"}"#)
    #expect(
      other.next("edited") {
        $0.number("undo") == 1 && $0.number("redo") == 0 && $0.text("photo") == "camera"
      } != nil)
    visit.say(#"{"type": "redo", "photo": "camera"}"#)
    #expect(visit.peer.next("problem")?.text("message")?.contains("nothing") ?? false)
  }

  @Test("goes on for a page that comes back soon, and for those that stay")
  func leaving() throws {
    let visit = try CameraVisit()
    visit.open()
    let before = try #require(visit.frame { ($0.number("sequence") ?? 0) > 3 }?.number("sequence"))
    visit.ask("close")
    visit.open()
    let after = visit.peer.all.count
    // One that was opened anew would count from 0.
    #expect(visit.peer.next("frame", after: after)?.number("sequence") ?? 0 > before)
  }

  @Test("waits for a camera that is unplugged, and says so")
  func unplugged() throws {
    let plug = Plug()
    let visit = try CameraVisit(kind: .camera) { try PluggedInput(plug) }
    visit.open()
    _ = try #require(visit.frame())
    plug.isIn = false
    let interrupted = try #require(visit.peer.next("camera") { $0.text("state") == "interrupted" })
    #expect(
      interrupted.text("reason") == "The camera is unplugged" && interrupted.text("remedy") == "connect it")
    let seen = visit.peer.all.count
    plug.isIn = true
    #expect(visit.peer.next("camera", after: seen) { $0.text("state") == "running" } != nil)
    #expect(visit.frame() != nil)
  }

  @Test("says why it cannot be opened")
  func failing() throws {
    let visit = try CameraVisit {
      throw SafelightError(.device, "The camera is made of wood", remedy: "take another one")
    }
    visit.open()
    let failed = try #require(visit.peer.next("camera") { $0.text("state") == "failed" })
    #expect(
      failed.text("reason") == "The camera is made of wood" && failed.text("remedy") == "take another one")
  }

  @Test("makes small pictures in each look again and again, until none are wanted")
  func looks() throws {
    let visit = try CameraVisit()
    visit.open()
    visit.say(#"{"type": "looks", "photo": "camera", "size": 48, "edit": {}, "live": true}"#)
    let peer = visit.peer
    @Sendable func thumbnails() -> [RecordedPeer.Message] {
      peer.all.filter { $0.type == "thumbnail" && $0.text("preset") == "noir" }
    }
    #expect(visit.frame { _ in thumbnails().count >= 2 } != nil)
    let small = try #require(thumbnails().last)
    #expect(small.number("width") == 48 && small.number("height") == 48 && small.text("kind") == "look")
    #expect(thumbnails().first?.payload != small.payload)
    visit.say(#"{"type": "looks", "photo": "camera", "size": 48, "edit": {}, "live": false}"#)
  }

  @Test("finds the level")
  func level() throws {
    let visit = try CameraVisit()
    visit.open()
    visit.ask("assist", #""level": true"#)
    let plain = visit.frame { frame in
      guard case .number(let degrees)? = frame.object("level")["degrees"] else { return false }
      return abs(degrees) < 15
    }
    #expect(plain != nil)
    // What is left of it once the look turns the frame.
    visit.edit(#"{"values": {"straighten": 20}}"#, input: 1)
    let turned = visit.frame { frame in
      guard case .number(let degrees)? = frame.object("level")["degrees"] else { return false }
      return degrees < -4
    }
    #expect(turned != nil)
  }

  @Test("finds values in a live frame")
  func findings() throws {
    let visit = try CameraVisit()
    visit.open()
    _ = try #require(visit.frame())
    visit.say(#"{"type": "auto", "photo": "camera", "request": 3, "kind": "exposure"}"#)
    let peer = visit.peer
    #expect(visit.frame { _ in peer.all.contains { $0.type == "auto" } } != nil)
    let found = try #require(visit.peer.next("auto"))
    #expect(found.number("request") == 3 && found.text("summary") != nil && found.text("photo") == "camera")
  }

  private enum Problem: Error { case missing }
}

/// Whether a simulated camera is plugged in.
final class Plug: Sendable {
  private let state = Monitor(true)
  var isIn: Bool {
    get { state.read { $0 } }
    set { state.update { $0 = newValue } }
  }
  func wait(until deadline: Timestamp) -> Bool { state.wait(until: deadline) { $0 ? true : nil } ?? false }
}

/// A camera that can be unplugged.
final class PluggedInput: CaptureInput {
  private let plug: Plug
  private let scene: SyntheticInput
  let id = "plugged"
  let name = "Test camera"
  let facing = CameraFacing.external

  init(_ plug: Plug) throws { (self.plug, scene) = (plug, try CameraVisit.scene()) }

  static let gone = CaptureFailure(
    .disconnected, SafelightError(.device, "The camera is unplugged", remedy: "connect it"))

  func openStream(_ request: StreamRequest) throws -> any FrameStream {
    guard plug.isIn else { throw Self.gone }
    return Stream(try scene.openStream(StreamRequest()), plug)
  }

  func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool {
    plug.wait(until: deadline)
  }

  private final class Stream: FrameStream {
    private let stream: any FrameStream
    private let plug: Plug

    init(_ stream: any FrameStream, _ plug: Plug) { (self.stream, self.plug) = (stream, plug) }

    var format: StreamFormat { stream.format }
    func next(until deadline: Timestamp) throws -> StreamEvent {
      guard plug.isIn else { throw PluggedInput.gone }
      return try stream.next(until: deadline)
    }
    func wake() { stream.wake() }
    func close() { stream.close() }
  }
}
