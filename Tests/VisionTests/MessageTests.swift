import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import Vision

/// The inverse of `VisionAnswer.init`, written from `vision/messages.h`.
private struct Writer {
  var bytes: [UInt8] = []

  mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }
  mutating func put(_ number: Float) { put(number.bitPattern) }
  mutating func put(_ text: String) {
    put(UInt32(text.utf8.count))
    bytes += text.utf8
  }

  /// One thing with three corners, a text and a detail.
  static func answer(
    count: UInt16 = 1, corners: UInt8 = 3, x: Float = 1.5, confidence: Float = 0.5, hasText: UInt8 = 1,
    details: UInt8 = 1
  ) -> [UInt8] {
    var writer = Writer()
    writer.put(UInt32(7))
    writer.put(UInt8(0))
    writer.put(count)
    writer.put(corners)
    for index in 0..<3 {
      writer.put(x)
      writer.put(Float(index))
    }
    writer.put(confidence)
    writer.put(hasText)
    writer.put("é\u{1B}")
    writer.put(details)
    writer.put("symbology")
    writer.put("QRCode")
    return writer.bytes
  }
}

@Suite("Messages between the program and its worker")
struct MessageTests {
  @Test("An answer is read as it was written")
  func answer() throws {
    let answer = try VisionAnswer(Writer.answer())
    let thing = VisionAnswer.Thing(
      corners: [SIMD2(1.5, 0), SIMD2(1.5, 1), SIMD2(1.5, 2)], confidence: 0.5, text: "é\u{1B}",
      details: ["symbology": "QRCode"])
    #expect(answer.sequence == 7 && answer.body == .found([thing]))
    let detection = thing.detection(.code, in: PixelSize(width: 3, height: 4))
    #expect(detection.outline.map(\.x) == [0.5, 0.5, 0.5] && detection.outline.map(\.y) == [0, 0.25, 0.5])
  }

  @Test("Every answer that is cut short, or goes on, is none")
  func lengths() {
    let whole = Writer.answer()
    for length in 0..<whole.count {
      #expect(throws: MessageReader.Malformed.self, "\(length)") { try VisionAnswer(Array(whole[..<length])) }
    }
    #expect(throws: MessageReader.Malformed.self) { try VisionAnswer(whole + [0]) }
  }

  @Test("Numbers outside of their ranges are no answers")
  func ranges() {
    let wrong: [[UInt8]] = [
      Writer.answer(count: 2), Writer.answer(count: 65_535), Writer.answer(corners: 2),
      Writer.answer(corners: 255), Writer.answer(x: .nan), Writer.answer(x: .infinity),
      Writer.answer(x: -1e9),
      Writer.answer(confidence: 1.01), Writer.answer(confidence: -0.1), Writer.answer(confidence: .nan),
      Writer.answer(hasText: 2), Writer.answer(details: 0), Writer.answer(details: 17),
      Writer.answer(details: 255),
    ]
    for (index, bytes) in wrong.enumerated() {
      #expect(throws: MessageReader.Malformed.self, "\(index)") { try VisionAnswer(bytes) }
    }
  }

  @Test(
    "Seeds of Tests/Fuzz/vision are read or refused as their names say, and their mutations never do harm")
  func seeds() throws {
    let folder = Vision.package + "/Tests/Fuzz/vision"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".message")
    }
    #expect(names.count >= 8)
    var random = SeededRandom(seed: 21)
    for name in names {
      let bytes = try Array(Data(contentsOf: URL(filePath: folder + "/" + name)))
      let answer = try? VisionAnswer(bytes)
      #expect((answer != nil) == name.hasPrefix("good-"), "\(name)")
      var refused = 0
      for _ in 0..<400 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !changed.isEmpty {
          changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(
            in: .min ... .max, using: &random)
        }
        guard let answer = try? VisionAnswer(changed) else {
          refused += 1
          continue
        }
        if case .found(let things) = answer.body {
          #expect(things.allSatisfy { (0...1).contains($0.confidence) && $0.corners.count >= 3 })
        }
      }
      #expect(refused > 0 || bytes.isEmpty, "\(name)")
    }
  }

  @Test("A request is 28 bytes, as the worker reads them")
  func request() {
    let request = VisionRequest(
      sequence: 0x0403_0201, task: .find(.text, [.harder, .oneLine]), size: PixelSize(width: 300, height: 2),
      rowBytes: 320, seconds: 1.5)
    #expect(
      request.bytes == [
        24, 0, 0, 0, 1, 2, 3, 4, 3, 33, 0, 0, 0x2C, 1, 0, 0, 2, 0, 0, 0, 0x40, 1, 0, 0, 0xDC, 5, 0, 0,
      ])
  }
}
