import ColorScience
import Libc
import Synchronization

/// Functions of a channel as stages that every renderer has: tables of samples over the fourth root of their input, for
/// which logarithms and powers are smooth down to black.
enum ChannelStages {
  /// Samples of each channel.
  static let count = 65_537
  private static let root = TransferFunction.gamma(4)

  /// Returns stages for functions of red, green and blue over a range of inputs; what is outside is clipped to it.
  ///
  /// - Returns: also the least and the greatest values, per channel.
  static func stages(
    from low: SIMD3<Double>, to high: SIMD3<Double>, name: String, _ functions: [(Double) -> Double]
  ) throws -> (stages: [Stage], low: SIMD3<Double>, high: SIMD3<Double>) {
    func roots(_ x: SIMD3<Double>) -> SIMD3<Float> {
      SIMD3(Float(root.encode(x.x)), Float(root.encode(x.y)), Float(root.encode(x.z)))
    }
    let (start, end) = (roots(low), roots(high))
    let step = SIMD3<Double>(end - start) / Double(count - 1)
    var (least, greatest) = (SIMD3<Double>(repeating: .infinity), SIMD3<Double>(repeating: -.infinity))
    var samples: [SIMD3<Float>] = []
    samples.reserveCapacity(count)
    for index in 0..<count {
      var sample = SIMD3<Float>()
      for channel in 0..<3 {
        let place = Double(start[channel]) + Double(index) * step[channel]
        let value = functions[channel](root.decode(place))
        least[channel] = min(least[channel], value)
        greatest[channel] = max(greatest[channel], value)
        sample[channel] = Float(value)
      }
      samples.append(sample)
    }
    let table = try LUT1D(samples: samples, domainMin: start, domainMax: end)
    return (
      [
        .curve(.encode([root])),
        .lut(LookupStage(lut: ColorLUT(shaper: table), strength: 1, name: name)),
      ], least, greatest
    )
  }
}

/// The curves of log encodings as stages, made once.
enum LogTables {
  private struct Pair: Sendable {
    let encoding, decoding: [Stage]
  }

  private static let made = Mutex<[LogEncoding: Pair]>([:])

  /// Stages from linear light on the camera's primaries to encoded samples of 0…1.
  static func encoding(_ log: LogEncoding) throws -> [Stage] { try pair(log).encoding }

  /// Stages from encoded samples of 0…1 to linear light on the camera's primaries.
  static func decoding(_ log: LogEncoding) throws -> [Stage] { try pair(log).decoding }

  private static func pair(_ log: LogEncoding) throws -> Pair {
    if let known = made.withLock({ $0[log] }) { return known }
    let (low, high) = (log.decode(0), log.decode(1))
    let encoding = try ChannelStages.stages(
      from: SIMD3(repeating: low), to: SIMD3(repeating: high), name: "to \(log.rawValue)",
      Array(repeating: { log.encode($0) }, count: 3))
    let last = ChannelStages.count - 1
    // An exponential is smooth over its whole range.
    let samples = (0...last).map { SIMD3(repeating: Float(log.decode(Double($0) / Double(last)))) }
    let table = ColorLUT(shaper: try LUT1D(samples: samples))
    let pair = Pair(
      encoding: encoding.stages,
      decoding: [.lut(LookupStage(lut: table, strength: 1, name: "from \(log.rawValue)"))])
    made.withLock { $0[log] = pair }
    return pair
  }
}
