import FrameCore
import Libc

/// The clock of a sound device, recovered from jittering times: a second-order delay-locked loop that turns
/// pairs of position and measured time into a smooth time for every position, and the device's true rate.
///
/// It begins with the median of the first measurements and then follows with gains that fall, as those of a
/// Kalman filter for a clock with a constant rate do, to the ones of a loop of the given bandwidth. A
/// measurement counts at most as one of three standard deviations, so single late ones move nothing. A pure
/// state machine; not thread-safe.
///
/// Sources: F. Adriaensen, Using a DLL to filter time, LAC 2005; Y. Bar-Shalom, Estimation with Applications
/// to Tracking and Navigation, 2001, 6.2 (white noise acceleration).
public struct ClockRecovery: Sendable {
  public struct Configuration: Sendable, Hashable {
    /// Samples per second and channel that the device claims.
    public var nominalRate: Double
    /// The bandwidth of the settled loop in Hz. With times that spread by 2 ms, 100 a second, the rate
    /// spreads by 2 ppm at 0.01 Hz, by 5 at 0.02. A rate that changes by 100 ppm at once moves times by 0.7
    /// ms at 0.01 Hz; crystals that warm up change by a ppm in a minute.
    public var bandwidth = 0.01
    /// The span of the first measurements, in seconds, before there is a time at all.
    public var acquisition = 0.3
    /// The standard deviation of the rates of devices, as a part of 1.
    public var rateSpread = 3e-4
    /// Deviations in seconds that last, and are larger than this and than six standard deviations, are a
    /// jump.
    public var jump = 0.01

    public init(nominalRate: Double) { self.nominalRate = nominalRate }
  }

  /// What a measurement meant.
  public enum Event: Sendable, Hashable {
    /// There are too few measurements so far.
    case acquiring
    /// The first time is there, or one after `relock`.
    case locked
    case tracked
    /// The measurement is far off and counted little or not at all.
    case outlier
    /// The measurements have moved for good, later if positive; times follow from now on.
    case jumped(seconds: Double)
    /// Positions advance but measured times do not; the loop runs on at the last rate.
    case clockStopped
    /// The position has not advanced, or has gone back. After going back, a new lock begins.
    case positionRepeated
  }

  public let configuration: Configuration
  /// Whether there are times. They stay while a new lock is being acquired.
  public internal(set) var isLocked = false
  /// The standard deviation of measured times, in seconds.
  public internal(set) var jitter = 1e-3

  // A position and its time, and how far the length of a sample deviates from the nominal one, as a part of
  // 1.
  var anchorPosition: Int64 = 0
  var anchorTime = Timestamp(nanoseconds: 0)
  /// Nanoseconds, because times are whole ones.
  var anchorFraction = 0.0
  var deviation = 0.0
  // The covariance of the anchor's time in seconds and the deviation.
  var timeVariance = 0.0
  var covariance = 0.0
  var rateVariance = 0.0

  // Measurements of a lock to come; nil while tracking.
  var acquired: [Measurement]? = []
  // Measurements in a row that are far off to the same side: how far, in seconds.
  var suspects: [Double] = []
  var suspectsSince: Int64 = 0
  // The last measurement whose time had moved.
  var lastMoved: Measurement?

  struct Measurement: Sendable {
    var position: Int64
    var time: Timestamp
  }

  public init(_ configuration: Configuration) { self.configuration = configuration }
  public init(nominalRate: Int) { self.init(Configuration(nominalRate: Double(nominalRate))) }

  /// The device's rate in samples per second of the measuring clock.
  public var rate: Double { configuration.nominalRate / (1 + deviation) }

  /// How much faster than nominal the device runs, in parts per million.
  public var driftPPM: Double { (1 / (1 + deviation) - 1) * 1e6 }

  /// The standard deviation of `driftPPM` as far as the loop knows.
  public var driftUncertaintyPPM: Double { rateVariance.squareRoot() * 1e6 }

  /// Returns when the sample at a position was captured; nil before the first lock.
  public func time(of position: Double) -> Timestamp? {
    guard isLocked else { return nil }
    let nanoseconds = seconds(to: position) * 1e9 + anchorFraction
    return Timestamp(nanoseconds: anchorTime.nanoseconds + Int64(nanoseconds.rounded()))
  }

  /// Returns the position captured at a time, with its fraction; nil before the first lock.
  public func position(at time: Timestamp) -> Double? {
    guard isLocked else { return nil }
    let seconds = (Double(time.nanoseconds - anchorTime.nanoseconds) - anchorFraction) / 1e9
    return Double(anchorPosition) + seconds * rate
  }

  /// Takes a measurement: the sample at `position` was captured at about `time`.
  @discardableResult
  public mutating func update(position: Int64, time: Timestamp) -> Event {
    let measurement = Measurement(position: position, time: time)
    if let event = checkMotion(measurement) { return event }
    return acquired == nil ? track(measurement) : acquire(measurement)
  }

  /// Begins a new lock, as for a device that was away. Rate and times stay until it is there.
  public mutating func relock() {
    acquired = []
    suspects = []
    lastMoved = nil
  }

  /// Assumes the nominal rate and one time for as long as there is no lock: the time of silence that stands
  /// for a device not there yet.
  public mutating func assume(position: Int64, time: Timestamp) {
    guard !isLocked else { return }
    anchor(position, time, seconds: 0)
    isLocked = true
  }

  /// Locks with the measurements so far, however few: for sound that ends at once. Returns false if there are
  /// none.
  @discardableResult
  public mutating func lockNow() -> Bool {
    guard let acquired, !acquired.isEmpty else { return isLocked }
    lock(acquired)
    return true
  }

  func seconds(to position: Double) -> Double {
    (position - Double(anchorPosition)) * (1 + deviation) / configuration.nominalRate
  }

  mutating func anchor(_ position: Int64, _ time: Timestamp, seconds: Double) {
    let nanoseconds = seconds * 1e9
    let whole = nanoseconds.rounded(.down)
    anchorPosition = position
    anchorTime = Timestamp(nanoseconds: time.nanoseconds + Int64(whole))
    anchorFraction = nanoseconds - whole
  }
}
