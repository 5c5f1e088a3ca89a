import FrameCore
import Libc

extension ClockRecovery {
  /// Smaller values are not believed: the gains of a loop without jitter would follow every nanosecond.
  private static let leastJitter = 20e-6
  /// Rates further off are of another device than it claims.
  private static let largestDeviation = 0.01
  private static let fewestMeasurements = 8
  /// The seconds of sound in which the measured time moves at least once, unless its clock has stopped.
  private static let longestStandstill = 0.1
  /// The seconds for which measurements must stay away before they count as moved.
  private static let jumpSpan = 0.15

  /// Returns an event if position or time do not advance.
  mutating func checkMotion(_ measurement: Measurement) -> Event? {
    guard let last = lastMoved else {
      lastMoved = measurement
      return nil
    }
    if measurement.position < last.position {
      relock()
      lastMoved = measurement
      return .positionRepeated
    }
    let sound = Double(measurement.position - last.position) / configuration.nominalRate
    if abs(measurement.time.seconds(since: last.time)) >= 0.25 * Self.longestStandstill {
      lastMoved = measurement
    } else if sound >= Self.longestStandstill {
      // What was collected of a clock that stands is worth nothing.
      if acquired != nil { acquired = [] }
      suspects = []
      return .clockStopped
    }
    let latest = acquired == nil ? anchorPosition : acquired?.last?.position ?? .min
    return measurement.position == latest ? .positionRepeated : nil
  }

  mutating func acquire(_ measurement: Measurement) -> Event {
    var measurements = acquired ?? []
    measurements.append(measurement)
    acquired = measurements
    let span = Double(measurement.position - measurements[0].position) / configuration.nominalRate
    guard measurements.count >= Self.fewestMeasurements, span >= configuration.acquisition else {
      return .acquiring
    }
    lock(measurements)
    return .locked
  }

  /// Takes the median of how far measurements are from a clock of the last rate.
  mutating func lock(_ measurements: [Measurement]) {
    let (first, last) = (measurements[0], measurements[measurements.count - 1])
    let sample = (1 + deviation) / configuration.nominalRate
    let residuals = measurements.map {
      $0.time.seconds(since: first.time) - Double($0.position - first.position) * sample
    }
    let middle = OrderStatistics.median(residuals)
    let spread = OrderStatistics.median(residuals.map { abs($0 - middle) })
    let span = Double(last.position - first.position) * sample
    // The median of absolute deviations of a normal distribution is 0.6745 of its standard deviation, and its
    // median spreads √(π/2) times as much as the mean.
    if measurements.count >= Self.fewestMeasurements { jitter = max(spread / 0.6745, Self.leastJitter) }
    let variance = jitter * jitter * 1.57 / Double(measurements.count)
    let rateSpread = max(rateVariance.squareRoot(), configuration.rateSpread)
    anchor(last.position, first.time, seconds: middle + span)
    // The median is the time of the middle, half the span before the anchor.
    rateVariance = rateSpread * rateSpread
    covariance = rateVariance * span / 2
    timeVariance = variance + rateVariance * span * span / 4
    acquired = nil
    suspects = []
    isLocked = true
  }

  mutating func track(_ measurement: Measurement) -> Event {
    let predicted = seconds(to: Double(measurement.position))
    let error =
      (Double(measurement.time.nanoseconds - anchorTime.nanoseconds) - anchorFraction) / 1e9 - predicted
    if abs(error) > max(configuration.jump, 6 * jitter) { return suspect(measurement, error) }
    suspects.removeAll(keepingCapacity: true)
    let span = Double(measurement.position - anchorPosition) / configuration.nominalRate
    predictCovariance(span)
    let limit = 3 * (timeVariance + jitter * jitter).squareRoot()
    let step = min(max(error, -limit), limit)
    let total = timeVariance + jitter * jitter
    let (timeGain, rateGain) = (timeVariance / total, covariance / total)
    anchor(measurement.position, anchorTime, seconds: anchorFraction / 1e9 + predicted + timeGain * step)
    deviation = min(max(deviation + rateGain * step, -Self.largestDeviation), Self.largestDeviation)
    rateVariance -= rateGain * covariance
    covariance -= timeGain * covariance
    timeVariance -= timeGain * timeVariance
    // The mean absolute deviation of a normal distribution is √(2/π) of its standard deviation. The span
    // makes it a mean over about a second, and one late measurement moves it little.
    let spread = 1.2533 * min(abs(error), 3 * jitter)
    jitter = max(jitter + min(span, 0.1) * (spread - jitter), Self.leastJitter)
    return abs(error) > limit ? .outlier : .tracked
  }

  /// Lets the uncertainty grow over `span` seconds.
  private mutating func predictCovariance(_ span: Double) {
    timeVariance += span * (2 * covariance + span * rateVariance)
    covariance += span * rateVariance
    // With this noise of the rate the gains end at those of a loop of the bandwidth, damped by √½.
    let angular = 2 * Double.pi * configuration.bandwidth
    let noise = pow(angular, 4) * jitter * jitter * span
    timeVariance += noise * span * span * span / 3
    covariance += noise * span * span / 2
    rateVariance += noise * span
  }

  /// A measurement far off: a late one, or the first after a jump.
  private mutating func suspect(_ measurement: Measurement, _ error: Double) -> Event {
    if let last = suspects.last, (last < 0) != (error < 0) { suspects.removeAll(keepingCapacity: true) }
    if suspects.isEmpty { suspectsSince = measurement.position }
    suspects.append(error)
    let span = Double(measurement.position - suspectsSince) / configuration.nominalRate
    guard suspects.count >= Self.fewestMeasurements, span >= Self.jumpSpan else { return .outlier }
    let seconds = OrderStatistics.median(suspects)
    anchor(
      measurement.position, anchorTime,
      seconds: anchorFraction / 1e9 + self.seconds(to: Double(measurement.position)) + seconds)
    timeVariance = jitter * jitter * 1.57 / Double(suspects.count)
    covariance = 0
    rateVariance = max(rateVariance, configuration.rateSpread * configuration.rateSpread / 16)
    suspects.removeAll(keepingCapacity: true)
    return .jumped(seconds: seconds)
  }
}
