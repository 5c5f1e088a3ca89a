import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Geometry of camera raws", .libRawIsInstalled)
struct RawGeometryTests {
  /// A bright square of 8×8 pixels at `corner` on a dark ground.
  private func spot(width: Int, height: Int, at corner: (Int, Int)) -> DNGFile {
    var file = DNGFile(width: width, height: height) { x, y, _ in
      (corner.0..<corner.0 + 8).contains(x) && (corner.1..<corner.1 + 8).contains(y) ? 0.8 : 0.1
    }
    file.neutral = [1, 1, 1]
    return file
  }

  /// The centre of the bright square; nil where there is none.
  private func spot(in buffer: PixelBuffer) -> (x: Double, y: Double)? {
    var (count, sum) = (0.0, (0.0, 0.0))
    for y in 0..<buffer.height {
      let row = row16(buffer, y)
      for x in 0..<buffer.width where row[4 * x + 1] > 8192 {
        count += 1
        sum = (sum.0 + Double(x) + 0.5, sum.1 + Double(y) + 0.5)
      }
    }
    return count > 0 ? (sum.0 / count, sum.1 / count) : nil
  }

  @Test("Pixels stay as the sensor stands, and the orientation says how to turn them", arguments: 1...8)
  func orientation(value: Int) throws {
    let scratch = try Scratch()
    var file = spot(width: 48, height: 32, at: (4, 20))
    file.orientation = value
    let path = try scratch.write(file.bytes, to: "photo.dng")
    let photo = try Photo(contentsOf: path)
    #expect(photo.buffer.size == PixelSize(width: 48, height: 32))
    #expect(Int(photo.orientation.rawValue) == value)
    let centre = try #require(spot(in: photo.buffer))
    #expect(abs(centre.x - 8) < 0.6 && abs(centre.y - 24) < 0.6, "\(centre)")
    let block = try EXIFBlock(try #require(photo.metadata.exif))
    #expect(block.orientation == photo.orientation)
    #expect(try PhotoHeader.read(path).orientation == photo.orientation)
  }

  @Test(
    "Odd sizes and all mosaics", arguments: ["RGGB", "BGGR", "GRBG", "GBRG"], [(45, 33), (46, 33), (45, 34)])
  func oddSizes(pattern: String, size: (Int, Int)) throws {
    let scratch = try Scratch()
    for bits in [12, 14, 16] {
      var file = spot(width: size.0, height: size.1, at: (21, 13))
      (file.pattern, file.bits) = (pattern, bits)
      let photo = try Photo(contentsOf: try scratch.write(file.bytes, to: "photo.dng"))
      #expect(photo.buffer.size == PixelSize(width: size.0, height: size.1))
      let centre = try #require(spot(in: photo.buffer))
      #expect(abs(centre.x - 25) < 0.6 && abs(centre.y - 17) < 0.6, "\(bits): \(centre)")
    }
  }

  @Test("The crop is what the file says, also at odd places", arguments: [(8, 4), (7, 5), (0, 1), (15, 0)])
  func crop(origin: (Int, Int)) throws {
    let scratch = try Scratch()
    var file = spot(width: 64, height: 48, at: (20, 16))
    file.defaultCrop = [origin.0, origin.1, 40, 31]
    let path = try scratch.write(file.bytes, to: "photo.dng")
    let photo = try Photo(contentsOf: path)
    #expect(photo.buffer.size == PixelSize(width: 40, height: 31))
    #expect(try PhotoHeader.read(path).size == photo.buffer.size)
    let centre = try #require(spot(in: photo.buffer))
    #expect(abs(centre.x - Double(24 - origin.0)) < 0.6 && abs(centre.y - Double(20 - origin.1)) < 0.6)
    // The same pixels as without the crop: it comes after the interpolation.
    file.defaultCrop = nil
    let whole = try Photo(contentsOf: try scratch.write(file.bytes, to: "whole.dng"))
    for y in 0..<31 {
      #expect(
        row16(photo.buffer, y)
          == Array(row16(whole.buffer, y + origin.1)[4 * origin.0..<4 * (origin.0 + 40)]))
    }
  }

  @Test("A crop beyond the picture is none")
  func wildCrop() throws {
    let scratch = try Scratch()
    for crop in [[30, 0, 40, 30], [0, 0, 0, 0], [0, 0, 4_000_000_000, 10], [4_000_000_000, 0, 10, 10]] {
      var file = spot(width: 64, height: 48, at: (20, 16))
      file.defaultCrop = crop
      let photo = try Photo(contentsOf: try scratch.write(file.bytes, to: "photo.dng"))
      #expect(photo.buffer.size == PixelSize(width: 64, height: 48), "\(crop)")
    }
  }

  @Test("The masked borders of the sensor are no part of the picture, and the crop counts from them")
  func activeArea() throws {
    let scratch = try Scratch()
    var file = spot(width: 64, height: 48, at: (20, 16))
    file.activeArea = [4, 6, 44, 60]
    let active = try Photo(contentsOf: try scratch.write(file.bytes, to: "photo.dng"))
    #expect(active.buffer.size == PixelSize(width: 54, height: 40))
    let centre = try #require(spot(in: active.buffer))
    #expect(abs(centre.x - 18) < 0.6 && abs(centre.y - 16) < 0.6, "\(centre)")
    file.defaultCrop = [5, 3, 40, 30]
    let cropped = try Photo(contentsOf: try scratch.write(file.bytes, to: "photo.dng"))
    #expect(cropped.buffer.size == PixelSize(width: 40, height: 30))
    #expect(row16(cropped.buffer, 0) == Array(row16(active.buffer, 3)[20..<180]))
  }

  @Test(
    "A picture that is needed smaller is read at half its size, but no smaller than needed",
    arguments: [(82, 81), (41, 81), (40, 40), (39, 40), (1, 40)])
  func halfSize(longEdge: Int, expected: Int) throws {
    let scratch = try Scratch()
    let path = try scratch.write(spot(width: 81, height: 51, at: (40, 30)).bytes, to: "photo.dng")
    let reader = try PhotoReader(contentsOf: path, scaledToLongEdge: longEdge)
    #expect(reader.photoSize == PixelSize(width: 81, height: 51))
    #expect(reader.size == PixelSize(width: expected, height: expected == 40 ? 25 : 51))
    let buffer = try PixelBuffer(size: reader.size, format: reader.format)
    try reader.read(into: buffer)
    try reader.finish()
    let scale = expected == 40 ? 0.5 : 1
    let centre = try #require(spot(in: buffer))
    #expect(abs(centre.x - 44 * scale) < 0.6 && abs(centre.y - 34 * scale) < 0.6, "\(centre)")
  }

  @Test("Bands of any height give the same rows as the whole")
  func bands() throws {
    let scratch = try Scratch()
    let path = try scratch.write(spot(width: 40, height: 47, at: (9, 11)).bytes, to: "photo.dng")
    let whole = try Photo(contentsOf: path)
    let reader = try PhotoReader(contentsOf: path)
    let band = try PixelBuffer(size: PixelSize(width: 40, height: 7), format: .rgba16)
    var rows: [[UInt16]] = []
    while reader.position < reader.size.height {
      let count = try reader.read(into: band)
      rows += (0..<count).map { row16(band, $0) }
    }
    try reader.finish()
    #expect(rows == (0..<47).map { row16(whole.buffer, $0) })
  }
}
