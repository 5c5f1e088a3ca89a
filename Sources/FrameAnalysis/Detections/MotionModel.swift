import AnalysisKernels
import FrameCore
import Libc

/// The cells that luma is averaged over.
struct MotionCells: Sendable, Hashable {
  /// The edge of a cell in samples of the proxy.
  var edge = 1
  var columns = 0
  var rows = 0
  var count: Int { columns * rows }

  /// The most cells along the long edge, and the fewest along the short one with which motion is looked for.
  private static let (most, fewest) = (160, 8)

  init() {}

  /// - Returns: nil if the picture is too small.
  init?(_ size: PixelSize) {
    edge = max(1, (size.longEdge + Self.most - 1) / Self.most)
    columns = (size.width + edge - 1) / edge
    rows = (size.height + edge - 1) / edge
    guard min(columns, rows) >= Self.fewest else { return nil }
  }

  /// Averages luma, row by row.
  func average(_ luma: UnsafeBufferPointer<Float>, _ size: PixelSize, into cells: inout [Float]) {
    for row in 0..<rows {
      let lines = row * edge..<min((row + 1) * edge, size.height)
      for column in 0..<columns {
        let samples = column * edge..<min((column + 1) * edge, size.width)
        var sum: Float = 0
        for y in lines {
          for x in samples { sum += luma[y * size.width + x] }
        }
        cells[row * columns + column] = sum / Float(lines.count * samples.count)
      }
    }
  }
}

/// The background of each cell, and what is in front of it.
struct MotionModel: Sendable {
  private(set) var cells = MotionCells()
  /// How many times the least difference that counts a cell differs from its background; 0 where that is less than 1.
  private(set) var excess: [Float] = []
  /// Whether a cell has changed within the last half second.
  private(set) var hasChanged: [Bool] = []
  private var current: [Float] = []
  private var mean: [Float] = []
  private var variance: [Float] = []
  /// Seconds for which a cell has been in front of the background without a change.
  private var rest: [Float] = []
  /// Two former looks, of which the first one is compared with.
  private var former: [(time: Timestamp, cells: [Float])] = []
  /// Room for the measurement of noise.
  private var blocks: [Float] = []
  private var looks = 0
  private var start = Timestamp(nanoseconds: 0)
  private var last: Timestamp?

  /// Seconds before anything is found, and the longest gap between two looks.
  private static let (learning, longestGap) = (1.0, 3.0)
  private static let leastLooks = 5
  /// Seconds in which the background follows: its mean, its variance, and under what is in front of it.
  private static let (meanTime, varianceTime, coveredTime): (Float, Float, Float) = (1.5, 3, 30)
  /// Seconds after which what has stopped is background.
  private static let stopTime: Float = 4
  /// The age of the look that changes are seen against, in seconds.
  private static let changeTime = 0.3
  /// The least difference that counts, in luma: three 8-bit codes; and in standard deviations.
  private static let (leastDifference, deviations): (Float, Float) = (3.0 / 255, 4)
  private static let mostVariance: Float = 0.05 * 0.05
  /// The share of the picture that only a camera changes, and the share that still shows the same when only the light
  /// has changed.
  private static let (mostCovered, leastAgreement) = (0.6, 0.4)
  /// A gain or an offset that differs more from 1 and 0 is a step of the exposure.
  private static let (stepGain, stepOffset): (Float, Float) = (0.03, 0.02)
  /// What the light leaves after a step, as a share of it: tone curves are no lines.
  private static let stepRemainder: Float = 0.25

