import Libc

/// Finds the quality whose file uses a bound well, in few encodings.
///
/// The logarithm of a file's length is close to a straight line over a few steps of quality, so the next quality is read off
/// the line through what is known (regula falsi). Where that does not halve what is left, the middle is next: the length
/// rises with the quality, but for single bytes, and no format keeps to a line all the way.
struct QualitySearch {
  /// The most qualities that are tried. Enough to find one that keeps the bound, where one does; six halvings leave one
  /// of 64.
  static let mostSteps = 7
  /// The part of the bound that ends the search: what is left is worth two or three steps of quality, and each further
  /// look at it a whole encoding.
  static let enough = 0.9
  /// The line aims a little below the bound: a file just above it is worth nothing.
  private static let aim = 0.98
  /// How much quality halves the length, where nothing is known: JPEG takes 17 from 92 down and 25 from 75 down.
  private static let halving = 20.0

  private typealias Point = (quality: Int, bytes: Int)
  private let limit: Int
  /// The best that keeps the bound.
  private var low: Point?
  /// The least that does not.
  private var high: Point
  private var steps = 0
  private var isBisecting = false

  /// - Parameters:
  ///   - limit: the bound, bytes.
  ///   - quality: one whose file is longer, 1…100.
  ///   - bytes: the length of that file.
  init(limit: Int, quality: Int, bytes: Int) {
    self.limit = limit
    high = (quality, bytes)
  }

  /// The largest quality found whose file keeps the bound.
  var best: Int? { low?.quality }

  /// The quality to try next; nil at the end of the search.
  var next: Int? {
    let bottom = low?.quality ?? 0
    guard high.quality - bottom > 1, steps < Self.mostSteps,
      low.map({ Double($0.bytes) < Self.enough * Double(limit) }) ?? true
    else { return nil }
    // Whatever keeps the bound is better than nothing.
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

  /// - Parameters:
  ///   - quality: what `next` was.
  ///   - bytes: the length of its file.
  mutating func add(quality: Int, bytes: Int) {
    let before = high.quality - (low?.quality ?? 0)
    if bytes <= limit { low = (quality, bytes) } else { high = (quality, bytes) }
    steps += 1
    isBisecting = !isBisecting && 2 * (high.quality - (low?.quality ?? 0)) > before
  }
}
