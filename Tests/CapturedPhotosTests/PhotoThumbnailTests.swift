import Safelight
import TestSupport
import Testing

@testable import CapturedPhotos

@Suite("Thumbnails of photos just taken")
struct PhotoThumbnailTests {
  @Test("are small, upright, have the look, and are told before the photo is finished")
  func look() async throws {
    let folder = try Scratch()
    var delivery = PhotoDelivery(names: try PhotoNames(folder("a.png")), edit: Edit(preset: "noir"))
    delivery.camera = "scene"
    let output = PhotoOutput<DeliveredPhoto> { [delivery] captured, updates in
      updates.thumbnail(try delivery.thumbnail(of: captured, longEdge: 64))
      return try delivery.deliver(captured)
    }
    let session = CaptureSession()
    let input = try SyntheticInput(size: PixelSize(width: 320, height: 180), framesPerSecond: 30)
    try await session.configure {
      try $0.add(input)
      try $0.add(output, connection: Connection(rotation: .degrees90))
    }
    try await session.start()
    for await readiness in output.readinesses where readiness == .ready { break }
    let capture = try output.capture(PhotoSettings(qualityPrioritization: .speed))
    var thumbnail: PixelBuffer?
    var isFirst = true
    for await event in capture.events {
      switch event {
      case .thumbnail(let picture): thumbnail = picture
      case .finished: isFirst = thumbnail != nil
      case .willBegin, .willCapture, .didCapture, .proxy, .failed: break
      }
    }
    await session.stop()
    #expect(isFirst)
    let small = try #require(thumbnail)
    #expect(small.size == PixelSize(width: 36, height: 64))
    // The photo itself, made small, is the same picture.
    let photo = try Photo(contentsOf: folder("a.png"))
    #expect(photo.buffer.size == PixelSize(width: 180, height: 320))
    var plain = PhotoExport()
    plain.maximumSize = PixelSize(width: 64, height: 64)
    _ = try await plain.run(folder("a.png"), through: Recipe(), to: folder("small.png"))
    let expected = try Photo(contentsOf: folder("small.png")).buffer
    var largest = 0
    for y in 0..<64 {
      let (a, b) = (small.row(y, of: 0, as: UInt8.self), expected.row(y, of: 0, as: UInt8.self))
      for x in 0..<4 * 36 { largest = max(largest, abs(Int(a[x]) - Int(b[x]))) }
    }
    // The look is applied before or after pixels become fewer: light differs a little at edges.
    #expect(largest <= 24)
  }
}
