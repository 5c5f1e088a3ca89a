import ColorScience
import FilterGraph
import FrameCore
import Rendering
import RendererTestSupport
import TestSupport
import Testing

/// RGBA8 to camera formats, against the formulas of H.273 and the boxes that the docstring draws.
@Suite("Rendered pictures become camera formats")
struct PixelConverterTests {
  private static func tags(_ encoding: YCbCrEncoding) -> ColorTags { encoding.tags(.sRGB) }

  /// The mean of colour differences over a box as large as the pixels that a sample stands for.
  private func expected(
    _ source: PixelBuffer, _ format: PixelFormat, _ encoding: YCbCrEncoding, x: Int, y: Int
  ) -> SIMD3<Double> {
    func codes(_ x: Int, _ y: Int) -> SIMD3<Double> {
      let (cx, cy) = (min(max(x, 0), source.width - 1), min(max(y, 0), source.height - 1))
      return encoding.encode(
        SIMD3(
          RandomPicture.get(source, cx, cy, 0), RandomPicture.get(source, cx, cy, 1),
          RandomPicture.get(source, cx, cy, 2)) / 255)
    }
    /// Weights of the pixels -1, 0 and 1 about the first one that a sample stands for.
    func box(_ step: Int, between: Bool) -> [Double] {
      step == 1 ? [0, 1, 0] : between ? [0, 0.5, 0.5] : [0.25, 0.5, 0.25]
    }
    let place = YCbCrStage(format: format, encoding: encoding).chroma
    let columns = box(place.stepX, between: place.offsetX > 0)
    let rows = box(place.stepY, between: place.offsetY > 0)
    let (left, top) = (x / place.stepX * place.stepX, y / place.stepY * place.stepY)
    var sum = SIMD3<Double>.zero
    for j in 0..<3 {
      for i in 0..<3 { sum += rows[j] * columns[i] * codes(left + i - 1, top + j - 1) }
    }
    sum.x = codes(x, y).x
    return sum
  }

  @Test(
    "within a code of the formula, at every size and siting",
    arguments: [PixelFormat.yuyv422, .uyvy422, .nv12, .nv21, .nv16, .i420, .i422, .i444])
  func formula(format: PixelFormat) throws {
    let converter = PixelConverter(threads: 2)
    for (seed, encoding) in CameraCases.encodings.enumerated() {
      for size in [(1, 1), (2, 1), (17, 5), (64, 33), (131, 70)] {
        var random = SeededRandom(seed: UInt64(seed))
        let size = PixelSize(width: size.0, height: size.1)
        let source = try RandomPicture.noise(size, .rgba8, using: &random)
        let target = try PixelBuffer(size: size, format: format, tags: Self.tags(encoding))
        try converter.convert(source, into: target)
        for y in 0..<size.height {
          for x in 0..<size.width {
            let value = CameraPictures.codes(target, x, y)
            let exact = expected(source, format, encoding, x: x, y: y)
            for channel in 0..<3 where abs(Double(value[channel]) - exact[channel]) > 0.52 {
              Issue.record("\(format), \(encoding), \(size), \(x) \(y): \(value), not \(exact)")
              return
            }
          }
        }
      }
    }
  }

  @Test("and come back as they were where colour differences are kept whole")
  func roundTrip() throws {
    var random = SeededRandom(seed: 3)
    let size = PixelSize(width: 97, height: 41)
    let source = try RandomPicture.noise(size, .rgba8, using: &random)
    let encoding = YCbCrEncoding(matrix: .bt709, range: .full)
    let target = try PixelBuffer(size: size, format: .i444, tags: Self.tags(encoding))
    try PixelConverter().convert(source, into: target)
    let plan = try Plan(Recipe(), input: PlanInput(target), output: PlanOutput())
    let back = try CPURenderer().render(target, through: plan)
    // Half a code of luma and of each colour difference.
    #expect(RandomPicture.largestDifference(source, back).value <= 2)
  }

  @Test("unless the tags say RGB, or sizes differ")
  func misfits() throws {
    let size = PixelSize(width: 4, height: 4)
    let source = try PixelBuffer(size: size, format: .rgba8)
    func message(_ target: PixelBuffer) -> String {
      do {
        try PixelConverter().convert(source, into: target)
        return "no error"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message(try PixelBuffer(size: size, format: .nv12))
        == "The picture's samples are luma and colour differences, its tags say RGB (identity matrix); tag it with the matrix BT.601, BT.709 or BT.2020, or as unspecified."
    )
    #expect(
      message(try PixelBuffer(size: PixelSize(width: 4, height: 5), format: .nv12))
        == "A picture of 4×4 does not fill a buffer of 4×5; make the buffer of the picture's size.")
  }
}