  /// Takes the next look.
  ///
  /// - Returns: the cells, or nil if nothing can be found yet.
  mutating func look(_ proxy: AnalysisProxy, at time: Timestamp) -> MotionCells? {
    guard let cells = MotionCells(proxy.size) else { return nil }
    let gap = last.map { time.seconds(since: $0) }
    if cells != self.cells || gap.map({ $0 < 0 || $0 > Self.longestGap }) ?? true {
      begin(cells, at: time)
    }
    cells.average(proxy.luma, proxy.size, into: &current)
    defer {
      last = time
      looks += 1
      remember(at: time)
    }
    let seconds = looks == 0 ? 0 : max(gap ?? 0, 0)
    guard looks > 0 else {
      mean = current
      return nil
    }
    let noise = noise(of: proxy) / Float(cells.edge)
    let light = LightChange(from: mean, to: current)
    guard light.agreement >= Self.leastAgreement else {
      begin(cells, at: time)
      mean = current
      return nil
    }
    followLight(light)
    let isLearning =
      looks < Self.leastLooks || time.seconds(since: start) < Self.learning
    let covered = compare(noise: noise, light)
    if covered > Self.mostCovered, !isLearning {
      begin(cells, at: time)
      mean = current
      return nil
    }
    findChanges(noise: noise)
    adapt(seconds: Float(seconds), isLearning: isLearning)
    return isLearning ? nil : cells
  }

  /// The standard deviation of the noise in the proxy's luma.
  private mutating func noise(of proxy: AnalysisProxy) -> Float {
    let count = proxy.size.pixelCount / 256 + 1
    if blocks.count < count { blocks = Array(repeating: 0, count: count) }
    return blocks.withUnsafeMutableBufferPointer {
      sla_noise_deviation(
        proxy.luma.baseAddress, Int32(proxy.size.width), Int32(proxy.size.height), $0.baseAddress)
    }
  }

  private mutating func begin(_ cells: MotionCells, at time: Timestamp) {
    self.cells = cells
    let zeros = [Float](repeating: 0, count: cells.count)
    if current.count != cells.count { current = zeros }
    (excess, mean, variance, rest) = (zeros, zeros, zeros, zeros)
    hasChanged = Array(repeating: false, count: cells.count)
    former = []
    (looks, start, last) = (0, time, nil)
  }

  /// Keeps this look for those to come.
  private mutating func remember(at time: Timestamp) {
    guard let newest = former.last else {
      former = [(time, current)]
      return
    }
    guard time.seconds(since: newest.time) >= Self.changeTime else { return }
    if former.count == 2 { former.removeFirst() }
    former.append((time, current))
  }

  /// Puts the background into the light of this look.
  private mutating func followLight(_ light: LightChange) {
    let (gain, offset) = (light.gain, light.offset)
    for index in 0..<cells.count {
      mean[index] = gain * mean[index] + offset
      variance[index] = min(gain * gain * variance[index], Self.mostVariance)
    }
  }

  /// The least difference that counts after the light has changed.
  private static func floor(_ light: LightChange) -> Float {
    let (gain, offset) = (abs(light.gain - 1), abs(light.offset))
    guard gain > stepGain || offset > stepOffset else { return leastDifference }
    return leastDifference + stepRemainder * min(gain * 0.5 + offset, 0.4)
  }

  /// Finds what is in front of the background; returns its share of the picture.
  private mutating func compare(noise: Float, _ light: LightChange) -> Double {
    let least = Self.floor(light)
    let hasStepped = least > Self.leastDifference
    var covered = 0
    for index in 0..<cells.count {
      let (value, expected) = (current[index], mean[index])
      let difference = abs(value - expected)
      let limit = max(Self.deviations * (variance[index] + noise * noise).squareRoot(), least)
      // Where the light is beyond the range of the picture, or was, its change cannot be told.
      let isClipped = value > 0.97 && expected > 0.9 || value < 0.03 && expected < 0.1
      let isInFront = difference > limit && !isClipped
      excess[index] = isInFront ? difference / limit : 0
      if isInFront {
        covered += 1
      } else if hasStepped {
        // What the line did not explain is the tone curve's; it must not look like motion in the next frame.
        mean[index] = value
      }
    }
    return Double(covered) / Double(cells.count)
  }

