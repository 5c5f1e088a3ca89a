import Libc

/// What sensor channels would have recorded where they were full, from the channels that were not.
///
/// A bright light fills one channel before the others, mostly green. Cutting all channels there would lose what the
/// others still saw; leaving the full one as it is would turn highlights magenta. So a full channel becomes what it mostly
/// is beside the other two:
///
///     estimate = ((∛a + ∛b) / 2)³ + offset       a, b: the means of 3 × 3 samples of the others
///
/// `offset` is the mean difference of both sides around the full areas, where all channels can be seen: the colour
/// there. A channel is never made darker than it is.
///
/// Where all three are full, nothing tells a colour any more: the light becomes white, as bright as its brightest
/// channel. It fades to white where the last channel nears its level, so that the white has no edge.
///
/// Source of the idea: "inpaint opposed", as described in the manual of darktable 4.2 (highlight reconstruction).
struct HighlightRecovery {
  private let pixels: UnsafePointer<UInt16>
  private let width, height: Int
  /// The samples from which on a channel counts as full; the fourth is never reached.
  private let full: SIMD4<Float>
  private var offsets = SIMD4<Float>.zero

  /// Near its level a channel bends, and interpolation mixes full samples with others.
  private static let share: Float = 0.98
  /// The share of its level from which on the last channel that is not full tells less of the colour.
  private static let fade: Float = 0.9
  /// Sides of the blocks in which full samples are noted.
  private static let block = 8

  /// - Parameters:
  ///   - pixels: rows of four samples, white balanced; they must stay as long as this.
  ///   - levels: the samples at which the three channels are full.
  /// - Returns: nil if no channel is full anywhere.
  init?(_ pixels: UnsafePointer<UInt16>, width: Int, height: Int, levels: SIMD3<Float>) {
    (self.pixels, self.width, self.height) = (pixels, width, height)
    full = SIMD4(levels * Self.share, .infinity)
    let marks = fullBlocks()
    guard marks.contains(where: { $0 != 0 }) else { return nil }
    offsets = offsets(around: marks)
  }

  private func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
    let sample = pixels + 4 * (y * width + x)
    return SIMD4(Float(sample[0]), Float(sample[1]), Float(sample[2]), 0)
  }

  /// Returns a pixel with what its full channels would have recorded.
  @inline(__always)
  func recovered(_ camera: SIMD4<Float>, x: Int, y: Int) -> SIMD4<Float> {
    let isFull = camera .>= full
    guard any(isFull) else { return camera }
    let estimate = estimates(x, y) + offsets
    let light = camera.replacing(with: pointwiseMax(camera, estimate), where: isFull)
    let shares = camera / full
    let part = (min(shares.x, shares.y, shares.z) - Self.fade) / (1 - Self.fade)
    guard part > 0 else { return light }
    var white = SIMD4(repeating: max(light.x, light.y, light.z))
    white.w = light.w
    return light + min(part, 1) * (white - light)
  }

  /// Returns for each channel what the two others say of it.
  private func estimates(_ x: Int, _ y: Int) -> SIMD4<Float> {
    var sum = SIMD4<Float>.zero
    for row in max(y - 1, 0)...min(y + 1, height - 1) {
      for column in max(x - 1, 0)...min(x + 1, width - 1) { sum += pixel(column, row) }
    }
    let rows = min(y + 1, height - 1) - max(y - 1, 0) + 1
    let columns = min(x + 1, width - 1) - max(x - 1, 0) + 1
    let mean = sum / Float(rows * columns)
    let root = SIMD4(cbrtf(mean.x), cbrtf(mean.y), cbrtf(mean.z), 0)
    let others = (SIMD4(root.y, root.x, root.x, 0) + SIMD4(root.z, root.z, root.y, 0)) / 2
    return others * others * others
  }

  private var blocks: (columns: Int, rows: Int) {
    ((width + Self.block - 1) / Self.block, (height + Self.block - 1) / Self.block)
  }

  /// Returns a bit for each channel that is full somewhere in a block, for all blocks.
  private func fullBlocks() -> [UInt8] {
    let (columns, rows) = blocks
    var marks = [UInt8](repeating: 0, count: columns * rows)
    let limits = (0..<3).map { UInt16(min(max(full[$0].rounded(.up), 0), 65_535)) }
    let (red, green, blue) = (limits[0], limits[1], limits[2])
    for y in 0..<height {
      let row = pixels + 4 * width * y
      let first = y / Self.block * columns
      for x in 0..<width where row[4 * x] >= red || row[4 * x + 1] >= green || row[4 * x + 2] >= blue {
        let mark: UInt8 =
          (row[4 * x] >= red ? 1 : 0) | (row[4 * x + 1] >= green ? 2 : 0) | (row[4 * x + 2] >= blue ? 4 : 0)
        marks[first + x / Self.block] |= mark
      }
    }
    return marks
  }

  /// Returns the mean of what each channel has more than the others say, in and beside the blocks where it is full.
  private func offsets(around marks: [UInt8]) -> SIMD4<Float> {
    let (columns, rows) = blocks
    var (sums, counts) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for row in 0..<rows {
      for column in 0..<columns {
        var mark: UInt8 = 0
        for y in max(row - 1, 0)...min(row + 1, rows - 1) {
          for x in max(column - 1, 0)...min(column + 1, columns - 1) { mark |= marks[y * columns + x] }
        }
        guard mark != 0 else { continue }
        // Every other pixel is enough.
        for y in stride(from: row * Self.block, to: min((row + 1) * Self.block, height), by: 2) {
          for x in stride(from: column * Self.block, to: min((column + 1) * Self.block, width), by: 2) {
            let here = pixel(x, y)
            guard all(here .< full) else { continue }
            let more = here - estimates(x, y)
            for channel in 0..<3 where mark >> channel & 1 == 1 && here[channel] > 0.2 * full[channel] {
              sums[channel] += Double(more[channel])
              counts[channel] += 1
            }
          }
        }
      }
    }
    var offsets = SIMD4<Float>.zero
    // A colour that few pixels tell is chance.
    for channel in 0..<3 where counts[channel] >= 30 {
      offsets[channel] = Float(sums[channel] / counts[channel])
    }
    return offsets
  }
}
