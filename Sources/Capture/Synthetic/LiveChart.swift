import Libc

/// The chart of known patches, painted exactly over live frames in the current light.
final class LiveChart {
  private let patches: [SyntheticScene.Patch]
  private let frame: (columns: Range<Int>, rows: Range<Int>)
  /// Y, Cb, Cr of each patch, followed by those of the border.
  private var codes: [SIMD3<UInt8>]

  init(_ scene: SyntheticScene) {
    patches = scene.patches
    frame = scene.chartFrame
    codes = Array(repeating: SIMD3(), count: patches.count + 1)
  }

  /// - Parameter gain: linear gains on R, G, B.
  func light(by gain: SIMD3<Float>) {
    for index in codes.indices {
      let reflectance =
        index < patches.count ? patches[index].reflectance : SIMD3(repeating: SyntheticScene.chartBorder)
      var rgb = SIMD3<Float>()
      for channel in 0..<3 {
        let linear = min(max(reflectance[channel] * gain[channel], 0), 1)
        // IEC 61966-2-1
        rgb[channel] = linear <= 0.003_130_8 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
      }
      codes[index] = SIMD3<UInt8>(clamping: SIMD3<Int32>(LiveColor.codes(rgb), rounding: .toNearestOrEven))
    }
  }

  /// Paints over row `y`. A pair of pixels takes the chroma of its first.
  func paint(row y: Int, luma: UnsafeMutablePointer<UInt8>, chroma: UnsafeMutablePointer<UInt8>) {
    guard frame.rows.contains(y) else { return }
    fill(frame.columns, with: codes[patches.count], luma, chroma)
    for (index, patch) in patches.enumerated() where patch.rows.contains(y) {
      fill(patch.columns, with: codes[index], luma, chroma)
    }
  }

  private func fill(
    _ columns: Range<Int>, with code: SIMD3<UInt8>, _ luma: UnsafeMutablePointer<UInt8>,
    _ chroma: UnsafeMutablePointer<UInt8>
  ) {
    for x in columns {
      luma[x] = code.x
      if x & 1 == 0 { (chroma[x], chroma[x + 1]) = (code.y, code.z) }
    }
  }
}
