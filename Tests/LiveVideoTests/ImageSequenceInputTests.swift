import LibraryTestSupport
import Safelight
import FoundationEssentials
import Testing

@testable import LiveVideo

@Suite("Image sequences")
struct ImageSequenceInputTests {
  private func write(_ scratch: Scratch, _ name: String, shade: UInt8, width: Int = 16) throws {
    let buffer = try PixelBuffer(size: PixelSize(width: width, height: 12), format: .rgba8)
    for y in 0..<12 {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<4 * width { row[x] = x % 4 == 3 ? 255 : shade }
    }
    let writer = try PhotoWriter(to: scratch(name), size: buffer.size)
    try writer.write(buffer)
    try writer.finish()
  }

  /// The shade of each frame, or the reason of a drop, to the end or for `limit` events.
  private func follow(_ input: ImageSequenceInput, limit: Int = 100) throws -> [String] {
    let stream = try input.openStream(StreamRequest())
    var seen: [String] = []
    while seen.count < limit {
      switch try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) {
      case .frame(let frame):
        #expect(frame.sequence == UInt64(seen.count))
        seen.append("\(pixel(frame.buffer, 3, 3)[0])")
      case .dropped(let first, let count):
        #expect(first.sequence == UInt64(seen.count) && count == 1)
        seen.append("\(first.reason)")
      case .idle: break
      case .finished: return seen
      }
    }
    return seen
  }

  @Test("Numbers in names count as numbers")
  func naturalOrder() {
    let ordered = ["a", "a1", "a01", "a2", "a2b", "a10", "a10b2", "a10b11", "b", "b007", "b8"]
    for (index, first) in ordered.enumerated() {
      for (other, second) in ordered.enumerated() {
        let isFirst = naturallyPrecedes(first, second)
        // a1 and a01 are the same number; their text decides, whichever way.
        if Set([first, second]) == ["a1", "a01"] {
          #expect(isFirst != naturallyPrecedes(second, first))
        } else {
          #expect(isFirst == (index < other), "\(first) \(second)")
        }
      }
    }
  }

  @Test(
    "A folder, a pattern and a list give their pictures in order; other files in a folder are not pictures")
  func order() throws {
    let scratch = try Scratch()
    for (name, shade) in [("f10.png", 100), ("f9.png", 90), ("f2.png", 20), ("f1.PNG.png", 10)] {
      try write(scratch, name, shade: UInt8(shade))
    }
    try scratch.write("not a picture", to: "notes.txt")
    #expect(
      try follow(ImageSequenceInput(scratch.path, paced: false)) == ["10", "20", "90", "100"])
    #expect(try follow(ImageSequenceInput(scratch("f?.png"), paced: false)) == ["20", "90"])
    #expect(try follow(ImageSequenceInput(scratch("f9.png"), paced: false)) == ["90"])
    let listed = ["f10.png", "f2.png"].map { scratch($0) }
    #expect(try follow(ImageSequenceInput(paths: listed, paced: false)) == ["100", "20"])
  }

  @Test("A picture that cannot be read is a corrupt drop, and a note names it")
  func unreadable() throws {
    let scratch = try Scratch()
    try write(scratch, "1.png", shade: 10)
    try scratch.write("damaged", to: "2.png")
    try write(scratch, "3.png", shade: 30)
    for name in ["0.jpg", "4.jpg"] { try scratch.write([0xFF, 0xD8, 0xFF], to: name) }
    let input = try ImageSequenceInput(scratch.path, paced: false)
    #expect(try follow(input) == ["corrupt", "10", "corrupt", "30", "corrupt"])
    #expect(input.notes.count == 3 && input.notes.contains { $0.contains("2.png") })
  }

  @Test("A picture of another size is refused by name")
  func otherSize() throws {
    let scratch = try Scratch()
    try write(scratch, "1.png", shade: 10)
    try write(scratch, "2.png", shade: 20, width: 20)
    #expect(
      message { _ = try follow(ImageSequenceInput(scratch.path, paced: false)) }
        == "\(scratch("2.png")) is a picture of 20×12, but the sequence began with 16×12; "
        + "give pictures of one size, or resize this one.")
  }

  @Test("A loop goes on with the first picture; where none can be read it ends")
  func loops() throws {
    let scratch = try Scratch()
    try write(scratch, "1.png", shade: 10)
    try write(scratch, "2.png", shade: 20)
    let input = try ImageSequenceInput(scratch.path, paced: false, loops: true)
    #expect(try follow(input, limit: 5) == ["10", "20", "10", "20", "10"])
  }

  @Test("Frames have the times of their rate, and none comes before its time")
  func times() throws {
    let scratch = try Scratch()
    for index in 0..<5 { try write(scratch, "\(index).png", shade: 50) }
    for paced in [true, false] {
      let stream = try ImageSequenceInput(scratch.path, framesPerSecond: 40, paced: paced)
        .openStream(StreamRequest())
      #expect(stream.format.framesPerSecond == 40 && stream.format.pixelFormat == .rgba8)
      var first: Timestamp?
      for index in 0..<5 {
        guard case .frame(let frame) = try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) else {
          Issue.record("no frame \(index)")
          return
        }
        if paced { #expect(frame.time <= .now) }
        let elapsed = frame.time.seconds(since: first ?? frame.time)
        if first == nil { first = frame.time }
        // A machine that stood still meanwhile delays frames, and never hastens them.
        #expect(elapsed >= Double(index) / 40 - 1e-6)
      }
    }
  }

  @Test("Deep pictures are rounded to 8 bits")
  func deep() throws {
    let scratch = try Scratch()
    let buffer = try makePicture(16, 12, format: .rgba16)
    let writer = try PhotoWriter(to: scratch("deep.png"), size: buffer.size, bitsPerSample: 16)
    try writer.write(buffer)
    try writer.finish()
    let stream = try ImageSequenceInput(scratch("deep.png"), paced: false).openStream(StreamRequest())
    guard case .frame(let frame) = try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) else {
      Issue.record("no frame")
      return
    }
    for y in 0..<12 {
      for x in 0..<16 {
        let expected = pixel(buffer, x, y).prefix(3).map { Int((Double($0) / 257).rounded()) }
        #expect(Array(pixel(frame.buffer, x, y).prefix(3)) == expected)
      }
    }
  }

  @Test("Where there is no picture, or the rate is none, a sentence says so")
  func refusals() throws {
    let scratch = try Scratch()
    #expect(
      message { _ = try ImageSequenceInput(scratch.path).openStream(StreamRequest()) }
        == "There are no pictures at \(scratch.path); "
        + "name a folder of pictures or a pattern such as 'frames/*.jpg'.")
    #expect(
      message { _ = try ImageSequenceInput(scratch.path, framesPerSecond: 0) }
        == "Pictures cannot be shown 0.0 times a second; give a rate from 0.001 to 1000.0.")
    #expect(
      message { _ = try ImageSequenceInput(paths: []) }
        == "The list of pictures is empty; name at least one.")
  }
}
