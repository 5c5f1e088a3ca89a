import FrameCore
import Libc
import Synchronization
import TestSupport
import Testing

@testable import Capture

/// A session that costs time: a camera whose frame times jitter, a bounded queue, and one worker that takes
/// each frame through analyses, a look and an encoder. Its clock is simulated; the budget, the policy and the
/// monitor are real.
struct SimulatedSession {
  /// What a frame costs at full size, in seconds, on the machine as it is.
  struct Model: Sendable, CustomTestStringConvertible {
    var name: String
    var cameraRate = 30.0
    var rendering: Double
    var encoding = 0.0
    var analyses = 0.0
    /// What each faster preset costs beside the one before.
    var presets: [Double] = []
    var sizes: [Double] = []
    /// The standard deviation of the logarithm of a frame's time.
    var spread = 0.1
    var queueCapacity = 8
    /// The part of a frame's time that is told to the budget: an encoder with threads of its own returns
    /// early.
    var visible = 1.0

    var testDescription: String { name }

    /// The same model on a machine where a frame takes `load` of its interval with nothing done about it.
    func scaled(toLoad load: Double) -> Model {
      var model = self
      let factor = load / ((rendering + encoding + analyses) * cameraRate)
      model.rendering *= factor
      model.encoding *= factor
      model.analyses *= factor
      return model
    }
  }

  /// What happened, by simulated seconds.
  struct Record: Sendable {
    var frames: [Double] = []
    var drops: [Double] = []
    var steps: [(time: Double, step: PressureStep)] = []
    var pressures: [(time: Double, pressure: SystemPressure)] = []

    /// The part of frames that were dropped from `begin` to `end`.
    func dropShare(from begin: Double, to end: Double) -> Double {
      let dropped = drops.count { begin <= $0 && $0 < end }
      let made = frames.count { begin <= $0 && $0 < end }
      return made + dropped > 0 ? Double(dropped) / Double(made + dropped) : 0
    }

    /// The moments of changes; steps taken at once are one change.
    var changes: [Double] {
      steps.map(\.time).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// The measures in force at the end.
    var standing: [PressureMeasure] {
      steps.reduce(into: []) { standing, entry in
        if entry.step.isUndo { standing.removeLast() } else { standing.append(entry.step.measure) }
      }
    }
  }

  /// What the policy set.
  private final class Controls: Sendable {
    struct Settings {
      var analyses = 1
      var speed = 0
      var scale = 1.0
      var isInterrupted = false
      var limiter = FrameRateLimiter()
      /// Since the last look.
      var steps: [PressureMeasure] = []
    }
    let settings = Mutex(Settings())

    func responder(_ budget: FrameBudget) -> PressureResponder {
      var responder = PressureResponder()
      responder.setAnalysisRate = { [self] count in set { $0.analyses = count } }
      responder.setEncoderSpeed = { [self] level in set { $0.speed = level } }
      responder.requestSize = { [self] scale in set { $0.scale = scale } }
      responder.interrupt = { [self] isOn in set { $0.isInterrupted = isOn } }
      responder.setFrameRate = { [self] rate in
        try? budget.setFrameInterval(1 / rate)
        return set { try? $0.limiter.setRate(rate) }
      }
      return responder
    }

    private func set(_ change: (inout Settings) -> Void) -> PressureResponder.Answer {
      settings.withLock { change(&$0) }
      return .done
    }
  }

  let model: Model
  /// What a frame's time is multiplied by at a moment: other programs come and go.
  var slowness: (_ seconds: Double) -> Double = { _ in 1 }
  /// The system's files.
  let root: String
  /// When the worker stands still without telling: a disk that does not answer.
  var standstill: Range<Double>?
  /// Whether the frame rate may be lowered.
  var canLowerRate = true

  /// Runs for `seconds` and returns what happened.
  func run(seconds: Double, seed: UInt64) async throws -> Record {
    var random = SeededRandom(seed: seed)
    let controls = Controls()
    let budget = try FrameBudget(
      frameInterval: 1 / model.cameraRate, queueCapacity: model.queueCapacity)
    var abilities = PressureAbilities()
    abilities.hasAnalyses = model.analyses > 0
    abilities.encoderSpeeds = model.presets.count
    abilities.frameRate = canLowerRate ? model.cameraRate : nil
    abilities.canInterrupt = canLowerRate
    abilities.sizes = model.sizes
    let policy = PressurePolicy(abilities, responder: controls.responder(budget))
    var steps = policy.steps.makeAsyncIterator()
    let monitor = SystemPressureMonitor(root: root)
    let watch = monitor.watch(budget, policy: policy)

    var record = Record()
    var waiting: [Double] = []
    var work: (end: Double, cost: Double)?
    var free = 0.0
    func advance(to time: Double) {
      while true {
        if let present = work {
          guard present.end <= time else { return }
          budget.finished(in: present.cost * model.visible)
          record.frames.append(present.end)
          (free, work) = (present.end, nil)
        }
        guard let arrival = waiting.first else { return }
        var begin = max(arrival, free)
        if let standstill, standstill.contains(begin) { begin = standstill.upperBound }
        guard begin <= time else { return }
        waiting.removeFirst()
        budget.queued(waiting.count)
        let cost = cost(at: begin, controls, &random)
        work = (begin + cost, cost)
      }
    }
    var (frame, tick) = (0, 1)
    while true {
      let capture = (Double(frame) + Double.random(in: -0.1...0.1, using: &random)) / model.cameraRate + 1
      let window = Double(tick) * SystemPressureMonitor.deadlineInterval
      let time = min(capture, window)
      guard time < seconds else { break }
      advance(to: time)
      if window <= capture {
        tick += 1
        let before = policy.measures
        monitor.tick(at: Timestamp(nanoseconds: Int64(time * 1e9)))
        let changes = Self.distance(before, policy.measures)
        for _ in 0..<changes { if let step = await steps.next() { record.steps.append((time, step)) } }
        record.pressures.append((time, monitor.current))
      } else {
        frame += 1
        let isWanted = controls.settings.withLock { settings in
          settings.limiter.keeps(Timestamp(nanoseconds: Int64(capture * 1e9))) && !settings.isInterrupted
        }
        guard isWanted else { continue }
        if waiting.count < model.queueCapacity {
          waiting.append(capture)
          budget.queued(waiting.count)
        } else {
          budget.dropped()
          record.drops.append(capture)
        }
      }
    }
    monitor.remove(watch)
    return record
  }

  /// The number of steps between two states, of which one begins as the other.
  private static func distance(_ a: [PressureMeasure], _ b: [PressureMeasure]) -> Int {
    abs(a.count - b.count)
  }

  private func cost(at time: Double, _ controls: Controls, _ random: inout SeededRandom) -> Double {
    let (analyses, speed, scale) = controls.settings.withLock { ($0.analyses, $0.speed, $0.scale) }
    let encoding = model.presets.prefix(speed).reduce(model.encoding, *)
    let mean =
      (model.rendering + encoding) * scale * scale
      + (analyses > 0 ? model.analyses / Double(analyses) : 0)
    // Log-normal with mean 1, from a normal deviate by Box and Muller.
    let radius = (-2 * log(Double.random(in: 1e-12..<1, using: &random))).squareRoot()
    let normal = radius * cos(2 * Double.pi * Double.random(in: 0..<1, using: &random))
    let noise = exp(model.spread * normal - model.spread * model.spread / 2)
    return mean * noise * slowness(time)
  }
}
