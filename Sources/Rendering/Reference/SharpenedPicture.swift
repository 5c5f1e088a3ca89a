import FilterGraph
import FrameCore

/// Another picture sharpened, by the formulas of `Sharpening`: sums over whole windows, pixel by pixel.
struct SharpenedPicture: ReferencePicture {
  private let source: any ReferencePicture
  private let sharpening: Sharpening
  var size: PixelSize { source.size }

  /// - Parameter clips: whether the picture is kept in integers on its way, which hold 0…1 and no NaN.
  init(_ source: any ReferencePicture, _ sharpening: Sharpening, clips: Bool) {
    // Each window reads its pixels again.
    self.source = StoredPicture(clips ? ClippedPicture(source: source) : source)
    self.sharpening = sharpening
  }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let pixel = source.pixel(x, y)
    let own = sharpening.luma(of: SIMD3(pixel.x, pixel.y, pixel.z))
    let added = sharpening.masks.reduce(0) { sum, mask in
      let (weight, luma, squares) = window(mask, x, y)
      return weight > 1e-6 ? sum + mask.added(own, blurred: luma / weight, squares: squares / weight) : sum
    }
    return pixel + SIMD4(added, added, added, 0)
  }

  /// The sums of alpha, and of luma and its square times alpha, over a Gaussian window; pixels outside the picture equal
  /// its nearest pixel.
  private func window(_ mask: UnsharpMask, _ x: Int, _ y: Int) -> (Double, Double, Double) {
    let (reach, weights) = (mask.reach, mask.weights)
    var sum = (0.0, 0.0, 0.0)
    for j in -reach...reach {
      for i in -reach...reach {
        let pixel = source.pixel(min(max(x + i, 0), size.width - 1), min(max(y + j, 0), size.height - 1))
        let luma = sharpening.luma(of: SIMD3(pixel.x, pixel.y, pixel.z))
        let alpha = pixel.w > 0 ? min(pixel.w, 1) : 0
        let weight = weights[abs(i)] * weights[abs(j)] * alpha
        sum = (sum.0 + weight, sum.1 + weight * luma, sum.2 + weight * luma * luma)
      }
    }
    return sum
  }
}

/// Another picture, clipped to 0…1; NaN becomes 0.
private struct ClippedPicture: ReferencePicture {
  let source: any ReferencePicture
  var size: PixelSize { source.size }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let pixel = source.pixel(x, y)
    return pixel.replacing(with: 0, where: pixel .!= pixel).clamped(lowerBound: .zero, upperBound: .one)
  }
}
