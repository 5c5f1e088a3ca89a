/// Places a mono source in a scene of first order.
///
/// Gains change linearly over a block, so that a moving source does not click. One owner at a time.
public struct AmbisonicEncoder: Sendable {
  public let format: AmbisonicFormat
  /// Where the source is at the end of the next block.
  public var direction: Direction
  private var gains: SIMD4<Float>

  public init(_ direction: Direction, format: AmbisonicFormat = .ambiX) {
    self.format = format
    self.direction = direction
    gains = SIMD4<Float>(format.gains(for: direction))
  }

  /// Encodes mono samples; adds to what `output` holds if `adds`. Allocates nothing.
  ///
  /// - Parameter output: Interleaved, four times as many samples.
  public mutating func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>, adds: Bool = false
  ) {
    precondition(output.count == 4 * input.count)
    guard !input.isEmpty else { return }
    let end = SIMD4<Float>(format.gains(for: direction))
    let change = (end - gains) / Float(input.count)
    for index in input.indices {
      // The last frame has the gains of the direction itself, without accumulated rounding.
      let factor = index == input.count - 1 ? end : gains + change * Float(index + 1)
      let old = adds ? UnsafeBufferPointer(output).frame(at: 4 * index) : .zero
      output.store(old + factor * input[index], at: 4 * index)
    }
    gains = end
  }

  /// Encodes mono samples to four times as many interleaved ones.
  public mutating func process(_ samples: [Float]) -> [Float] {
    samples.processed(count: 4 * samples.count) { process($0, into: $1) }
  }
}
