import Safelight

/// When the next frame for a page is begun, and how much detail moving ones have.
///
/// A page that draws slowly gets fewer frames, never older ones. While one frame is on its way the next is begun so that
/// it arrives when the first is drawn: earlier, it would wait at the page and be old when it is seen; later, nothing would
/// be drawn for a while. What takes too long has less detail the next time.
struct StudioPace {
  /// The part of the pixels along each axis of moving frames, from the most to the least.
  static let ladder = [1, 0.75, 0.5, 0.35]
  /// Seconds from the beginning of a frame to its place on the screen: above the first, detail is taken away; below the
  /// second, expected of more detail, it returns.
  private static let (most, comfortable) = (0.030, 0.024)
  private static let mostInFlight = 2
  private static let past = Timestamp(nanoseconds: 0)
  /// The weight of the newest frame in a mean.
  private static let weight = 0.3
  /// Detail returns slowly, so that it does not flicker.
  private static let framesBeforeMore = 12

  private struct Flight {
    let frame: Int
    let begun, sent: Timestamp
    let isMoving: Bool
  }
  private var flights: [Flight] = []
  private var step = 1
  /// Means in seconds of moving frames: of rendering and encoding, and from there to the screen.
  private var making: Double?
  private var showing: Double?
  private var calmFrames = 0
  /// Frames since the detail has changed.
  private var frames = 0
  /// The first frames of another size wait for what later ones find ready, and tell nothing.
  private static let settling = 3

  var detail: Double { Self.ladder[step] }

  /// Whether all frames that were sent have been drawn.
  var isIdle: Bool { flights.isEmpty }

  /// When the next frame may be begun; nil while too many are on their way.
  var nextBegin: Timestamp? {
    guard let flight = flights.first else { return Self.past }
    guard flights.count < Self.mostInFlight, flight.isMoving, let making, let showing else {
      return flights.count < Self.mostInFlight ? Self.past : nil
    }
    return flight.sent.advanced(bySeconds: max(0, showing - making))
  }

  mutating func sent(_ frame: Int, isMoving: Bool, begun: Timestamp, at time: Timestamp = .now) {
    flights.append(Flight(frame: frame, begun: begun, sent: time, isMoving: isMoving))
  }

  mutating func drawn(_ frame: Int, at time: Timestamp) {
    guard let index = flights.firstIndex(where: { $0.frame == frame }) else { return }
    let flight = flights[index]
    // Frames before it were passed over.
    flights.removeSubrange(...index)
    guard flight.isMoving else { return }
    frames += 1
    guard frames > Self.settling else { return }
    Self.add(flight.sent.seconds(since: flight.begun), to: &making)
    Self.add(time.seconds(since: flight.sent), to: &showing)
    adjust()
  }

  private static func add(_ seconds: Double, to mean: inout Double?) {
    mean = mean.map { $0 + weight * (seconds - $0) } ?? seconds
  }

  private mutating func adjust() {
    guard let making, let showing else { return }
    let total = making + showing
    guard total <= Self.most else {
      calmFrames = 0
      if step + 1 < Self.ladder.count { change(to: step + 1) }
      return
    }
    guard step > 0 else { return }
    let growth = Self.ladder[step - 1] / Self.ladder[step]
    calmFrames = total * growth * growth < Self.comfortable ? calmFrames + 1 : 0
    if calmFrames >= Self.framesBeforeMore { change(to: step - 1) }
  }

  /// Frames of another size take another time.
  private mutating func change(to next: Int) {
    let growth = Self.ladder[next] / Self.ladder[step]
    (making, showing) = (making.map { $0 * growth * growth }, showing.map { $0 * growth * growth })
    (step, calmFrames, frames) = (next, 0, 0)
  }
}
