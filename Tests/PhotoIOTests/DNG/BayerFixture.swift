import FrameCore

@testable import PhotoIO

/// A mosaic of known colours, packed bit by bit after the Linux kernel's descriptions of its formats,
/// independent of the code under test.
struct BayerFixture {
  var size: PixelSize
  var format: BayerFormat
  var black = 0
  /// Nil: the format's largest value.
  var white: Int?
  /// Bytes behind each row.
  var padding = 0
  /// The sensor's colour at a pixel, 0 at the black level and 1 at the white level.
  var color: (_ x: Int, _ y: Int) -> SIMD3<Double>

  /// Nine patches, far enough inside of all displays' colours.
  static let patches: [SIMD3<Double>] = [
    SIMD3(0.8, 0.3, 0.2), SIMD3(0.2, 0.6, 0.3), SIMD3(0.2, 0.25, 0.7), SIMD3(0.5, 0.5, 0.5),
    SIMD3(0.9, 0.7, 0.3), SIMD3(0.03, 0.03, 0.03), SIMD3(0.4, 0.6, 0.6), SIMD3(0.25, 0.2, 0.3),
    SIMD3(0.6, 0.35, 0.55),
  ]

  /// Three by three patches.
  static func chart(_ format: BayerFormat, width: Int = 97, height: Int = 83) -> BayerFixture {
    BayerFixture(size: PixelSize(width: width, height: height), format: format) { x, y in
      patches[min(2, 3 * y / height) * 3 + min(2, 3 * x / width)]
    }
  }

  /// The middle of a patch of a chart.
  static func middle(of patch: Int, in size: PixelSize) -> (x: Int, y: Int) {
    ((2 * (patch % 3) + 1) * size.width / 6, (2 * (patch / 3) + 1) * size.height / 6)
  }

  func sample(_ x: Int, _ y: Int) -> Int {
    let range = Double((white ?? format.maximum) - black)
    let value = (color(x, y)[format.pattern.channel(x: x, y: y)] * range).rounded()
    return min(max(Int(value) + black, 0), format.maximum)
  }

  var bytes: [UInt8] {
    let bits = format.packing.bits
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      var row = [UInt8](repeating: 0, count: format.rowBytes(width: size.width))
      for x in 0..<size.width {
        let sample = sample(x, y)
        for bit in 0..<bits where sample >> bit & 1 == 1 {
          let (byte, place) = place(x, bit)
          row[byte] |= 1 << UInt8(place)
        }
      }
      bytes += row + [UInt8](repeating: 0xA5, count: padding)
    }
    return bytes
  }

  private func place(_ x: Int, _ bit: Int) -> (byte: Int, bit: Int) {
    let bits = format.packing.bits
    let group = format.packing.group.samples
    guard group > 1 else { return (x * (bits > 8 ? 2 : 1) + bit / 8, bit % 8) }
    // The upper eight bits of each sample of the group, then the lower bits of all, the first sample's
    // lowest.
    let low = bits - 8
    let start = x / group * (group + group * low / 8)
    if bit >= low { return (start + x % group, bit - low) }
    let position = x % group * low + bit
    return (start + group + position / 8, position % 8)
  }

  func withPicture<Value>(_ body: (BayerPicture) throws -> Value) throws -> Value {
    try bytes.withUnsafeBytes { bytes in
      try body(
        BayerPicture(
          bytes, size: size, format: format, rowBytes: format.rowBytes(width: size.width) + padding))
    }
  }

  /// What these numbers mean.
  var sensor: SensorColor {
    var sensor = SensorColor(redGain: 1, blueGain: 1)
    (sensor.blackLevel, sensor.whiteLevel) = (black, white)
    return sensor
  }

  /// The formats of V4L2: all patterns and packings.
  static let formats = BayerFormat.Pattern.allCases.flatMap { pattern in
    BayerFormat.Packing.allCases.map { BayerFormat(pattern, $0) }
  }
}
