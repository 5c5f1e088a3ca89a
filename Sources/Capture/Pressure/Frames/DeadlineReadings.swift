import FrameCore

/// Turns a session's own load into gauges, so that missed deadlines count as pressure like everything else.
///
/// The p99 of the frame time over the interval: 0.8 `fair`, 1 `serious`, 1.5 `critical`.
/// Drops in five seconds: any `fair`, more than 1 % `serious`, more than 10 % `critical`.
/// A queue that stands half full `fair`, three quarters `serious`.
/// Deadlines alone never shut a session down: dropped frames harm nothing else.
struct DeadlineReadings: Sendable {
  /// The windows over which drops are counted.
  static let windows = 10

  private let time: PressureGauge
  private let drops: PressureGauge
  private let queue: PressureGauge
  private var recent: [(frames: Int, dropped: Int)] = []

  /// - Parameter id: unique among the sessions that are watched.
  init(id: Int) {
    time = PressureGauge(
      id: "deadlines \(id) time", reason: .deadlines,
      subject: "Of the time that a frame has, the slowest take",
      unit: .percent,
      limits: [
        .init(.fair, rise: 0.8, release: 0.7), .init(.serious, rise: 1, release: 0.9),
        .init(.critical, rise: 1.5, release: 1.3),
      ])
    // More than 1 %, not 1 %.
    let one = 0.01.nextUp
    drops = PressureGauge(
      id: "deadlines \(id) drops", reason: .deadlines, subject: "Of the last 5 s, frames dropped are",
      unit: .percent,
      limits: [
        .init(.fair, rise: .leastNonzeroMagnitude, release: .leastNonzeroMagnitude),
        .init(.serious, rise: one, release: 0.007), .init(.critical, rise: 10 * one, release: 0.07),
      ])
    queue = PressureGauge(
      id: "deadlines \(id) queue", reason: .deadlines, subject: "The queue of frames stands at",
      unit: .percent,
      limits: [
        .init(.fair, rise: 0.5, release: 0.35), .init(.serious, rise: 0.75, release: 0.5),
      ])
  }

  /// Returns the samples of the window just ended; without frames in it, such as in a pause, values are nil.
  mutating func samples(of load: FrameLoad) -> [PressureSample] {
    recent.append((load.frames, load.dropped))
    if recent.count > Self.windows { recent.removeFirst() }
    let frames = recent.reduce(0) { $0 + $1.frames }
    let dropped = recent.reduce(0) { $0 + $1.dropped }
    let isIdle = load.frames + load.dropped == 0
    return [
      PressureSample(time, load.frames > 0 ? load.p99Share : nil),
      PressureSample(drops, isIdle ? nil : Double(dropped) / Double(frames + dropped)),
      PressureSample(queue, isIdle || load.queueCapacity == 0 ? nil : load.queueShare),
    ]
  }
}
