import Capture
import FilterGraph
import Filters
import FrameCore
import LibraryTestSupport
import Testing

@testable import LiveVideo

@Suite("Two pictures in one")
struct PairCompositorTests {
  private func plain(_ size: PixelSize, _ value: UInt8) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: size, format: .rgba8, tags: .sRGB)
    for y in 0..<size.height {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<size.width { for channel in 0..<4 { row[4 * x + channel] = channel == 3 ? 255 : value } }
    }
    return buffer
  }

  private func value(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> UInt8 {
    buffer.row(y, as: UInt8.self)[4 * x]
  }

  @Test(
    "An inset covers its rectangle but for round corners, and nothing else",
    arguments: PairLayout.Corner.allCases)
  func inset(corner: PairLayout.Corner) throws {
    let (first, second) = (PixelSize(width: 320, height: 180), PixelSize(width: 96, height: 54))
    let compositor = PairCompositor(.inset(corner), first: first, second: second)
    #expect(compositor.size == first)
    let output = try plain(first, 1)
    compositor.compose(try plain(first, 10), try plain(second, 210), into: output)
    let origin = PairLayout.inset(corner).origin(first: first, second: second)
    var covered = 0.0
    for y in 0..<180 {
      for x in 0..<320 {
        let isInside = (origin.x..<origin.x + 96).contains(x) && (origin.y..<origin.y + 54).contains(y)
        let value = value(output, x, y)
        if !isInside { #expect(value == 10) }
        covered += Double(value - 10) / 200
        #expect(output.row(y, as: UInt8.self)[4 * x + 3] == 255)
      }
    }
    // A rectangle lacks (4 − π) r² of its corners.
    let radius = 54 * PairLayout.radiusScale
    #expect(abs(covered - (96 * 54 - (4 - Double.pi) * radius * radius)) < 1.5)
    #expect(value(output, origin.x, origin.y) == 10 && value(output, origin.x + 48, origin.y) == 210)
    // All corners look alike.
    for (x, y) in [(1, 1), (2, 1), (0, 3)] {
      let values = [(x, y), (95 - x, y), (x, 53 - y), (95 - x, 53 - y)].map {
        value(output, origin.x + $0.0, origin.y + $0.1)
      }
      #expect(Set(values).count == 1)
    }
  }

  @Test("Side by side leaves neither gaps nor overlaps, and an absent camera's place is dark")
  func sideBySide() throws {
    let (first, second) = (PixelSize(width: 101, height: 60), PixelSize(width: 80, height: 60))
    let compositor = PairCompositor(.sideBySide, first: first, second: second)
    #expect(compositor.size == PixelSize(width: 182, height: 60))
    let output = try plain(compositor.size, 77)
    compositor.compose(try plain(first, 10), try plain(second, 210), into: output)
    for y in 0..<60 {
      for x in 0..<182 { #expect(value(output, x, y) == (x < 101 ? 10 : x < 181 ? 210 : 0x18)) }
    }
    compositor.compose(try plain(first, 10), nil, into: output)
    #expect(value(output, 100, 5) == 10 && value(output, 101, 5) == 0x18 && value(output, 181, 59) == 0x18)
  }

  @Test("Layouts are read, and others are refused with the known ones")
  func text() throws {
    for text in ["pip", "side", "pip:top-right", "pip:bottom-left", "pip:bottom-right"] {
      #expect(try PairLayout(text).description == text)
    }
    #expect(try PairLayout("pip:top-left") == .inset(.topLeft))
    for text in ["", "pipp", "side:left", "pip:middle"] {
      #expect(throws: SafelightError.self) { try PairLayout(text) }
    }
  }

  @Test("Two cameras with looks of their own become one, at the pace of the first")
  func cameras() async throws {
    func camera(_ seed: UInt32, _ rate: Double, _ look: Recipe) throws -> CameraPairInput.Camera {
      let input = try SyntheticInput(
        size: PixelSize(width: 320, height: 180), framesPerSecond: rate, motion: .still(), seed: seed)
      return CameraPairInput.Camera(input, look: LiveLook(look))
    }
    let grey = Recipe(filters: [Saturation(-100)])
    let input = CameraPairInput(try camera(1, 20, Recipe(filters: [])), try camera(2, 13, grey))
    let output = VideoDataOutput(lateFrames: .keepAll(limit: 8))
    let session = CaptureSession()
    try await session.configure {
      try $0.add(input)
      try $0.add(output)
    }
    try await session.start()
    var times: [Timestamp] = []
    for await frame in output.frames {
      #expect(frame.buffer.size == PixelSize(width: 320, height: 180) && frame.buffer.format == .rgba8)
      times.append(frame.time)
      guard times.count > 12 else { continue }
      // The middle of the inset is grey, the rest of the picture is not.
      let origin = PairLayout.inset(.topLeft).origin(
        first: frame.buffer.size, second: PixelSize(width: 96, height: 54))
      let pixel = frame.buffer.row(origin.y + 27, as: UInt8.self)
      let index = 4 * (origin.x + 48)
      #expect(abs(Int(pixel[index]) - Int(pixel[index + 2])) <= 2)
      break
    }
    await session.stop()
    #expect(times.count > 12)
    for (a, b) in zip(times, times.dropFirst()) { #expect(b > a) }
  }
}
