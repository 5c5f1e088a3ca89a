import FrameCore

/// How often each level occurs in each column of a picture: a waveform monitor's counts.
///
/// For luma it is the waveform; for R′, G′ and B′ side by side, the parade.
public struct Waveform: Sendable, Hashable {
  /// Level i holds round(255 · sample) = i.
  public static let levels = 256

  public let columns: Int
  /// `counts[level * columns + column]`.
  public private(set) var counts: [UInt32]
  /// The number of samples in each column.
  package private(set) var columnCounts: [UInt32]

  /// Counts a plane of samples.
  ///
  /// - Parameters:
  ///   - samples: 0…1, rows of `size.width` from top to bottom; others are clamped, NaN counts as 0. Their number
  ///     must equal the number of pixels in `size`.
  ///   - limit: the maximum number of columns, no more than the picture has. Each takes an equal part of the
  ///     width.
  public init(_ samples: [Float], size: PixelSize, columns limit: Int) {
    precondition(
      size.width >= 0 && size.height >= 0 && samples.count == size.pixelCount,
      "\(samples.count) samples are not those of \(size)")
    let columns = max(1, min(limit, size.width))
    self.columns = columns
    counts = Array(repeating: 0, count: Self.levels * columns)
    columnCounts = Array(repeating: 0, count: columns)
    let places = (0..<size.width).map { $0 * columns / size.width }
    let top = Float(Self.levels - 1)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let sample = samples[y * size.width + x]
        let level = sample > 0 ? Int(min(sample, 1) * top + 0.5) : 0
        counts[level * columns + places[x]] += 1
        columnCounts[places[x]] += 1
      }
    }
  }

  /// How often each level occurs in the whole picture.
  public var histogram: [UInt32] {
    (0..<Self.levels).map { counts[$0 * columns..<($0 + 1) * columns].reduce(0, +) }
  }
}
