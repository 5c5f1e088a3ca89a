import FrameCore

/// A pixel format offered by a device, with its sizes and rates.
public struct DeviceFormat: Sendable, Hashable {
  public var fourCC: FourCC
  /// The driver's description, such as `YUYV 4:2:2`.
  public var name: String
  /// How its frames are delivered; nil if this format is not supported.
  public var encoding: CaptureEncoding?
  /// Empty if the driver lists none.
  public var sizes: [DeviceFrameSize]

  package init(fourCC: FourCC, name: String, encoding: CaptureEncoding?, sizes: [DeviceFrameSize]) {
    self.fourCC = fourCC
    self.name = name
    self.encoding = encoding
    self.sizes = sizes
  }
}

/// A size or range of sizes, with its frame intervals.
public struct DeviceFrameSize: Sendable, Hashable {
  /// One size, or all sizes of a grid.
  public enum Extent: Sendable, Hashable {
    case one(PixelSize)
    /// From `smallest` to `largest`, in steps of `step` pixels per axis; a step of 1 allows any size.
    case range(smallest: PixelSize, largest: PixelSize, step: PixelSize)
  }
  public var extent: Extent
  /// Intervals at this size, or at the largest one of a range. Empty if the driver lists none.
  public var intervals: [DeviceFrameInterval]

  package init(_ extent: Extent, intervals: [DeviceFrameInterval] = []) {
    self.extent = extent
    self.intervals = intervals
  }

  /// The largest size, in pixels.
  public var largest: PixelSize {
    switch extent {
    case .one(let size): size
    case .range(_, let largest, _): largest
    }
  }

  /// Returns the size nearest to `wanted` that the device can deliver.
  public func nearest(to wanted: PixelSize) -> PixelSize {
    switch extent {
    case .one(let size): size
    case .range(let smallest, let largest, let step):
      PixelSize(
        width: Self.nearest(wanted.width, from: smallest.width, to: largest.width, by: step.width),
        height: Self.nearest(wanted.height, from: smallest.height, to: largest.height, by: step.height))
    }
  }

  private static func nearest(_ wanted: Int, from low: Int, to high: Int, by step: Int) -> Int {
    let step = max(1, step)
    let inside = min(max(wanted, low), max(low, high))
    let steps = (inside - low + step / 2) / step
    let value = low + steps * step
    return value > high ? value - step : value
  }
}

/// The time between frames in seconds, as a fraction.
public enum DeviceFrameInterval: Sendable, Hashable {
  case one(Fraction)
  case range(shortest: Fraction, longest: Fraction)

  /// Seconds, exactly as counted by the driver.
  public struct Fraction: Sendable, Hashable {
    public var numerator: UInt32
    public var denominator: UInt32

    package init(_ numerator: UInt32, _ denominator: UInt32) {
      self.numerator = numerator
      self.denominator = denominator
    }

    /// 0 if the driver gives no interval.
    public var framesPerSecond: Double { numerator == 0 ? 0 : Double(denominator) / Double(numerator) }
  }

  /// The highest rate, in frames per second.
  public var framesPerSecond: Double {
    switch self {
    case .one(let interval): interval.framesPerSecond
    case .range(let shortest, _): shortest.framesPerSecond
    }
  }

  /// Returns the interval nearest to a rate of `wanted` frames per second.
  public func nearest(toRate wanted: Double) -> Fraction {
    switch self {
    case .one(let interval): return interval
    case .range(let shortest, let longest):
      if wanted >= shortest.framesPerSecond { return shortest }
      if wanted <= longest.framesPerSecond { return longest }
      return Fraction(rate: wanted)
    }
  }
}

extension DeviceFrameInterval.Fraction {
  /// Returns the interval for a rate: 1001/30000 for 29.97, 1/30 for 30.
  ///
  /// - Precondition: `rate` is above 0.
  init(rate: Double) {
    // Broadcast rates are multiples of 1000/1001.
    let broadcast = rate * 1.001
    if abs(rate - rate.rounded()) > 1e-3, abs(broadcast - broadcast.rounded()) < 2e-2 {
      self.init(1001, UInt32(min(1e6, broadcast.rounded())) * 1000)
    } else {
      self.init(1000, UInt32(min(4e9, max(1, (rate * 1000).rounded()))))
    }
  }
}
