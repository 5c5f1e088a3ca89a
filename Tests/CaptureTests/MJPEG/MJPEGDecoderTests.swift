import FrameCore
import Testing

@testable import Capture

@Suite("Motion JPEG")
struct MJPEGDecoderTests {
  /// A sampling, the format it is delivered in, and how often its chroma is repeated across and down for that.
  struct Sampling: Sendable, CustomTestStringConvertible {
    var name: String
    var factors: [[Int]]
    var format: PixelFormat
    var widen = 1
    var heighten = 1
    var testDescription: String { name }

    func jpeg(_ width: Int, _ height: Int) -> FlatJPEG {
      FlatJPEG(width: width, height: height, components: factors.map { .init(h: $0[0], v: $0[1]) })
    }
  }

  static let samplings = [
    Sampling(name: "4:4:4", factors: [[1, 1], [1, 1], [1, 1]], format: .i444),
    Sampling(name: "4:2:2", factors: [[2, 1], [1, 1], [1, 1]], format: .i422),
    Sampling(name: "4:2:2 with doubled factors", factors: [[2, 2], [1, 2], [1, 2]], format: .i422),
    Sampling(name: "4:2:0", factors: [[2, 2], [1, 1], [1, 1]], format: .i420),
    Sampling(name: "4:4:0", factors: [[1, 2], [1, 1], [1, 1]], format: .i444, heighten: 2),
    Sampling(name: "4:1:1", factors: [[4, 1], [1, 1], [1, 1]], format: .i422, widen: 2),
    Sampling(name: "4:1:0", factors: [[4, 2], [1, 1], [1, 1]], format: .i420, widen: 2),
    Sampling(name: "gray", factors: [[1, 1]], format: .gray8),
    Sampling(name: "gray with doubled factors", factors: [[2, 2]], format: .gray8),
  ]

  private func decode(_ bytes: [UInt8], with decoder: MJPEGDecoder) throws -> PixelBuffer? {
    switch try bytes.withUnsafeBytes({ try decoder.decode($0) }) {
    case .decoded(let buffer): buffer
    case .damaged, .outOfBuffers: nil
    }
  }

  /// The first place where a buffer differs from what was written, or nil.
  private func difference(_ buffer: PixelBuffer, _ jpeg: FlatJPEG, _ sampling: Sampling) -> String? {
    for (plane, shape) in buffer.format.planes.enumerated() {
      let width = shape.rowBytes(width: buffer.width)
      for y in 0..<shape.rows(height: buffer.height) {
        let row = buffer.row(y, of: plane, as: UInt8.self)
        for x in 0..<width {
          let expected =
            plane == 0 ? jpeg.stored(0, x, y) : jpeg.stored(plane, x / sampling.widen, y / sampling.heighten)
          if row[x] != expected { return "plane \(plane) at \(x), \(y): \(row[x]), not \(expected)" }
        }
      }
    }
    return nil
  }

  @Test("Samples come out as they are stored, in the planes of their sampling", arguments: samplings)
  func planes(_ sampling: Sampling) throws {
    // Whole units, parts of units in both directions, and pictures smaller than one.
    for (width, height) in [(64, 32), (70, 45), (33, 17), (9, 1), (1, 9), (640, 8)] {
      let jpeg = sampling.jpeg(width, height)
      let decoder = try MJPEGDecoder()
      let buffer = try #require(try decode(jpeg.bytes(), with: decoder), "\(decoder.problem)")
      #expect(buffer.format == sampling.format && decoder.pixelFormat == sampling.format)
      #expect(buffer.size == PixelSize(width: width, height: height))
      #expect(buffer.tags == MJPEGDecoder.defaultTags)
      #expect(difference(buffer, jpeg, sampling) == nil, "\(width)×\(height)")
    }
  }

  @Test("A frame without Huffman tables has the standard ones, also after a frame with others")
  func huffmanTables() throws {
    let sampling = Self.samplings[1]
    let decoder = try MJPEGDecoder()
    for tables in [FlatJPEG.Tables.own, .standardLeftOut, .own, .own, .standardLeftOut] {
      var jpeg = sampling.jpeg(48, 24)
      jpeg.tables = tables
      let buffer = try #require(try decode(jpeg.bytes(), with: decoder), "\(decoder.problem)")
      #expect(difference(buffer, jpeg, sampling) == nil)
    }
  }

