import AnalysisKernels
import FrameCore
import Libc

/// A picture's encoded luma at 1/2, 1/4, … of its size: what frames are aligned by.
///
/// Level 0 has half the picture's columns and rows; each sample is the mean of 2 × 2 of the level below it.
/// An odd last column or row is left out.
struct LumaPyramid: @unchecked Sendable {
  struct Level: @unchecked Sendable {
    let size: PixelSize
    /// Pixels of the picture per sample, along one axis.
    let scale: Int
    let samples: UnsafePointer<Float>
  }

  /// From fine to coarse; empty if the picture is smaller than a tile.
  let levels: [Level]
  private let memory: Memory

  private final class Memory {
    let base: UnsafeMutablePointer<Float>
    /// - Throws: `SafelightError(.noMemory)`.
    init(capacity: Int) throws {
      let bytes = capacity * MemoryLayout<Float>.stride
      guard let memory = malloc(bytes) else {
        throw SafelightError(
          .noMemory, "Not enough memory for \(bytes / 1_048_576) MiB of luma",
          remedy: "close other programs or use smaller pictures")
      }
      base = memory.bindMemory(to: Float.self, capacity: capacity)
    }
    deinit { free(base) }
  }

  /// The coarsest level's long edge is at most this.
  private static let coarsest = 80

  /// - Throws: `SafelightError(.noMemory)`.
  init(_ buffer: PixelBuffer, team: ThreadTeam) throws {
    var sizes: [PixelSize] = []
    var size = PixelSize(width: buffer.width / 2, height: buffer.height / 2)
    while min(size.width, size.height) >= Int(SLA_ALIGNMENT_TILE) {
      sizes.append(size)
      guard size.longEdge > Self.coarsest else { break }
      size = PixelSize(width: size.width / 2, height: size.height / 2)
    }
    memory = try Memory(capacity: max(sizes.reduce(0) { $0 + $1.pixelCount }, 1))
    var levels: [Level] = []
    var base = memory.base
    for (index, size) in sizes.enumerated() {
      if let finer = levels.last {
        sla_halve(finer.samples, Int32(finer.size.width), Int32(finer.size.height), base)
      } else {
        Self.halveLuma(of: buffer, into: Samples(base: base, size: size), team)
      }
      levels.append(Level(size: size, scale: 2 << index, samples: base))
      base += size.pixelCount
    }
    self.levels = levels
  }

  private struct Samples: @unchecked Sendable {
    let base: UnsafeMutablePointer<Float>
    let size: PixelSize
  }

  private static func halveLuma(of buffer: PixelBuffer, into samples: Samples, _ team: ThreadTeam) {
    let size = samples.size
    // H.273: 8-bit luma of limited range has black at 16 and white at 235.
    let isLimited = !buffer.format.isRGBA && buffer.tags.range == .limited
    let bands = 16
    team.run(bands) { band in
      let rows = size.height * band / bands..<size.height * (band + 1) / bands
      guard !rows.isEmpty else { return }
      let plane = buffer.planes[0]
      var picture = sla_luma_picture(
        base: plane.row(2 * rows.lowerBound), row_bytes: plane.rowBytes, width: Int32(2 * size.width),
        height: Int32(2 * rows.count), source: buffer.format.lumaSource)
      var output = sla_oriented_plane(
        base: samples.base + rows.lowerBound * size.width, column_step: 1, row_step: size.width,
        width: Int32(size.width), height: Int32(rows.count))
      let area = SampleBuffer<Float>(capacity: 10 * size.width)
      let columns = SampleBuffer<Int32>(capacity: 2 * size.width)
      var scratch = sla_area_scratch(samples: area.base, columns: columns.base)
      sla_area_average(
        &picture, &output, isLimited ? 16.0 / 255 : 0, isLimited ? 255.0 / 219 : 1, &scratch)
    }
  }
}
