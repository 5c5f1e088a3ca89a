import Capture
import FrameCore
import Testing

extension CameraTests {
  @Suite("MJPEG of a USB camera", .driver(.uvc))
  struct USBCameraJPEG {
    private let request = StreamRequest(
      size: PixelSize(width: 640, height: 480), framesPerSecond: 15, encoding: .mjpeg)

    private func record(
      huffmanTables: Bool = true, prepare: (EmulatedCamera) -> Void = { _ in }
    ) async throws -> (EmulatedCamera, Recording) {
      let emulated = try EmulatedCamera(huffmanTables: huffmanTables)
      prepare(emulated)
      try await emulated.plug()
      let recording = try await Recording(DeviceInput(.camera()), request)
      try await emulated.expect("stream MJPG 640x480 15")
      return (emulated, recording)
    }

    @Test(
      "Pictures are decoded to planes with the bars, with Huffman tables and without",
      arguments: [true, false])
    func pictures(huffmanTables: Bool) async throws {
      let (emulated, recording) = try await record(huffmanTables: huffmanTables)
      for _ in 0..<8 {
        let buffer = try await recording.frame().buffer
        #expect(buffer.size == request.size)
        #expect(buffer.format == .i422, "cjpeg -sample 2x1")
        #expect(buffer.tags.matrix == .bt601)
        #expect(buffer.tags.range == .full)
        #expect(ColorBars.first(in: buffer) != nil, "\(ColorBars.row(of: buffer))")
      }
      #expect(recording.output.statistics.droppedCorrupt == 0)
      await recording.session.stop()
      try await emulated.unplug()
    }

    @Test("JPEGs that an output keeps stay whole while more frames come, and after the stream has ended")
    func lentBytes() async throws {
      let (emulated, recording) = try await record()
      let keeper = EncodedPictureKeeper()
      try await recording.session.configure { try $0.add(keeper) }
      try await Guest.wait(for: "three JPEGs") { keeper.kept.count == 3 }
      let before = keeper.bytes
      #expect(before.allSatisfy { $0.starts(with: [0xFF, 0xD8]) })
      // The driver fills no buffer that somebody holds.
      let seen = keeper.count
      for _ in 0..<4 { #expect(try await recording.frame().encoded == nil, "this output has not asked") }
      try await Guest.wait(for: "further frames") { keeper.count > seen + 10 }
      #expect(keeper.bytes == before)
      await recording.session.stop()
      #expect(keeper.bytes == before)
      try await emulated.unplug()
    }

    @Test("Extraneous bytes before the end of a picture are tolerated")
    func extraneous() async throws {
      let (emulated, recording) = try await record { $0.send("extraneous 7") }
      for _ in 0..<4 { #expect(ColorBars.first(in: try await recording.frame().buffer) != nil) }
      #expect(recording.output.statistics.droppedCorrupt == 0)
      await recording.session.stop()
      try await emulated.unplug()
    }

    @Test("Truncated pictures are counted as corrupt and never delivered")
    func truncated() async throws {
      let (emulated, recording) = try await record { $0.send("truncate 4") }
      for _ in 0..<16 {
        let buffer = try await recording.frame().buffer
        #expect(ColorBars.first(in: buffer) != nil, "\(ColorBars.row(of: buffer))")
      }
      await recording.session.stop()
      let corrupt = recording.dropped.filter { $0.reason == .corrupt }.map(\.sequence)
      #expect(corrupt.count >= 3)
      // The camera cuts every fourth.
      #expect(zip(corrupt, corrupt.dropFirst()).allSatisfy { ($1 - $0) % 4 == 0 }, "\(corrupt)")
      let statistics = recording.output.statistics
      #expect(statistics.captured == statistics.delivered + statistics.dropped + statistics.waiting)
      #expect(recording.session.statistics.interruptions == 0)
      try await emulated.unplug()
    }
  }
}
