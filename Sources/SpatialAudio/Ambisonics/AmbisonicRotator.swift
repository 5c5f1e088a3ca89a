/// Turns a scene of first order, such as against the movement of a head.
///
/// A new rotation is reached over the next block on the shortest way and at constant speed. One owner at a
/// time.
public struct AmbisonicRotator: Sendable {
  /// The rotation of the scene at the end of the next block. For head tracking: the inverse of the head's.
  public var rotation: Rotation
  private var current: Rotation
  private var matrix: ChannelMatrix

  /// Frames between which the matrix changes linearly: so few that it stays a rotation nearly, even if a
  /// short block turns the scene around.
  private static let stretch = 8

  public init(_ rotation: Rotation = .identity) {
    self.rotation = rotation
    current = rotation
    matrix = ChannelMatrix(rotation: rotation)
  }

  /// Turns interleaved AmbiX frames. Output may be the input's memory. Allocates nothing.
  public mutating func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(input.count.isMultiple(of: 4) && output.count == input.count)
    guard current != rotation else { return matrix.apply(input, into: output) }
    let frames = input.count / 4
    var start = 0
    while start < frames {
      let end = min(start + Self.stretch, frames)
      let next =
        end == frames
        ? rotation : current.interpolated(to: rotation, Double(end) / Double(frames))
      ramp(to: ChannelMatrix(rotation: next), start..<end, input, output)
      start = end
    }
    if frames > 0 { current = rotation }
  }

  private mutating func ramp(
    to end: ChannelMatrix, _ range: Range<Int>, _ input: UnsafeBufferPointer<Float>,
    _ output: UnsafeMutableBufferPointer<Float>
  ) {
    let step = 1 / Float(range.count)
    for index in range {
      let frame = input.frame(at: 4 * index)
      let old = matrix.apply(frame)
      let new = end.apply(frame)
      output.store(old + (new - old) * (Float(index - range.lowerBound + 1) * step), at: 4 * index)
    }
    matrix = end
  }

  /// Turns interleaved AmbiX frames.
  public mutating func process(_ samples: [Float]) -> [Float] {
    samples.processed(count: samples.count) { process($0, into: $1) }
  }
}
