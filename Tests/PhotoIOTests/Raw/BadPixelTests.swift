import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

/// Lists written byte by byte from DNG 1.7.1.0, chapter 7.
@Suite("Bad pixels that DNGs list", .libRawIsInstalled)
struct BadPixelTests {
  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func list(_ id: Int, _ parameters: [Int]) -> [UInt8] {
    [1, id].flatMap(number) + [1, 3, 0, 0] + [0, 4 * parameters.count].flatMap(number)
      + parameters.flatMap(number)
  }

  private static let bad = [(20, 11), (21, 11), (40, 30), (5, 5)]
  private static let badColumn = 33

  private static func isBad(_ x: Int, _ y: Int) -> Bool {
    bad.contains { $0 == (x, y) } || x == badColumn && (8..<40).contains(y)
  }

  /// A wall that gets brighter to the right and downwards, with an edge; bad pixels are black.
  private func file(_ value: Double = 0, activeArea: [Int]? = nil) -> DNGFile {
    let (top, left) = (activeArea?[0] ?? 0, activeArea?[1] ?? 0)
    var file = DNGFile(width: 64 + left, height: 48 + top) { x, y, channel in
      let (x, y) = (x - left, y - top)
      if Self.isBad(x, y) { return value }
      return (y < 24 ? 0.2 : 0.5) + 0.002 * Double(x)
    }
    (file.neutral, file.activeArea) = ([1, 1, 1], activeArea)
    return file
  }

  private func develop(_ file: DNGFile) throws -> Photo {
    let scratch = try Scratch()
    return try Photo(contentsOf: try scratch.write(file.bytes, to: "photo.dng"))
  }

  /// The largest difference from the wall, two pixels beside the edge and the border left out.
  private func error(_ photo: Photo) -> Double {
    var largest = 0.0
    for y in 3..<45 where !(20..<28).contains(y) {
      let row = row16(photo.buffer, y)
      for x in 3..<61 {
        let expected = (y < 24 ? 0.2 : 0.5) + 0.002 * Double(x)
        for channel in 0..<3 {
          largest = max(largest, abs(Double(row[4 * x + channel]) / 65_535 / 0.25 - expected))
        }
      }
    }
    return largest
  }

  private var points: [Int] {
    [0, Self.bad.count, 1] + Self.bad.flatMap { [$0.1, $0.0] } + [8, Self.badColumn, 40, Self.badColumn + 1]
  }

  @Test("Points and rectangles become what is beside them")
  func list() throws {
    var file = file()
    #expect(error(try develop(file)) > 0.1)
    file.opcodeList = (51_008, Self.list(5, points))
    let photo = try develop(file)
    #expect(photo.warnings == [])
    #expect(error(photo) < 0.004, "\(error(photo))")
  }

  @Test("Places of the second list are those of the exposed part")
  func exposed() throws {
    var file = file(activeArea: [4, 6, 52, 70])
    file.opcodeList = (51_009, Self.list(5, points))
    let photo = try develop(file)
    #expect(photo.buffer.size == PixelSize(width: 64, height: 48))
    #expect(error(photo) < 0.004, "\(error(photo))")
  }

  @Test("Pixels of a value that stands for bad ones become what is beside them")
  func constant() throws {
    var file = file(0)
    file.opcodeList = (51_008, Self.list(4, [0, 0]))
    #expect(error(try develop(file)) < 0.004)
  }

  @Test("A value behind the black level, which no stored pixel has, is named")
  func constantOfLight() throws {
    var file = file(0)
    file.opcodeList = (51_009, Self.list(4, [0, 0]))
    #expect(try develop(file).warnings.contains { $0.contains("FixBadPixelsConstant") })
  }

  @Test(
    "Lists that are damaged are named",
    arguments: [[0, 2, 0, 1, 1], [0, 1 << 30, 1 << 30], [0, 1, 0, -1, 4], [0, 0, 1, 1, 1]])
  func damaged(parameters: [Int]) throws {
    var file = file()
    file.opcodeList = (51_008, Self.list(5, parameters))
    let photo = try develop(file)
    #expect(photo.warnings.contains { $0.hasSuffix("are not made: FixBadPixelsList") }, "\(photo.warnings)")
  }

  @Test("Rectangles beyond the picture, and turned ones, harm nothing")
  func beyond() throws {
    var file = file()
    file.opcodeList = (51_008, Self.list(5, [0, 1, 2, 4000, 4000, 30, 30, 20, 90, 40, 0, 9000, 9000]))
    #expect(try develop(file).warnings == [])
  }
}
