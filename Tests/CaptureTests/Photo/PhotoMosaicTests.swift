import FrameCore
import Libc
import Synchronization
import TestSupport
import Testing

@testable import Capture

/// A camera's buffer, which it fills again as soon as a frame is accepted.
private final class DriverBuffer {
  let size = PixelSize(width: 64, height: 48)
  let format = BayerFormat(.rggb, .bits8)
  private let picture = EncodedPicture(capacity: 64 * 48)
  private let live: PixelBuffer

  init() throws { live = try PixelBuffer(size: size, format: .rgba8) }

  /// A frame whose samples are all the same number.
  func frame(_ number: UInt8, at time: Timestamp) throws -> Frame {
    [UInt8](repeating: number, count: 64 * 48).withUnsafeBytes { picture.fill(with: $0) }
    var frame = Frame(buffer: live, time: time, sequence: UInt64(number))
    frame.mosaic = try BayerMosaic(
      picture, size: size, format: format, rowBytes: 64, transfer: .sRGB, neutral: SIMD3(1, 1, 1))
    return frame
  }
}

@Suite struct PhotoMosaicTests {
  private func pass(_ numbers: ClosedRange<UInt8>, to output: PhotoOutput<PhotoFrame>) throws -> Timestamp {
    let buffer = try DriverBuffer()
    let begin = Timestamp.now.advanced(bySeconds: -0.3)
    for number in numbers {
      output.accept(try buffer.frame(number, at: begin.advanced(bySeconds: Double(number) * 0.01)))
    }
    return begin
  }

  @Test("A kept frame has the sensor's own samples, also when the driver has filled its buffer again")
  func kept() throws {
    let output = PhotoOutput<PhotoFrame>(memory: 1 << 20) { captured, _ in captured.referenceFrame }
    try output.attach(to: ObjectIdentifier(output))
    output.open()
    let begin = try pass(1...12, to: output)
    let press = begin.advanced(bySeconds: 0.07)
    let capture = try output.capture(PhotoSettings(qualityPrioritization: .speed), pressedAt: press)
    let photo = try #require(try capture.wait(until: Timestamp.now.advanced(bySeconds: 20)))
    let mosaic = try #require(photo.mosaic)
    #expect(photo.jpeg == nil)
    #expect(mosaic.samples.bytes.count == 64 * 48 && mosaic.samples.bytes.allSatisfy { $0 == 7 })
    // Without a cast and encoded as sRGB, they are shown as they are.
    let row = try photo.samples().row(20, of: 0, as: UInt16.self)
    #expect(abs(Int(row[40]) - 7 * 257) <= 2 && abs(Int(row[41]) - 7 * 257) <= 2)
    output.close()
    #expect(mosaic.samples.bytes.allSatisfy { $0 == 7 }, "after the stream's end too")
  }

  @Test("Mosaics are kept within the memory that there is, byte for byte")
  func memory() throws {
    // Nine of 3072 bytes, and a tenth that does not fit.
    let output = PhotoOutput<PhotoFrame>(memory: 9 * 3072 + 3071) { captured, _ in captured.referenceFrame }
    try output.attach(to: ObjectIdentifier(output))
    output.open()
    _ = try pass(1...40, to: output)
    #expect(output.keptBytes == 9 * 3072)
    #expect(output.framesNotKept == 0)
    output.close()
  }

  @Test("The camera's values are those of the press, whatever is set while the photo is made")
  func values() throws {
    let iso = Mutex(100.0)
    let isRead = Monitor(0)
    let mayProcess = Monitor(false)
    let output = PhotoOutput<Double?>(
      memory: 1 << 20, threads: 1,
      cameraValues: {
        var values = CameraValues()
        values.iso = iso.withLock { $0 }
        isRead.update { $0 += 1 }
        return values
      },
      process: { captured, _ in
        mayProcess.wait { $0 ? () : nil }
        return captured.cameraValues?.iso
      })
    try output.attach(to: ObjectIdentifier(output))
    output.open()
    let buffer = try DriverBuffer()
    output.accept(try buffer.frame(1, at: .now))
    let end = Timestamp.now.advanced(bySeconds: 20)
    let first = try output.capture(PhotoSettings(qualityPrioritization: .speed))
    isRead.wait { $0 >= 1 ? () : nil }
    iso.withLock { $0 = 800 }
    let second = try output.capture(PhotoSettings(qualityPrioritization: .speed))
    isRead.wait { $0 >= 2 ? () : nil }
    iso.withLock { $0 = 3200 }
    mayProcess.update { $0 = true }
    #expect(try first.wait(until: end) == 100)
    #expect(try second.wait(until: end) == 800)
    // A burst has one reading for all of its photos.
    let burst = try output.captureBurst(of: 3)
    isRead.wait { $0 >= 3 ? () : nil }
    iso.withLock { $0 = 1 }
    for number: UInt8 in 2...6 {
      output.accept(try buffer.frame(number, at: Timestamp.now.advanced(bySeconds: Double(number) * 0.001)))
    }
    while !burst.hasEnded, .now < end { usleep(1000) }
    #expect(try burst.captures.map { try $0.wait(until: end) } == [3200, 3200, 3200])
    #expect(isRead.read { $0 } == 3)
  }

  @Test("Presses share a reading that begins after them, and none is left without")
  func reader() {
    let readings = Monitor(0)
    let mayRead = Monitor(false)
    let reader = CameraValueReader {
      readings.update { $0 += 1 }
      mayRead.wait { $0 ? () : nil }
      return CameraValues()
    }
    let first = reader.begin()
    readings.wait { $0 == 1 ? () : nil }
    let others = (0..<20).map { _ in reader.begin() }
    mayRead.update { $0 = true }
    #expect(first.wait() != nil)
    for reading in others { #expect(reading.wait() != nil) }
    #expect(readings.read { $0 } == 2)
    for _ in 0..<200 { #expect(reader.begin().wait() != nil) }
  }
}
