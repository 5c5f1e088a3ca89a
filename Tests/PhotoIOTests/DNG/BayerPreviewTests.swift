import ColorScience
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Previews of mosaics")
struct BayerPreviewTests {
  @Test("have the colours of the sensor in sRGB, for all formats of V4L2", arguments: BayerFixture.formats)
  func colors(format: BayerFormat) throws {
    var fixture = BayerFixture.chart(format)
    fixture.black = format.maximum / 16
    let preview = try fixture.withPicture { try $0.preview(fixture.sensor) }
    // The last row and column of an odd size have no partner.
    #expect(preview.size == PixelSize(width: 48, height: 41))
    for (patch, sensor) in BayerFixture.patches.enumerated() {
      let (x, y) = BayerFixture.middle(of: patch, in: preview.size)
      for channel in 0..<3 {
        let expected = TransferFunction.sRGB.encode(sensor[channel]) * 255
        let found = Double(row8(preview, y)[4 * x + channel])
        // Dark codes are far apart where a sample has 8 bits.
        #expect(abs(found - expected) <= (format.packing == .bits8 ? 1.6 : 0.7), "\(patch) \(channel)")
      }
      #expect(row8(preview, y)[4 * x + 3] == 255)
    }
  }

  @Test(
    "are as large as asked at most, and average what they leave out",
    arguments: [
      (64, 48, 16), (65, 49, 16), (1000, 10, 64), (10, 1000, 64), (2, 2, 1024), (3, 5, 1), (640, 2, 1),
    ])
  func sizes(width: Int, height: Int, edge: Int) throws {
    // Red and blue of each square are its place's, so that means are known.
    func value(_ x: Int, _ y: Int) -> Double {
      let (column, row) = (x / 2, y / 2)
      return Double((31 * column + 17 * row) % 200) / 255
    }
    let fixture = BayerFixture(
      size: PixelSize(width: width, height: height), format: BayerFormat(.bggr, .bits8)
    ) { x, y in SIMD3(repeating: value(x, y)) }
    let proxy = try fixture.withPicture { MosaicProxy($0, fixture.sensor, maximumEdge: edge) }
    #expect(proxy.size.longEdge <= edge)
    let (columns, rows) = (width / 2, height / 2)
    let step = max(1, (max(columns, rows) + edge - 1) / edge)
    #expect(proxy.size == PixelSize(width: (columns + step - 1) / step, height: (rows + step - 1) / step))
    for y in 0..<proxy.size.height {
      for x in 0..<proxy.size.width {
        var (sum, count) = (0.0, 0.0)
        for row in y * step..<min((y + 1) * step, rows) {
          for column in x * step..<min((x + 1) * step, columns) {
            (sum, count) = (sum + value(2 * column, 2 * row), count + 1)
          }
        }
        let color = SIMD3<Double>(proxy.colors[y * proxy.size.width + x])
        #expect(max((color - sum / count).max(), (sum / count - color).max()) < 1e-5, "(\(x), \(y))")
      }
    }
  }

  @Test("are balanced for white, and what is clipped is white")
  func balance() throws {
    let fixture = BayerFixture(size: PixelSize(width: 32, height: 8), format: BayerFormat(.gbrg, .bits12)) {
      x, _ in x < 16 ? SIMD3(0.25, 0.5, 0.2) : SIMD3(1, 1, 1)
    }
    let preview = try fixture.withPicture { try $0.preview(SensorColor(redGain: 2, blueGain: 2.5)) }
    let gray = Double(TransferFunction.sRGB.encode(0.5) * 255)
    for channel in 0..<3 {
      #expect(abs(Double(row8(preview, 2)[4 * 4 + channel]) - gray) <= 1)
      #expect(row8(preview, 2)[4 * 12 + channel] == 255)
    }
  }
}
