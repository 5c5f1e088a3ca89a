import ColorScience
import FilterGraph
import FrameCore

/// Luma and colour differences of a picture, in double precision: those of RGB, or a picture's own.
struct ReferencePlanes {
  let stage: YCbCrStage
  let size: PixelSize
  /// The columns and rows that one of the given colour differences stands for.
  let given: (stepX: Int, stepY: Int)
  /// The codes (Y', Cb, Cr) of a pixel, not rounded.
  let codes: (_ x: Int, _ y: Int) -> SIMD3<Double>

  /// Those of 8-bit R'G'B' codes.
  init(_ stage: YCbCrStage, size: PixelSize, rgb: @escaping (_ x: Int, _ y: Int) -> SIMD3<Double>) {
    (self.stage, self.size, given) = (stage, size, (1, 1))
    codes = { stage.encoding.encode(rgb($0, $1) / 255) }
  }

  /// Those of a camera picture. `stage` has as many colour differences as the picture, or fewer.
  init(_ stage: YCbCrStage, own picture: CameraPicture) {
    (self.stage, size) = (stage, picture.size)
    let (stepX, stepY) = (picture.stage.chroma.stepX, picture.stage.chroma.stepY)
    given = picture.stage.format == .gray8 ? (stage.chroma.stepX, stage.chroma.stepY) : (stepX, stepY)
    codes = { x, y in
      SIMD3(
        picture.code(0, x, y), picture.code(1, x / stepX, y / stepY), picture.code(2, x / stepX, y / stepY))
    }
  }

  /// Stores row `y` of every channel that has one there.
  func store(row y: Int, in output: PixelBuffer) {
    for x in 0..<size.width { store(codes(x, y).x, 0, x, y, in: output) }
    let (stepX, stepY) = (stage.chroma.stepX, stage.chroma.stepY)
    guard stage.format != .gray8, y.isMultiple(of: stepY) else { return }
    for x in stride(from: 0, to: size.width, by: stepX) {
      let mean = mean(x, y)
      store(mean.y, 1, x / stepX, y / stepY, in: output)
      store(mean.z, 2, x / stepX, y / stepY, in: output)
    }
    // The last pair of an odd width repeats its pixel.
    if case .yuyv422 = stage.format { repeatLast(y, in: output) }
    if case .uyvy422 = stage.format { repeatLast(y, in: output) }
  }

  private func repeatLast(_ y: Int, in output: PixelBuffer) {
    if !size.width.isMultiple(of: 2) { store(codes(size.width - 1, y).x, 0, size.width, y, in: output) }
  }

  private func store(_ value: Double, _ channel: Int, _ x: Int, _ y: Int, in output: PixelBuffer) {
    let (plane, byte) = stage.format.place(channel, x)
    let code = UInt8(min(max(value, 0), 255).rounded())
    output.planes[plane].row(y).storeBytes(of: code, toByteOffset: byte, as: UInt8.self)
  }

  /// The mean over a box as large as the pixels that a colour difference stands for, centred on its site; the nearest
  /// pixel stands in for those outside.
  private func mean(_ x: Int, _ y: Int) -> SIMD3<Double> {
    let place = stage.chroma
    /// Weights of the pixels -1, 0 and 1 about the first one that a sample stands for.
    func box(_ step: Int, _ given: Int, _ offset: Double) -> [Double] {
      step == given ? [0, 1, 0] : offset > 0 ? [0, 0.5, 0.5] : [0.25, 0.5, 0.25]
    }
    let columns = box(place.stepX, given.stepX, place.offsetX)
    let rows = box(place.stepY, given.stepY, place.offsetY)
    var sum = SIMD3<Double>.zero
    for j in 0..<3 where rows[j] != 0 {
      for i in 0..<3 where columns[i] != 0 {
        sum +=
          rows[j] * columns[i]
          * codes(min(max(x + i - 1, 0), size.width - 1), min(max(y + j - 1, 0), size.height - 1))
      }
    }
    return sum
  }
}
