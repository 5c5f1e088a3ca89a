@testable import Files
import CJPEG
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO
import Libc

/// Files with restart markers, whose strips several threads encode.
@Suite("JPEG in strips")
struct JPEGStripTests {
  struct Case: Sendable {
    var width: Int
    var height: Int
    var chromaStep: Int32
  }

  static let cases = [
    Case(width: 200, height: 333, chromaStep: 1), Case(width: 35, height: 160, chromaStep: 2),
    Case(width: 17, height: 321, chromaStep: 2), Case(width: 1, height: 17, chromaStep: 1),
    Case(width: 64, height: 16, chromaStep: 1), Case(width: 40, height: 9, chromaStep: 2),
  ]

  private func noise(_ example: Case) throws -> PixelBuffer {
    var random = SeededRandom(seed: UInt64(example.width))
    let buffer = try PixelBuffer(
      size: PixelSize(width: example.width, height: example.height), format: .rgba8)
    for y in 0..<example.height {
      let row = buffer.row(y, as: UInt8.self)
      for i in 0..<4 * example.width { row[i] = UInt8(truncatingIfNeeded: y &+ i &+ Int(random.next() % 24)) }
    }
    return buffer
  }

  /// The file that a writer makes of a picture, brought `step` rows at a time.
  private func encode(
    _ buffer: PixelBuffer, _ example: Case, stripRows: Int, threads: Int, step: Int
  ) throws -> [UInt8] {
    let scratch = try Scratch()
    let output = try OutputFile(path: scratch("a.jpg"), overwrite: false)
    let marker = JPEGMetadata.Marker(code: 0xE3, payload: Array("and so on".utf8))
    let writer = try JPEGRowWriter(
      output, size: buffer.size, quality: 92, chromaStep: example.chromaStep, markers: [marker],
      threads: threads, stripRows: stripRows)
    for first in stride(from: 0, to: buffer.height, by: step) {
      try writer.write(
        min(step, buffer.height - first), from: buffer.planes[0].row(first),
        rowBytes: buffer.planes[0].rowBytes)
    }
    try writer.finish()
    try output.commit(durable: false)
    withExtendedLifetime(buffer) {}
    return try scratch.read("a.jpg")
  }

  @Test("The file does not depend on the threads, nor on how rows are brought", arguments: cases)
  func sameBytes(example: Case) throws {
    let buffer = try noise(example)
    // libjpeg's own restart markers, by one encoder.
    let expected = try encode(buffer, example, stripRows: 16, threads: 1, step: buffer.height)
    for (threads, step) in [(2, 1000), (3, 64), (2, 7), (5, 16), (2, 50)] {
      let file = try encode(buffer, example, stripRows: 16, threads: threads, step: step)
      #expect(file == expected, "\(threads) threads, \(step) rows at a time")
    }
  }

  @Test("Restart markers follow each other from 0 to 7, at the interval that is declared", arguments: cases)
  func structure(example: Case) throws {
    let file = try encode(noise(example), example, stripRows: 16, threads: 3, step: 64)
    let strips = (example.height + 15) / 16
    var restarts: [UInt8] = []
    var interval: Int?
    var height: Int?
    var index = 2
    // Segments up to the scan (ITU-T T.81, B.1.1.4), then markers among the entropy-coded data.
    while file[index + 1] != 0xDA {
      let length = Int(file[index + 2]) << 8 | Int(file[index + 3])
      if file[index + 1] == 0xDD { interval = Int(file[index + 4]) << 8 | Int(file[index + 5]) }
      if file[index + 1] == 0xC0 { height = Int(file[index + 5]) << 8 | Int(file[index + 6]) }
      index += 2 + length
    }
    index += 2
    while index + 1 < file.count {
      if file[index] == 0xFF, (0xD0...0xD7).contains(file[index + 1]) {
        restarts.append(file[index + 1] - 0xD0)
      }
      index += 1
    }
    #expect(height == example.height)
    #expect(restarts == (0..<strips - 1).map { UInt8($0 % 8) })
    let blocks = (example.width + 8 * Int(example.chromaStep) - 1) / (8 * Int(example.chromaStep))
    #expect(interval == (strips > 1 ? blocks * 16 / (8 * Int(example.chromaStep)) : nil))
    #expect(file.suffix(2) == [0xFF, 0xD9])
  }

  @Test("The picture is the same as without restart markers", arguments: cases)
  func samePicture(example: Case) throws {
    let buffer = try noise(example)
    let scratch = try Scratch()
    try scratch.write(
      encode(buffer, example, stripRows: 16, threads: 2, step: 1000), to: "strips.jpg")
    try scratch.write(encode(buffer, example, stripRows: 0, threads: 2, step: 1000), to: "whole.jpg")
    let (strips, whole) = (
      try Photo(contentsOf: scratch("strips.jpg")), try Photo(contentsOf: scratch("whole.jpg"))
    )
    #expect(strips.warnings == [] && strips.buffer.size == buffer.size)
    for y in 0..<buffer.height {
      #expect(Array(strips.buffer.row(y, as: UInt8.self)) == Array(whole.buffer.row(y, as: UInt8.self)))
    }
  }

  @Test("What a strip failed with is what the whole picture fails with")
  func failure() throws {
    let writer = try #require(cjpeg_writer_new_in_memory())
    defer { cjpeg_writer_free(writer) }
    // Wider than libjpeg takes: no strip can begin.
    let encoders = JPEGStripEncoders(
      .init(width: 70_000, quality: 90, chromaStep: 1, stripRows: 16), threads: 2)
    let row = [UInt8](repeating: 0, count: 4)
    let failure = row.withUnsafeBufferPointer { row in
      row.baseAddress.flatMap { encoders.encode(48, from: $0, rowBytes: 0, into: writer) }
    }
    #expect(failure?.status == CJPEG_UNSUPPORTED && failure?.isOfWriter == false)
    #expect(failure?.message == "Maximum supported image dimension is 65500 pixels")
    #expect(cjpeg_writer_status(writer) == CJPEG_OK)
  }

  @Test("A full disk is one sentence and leaves nothing, with several threads too")
  func fullDisk() throws {
    let scratch = try Scratch()
    let path = scratch("a.jpg")
    let output = try OutputFile(path: path, overwrite: false)
    let full = open("/dev/full", O_WRONLY)
    #expect(dup2(full, output.descriptor) == output.descriptor)
    close(full)
    let example = Case(width: 400, height: 300, chromaStep: 1)
    let buffer = try noise(example)
    let text = message {
      let writer = try JPEGRowWriter(
        output, size: buffer.size, quality: 100, chromaStep: 1, markers: [], threads: 2, stripRows: 16)
      try writer.write(300, from: buffer.planes[0].row(0), rowBytes: buffer.planes[0].rowBytes)
      try writer.finish()
    }
    withExtendedLifetime(buffer) {}
    #expect(text == "Cannot write \(path): the disk is full; free some space and try again.")
    #expect(try scratch.names == [])
  }
}
