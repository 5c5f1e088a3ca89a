import FrameCore

/// Plays a scene of first order to headphones as a head would hear it, and turns it against the head's
/// movement.
///
/// One owner at a time.
public struct BinauralMonitor: Sendable {
  /// How the head is turned; reached over the next block.
  public var headRotation = Rotation.identity {
    didSet { rotator.rotation = headRotation.inverse }
  }
  /// Samples by which the result comes later than the input, besides the way around the head.
  public var latency: Int { convolver.block }

  private var rotator = AmbisonicRotator()
  private var convolver: PartitionedConvolver
  /// A block of frames that waits to be complete, and the one that was made of the last.
  private var pending: [Float]
  private var finished: [Float]
  private var position = 0

  /// Designs the filters, in some hundredths of a second; reading the head takes longer.
  ///
  /// - Parameters:
  ///   - head: At the rate of the stream.
  ///   - block: Frames computed at once, and the latency: a power of two, 32…1024.
  /// - Throws: `SafelightError` if the block is none, or the head cannot be used.
  public init(
    _ head: HeadResponses, loudspeakers: VirtualLoudspeakers = .cube, block: Int = 128
  ) throws {
    guard (32...1024).contains(block), block & (block - 1) == 0 else {
      throw SafelightError(
        .invalidValue, "A block of \(block) frames is no power of two from 32 to 1024", remedy: "use 128")
    }
    convolver = PartitionedConvolver(
      try BinauralFilters(head, loudspeakers: loudspeakers).byEar, block: block)
    pending = [Float](repeating: 0, count: 4 * block)
    finished = [Float](repeating: 0, count: 2 * block)
  }

  /// Renders interleaved AmbiX frames. Allocates nothing.
  ///
  /// - Parameter output: Left and right, interleaved, half as many samples.
  public mutating func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(input.count.isMultiple(of: 4) && output.count == input.count / 2)
    let frames = input.count / 4
    var start = 0
    while start < frames {
      let count = min(convolver.block - position, frames - start)
      for index in 0..<4 * count { pending[4 * position + index] = input[4 * start + index] }
      for index in 0..<2 * count { output[2 * start + index] = finished[2 * position + index] }
      position += count
      start += count
      if position == convolver.block { renderBlock() }
    }
  }

  /// Renders interleaved AmbiX frames.
  public mutating func process(_ samples: [Float]) -> [Float] {
    samples.processed(count: samples.count / 2) { process($0, into: $1) }
  }

  private mutating func renderBlock() {
    position = 0
    pending.withUnsafeMutableBufferPointer { pending in
      rotator.process(UnsafeBufferPointer(pending), into: pending)
      guard let frames = pending.baseAddress else { return }
      for channel in 0..<4 { convolver.take(channel, frames + channel, stride: 4) }
    }
    finished.withUnsafeMutableBufferPointer { finished in
      guard let frames = finished.baseAddress else { return }
      convolver.finish(frames)
    }
  }
}
