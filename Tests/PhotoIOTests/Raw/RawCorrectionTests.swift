import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

/// Lists written byte by byte from DNG 1.7.1.0, chapter 7.
@Suite("Corrections that DNGs ask for", .libRawIsInstalled)
struct RawCorrectionTests {
  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func double(_ value: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * UInt64($0))) }
  }

  private static func list(_ opcodes: [(id: Int, parameters: [UInt8])]) -> [UInt8] {
    var bytes = number(opcodes.count)
    for opcode in opcodes {
      bytes += [opcode.id, 0x0103_0000, 0, opcode.parameters.count].flatMap(number) + opcode.parameters
    }
    return bytes
  }

  /// Gains of one place in two by two pixels.
  private static func gainMap(
    width: Int, height: Int, place: (x: Int, y: Int), columns: Int, rows: Int,
    _ gain: (_ x: Int, _ y: Int) -> Float
  ) -> [UInt8] {
    var bytes = [place.y, place.x, height, width, 0, 1, 2, 2, rows, columns].flatMap(number)
    bytes += [1 / Double(rows - 1), 1 / Double(columns - 1), 0, 0].flatMap(double)
    bytes += number(1)
    for y in 0..<rows { for x in 0..<columns { bytes += number(Int(gain(x, y).bitPattern)) } }
    return bytes
  }

  private func develop(_ file: DNGFile) throws -> Photo {
    let scratch = try Scratch()
    return try Photo(contentsOf: try scratch.write(file.bytes, to: "photo.dng"))
  }

  @Test("Gains over the mosaic undo what dimmed it: a grey wall is even again", arguments: [0, 4096])
  func gainMap(black: Int) throws {
    let (width, height) = (96, 64)
    // Red falls off to the right, blue downwards, green not.
    func gain(_ channel: Int, _ x: Double, _ y: Double) -> Double {
      [1 + x, 1, 1 + 0.5 * y][channel]
    }
    var file = DNGFile(width: width, height: height) { x, y, channel in
      0.4 / gain(channel, (Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
    }
    (file.black, file.neutral) = (black, [1, 1, 1])
    let maps = [(0, 0, 0), (1, 1, 2)].map { x, y, channel in
      (
        id: 9,
        parameters: Self.gainMap(width: width, height: height, place: (x, y), columns: 3, rows: 3) {
          column, row in
          Float(gain(channel, Double(column) / 2, Double(row) / 2))
        }
      )
    }
    let dimmed = try develop(file)
    file.opcodeList = (51_009, Self.list(maps))
    let even = try develop(file)
    #expect(even.warnings == [])
    func samples(_ photo: Photo, _ x: Int, _ y: Int) -> SIMD3<Double> {
      let row = row16(photo.buffer, y)
      return SIMD3((0..<3).map { Double(row[4 * x + $0]) })
    }
    let middle = samples(even, 48, 32)
    for (x, y) in [(8, 8), (88, 8), (8, 56), (88, 56), (30, 40)] {
      let difference = (samples(even, x, y) - middle) / middle
      #expect(max(difference.max(), -difference.min()) < 0.003, "(\(x), \(y)): \(difference)")
    }
    let before = (samples(dimmed, 88, 8) - samples(dimmed, 8, 8)) / samples(dimmed, 8, 8)
    #expect(before.x < -0.2)
  }

  @Test("A lens's numbers are read, those of green where there are three sets")
  func lens() throws {
    let sets = [1.01, -0.02, 0, 0, 0, 0, 1.02, -0.04, 0.003, 0.001, 0, 0, 1.03, -0.04, 0, 0, 0, 0]
    let warp = Self.number(3) + (sets + [0.5, 0.48]).flatMap(Self.double)
    let vignetting = ([0.5, 0.1, 0, 0, 0, 0.5, 0.48]).flatMap(Self.double)
    var file = DNGFile(width: 64, height: 48) { _, _, _ in 0.3 }
    file.neutral = [1, 1, 1]
    file.opcodeList = (51_022, Self.list([(1, warp), (3, vignetting)]))
    let scratch = try Scratch()
    let header = try PhotoHeader.read(scratch.write(file.bytes, to: "photo.dng"))
    let lens = try #require(header.embeddedLens)
    #expect(lens.distortion == [1.02, -0.04, 0.003, 0.001])
    #expect(lens.vignetting == [0.5, 0.1, 0, 0, 0])
    #expect(lens.center == SIMD2(0.5, 0.48))
    #expect(lens.rest == ["lateral colour"])
    #expect(lens.frame == PixelSize(width: 64, height: 48))
    #expect(header.warnings == [])
  }

  @Test("Damaged lists change nothing and are told")
  func damaged() throws {
    var file = DNGFile(width: 32, height: 32) { _, _, _ in 0.3 }
    file.neutral = [1, 1, 1]
    let whole = try develop(file)
    let map = Self.gainMap(width: 32, height: 32, place: (0, 0), columns: 2, rows: 2) { _, _ in 2 }
    let nan = Self.gainMap(width: 32, height: 32, place: (0, 0), columns: 2, rows: 2) { _, _ in .nan }
    let lists: [(bytes: [UInt8], told: String)] = [
      (Self.number(7) + [1, 2, 3], "a damaged list"),
      (Self.number(1) + Self.number(9) + [UInt8](repeating: 0xFF, count: 12), "a damaged list"),
      (Self.list([(9, Array(map.dropLast(3)))]), "GainMap"), (Self.list([(9, nan)]), "GainMap"),
      (Self.list([(9, [UInt8](repeating: 0xFF, count: map.count))]), "GainMap"),
      (Self.list([(99, [])]), "opcode 99"),
    ]
    for (bytes, told) in lists {
      file.opcodeList = (51_009, bytes)
      let photo = try develop(file)
      #expect(
        photo.warnings == [
          "The file asks for corrections (opcode lists), of which these are not made: \(told)"
        ])
      #expect(row16(photo.buffer, 16) == row16(whole.buffer, 16))
    }
  }
}
