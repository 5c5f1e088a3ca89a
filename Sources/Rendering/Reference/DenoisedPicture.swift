import FilterGraph
import FrameCore
import Libc

/// Noise reduction as `Denoising` defines it, computed completely on creation.
struct DenoisedPicture: ReferencePicture {
  let size: PixelSize
  private let pixels: [SIMD4<Double>]

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> { pixels[y * size.width + x] }

  /// - Parameter clips: whether samples are limited to 0…1, as integers are.
  init(_ source: any ReferencePicture, _ denoising: Denoising, clips: Bool) {
    size = source.size
    let (width, height) = (source.size.width, source.size.height)
    let stabilizer = NoiseStabilizer(denoising.noise)
    let usable = Denoising.usableSamples
    var planes = [Plane](repeating: Plane(size: source.size), count: 3)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = source.pixel(x, y)
        var samples = SIMD3(pixel.x, pixel.y, pixel.z)
        for channel in 0..<3 {
          let sample = samples[channel].isNaN ? 0 : samples[channel]
          samples[channel] = stabilizer.stabilize(min(max(sample, usable.lowerBound), usable.upperBound))
        }
        for plane in 0..<3 { planes[plane][x, y] = (Self.axes[plane] * samples).sum() }
      }
    }
    for plane in 0..<3 where denoising.strengths[plane] != 0 {
      let (noisy, deviation) = (planes[plane], denoising.deviations[plane])
      let treatment = Denoising.treatments[plane]
      let guide = noisy.denoised(treatment, deviation: deviation)
      let smooth = noisy.denoised(treatment, deviation: deviation, guide: guide)
      planes[plane].mix(smooth, denoising.strengths[plane])
    }
    var pixels: [SIMD4<Double>] = []
    for y in 0..<height {
      for x in 0..<width {
        var pixel = source.pixel(x, y)
        let values = (0..<3).reduce(SIMD3<Double>.zero) { $0 + planes[$1][x, y] * Self.axes[$1] }
        for channel in 0..<3 where usable.contains(pixel[channel]) {
          let sample = stabilizer.restore(values[channel])
          pixel[channel] = clips ? min(max(sample, 0), 1) : sample
        }
        pixels.append(pixel)
      }
    }
    self.pixels = pixels
  }

  /// Luma and two differences of colour, of length 1 and at right angles.
  private static let axes = [
    SIMD3(1, 1, 1) / 3.0.squareRoot(), SIMD3(1, 0, -1) / 2.0.squareRoot(), SIMD3(1, -2, 1) / 6.0.squareRoot(),
  ]
}

/// Samples that go on beyond their edges as if mirrored there.
private struct Plane {
  let size: PixelSize
  private var samples: [Double]

  init(size: PixelSize) {
    self.size = size
    samples = [Double](repeating: 0, count: size.pixelCount)
  }

  private func index(_ x: Int, _ y: Int) -> Int {
    func mirrored(_ place: Int, _ count: Int) -> Int {
      var place = place
      while !(0..<count).contains(place) { place = place < 0 ? -1 - place : 2 * count - 1 - place }
      return place
    }
    return mirrored(y, size.height) * size.width + mirrored(x, size.width)
  }

  subscript(x: Int, y: Int) -> Double {
    get { samples[index(x, y)] }
    set { samples[index(x, y)] = newValue }
  }

  mutating func mix(_ other: Plane, _ strength: Double) {
    for index in samples.indices { samples[index] += strength * (other.samples[index] - samples[index]) }
  }

  /// One pass: with a hard threshold, or weakened by the coefficients of a guide.
  func denoised(_ treatment: Denoising.Treatment, deviation: Double, guide: Plane? = nil) -> Plane {
    // Of each pixel of the picture: the weighted sum of the blocks over it, and of their weights.
    var (sums, weights) = (Plane(size: size), Plane(size: size))
    let firsts = (
      x: stride(from: -8, to: size.width, by: 2), y: stride(from: -8, to: size.height, by: treatment.rowStep)
    )
    let root = treatment.weakening * deviation
    for top in firsts.y {
      for left in firsts.x {
        var coefficients = Block(self, left, top).transformed()
        var weight = 1.0
        let guiding = guide.map { Block($0, left, top).transformed() }
        for index in 1..<64 {
          if let guiding {
            let power = guiding.values[index] * guiding.values[index]
            let gain = power / (power + root * root)
            coefficients.values[index] *= gain
            weight += gain * gain
          } else {
            let size = abs(coefficients.values[index]) / (treatment.threshold * deviation)
            let gain = min(max((size - 1) / (2 * Denoising.Treatment.ramp) + 0.5, 0), 1)
            coefficients.values[index] *= gain
            weight += gain * gain
          }
        }
        let block = coefficients.transformedBack()
        for y in max(top, 0)..<max(min(top + 8, size.height), max(top, 0)) {
          for x in max(left, 0)..<max(min(left + 8, size.width), max(left, 0)) {
            sums[x, y] += block.values[(y - top) * 8 + x - left] / weight
            weights[x, y] += 1 / weight
          }
        }
      }
    }
    var result = self
    for index in samples.indices { result.samples[index] = sums.samples[index] / weights.samples[index] }
    return result
  }
}

/// 8 × 8 samples or coefficients, row by row.
private struct Block {
  var values: [Double]

  init(_ plane: Plane, _ left: Int, _ top: Int) {
    values = (0..<64).map { plane[left + $0 % 8, top + $0 / 8] }
  }

  /// The orthonormal DCT: its rows are the patterns of one frequency each.
  private static let basis = (0..<8).map { frequency -> [Double] in
    let scale: Double = (frequency == 0 ? 0.125 : 0.25).squareRoot()
    return (0..<8).map { place -> Double in
      let turn = Double((2 * place + 1) * frequency)
      return scale * cos(turn * Double.pi / 16)
    }
  }

  func transformed() -> Block { multiplied { Self.basis[$0][$1] } }
  func transformedBack() -> Block { multiplied { Self.basis[$1][$0] } }

  /// M · values · Mᵀ
  private func multiplied(by matrix: (Int, Int) -> Double) -> Block {
    var (rows, block) = (self, self)
    for v in 0..<8 {
      for x in 0..<8 {
        rows.values[8 * v + x] = (0..<8).reduce(0) { $0 + matrix(v, $1) * values[8 * $1 + x] }
      }
    }
    for v in 0..<8 {
      for u in 0..<8 {
        block.values[8 * v + u] = (0..<8).reduce(0) { $0 + matrix(u, $1) * rows.values[8 * v + $1] }
      }
    }
    return block
  }
}
