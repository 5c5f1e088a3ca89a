import AnalysisKernels

/// The noise of frames by level, estimated from what differs between them, and how well each frame fits.
///
/// Differences also come from motion, which is rarer than noise in the quieter tiles of a level, so these are
/// what counts. Where nothing fits, as in frames of different scenes, tiles of one frame that are flat set
/// the bound.
struct FrameNoise: Sendable {
  private(set) var model = sla_noise_model()
  /// What brings the mean squares of each frame's differences to those of the model.
  private(set) var squareGains: [Float]
  /// The same for squares of means over 5 × 5 pixels, for all frames: 1 if noise is white, down to 1/25 if it
  /// is the same in neighbouring pixels.
  private(set) var meanGain: Float = 1

  /// Whether there was anything to estimate it from.
  let isKnown: Bool

  /// One tile of one frame, compared with the reference.
  struct Tile {
    var frame: Int
    var sums: sla_difference_sums
  }

  private static let bins = 16
  private static let pixels = Float(SLA_ALIGNMENT_TILE * SLA_ALIGNMENT_TILE)
  /// Of the tiles of a level, those below this part are taken for noise alone.
  private static let quietPart = 0.4
  /// Of the tiles of a level, those below this part are taken for flat.
  private static let flatPart = 0.1
  /// The noise between frames is at most this many times the variance of flat tiles.
  private static let mostOverFlat: Float = 3
  /// A displacement that is within the error of the alignment, in pixels.
  static let misalignment: Float = 0.05
  private static let fewestTiles = 8

  init(_ tiles: [Tile], frames: Int, rounding: Float) {
    squareGains = Array(repeating: 1, count: frames)
    model.misalignment = Self.misalignment
    let inner = tiles.filter { $0.sums.inside == Self.pixels }
    isKnown = !inner.isEmpty
    let floor = rounding * rounding
    for channel in 0..<3 {
      let levels = inner.map { $0.sums[level: channel] / Self.pixels }
      let noise = Self.binned(
        levels, inner.map { $0.sums[square: channel] / (2 * Self.pixels) }, Self.quietPart)
      let flat = Self.binned(levels, inner.map { $0.sums[spread: channel] / Self.pixels }, Self.flatPart)
      let bounded = zip(noise, flat).map { noise, flat in max(min(noise, Self.mostOverFlat * flat), floor) }
      model.set(channel, Self.spread(bounded))
    }
    setGains(inner)
  }

  private mutating func setGains(_ tiles: [Tile]) {
    var squares: [[Float]] = Array(repeating: [], count: squareGains.count)
    var means: [Float] = []
    for tile in tiles {
      var (square, mean): (Float, Float) = (0, 0)
      for channel in 0..<3 {
        let variance = 2 * variance(channel, at: tile.sums[level: channel] / Self.pixels)
        square += tile.sums[square: channel] / (3 * Self.pixels * variance)
        mean += tile.sums[mean: channel] * 25 / (3 * Self.pixels * variance)
      }
      squares[tile.frame].append(square)
      means.append(mean)
    }
    for (frame, squares) in squares.enumerated() where squares.count >= Self.fewestTiles {
      squareGains[frame] = 1 / min(max(Self.percentile(squares, Self.quietPart), 0.7), 1.7)
    }
    if means.count >= Self.fewestTiles {
      meanGain = 1 / min(max(Self.percentile(means, Self.quietPart), 0.7), 25)
    }
  }

  /// The variance of a channel's noise at a level of 0…1.
  func variance(_ channel: Int, at level: Float) -> Float {
    let count = Int(SLA_NOISE_LEVELS)
    let place = min(max(level * Float(count) - 0.5, 0), Float(count - 1))
    let entry = min(Int(place), count - 2)
    let table = model[channel]
    return table[entry] + (place - Float(entry)) * (table[entry + 1] - table[entry])
  }

  private static func percentile(_ values: [Float], _ part: Double) -> Float {
    let sorted = values.sorted()
    return sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
  }

  /// A percentile of the values at each of `bins` levels; levels with few values have those of their
  /// neighbours.
  private static func binned(_ levels: [Float], _ values: [Float], _ part: Double) -> [Float] {
    var sorted: [[Float]] = Array(repeating: [], count: bins)
    for (level, value) in zip(levels, values) {
      sorted[min(max(Int(level * Float(bins)), 0), bins - 1)].append(value)
    }
    let known = sorted.indices.filter { sorted[$0].count >= fewestTiles }
    guard let first = known.first else {
      return Array(repeating: values.isEmpty ? 0 : percentile(values, part), count: bins)
    }
    let values = known.map { percentile(sorted[$0], part) }
    var result: [Float] = []
    var next = 0
    for bin in 0..<bins {
      while next < known.count, known[next] < bin { next += 1 }
      if next == 0 || bin <= first {
        result.append(values[0])
      } else if next == known.count {
        result.append(values[next - 1])
      } else {
        let (low, high) = (known[next - 1], known[next])
        let across = Float(bin - low) / Float(high - low)
        result.append(values[next - 1] + across * (values[next] - values[next - 1]))
      }
    }
    return result
  }

  /// From the middles of `bins` levels to those of the kernels' table.
  private static func spread(_ binned: [Float]) -> [Float] {
    (0..<Int(SLA_NOISE_LEVELS)).map { entry in
      let level = (Float(entry) + 0.5) / Float(SLA_NOISE_LEVELS)
      let place = min(max(level * Float(bins) - 0.5, 0), Float(bins - 1))
      let bin = min(Int(place), bins - 2)
      return binned[bin] + (place - Float(bin)) * (binned[bin + 1] - binned[bin])
    }
  }
}

// C arrays are tuples.
extension sla_difference_sums {
  fileprivate subscript(level channel: Int) -> Float { withUnsafeBytes(of: level) { $0.float(channel) } }
  fileprivate subscript(square channel: Int) -> Float { withUnsafeBytes(of: square) { $0.float(channel) } }
  fileprivate subscript(mean channel: Int) -> Float { withUnsafeBytes(of: mean_square) { $0.float(channel) } }
  fileprivate subscript(spread channel: Int) -> Float {
    withUnsafeBytes(of: reference_square) { $0.float(channel) }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func float(_ index: Int) -> Float {
    load(fromByteOffset: index * MemoryLayout<Float>.stride, as: Float.self)
  }
}

extension sla_noise_model {
  private static var channelBytes: Int { Int(SLA_NOISE_LEVELS) * MemoryLayout<Float>.stride }

  fileprivate mutating func set(_ channel: Int, _ entries: [Float]) {
    withUnsafeMutableBytes(of: &variance) { bytes in
      let start = UnsafeMutableRawBufferPointer(rebasing: bytes[(channel * Self.channelBytes)...])
      entries.withUnsafeBytes { start.copyMemory(from: $0) }
    }
  }

  subscript(channel: Int) -> [Float] {
    withUnsafeBytes(of: variance) { bytes in
      (0..<Int(SLA_NOISE_LEVELS)).map { bytes.float(channel * Int(SLA_NOISE_LEVELS) + $0) }
    }
  }
}
