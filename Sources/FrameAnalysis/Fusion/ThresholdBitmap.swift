import AnalysisKernels
import FrameCore

/// Luma of 8 bits at full size and halved several times.
struct HistogramPyramid: Sendable {
  struct Level: Sendable {
    let size: PixelSize
    let luma: [UInt8]
    /// The number of samples of each code value.
    let histogram: [Int]

    init(size: PixelSize, luma: [UInt8]) {
      (self.size, self.luma) = (size, luma)
      var counts = [Int](repeating: 0, count: 256)
      for sample in luma { counts[Int(sample)] += 1 }
      histogram = counts
    }

    /// The code value that `fraction` of the samples do not exceed.
    func level(atPercentile fraction: Double) -> UInt8 {
      let target = fraction * Double(luma.count)
      var below = 0
      for (code, count) in histogram.enumerated() {
        below += count
        if Double(below) >= target { return UInt8(code) }
      }
      return 255
    }

    var mean: Double {
      var sum = 0
      for (code, count) in histogram.enumerated() { sum += code * count }
      return Double(sum) / Double(luma.count)
    }
  }

  /// From full size down.
  let levels: [Level]

  /// - Parameters:
  ///   - picture: in `rgba8` or `rgba16`.
  ///   - depth: the largest number of levels, at least 1.
  ///   - leastEdge: the shortest edge of a halved picture.
  init(_ picture: PixelBuffer, depth: Int, leastEdge: Int) {
    var size = picture.size
    var luma = [UInt8](repeating: 0, count: size.pixelCount)
    luma.withUnsafeMutableBufferPointer { luma in
      for y in 0..<size.height {
        sla_luma8(
          picture.planes[0].row(y), Int32(picture.format.bitsPerSample), 0, Int32(size.width),
          luma.baseAddress.map { $0 + y * size.width })
      }
    }
    withExtendedLifetime(picture) {}
    var levels = [Level(size: size, luma: luma)]
    while levels.count < depth, min(size.width, size.height) >= 2 * leastEdge {
      let half = PixelSize(width: size.width / 2, height: size.height / 2)
      var small = [UInt8](repeating: 0, count: half.pixelCount)
      sla_halve8(luma, Int32(size.width), Int32(size.height), &small)
      (size, luma) = (half, small)
      levels.append(Level(size: size, luma: luma))
    }
    self.levels = levels
  }
}

/// Which samples of a picture are above a threshold, and which of them differ from it by more than noise.
struct ThresholdBitmap {
  private let size: PixelSize
  private let words: Int
  private var above: [UInt64]
  private var certain: [UInt64]

  init(_ level: HistogramPyramid.Level, threshold: UInt8, tolerance: UInt8) {
    size = level.size
    words = (size.width + 63) / 64
    above = [UInt64](repeating: 0, count: words * size.height)
    certain = above
    let (width, words) = (size.width, words)
    above.withUnsafeMutableBufferPointer { above in
      certain.withUnsafeMutableBufferPointer { certain in
        level.luma.withUnsafeBufferPointer { luma in
          for y in 0..<level.size.height {
            sla_threshold_bits(
              luma.baseAddress.map { $0 + y * width }, Int32(width), threshold, tolerance,
              above.baseAddress.map { $0 + y * words }, certain.baseAddress.map { $0 + y * words })
          }
        }
      }
    }
  }

  /// The fraction of samples that differ from those of `other`, shifted, among those that are certain in
  /// both.
  ///
  /// Returns nil if fewer than a twentieth of the samples can be compared.
  func difference(from other: ThresholdBitmap, x: Int, y: Int) -> Double? {
    // Floor division: the shift in whole words, and in bits, 0…63.
    let (whole, bits) = (x >> 6, UInt64(x & 63))
    var (differing, compared) = (0, 0)
    above.withUnsafeBufferPointer { above in
      certain.withUnsafeBufferPointer { certain in
        other.above.withUnsafeBufferPointer { otherAbove in
          other.certain.withUnsafeBufferPointer { otherCertain in
            func word(_ words: UnsafeBufferPointer<UInt64>, _ row: Int, _ index: Int) -> UInt64 {
              index >= 0 && index < self.words ? words[row + index] : 0
            }
            func shifted(_ words: UnsafeBufferPointer<UInt64>, _ row: Int, _ index: Int) -> UInt64 {
              let low = word(words, row, index) >> bits
              return bits == 0 ? low : low | word(words, row, index + 1) << (64 - bits)
            }
            for row in max(0, -y)..<max(min(size.height, size.height - y), max(0, -y)) {
              let (own, theirs) = (row * words, (row + y) * words)
              for index in 0..<words {
                let both = certain[own + index] & shifted(otherCertain, theirs, index + whole)
                let unlike = above[own + index] ^ shifted(otherAbove, theirs, index + whole)
                compared += both.nonzeroBitCount
                differing += (both & unlike).nonzeroBitCount
              }
            }
          }
        }
      }
    }
    return compared * 20 >= size.pixelCount ? Double(differing) / Double(compared) : nil
  }
}
