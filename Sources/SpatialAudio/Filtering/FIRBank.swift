/// Four short filters, one for each channel of interleaved frames, computed directly.
///
/// One owner at a time.
struct FIRBank: Sendable {
  private static let channels = 4
  /// Frames computed at once: what stays in the first cache.
  private static let stretch = 256
  /// Frames computed in one vector; divides the stretch.
  private static let lanes = 16

  private let taps: Int
  /// Channel after channel.
  private let coefficients: [Float]
  /// Of each channel the last `taps - 1` samples, followed by room for a stretch.
  private var history: [Float]

  /// - Parameter filters: Four of the same length.
  init(_ filters: [[Float]]) {
    precondition(filters.count == Self.channels && filters.allSatisfy { $0.count == filters[0].count })
    taps = filters[0].count
    coefficients = filters.flatMap { $0 }
    history = [Float](repeating: 0, count: Self.channels * (taps - 1 + Self.stretch))
  }

  /// Filters interleaved frames. Output may be the input's memory. Allocates nothing.
  mutating func process(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) {
    var start = 0
    while start < input.count {
      let end = min(start + Self.stretch * Self.channels, input.count)
      let part = UnsafeBufferPointer(rebasing: input[start..<end])
      let target = UnsafeMutableBufferPointer(rebasing: output[start..<end])
      for channel in 0..<Self.channels { filter(channel, part, target) }
      start = end
    }
  }

  private mutating func filter(
    _ channel: Int, _ input: UnsafeBufferPointer<Float>, _ output: UnsafeMutableBufferPointer<Float>
  ) {
    let frames = input.count / Self.channels
    let taps = taps
    let past = taps - 1
    history.withUnsafeMutableBufferPointer { histories in
      coefficients.withUnsafeBufferPointer { coefficients in
        guard let lines = histories.baseAddress, let all = coefficients.baseAddress else { return }
        let line = lines + channel * (past + Self.stretch)
        let factors = all + channel * taps
        for frame in 0..<frames { line[past + frame] = input[frame * Self.channels + channel] }
        for start in stride(from: 0, to: frames, by: Self.lanes) {
          // Sums stay in registers for all taps. Beyond the frames they are of old samples, and not used.
          let newest = UnsafeRawPointer(line + past + start)
          var sum = SIMD16<Float>.zero
          for tap in 0..<taps {
            let samples = newest.loadUnaligned(
              fromByteOffset: -tap * MemoryLayout<Float>.stride, as: SIMD16<Float>.self)
            sum += samples * factors[tap]
          }
          for lane in 0..<min(Self.lanes, frames - start) {
            output[(start + lane) * Self.channels + channel] = sum[lane]
          }
        }
        line.update(from: line + frames, count: past)
      }
    }
  }
}
