/// Four short filters, one for each channel of interleaved frames, computed directly.
///
/// One owner at a time.
struct FIRBank: Sendable {
  private static let channels = 4
  /// Frames computed at once: what stays in the first cache.
  private static let stretch = 256

  private let taps: Int
  /// Channel after channel.
  private let coefficients: [Float]
  /// Of each channel the last `taps - 1` samples, followed by room for a stretch.
  private var history: [Float]
  private var sums: [Float]

  /// - Parameter filters: Four of the same length.
  init(_ filters: [[Float]]) {
    precondition(filters.count == Self.channels && filters.allSatisfy { $0.count == filters[0].count })
    taps = filters[0].count
    coefficients = filters.flatMap { $0 }
    history = [Float](repeating: 0, count: Self.channels * (taps - 1 + Self.stretch))
    sums = [Float](repeating: 0, count: Self.stretch)
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
    let past = taps - 1
    history.withUnsafeMutableBufferPointer { histories in
      sums.withUnsafeMutableBufferPointer { sums in
        coefficients.withUnsafeBufferPointer { coefficients in
          let line = UnsafeMutableBufferPointer(
            rebasing: histories[channel * (past + Self.stretch)..<(channel + 1) * (past + Self.stretch)])
          for frame in 0..<frames {
            line[past + frame] = input[frame * Self.channels + channel]
            sums[frame] = 0
          }
          // Taps outside and samples inside: the inner loop adds vectors.
          for tap in 0..<taps {
            let factor = coefficients[channel * taps + tap]
            for frame in 0..<frames { sums[frame] += factor * line[past - tap + frame] }
          }
          for frame in 0..<frames { output[frame * Self.channels + channel] = sums[frame] }
          for index in 0..<past { line[index] = line[index + frames] }
        }
      }
    }
  }
}
