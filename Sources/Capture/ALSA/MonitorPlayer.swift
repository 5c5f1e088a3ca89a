import FrameCore

/// Turns sound as it arrives into sound as a loudspeaker needs it: a few milliseconds later, at its clock.
///
/// It waits no longer than the sound's own chunks demand, and a little longer after each time that sound came
/// too late.
struct MonitorPlayer {
  private let ring: MonitorRing
  private let outputRate: Int
  private let nominalStep: Double
  private var resampler: MonitorResampler
  private var control: LatencyControl
  private var isPlaying = false
  /// What the gain was at the end of the last block.
  private var gain: Float = 0
  /// The duration of the largest chunks of late, in seconds.
  private var chunk = 0.0
  /// The seconds added because sound came too late.
  private(set) var extra = 0.0
  /// Times that there was nothing to play.
  private(set) var starvations = 0
  /// Times that the sound jumped, because it was too old to catch up.
  private(set) var jumps = 0
  /// The speed of playing over the nominal one.
  private(set) var speed = 1.0
  /// The other way through a jump.
  private var faded: [Float]

  /// The least wait for sound that is a little late, in seconds.
  private static let margin = 0.001
  private static let mostExtra = 0.02
  /// The time constants with which larger chunks and late sound are forgotten, in seconds.
  private static let chunkMemory = 20.0
  private static let extraMemory = 300.0
  /// An error of the age beyond which the sound jumps, in seconds.
  private static let tolerance = 0.008

  /// - Parameter largestBlock: the most frames that are rendered at once.
  init(_ ring: MonitorRing, outputRate: Int, largestBlock: Int) {
    self.ring = ring
    self.outputRate = outputRate
    nominalStep = Double(ring.sampleRate) / Double(outputRate)
    resampler = MonitorResampler(step: nominalStep)
    control = LatencyControl(target: 0)
    faded = [Float](repeating: 0, count: 2 * largestBlock)
  }

  /// Returns how old the next frame is at `now`, in seconds; nil if nothing plays.
  func age(at now: Timestamp) -> Double? {
    isPlaying ? now.seconds(since: ring.time(of: resampler.place)) : nil
  }

  /// Fills `output` with stereo frames.
  ///
  /// - Parameter wantedGain: reached at the block's end.
  mutating func render(
    _ count: Int, into output: UnsafeMutablePointer<Float>, at now: Timestamp, gain wantedGain: Float
  ) {
    let block = Double(count) / Double(outputRate)
    let lookahead = Double(MonitorResampler.reach + 1) / Double(ring.sampleRate)
    let arrived = Double(ring.takeLargestChunk()) / Double(ring.sampleRate)
    chunk = max(arrived, chunk * (1 - block / Self.chunkMemory))
    extra *= 1 - block / Self.extraMemory
    control.target = chunk + block + lookahead + Self.margin + extra
    if isPlaying {
      play(count, into: output, at: now, block: block)
    } else {
      begin(count, into: output, at: now)
    }
    ramp(count, output, to: wantedGain)
    ring.release(before: resampler.oldestNeeded)
  }

  /// Starts as soon as the sound that arrived is old enough; silence until then.
  private mutating func begin(_ count: Int, into output: UnsafeMutablePointer<Float>, at now: Timestamp) {
    output.update(repeating: 0, count: 2 * count)
    let written = ring.written
    guard written > 0, let place = place(ofAge: control.target, at: now, count, written: written) else {
      return
    }
    resampler.move(to: place)
    control.restart()
    isPlaying = true
    gain = 0
    resampler.read(ring, count, step: nominalStep * speed, into: output)
  }

  /// Returns where sound of an age is; nil unless the ring has it and what follows.
  private func place(ofAge age: Double, at now: Timestamp, _ count: Int, written: Int) -> Double? {
    let elapsed = now.seconds(since: ring.time(of: 0)) - age
    let place = elapsed * Double(ring.sampleRate)
    let oldest = max(0, max(resampler.oldestNeeded, written - ring.capacity)) + MonitorResampler.reach
    guard place >= Double(oldest),
      Int(place + Double(count) * nominalStep * speed) + MonitorResampler.reach + 2 <= written
    else { return nil }
    return place
  }

  private mutating func play(
    _ count: Int, into output: UnsafeMutablePointer<Float>, at now: Timestamp, block: Double
  ) {
    let age = now.seconds(since: ring.time(of: resampler.place))
    speed = control.update(age: age, interval: block)
    let (written, step) = (ring.written, nominalStep * speed)
    guard resampler.needed(count, step: step) <= written else {
      starve(count, written, step: step, into: output)
      return
    }
    var jump: Double?
    if age - control.target > Self.tolerance, (control.error ?? 0) > Self.tolerance / 2 {
      jump = place(ofAge: control.target, at: now, count, written: written)
    }
    resampler.read(ring, count, step: step, into: output)
    guard let jump else { return }
    jumps += 1
    resampler.move(to: jump)
    control.restart()
    faded.withUnsafeMutableBufferPointer { other in
      guard let other = other.baseAddress else { return }
      resampler.read(ring, count, step: step, into: other)
      for index in 0..<2 * count {
        let weight = Float(index / 2 + 1) / Float(count)
        output[index] += weight * (other[index] - output[index])
      }
    }
  }

  /// Plays what is left, fading out, and then silence until there is enough again.
  private mutating func starve(
    _ count: Int, _ written: Int, step: Double, into output: UnsafeMutablePointer<Float>
  ) {
    let left = (Double(written - MonitorResampler.reach - 1) - resampler.place) / step
    let frames = min(count, max(0, Int(left)))
    resampler.read(ring, frames, step: step, into: output)
    (output + 2 * frames).update(repeating: 0, count: 2 * (count - frames))
    for index in 0..<2 * frames { output[index] *= 1 - Float(index / 2 + 1) / Float(frames) }
    starvations += 1
    extra = min(extra + Self.margin, Self.mostExtra)
    isPlaying = false
  }

  /// A gain that changes at once would click.
  private mutating func ramp(_ count: Int, _ output: UnsafeMutablePointer<Float>, to wanted: Float) {
    for frame in 0..<count {
      let factor = gain + (wanted - gain) * Float(frame + 1) / Float(count)
      output[2 * frame] *= factor
      output[2 * frame + 1] *= factor
    }
    gain = wanted
  }
}
