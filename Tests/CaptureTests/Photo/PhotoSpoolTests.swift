import FrameCore
import Libc
import Synchronization
import Testing

@testable import Capture

@Suite("Frames on the disk")
struct PhotoSpoolTests {
  /// A picture whose bytes are drawn.
  private func picture(_ size: PixelSize, _ format: PixelFormat, seed: UInt64) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: size, format: format, tags: .displayP3)
    var state = seed
    for (plane, layout) in zip(buffer.planes, format.planes) {
      for row in 0..<plane.rows {
        let bytes = plane.row(row).assumingMemoryBound(to: UInt8.self)
        for index in 0..<layout.rowBytes(width: size.width) {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          bytes[index] = UInt8(truncatingIfNeeded: state >> 56)
        }
      }
    }
    return buffer
  }

  private func areEqual(_ a: PixelBuffer?, _ b: PixelBuffer) -> Bool {
    guard let a, a.size == b.size, a.format == b.format, a.tags == b.tags, a.alpha == b.alpha else {
      return false
    }
    return a.format.planes.indices.allSatisfy { plane in
      let count = a.format.planes[plane].rowBytes(width: a.width)
      return (0..<a.planes[plane].rows).allSatisfy {
        memcmp(a.planes[plane].row($0), b.planes[plane].row($0), count) == 0
      }
    }
  }

  private func samples(_ content: SpooledContent) throws -> PixelBuffer? {
    guard case .samples(let buffer) = try content.loaded() else { return nil }
    return buffer
  }

  @Test(
    "are read back as they were written, in all formats and odd sizes",
    arguments: PixelFormat.allCases, [PixelSize(width: 1, height: 1), PixelSize(width: 67, height: 1031)])
  func roundTrip(format: PixelFormat, size: PixelSize) throws {
    let spool = PhotoSpool(in: "/tmp")
    let pictures = try (1...3).map { try picture(size, format, seed: $0) }
    let spooled = try pictures.map { try spool.write(Frame(buffer: $0)) }
    for (picture, spooled) in zip(pictures, spooled).reversed() {
      #expect(areEqual(try samples(spooled), picture))
    }
  }

  @Test("are the camera's own JPEGs and mosaics, if it sent these")
  func encoded() throws {
    let spool = PhotoSpool(in: "/tmp")
    let bytes = (0..<96).map { UInt8(($0 * 37) % 251) }
    let picture = bytes.withUnsafeBytes { EncodedPicture(copying: $0) }
    let size = PixelSize(width: 8, height: 6)
    var frame = Frame(buffer: try self.picture(size, .rgba8, seed: 1))
    frame.encoded = picture
    let jpeg = try spool.write(frame)
    frame.encoded = nil
    frame.mosaic = try BayerMosaic(
      picture, size: size, format: BayerFormat(.grbg, .bits10), rowBytes: 16, transfer: .linear,
      neutral: SIMD3(0.5, 1, 0.75))
    let mosaic = try spool.write(frame)
    guard case .jpeg(let again) = try jpeg.loaded(), case .bayer(let sensors) = try mosaic.loaded() else {
      Issue.record("they are something else")
      return
    }
    #expect(Array(again.bytes) == bytes && Array(sensors.samples.bytes) == bytes)
    #expect(sensors.size == size && sensors.format == BayerFormat(.grbg, .bits10) && sensors.rowBytes == 16)
    #expect(sensors.transfer == .linear && sensors.neutral == SIMD3(0.5, 1, 0.75))
  }

  @Test("leave their room to later ones, and the last one gives it back")
  func room() throws {
    let spool = PhotoSpool(in: "/tmp")
    let size = PixelSize(width: 64, height: 16)
    let second = try picture(size, .rgba8, seed: 2)
    do {
      var first: SpooledContent? = try spool.write(Frame(buffer: picture(size, .rgba8, seed: 1)))
      let kept = try spool.write(Frame(buffer: second))
      #expect(spool.length == 2 * 4096)
      withExtendedLifetime(first) {}
      first = nil
      let third = try picture(size, .rgba8, seed: 3)
      let again = try spool.write(Frame(buffer: third))
      #expect(spool.length == 2 * 4096)
      #expect(areEqual(try samples(kept), second))
      #expect(areEqual(try samples(again), third))
    }
    #expect(spool.length == 0)
  }

  @Test("A folder that is not there is told")
  func noFolder() {
    let spool = PhotoSpool(in: "/tmp/safelight-no-such-folder")
    let size = PixelSize(width: 8, height: 8)
    #expect(throws: SafelightError.self) {
      _ = try spool.write(Frame(buffer: picture(size, .rgba8, seed: 1)))
    }
  }

  @Test("A burst that outgrows memory loses no frame, and each photo has its own")
  func burst() async throws {
    let size = PixelSize(width: 64, height: 32)
    let isHeld = Atomic(true)
    // Room for three frames; nothing is processed until all have come.
    let spool = PhotoSpool(in: "/tmp")
    let output = PhotoOutput<UInt8>(memory: 3 * 64 * 32 * 4, spool: spool) { captured, _ in
      while isHeld.load(ordering: .acquiring) { usleep(1000) }
      return try captured.referenceFrame.samples().planes[0].row(31).load(as: UInt8.self)
    }
    try output.openAlone()
    let begin = Timestamp.now.advanced(bySeconds: -1)
    func accept(_ number: UInt8) throws {
      let buffer = try PixelBuffer(size: size, format: .rgba8)
      for row in 0..<32 { memset(buffer.planes[0].row(row), Int32(number), 256) }
      output.accept(
        Frame(
          buffer: buffer, time: begin.advanced(bySeconds: 0.01 * Double(number)), sequence: UInt64(number)))
    }
    try accept(0)
    try accept(1)
    let burst = try output.captureBurst(of: 20, pressedAt: begin.advanced(bySeconds: 0.011))
    for number: UInt8 in 2...22 { try accept(number) }
    // Photos begin on a thread of the output's.
    let deadline = Timestamp.now.advanced(bySeconds: 20)
    while burst.captures.count < 20, Timestamp.now < deadline { usleep(1000) }
    // Most of them: memory has room for three.
    #expect(spool.length >= 16 * 64 * 32 * 4)
    isHeld.store(false, ordering: .releasing)
    var photos: [UInt8] = []
    for capture in burst.captures { photos.append(try await capture.photo()) }
    #expect(photos == Array(1...20))
    #expect(output.framesNotKept == 0)
  }

  @Test("The last photo of a burst has its frame though all memory is taken just when it begins")
  func lastOfBurst() async throws {
    let size = PixelSize(width: 64, height: 32)
    let spool = PhotoSpool(in: "/tmp")
    let output = PhotoOutput<UInt8>(memory: 3 * 64 * 32 * 4, spool: spool) { captured, _ in
      try captured.referenceFrame.samples().planes[0].row(31).load(as: UInt8.self)
    }
    try output.openAlone()
    let begin = Timestamp.now.advanced(bySeconds: -1)
    let accept: @Sendable (UInt8) -> Void = { number in
      guard let buffer = try? PixelBuffer(size: size, format: .rgba8) else { return }
      for row in 0..<32 { memset(buffer.planes[0].row(row), Int32(number), 256) }
      output.accept(
        Frame(
          buffer: buffer, time: begin.advanced(bySeconds: 0.01 * Double(number)), sequence: UInt64(number)))
    }
    accept(0)
    accept(1)
    let begun = Atomic(0)
    let burst = try output.captureBurst(of: 2, pressedAt: begin.advanced(bySeconds: 0.011)) { event in
      guard case .willCapture = event, begun.add(1, ordering: .relaxed).newValue == 2 else { return }
      for number: UInt8 in 2...9 { accept(number) }
    }
    let deadline = Timestamp.now.advanced(bySeconds: 20)
    while burst.captures.count < 2, Timestamp.now < deadline { usleep(1000) }
    var photos: [UInt8] = []
    for capture in burst.captures { photos.append(try await capture.photo()) }
    #expect(photos == [1, 2])
    #expect(output.framesNotKept == 0)
  }
}
