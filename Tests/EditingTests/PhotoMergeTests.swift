import Safelight
import TestSupport
import Testing

@Suite struct PhotoMergeTests {
  private let folder: Scratch

  init() throws { folder = try Scratch() }

  private func photo(_ level: UInt8, noise seed: UInt64 = 0) throws -> Photo {
    let buffer = try PixelBuffer(size: PixelSize(width: 128, height: 96), format: .rgba8)
    var state = seed
    for y in 0..<96 {
      let row = buffer.row(y, of: 0, as: UInt8.self)
      for x in 0..<128 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let noise = seed == 0 ? 0 : Int(state >> 60) - 8
        for channel in 0..<3 {
          row[4 * x + channel] = UInt8(clamping: Int(level) + noise + (x / 16) % 2 * 40)
        }
        row[4 * x + 3] = 255
      }
    }
    let path = folder("\(level)-\(seed).png")
    try buffer.write(to: path, overwrite: true)
    return try Photo(contentsOf: path)
  }

  /// The standard deviation of red from the picture without noise, in codes of 8 bits.
  private func noise(_ buffer: PixelBuffer) -> Double {
    var sum = 0.0
    for y in 0..<96 {
      for x in 0..<128 {
        let code =
          buffer.format == .rgba16
          ? Double(buffer.row(y, of: 0, as: UInt16.self)[4 * x]) / 257
          : Double(buffer.row(y, of: 0, as: UInt8.self)[4 * x])
        // The drawn noise is −8…7.
        let difference = code - Double(100 + x / 16 % 2 * 40) + 0.5
        sum += difference * difference
      }
    }
    return (sum / (96 * 128)).squareRoot()
  }

  @Test("An average has 16 bits, the reference's orientation, and less noise")
  func average() throws {
    var photos = try (1...4).map { try photo(100, noise: UInt64($0)) }
    for index in photos.indices { photos[index].orientation = .right }
    let merged = try PhotoMerge(reference: 2).merge(photos)
    #expect(merged.photo.buffer.format == .rgba16)
    #expect(merged.photo.orientation == .right)
    #expect(merged.statistics?.reference == 2)
    // Of four photos half, if all of them fit everywhere.
    #expect(noise(merged.photo.buffer) < 0.6 * noise(photos[2].buffer))
    #expect(merged.shifts.isEmpty)
  }

  @Test("A fusion takes each place from the photo that exposes it well")
  func exposures() throws {
    let fused = try PhotoMerge(.exposures).merge([photo(10), photo(100), photo(210)])
    #expect(fused.statistics == nil)
    #expect(fused.shifts.count == 3)
    let level = fused.photo.buffer.row(48, of: 0, as: UInt16.self)[4 * 8]
    #expect((40 * 257..<180 * 257).contains(Int(level)))
  }

  @Test("Photos that do not fit are refused in one sentence")
  func misfits() throws {
    var turned = try photo(100)
    turned.orientation = .down
    #expect(throws: SafelightError.self) { try PhotoMerge().merge([photo(100), turned]) }
    #expect(throws: SafelightError.self) { try PhotoMerge(reference: 2).merge([photo(100), photo(100)]) }
  }
}
