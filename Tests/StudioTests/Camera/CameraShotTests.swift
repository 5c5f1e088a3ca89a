import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@testable import Studio

@Suite("What the studio's camera takes")
struct CameraShotTests {
  @Test("A photo is written unedited, with its look beside it, listed, and told")
  func photo() throws {
    let visit = try CameraVisit()
    visit.open()
    // Frames of before the press are kept by then.
    _ = try #require(visit.frame { ($0.number("sequence") ?? 0) > 5 })
    visit.edit(
      #"{"look": {"preset": "noir", "strength": 60}, "values": {"crop": "1:1"}}"#, input: 1, type: "commit")
    _ = try #require(visit.peer.next("edited"))
    visit.ask("zoom", #""factor": 2"#)
    visit.ask("shoot", #""request": 7, "mode": "photo", "pressedAgo": 40"#)
    let captured = try #require(visit.peer.next("shot") { $0.text("stage") == "captured" })
    #expect(captured.number("request") == 7 && captured.fields["zeroShutterLag"] == .bool(true))
    // The frame nearest to the press, which was 40 ms before the message.
    #expect(abs(captured.number("latency") ?? 999) < 400)
    let small = try #require(visit.peer.next("thumbnail") { $0.text("kind") == "shot" })
    #expect(small.number("request") == 7 && small.number("width") == small.number("height"))
    let saved = try #require(visit.peer.next("shot") { $0.text("stage") == "saved" })
    let list = try #require(visit.peer.next("photos"))
    let path = try #require(saved.text("path"))
    guard case .array(let entries)? = list.fields["photos"] else { throw Problem.missing }
    #expect(entries.count == 1 && visit.photos.entries.map(\.id) == [saved.text("photo")])
    #expect(path.hasPrefix(visit.folder + "/safelight-") && path.hasSuffix(".jpg"))
    #expect(try PhotoHeader.read(path).size == CameraVisit.size)
    let recipe = try #require(try RecipeSidecar.read(forPhoto: path)?.recipe)
    let edit = StudioEdit(recipe)
    #expect(edit.look == StudioEdit.Look(preset: "noir", strength: 60))
    // What was seen: the middle of the square, twice as large.
    #expect(edit.values.values["crop"] == .text("100,60,120,120"))
    // It opens as every other photo.
    visit.say(#"{"type": "open", "photo": "\#(saved.text("photo") ?? "")"}"#)
    #expect(
      visit.peer.next("photo") { $0.text("photo") == saved.text("photo") && $0.number("undo") == 1 } != nil)
  }

  @Test("A photo without a look has no edit beside it")
  func plainPhoto() throws {
    let visit = try CameraVisit()
    visit.open()
    _ = try #require(visit.frame())
    visit.ask("shoot", #""request": 1"#)
    let saved = try #require(visit.peer.next("shot") { $0.text("stage") == "saved" })
    #expect(!RecipeSidecar.exists(forPhoto: try #require(saved.text("path"))))
  }

  @Test("A burst of a number, and one for as long as the button is held")
  func bursts() throws {
    let visit = try CameraVisit()
    visit.open()
    _ = try #require(visit.frame())
    visit.ask("shoot", #""request": 1, "mode": "burst", "count": 3"#)
    #expect(visit.peer.next("shot") { $0.text("stage") == "ended" }?.number("count") == 3)
    let saved = visit.peer.all.filter { $0.type == "shot" && $0.text("stage") == "saved" }
    #expect(Set(saved.compactMap { $0.number("number") }) == [1, 2, 3])
    #expect(Set(saved.compactMap { $0.number("sequence") }).count == 3)
    visit.ask("burst-start", #""request": 2"#)
    _ = try #require(visit.peer.next("shot") { $0.number("request") == 2 && $0.number("number") == 2 })
    visit.ask("burst-stop")
    let ended = try #require(
      visit.peer.next("shot") { $0.text("stage") == "ended" && $0.number("request") == 2 })
    #expect(ended.number("count") ?? 0 >= 2)
    #expect(visit.photos.entries.count == 3 + Int(ended.number("count") ?? 0))
  }

  @Test("A movie with sound plays", .installed(.ffprobe))
  func movie() throws {
    let visit = try CameraVisit()
    visit.open()
    _ = try #require(visit.frame())
    visit.ask("record", #""request": 4, "on": true, "sound": true"#)
    let going = try #require(
      visit.peer.next("recording") { ($0.number("seconds") ?? 0) > 0.5 && $0.number("request") == 4 })
    guard case .array(let level)? = going.fields["level"] else { throw Problem.missing }
    #expect(level.count == 2)
    visit.ask("record", #""request": 5, "on": false"#)
    let ended = try #require(visit.peer.next("recording") { $0.fields["ended"] == .bool(true) })
    let path = try #require(ended.text("path"), "\(ended.fields)")
    let text = try ExternalProgram.ffprobe.run(
      ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", path]).text
    #expect(Set(text.split(separator: "\n")) == ["video", "audio"])
    #expect(visit.frame() != nil)
  }

  @Test("A clip plays, pauses, and goes where it is asked to", .installed(.ffmpeg))
  func clip() throws {
    let scratch = try Scratch()
    let path = scratch("clip.mp4")
    try ExternalProgram.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=4", "-pix_fmt", "yuv420p",
      "-c:v", "mpeg4", path,
    ])
    let visit = try CameraVisit(kind: .clip) { VideoFileInput(path: path, loops: true) }
    visit.open()
    let running = try #require(visit.peer.next("camera") { $0.text("state") == "running" })
    #expect(running.number("duration") == 4 && running.fields["seekable"] == .bool(true))
    let first = try #require(visit.frame())
    #expect(first.number("position") ?? 9 < 3)
    visit.ask("pause", #""on": true"#)
    _ = try #require(visit.peer.next("camera") { $0.fields["paused"] == .bool(true) })
    visit.ask("seek", #""seconds": 3.2"#)
    let sought = try #require(visit.frame { abs(($0.number("position") ?? 0) - 3.2) < 0.021 })
    // The pause goes on, so that this frame stays.
    visit.ask("seek", #""seconds": 1"#)
    let next = try #require(visit.frame { abs(($0.number("position") ?? 0) - 1) < 0.021 })
    #expect(next.number("sequence") == (sought.number("sequence") ?? 0) + 1)
    visit.ask("pause", #""on": false"#)
    #expect(visit.frame { ($0.number("position") ?? 0) > 1.2 } != nil)
  }

  @Test(
    "What cannot be done is said in a sentence",
    arguments: [
      (#"{"type": "camera"}"#, "Unknown action"), (#"{"type": "camera", "action": "shot"}"#, "“shoot”"),
      (#"{"type": "camera", "action": "open", "source": "/etc/passwd"}"#, "no such camera"),
      (#"{"type": "camera", "action": "shoot"}"#, "No camera is open"),
      (#"{"type": "camera", "action": "shoot", "mode": "burst", "count": 0}"#, "0 photos"),
      (#"{"type": "camera", "action": "shoot", "mode": "bracket", "stops": "1"}"#, "1 exposure"),
      (#"{"type": "camera", "action": "zoom", "factor": 9}"#, "9×"),
      (#"{"type": "camera", "action": "control", "key": "focus", "value": "left"}"#, "“left”"),
      (#"{"type": "camera", "action": "record", "on": false}"#, "Nothing is recorded"),
      (#"{"type": "camera", "action": "seek"}"#, "no “seconds”"),
      (#"{"type": "undo", "photo": "camera"}"#, "nothing to be undone"),
      (#"{"type": "edit", "photo": "camera", "input": 1, "edit": {"values": {"exposure": 99}}}"#, "exposure"),
    ])
  func mistakes(_ text: String, _ words: String) throws {
    let visit = try CameraVisit()
    visit.say(text)
    #expect(visit.peer.isTold(words), "\(visit.peer.all.map(\.fields))")
    visit.open()
    #expect(visit.peer.next("frame") != nil)
  }

  @Test("A scene has no controls, and a live one does not pause")
  func unsupported() throws {
    let visit = try CameraVisit()
    visit.open()
    _ = try #require(visit.peer.next("camera") { $0.text("state") == "running" })
    for (action, fields) in [
      ("control", #""request": 1, "key": "focus", "value": "auto""#), ("pause", #""on": true"#),
      ("point", #""request": 2, "x": 0.5, "y": 0.5"#), ("lock", #""request": 3, "on": true"#),
      ("shoot", #""request": 4, "mode": "bracket""#),
    ] {
      let seen = visit.peer.all.count
      visit.ask(action, fields)
      #expect(visit.peer.next("problem", after: seen)?.text("message") != nil, "\(action)")
    }
  }

  @Test("Pictures go where the desktop keeps them")
  func folders() throws {
    let scratch = try Scratch()
    func usual(_ pictures: String? = nil) -> String {
      CameraFolder.usual(home: "/home/a", configuration: scratch.path, pictures: pictures)
    }
    #expect(usual() == "/home/a/Pictures/Safelight")
    try scratch.write("# comment\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n", to: "user-dirs.dirs")
    #expect(usual() == "/home/a/Bilder/Safelight")
    #expect(usual("/photos") == "/photos/Safelight")
  }

  private enum Problem: Error { case missing }
}