  @Test("A frame without a quantization table is refused, also after a frame with one")
  func quantization() throws {
    let jpeg = Self.samplings[1].jpeg(48, 24).bytes()
    let decoder = try MJPEGDecoder()
    #expect(try decode(jpeg, with: decoder) != nil)
    // The segment of 67 bytes and its marker come first.
    let without = Array(jpeg[..<2] + jpeg[71...])
    #expect(try decode(without, with: decoder) == nil)
    #expect(decoder.problem == "the quantization table is missing")
  }

  @Test("Stray bytes, a missing end marker, padding behind it and restart markers are tolerated")
  func tolerated() throws {
    let sampling = Self.samplings[3]
    var jpeg = sampling.jpeg(96, 48)
    let plain = jpeg.bytes()
    let decoder = try MJPEGDecoder()
    let stray = Array(plain.dropLast(2)) + [0x00, 0x12, 0x34] + plain.suffix(2)
    for bytes in [stray, Array(plain.dropLast(2)), plain + [UInt8](repeating: 0, count: 500)] {
      let buffer = try #require(try decode(bytes, with: decoder), "\(decoder.problem)")
      #expect(difference(buffer, jpeg, sampling) == nil)
    }
    jpeg.restartInterval = 4
    let buffer = try #require(try decode(jpeg.bytes(), with: decoder), "\(decoder.problem)")
    #expect(difference(buffer, jpeg, sampling) == nil)
  }

  @Test("A frame that ends early is refused wherever it ends, and the next one is whole")
  func truncated() throws {
    let sampling = Self.samplings[1]
    let jpeg = sampling.jpeg(160, 80)
    let bytes = jpeg.bytes()
    let decoder = try MJPEGDecoder()
    // The last two bytes are the end marker, and the two before may hold no more than the last bits and padding.
    for length in 0..<bytes.count - 4 {
      #expect(
        try decode(Array(bytes.prefix(length)), with: decoder) == nil, "\(length) of \(bytes.count) bytes")
      #expect(!decoder.problem.isEmpty)
    }
    // With an end marker in the middle of the picture it is as incomplete.
    #expect(try decode(Array(bytes.prefix(bytes.count / 2)) + [0xFF, 0xD9], with: decoder) == nil)
    let buffer = try #require(try decode(bytes, with: decoder), "\(decoder.problem)")
    #expect(difference(buffer, jpeg, sampling) == nil)
  }

  @Test("A frame of another size than the stream's is refused, but for rows that complete a block")
  func sizes() throws {
    let sampling = Self.samplings[3]
    let decoder = try MJPEGDecoder(expecting: PixelSize(width: 64, height: 36))
    for (width, height) in [(64, 35), (63, 36), (65, 36), (64, 52), (128, 72)] {
      #expect(try decode(sampling.jpeg(width, height).bytes(), with: decoder) == nil, "\(width)×\(height)")
      #expect(decoder.problem == "the size is not the stream's")
    }
    for height in [36, 48] {
      let jpeg = sampling.jpeg(64, height)
      let buffer = try #require(try decode(jpeg.bytes(), with: decoder), "\(decoder.problem)")
      #expect(buffer.size == PixelSize(width: 64, height: 36))
      #expect(difference(buffer, jpeg, sampling) == nil)
    }
  }

  @Test("Buffers are used again when they are free, and when none is free the frame is lost")
  func buffers() throws {
    let jpeg = Self.samplings[1].jpeg(32, 16).bytes()
    let decoder = try MJPEGDecoder(bufferCount: 3)
    var bases: Set<UnsafeMutableRawPointer> = []
    for _ in 0..<20 { bases.insert(try #require(try decode(jpeg, with: decoder)).planes[0].base) }
    #expect(bases.count <= 3)
    var held: [PixelBuffer] = []
    for _ in 0..<3 { held.append(try #require(try decode(jpeg, with: decoder))) }
    let outcome = try jpeg.withUnsafeBytes { try decoder.decode($0) }
    if case .outOfBuffers = outcome {} else { Issue.record("\(outcome)") }
    held.removeFirst()
    #expect(try decode(jpeg, with: decoder) != nil)
  }

  @Test("What is no YCbCr JPEG is refused with the reason")
  func refused() throws {
    let decoder = try MJPEGDecoder()
    #expect(try decode([], with: decoder) == nil)
    #expect(decoder.problem == "the frame is empty")
    #expect(try decode(Array("GIF89a".utf8), with: decoder) == nil)
    #expect(decoder.problem.contains("Not a JPEG file"))
    let odd = FlatJPEG(
      width: 16, height: 16, components: [.init(h: 2, v: 1), .init(h: 2, v: 1), .init(h: 1, v: 1)])
    #expect(try decode(odd.bytes(), with: decoder) == nil)
    #expect(decoder.problem == "neither gray nor a known sampling of YCbCr")
  }
}
