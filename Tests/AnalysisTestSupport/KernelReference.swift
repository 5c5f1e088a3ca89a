/// What the kernels compute, written the plainest way, in double precision.
package enum KernelReference {
  /// The mean of each cell of a grid over a picture, cells cutting samples where they must.
  package static func areaMeans(_ samples: [[Double]], columns: Int, rows: Int) -> [[Double]] {
    func cover(_ index: Int, of count: Int, over extent: Int) -> [(Int, Double)] {
      let from = Double(index * extent) / Double(count)
      let to = Double((index + 1) * extent) / Double(count)
      return (0..<extent).compactMap { sample in
        let part = min(to, Double(sample + 1)) - max(from, Double(sample))
        return part > 1e-9 ? (sample, part) : nil
      }
    }
    let (height, width) = (samples.count, samples[0].count)
    let area = Double(width * height) / Double(columns * rows)
    return (0..<rows).map { row in
      (0..<columns).map { column in
        var sum = 0.0
        for (y, tall) in cover(row, of: rows, over: height) {
          for (x, wide) in cover(column, of: columns, over: width) { sum += samples[y][x] * tall * wide }
        }
        return sum / area
      }
    }
  }

  /// C. Wellons, Prospecting for Hash Functions, 2018 (lowbias32).
  package static func scatter(_ index: Int) -> UInt32 {
    var x = UInt32(index)
    x = (x ^ (x >> 16)) &* 0x7feb_352d
    x = (x ^ (x >> 15)) &* 0x846c_a68b
    return x ^ (x >> 16)
  }

  /// The sample at a place of a plane, or 0 outside.
  package struct Plane {
    let width: Int
    let height: Int
    let samples: [Float]

    package init(width: Int, height: Int, samples: [Float]) {
      (self.width, self.height, self.samples) = (width, height, samples)
    }

    package func callAsFunction(_ x: Int, _ y: Int) -> Double { Double(samples[y * width + x]) }
  }

  /// Sobel 1968, weights divided by 8.
  package static func sobelEnergy(_ plane: Plane) -> Double {
    var total = 0.0
    for y in stride(from: 1, to: plane.height - 1, by: 1) {
      for x in stride(from: 1, to: plane.width - 1, by: 1) {
        var (gx, gy) = (0.0, 0.0)
        for (offset, weight) in [(-1, 1.0), (0, 2), (1, 1)] {
          gx += weight * (plane(x + 1, y + offset) - plane(x - 1, y + offset)) / 8
          gy += weight * (plane(x + offset, y + 1) - plane(x + offset, y - 1)) / 8
        }
        total += gx * gx + gy * gy
      }
    }
    return total
  }

  /// Immerkær 1996, over the quietest tenth of blocks of 16 × 16.
  package static func noiseDeviation(_ plane: Plane) -> Double {
    let weights: [[Double]] = [[1, -2, 1], [-2, 4, -2], [1, -2, 1]]
    var blocks: [Double] = []
    for top in stride(from: 1, to: plane.height - 16, by: 16) {
      for left in stride(from: 1, to: plane.width - 16, by: 16) {
        var sum = 0.0
        for y in top..<top + 16 {
          for x in left..<left + 16 {
            var response = 0.0
            for j in 0..<3 { for i in 0..<3 { response += weights[j][i] * plane(x + i - 1, y + j - 1) } }
            sum += response * response
          }
        }
        blocks.append(sum / 256)
      }
    }
    guard !blocks.isEmpty else { return 0 }
    return (blocks.sorted()[blocks.count / 10] / 36).squareRoot()
  }
}