  private mutating func findChanges(noise: Float) {
    guard let reference = former.first?.cells else { return }
    let light = LightChange(from: reference, to: current)
    // Three deviations of the difference of two looks.
    let least = max(4.2 * noise, Self.floor(light))
    for index in 0..<cells.count {
      hasChanged[index] = abs(current[index] - light.gain * reference[index] - light.offset) > least
    }
  }

  private mutating func adapt(seconds: Float, isLearning: Bool) {
    // While few looks are known, all count alike.
    let few = 1 / Float(looks + 1)
    let meanShare = max(1 - exp(-seconds / Self.meanTime), few)
    let varianceShare = max(1 - exp(-seconds / Self.varianceTime), few)
    let coveredShare = 1 - exp(-seconds / Self.coveredTime)
    for index in 0..<cells.count {
      let difference = current[index] - mean[index]
      if excess[index] > 0, !isLearning {
        mean[index] += coveredShare * difference
        rest[index] = hasChanged[index] ? 0 : rest[index] + seconds
        guard rest[index] >= Self.stopTime else { continue }
        (mean[index], variance[index], rest[index]) = (current[index], 0, 0)
      } else {
        mean[index] += meanShare * difference
        variance[index] += varianceShare * (difference * difference - variance[index])
        variance[index] = min(variance[index], Self.mostVariance)
        rest[index] = 0
      }
    }
  }
}

/// How the light of the whole picture has changed: luma is now gain · luma + offset.
struct LightChange: Sendable, Hashable {
  var gain: Float = 1
  var offset: Float = 0
  /// The share of the cells that this explains; 1 where nothing can be said.
  var agreement = 1.0

  /// What a cell may differ and still be explained: lines approximate tone curves.
  private static let tolerance: Float = 0.03
  /// Every so many cells are looked at.
  private static let step = 3
  private static let gains: ClosedRange<Float> = 0.2...5
  /// Luma near the ends of the range says nothing of the light.
  private static let usable: ClosedRange<Float> = 0.04...0.96

  /// Finds the change that most cells agree on: the median of their ratios, then two least-squares fits of those that
  /// are near it.
  init(from before: [Float], to now: [Float]) {
    var pairs: [(before: Float, now: Float)] = []
    pairs.reserveCapacity(now.count / Self.step + 1)
    for index in stride(from: 0, to: now.count, by: Self.step)
    where Self.usable.contains(before[index]) && Self.usable.contains(now[index]) {
      pairs.append((before[index], now[index]))
    }
    guard pairs.count >= 32, pairs.count * 20 * Self.step >= now.count else { return }
    gain = Self.median(pairs.map { $0.now / $0.before })
    gain = min(max(gain, Self.gains.lowerBound), Self.gains.upperBound)
    for _ in 0..<2 {
      let misses = pairs.map { abs($0.now - gain * $0.before - offset) }
      let limit = 2.5 * max(1.4826 * Self.median(misses), 0.003)
      fit(zip(pairs, misses).lazy.filter { $0.1 <= limit }.map(\.0))
    }
    let (slope, start) = (gain, offset)
    let agreeing = pairs.count { abs($0.now - slope * $0.before - start) <= Self.tolerance }
    agreement = Double(agreeing) / Double(pairs.count)
  }

  private mutating func fit(_ pairs: some Sequence<(before: Float, now: Float)>) {
    var (count, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for pair in pairs {
      let (before, now) = (Double(pair.before), Double(pair.now))
      count += 1
      x += before
      y += now
      xx += before * before
      xy += before * now
    }
    // A picture of one tone has no slope.
    let spread = count * xx - x * x
    guard count >= 16, spread > 1e-4 * count * count else { return }
    let slope = Float((count * xy - x * y) / spread)
    guard Self.gains.contains(slope) else { return }
    (gain, offset) = (slope, Float((y - Double(slope) * x) / count))
  }

  private static func median(_ values: [Float]) -> Float {
    let sorted = values.sorted()
    return sorted[sorted.count / 2]
  }
}
