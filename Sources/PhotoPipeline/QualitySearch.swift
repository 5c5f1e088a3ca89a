import Libc

/// Finds the quality whose file makes good use of a size limit, in few encodings.
///
/// The logarithm of the file's length is nearly linear over a few steps of quality, so the next quality is read
/// off the line through the known points (regula falsi). If that does not halve the remaining range, the middle
/// comes next: the length rises with the quality, give or take single bytes, but no format stays linear
/// throughout.
struct QualitySearch {
  /// The most qualities tried. Enough to find one within the limit if there is one: six halvings reduce 64 to one.
  static let mostSteps = 7
  /// The fraction of the limit that ends the search: the remainder is worth two or three steps of quality, and
  /// each further try costs a whole encoding.
  static let enough = 0.9
  /// The line aims slightly below the limit, since a file just above it is useless.
  private static let aim = 0.98
  /// The drop in quality that halves the length, as a first guess: JPEG takes 17 from 92 and 25 from 75.
  private static let halving = 20.0

  private typealias Point = (quality: Int, bytes: Int)
  private let limit: Int
  /// The highest quality known to keep within the limit.
  private var low: Point?
  /// The lowest quality known to exceed it.
  private var high: Point
  private var steps = 0
  private var isBisecting = false

  /// - Parameters:
  ///   - limit: the maximum length in bytes.
  ///   - quality: a quality whose file is longer, 1…100.
  ///   - bytes: the length of that file.
  init(limit: Int, quality: Int, bytes: Int) {
    self.limit = limit
    high = (quality, bytes)
  }

  /// The highest quality found whose file keeps within the limit.
  var best: Int? { low?.quality }

  /// The quality to try next; nil at the end of the search.
  var next: Int? {
    let bottom = low?.quality ?? 0
    guard high.quality - bottom > 1, steps < Self.mostSteps,
      low.map({ Double($0.bytes) < Self.enough * Double(limit) }) ?? true
    else { return nil }
    // Any file within the limit is better than none.
    if low == nil, steps == Self.mostSteps - 1 { return 1 }
    if isBisecting { return (bottom + high.quality) / 2 }
    let excess = log2(Double(high.bytes) / (Self.aim * Double(max(limit, 1))))
    var slope = Self.halving
    if let low, low.bytes > 0, low.bytes < high.bytes {
      slope = Double(high.quality - low.quality) / log2(Double(high.bytes) / Double(low.bytes))
    }
    let guess = Double(high.quality) - slope * excess
    return Int(min(max(guess, Double(bottom + 1)), Double(high.quality - 1)))
  }

  /// Records the result of a try.
  ///
  /// - Parameters:
  ///   - quality: the value of `next`.
  ///   - bytes: the length of its file.
  mutating func add(quality: Int, bytes: Int) {
    let before = high.quality - (low?.quality ?? 0)
    if bytes <= limit { low = (quality, bytes) } else { high = (quality, bytes) }
    steps += 1
    isBisecting = !isBisecting && 2 * (high.quality - (low?.quality ?? 0)) > before
  }
}
