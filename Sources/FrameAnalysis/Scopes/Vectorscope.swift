import Libc

/// How often each pair of colour differences occurs in a picture.
///
///     Cb = (B′ − Y′) / 1.8556    Cr = (R′ − Y′) / 1.5748    −0.5…0.5
///
/// Source: ITU-R BT.709-6, items 3.3.
public struct Vectorscope: Sendable, Hashable {
  /// Bins along each axis; bin i holds round(256 · C) + 128 = i, so that neutral has a bin of its own.
  public static let bins = 257

  /// `counts[bin of Cr * bins + bin of Cb]`.
  public private(set) var counts: [UInt32]
  /// The number of samples counted.
  public let count: Int

  public init(_ samples: SignalSamples) {
    count = samples.luma.count
    counts = Array(repeating: 0, count: Self.bins * Self.bins)
    for index in samples.luma.indices {
      let cb = Self.bin((samples.blue[index] - samples.luma[index]) / 1.8556)
      let cr = Self.bin((samples.red[index] - samples.luma[index]) / 1.5748)
      counts[cr * Self.bins + cb] += 1
    }
  }

  private static func bin(_ difference: Float) -> Int {
    let half = Float(bins / 2)
    return Int(min(max((difference * 2 * half).rounded(), -half), half) + half)
  }
}

// MARK: Graticule

extension Vectorscope {
  /// The position of a colour on the scope.
  public struct Place: Sendable, Hashable {
    public var cb: Double
    public var cr: Double

    public init(cb: Double, cr: Double) {
      self.cb = cb
      self.cr = cr
    }

    /// The position of encoded R′, G′, B′, 0…1.
    public init(red: Double, green: Double, blue: Double) {
      let luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      self.init(cb: (blue - luma) / 1.8556, cr: (red - luma) / 1.5748)
    }
  }

  /// A box that a colour of the 75 % bars must fall into.
  public struct Target: Sendable, Hashable {
    /// As lettered on vectorscopes: R, Mg, B, Cy, G, Yl.
    public let name: String
    public let place: Place

    /// Half the width and height of a box: about 2.5 % of full scale.
    public static let reach = 0.0125

    /// Whether a colour falls into the box.
    public func contains(_ place: Place) -> Bool {
      abs(place.cb - self.place.cb) <= Self.reach && abs(place.cr - self.place.cr) <= Self.reach
    }
  }

  /// The six colours of the 75 % bars, in order of hue. Source: ITU-R BT.471-1 (75/0/75/0 bars).
  public static let targets = bars(level: 0.75)

  static func bars(level: Double) -> [Target] {
    let colors: [(String, Double, Double, Double)] = [
      ("R", 1, 0, 0), ("Mg", 1, 0, 1), ("B", 0, 0, 1), ("Cy", 0, 1, 1), ("G", 0, 1, 0), ("Yl", 1, 1, 0),
    ]
    return colors.map { name, red, green, blue in
      Target(name: name, place: Place(red: level * red, green: level * green, blue: level * blue))
    }
  }

  /// The approximate direction of all skin tones: the I axis of NTSC, in degrees counter-clockwise from +Cb.
  /// Source: SMPTE 170M, where I lies 33° beyond +(R − Y).
  public static let skinToneDegrees = 123.0
}
