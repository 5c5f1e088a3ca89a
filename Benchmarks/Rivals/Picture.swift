import BenchmarkSupport
import Safelight

/// A result that can be compared with another one: R, G, B, rows without padding, 0…255 whatever the depth.
struct Picture {
  let size: PixelSize
  let values: [Float]

  init(_ buffer: PixelBuffer) {
    size = buffer.size
    var values: [Float] = []
    values.reserveCapacity(3 * size.pixelCount)
    func add<Sample>(_ type: Sample.Type, _ level: (Sample) -> Float) {
      for y in 0..<buffer.height {
        let row = buffer.row(y, as: type)
        for x in 0..<buffer.width { for channel in 0..<3 { values.append(level(row[4 * x + channel])) } }
      }
    }
    switch buffer.format {
    case .rgba16: add(UInt16.self) { Float($0) / 257 }
    case .rgbaF32: add(Float.self) { $0 * 255 }
    default: add(UInt8.self) { Float($0) }
    }
    self.values = values
  }

  /// Reads raw rows from a file.
  ///
  /// - Parameters:
  ///   - sample: `u8`, `u16` or `f32`, in the machine's byte order.
  ///   - channels: the number of channels per pixel; those after the third are skipped.
  init(file: String, size: PixelSize, sample: String = "u8", channels: Int = 4) throws {
    let bytes = try FileContents.read(file)
    let width = sample == "u8" ? 1 : sample == "u16" ? 2 : 4
    guard bytes.count == size.pixelCount * channels * width, channels >= 3 else {
      throw SafelightError(
        .corruptData,
        "A result has \(bytes.count) bytes, not \(size) pixels of \(channels) channels as \(sample)")
    }
    var values: [Float] = []
    values.reserveCapacity(3 * size.pixelCount)
    bytes.withUnsafeBytes { bytes in
      for pixel in 0..<size.pixelCount {
        for channel in 0..<3 {
          let offset = (pixel * channels + channel) * width
          switch width {
          case 1: values.append(Float(bytes[offset]))
          case 2: values.append(Float(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) / 257)
          default: values.append(bytes.loadUnaligned(fromByteOffset: offset, as: Float.self) * 255)
          }
        }
      }
    }
    (self.size, self.values) = (size, values)
  }

  /// Reads a picture file.
  init(photo: String) throws { try self.init(Photo(contentsOf: photo).buffer) }

  /// How far `other` differs from this picture, without the outermost pixels: programs continue edges
  /// differently.
  func difference(to other: Picture) throws -> Difference {
    guard size == other.size else {
      throw SafelightError(.invalidValue, "The result has \(other.size) pixels, ours \(size)")
    }
    let margin = 8
    var (sum, largest, count) = (0.0, Float(0), 0)
    var sums = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    for y in margin..<max(margin, size.height - margin) {
      var rowSum = Float(0)
      for index in 3 * (y * size.width + margin)..<3 * (y * size.width + max(margin, size.width - margin)) {
        let distance = abs(values[index] - other.values[index])
        rowSum += distance
        largest = max(largest, distance)
        sums.0[index % 3] += Double(values[index])
        sums.1[index % 3] += Double(other.values[index])
        count += 1
      }
      sum += Double(rowSum)
    }
    let bias = (sums.1 - sums.0) * 3 / Double(max(count, 1))
    return Difference(
      mean: sum / Double(max(count, 1)), maximum: Double(largest), bias: max(bias.max(), -bias.min()))
  }
}

/// The difference between two pictures, in levels of 255.
struct Difference {
  /// The mean absolute difference over all pixels and channels; for edits, over their sketches after matching
  /// the channels' means and gains.
  var mean: Double
  /// The largest difference; NaN for edits.
  var maximum: Double
  /// The largest difference between the means of a channel.
  var bias: Double
  /// Further measures for edits.
  var edit: Edit?

  struct Edit {
    /// The number of pixels of the result, relative to ours.
    var pixels: Double
    /// The mean difference of the unmatched sketches: of the result from ours, and of the unedited picture from
    /// ours.
    var result, unedited: Double
  }
}

/// How far a result may differ from ours and still be the same work, in levels of 255.
struct Tolerance {
  /// The limit of the mean difference of pixels.
  var mean: Double
  /// The limit of the largest difference of a pixel; nil if single pixels may differ by anything, as with other
  /// kernels at edges.
  var maximum: Double?
  /// The limit of the difference of a channel's mean.
  var bias = 2.0
  /// Whether results are compared as edits: their sketches, with matched channels.
  var isEdit = false

  /// The same arithmetic except for rounding, or truncation, as in FFmpeg.
  static let rounding = Tolerance(mean: 0.75, maximum: 2)
  /// Another interpolation between the same values.
  static let interpolation = Tolerance(mean: 1.5)
  /// Programs whose exposure, contrast and white balance are defined differently: the contents and their
  /// positions must be the same, and the edit must have brought the picture nearer to ours. Crops that differ by
  /// a percent cost up to ten levels of the painted photo; contents in the wrong place cost more.
  static let edit = Tolerance(mean: 12, bias: 48, isEdit: true)
  /// The limit of the difference in pixel counts of an edit, as a fraction of ours.
  static let pixels = 0.05

  func holds(_ difference: Difference) -> Bool {
    let isEqual =
      difference.mean <= mean && (maximum.map { difference.maximum <= $0 } ?? true) && difference.bias <= bias
    guard isEdit else { return isEqual }
    guard let edit = difference.edit else { return false }
    return isEqual && abs(edit.pixels - 1) <= Self.pixels && edit.result < edit.unedited
  }

  var text: String {
    let parts = [
      "mean ≤ \(fixed(mean, 1))", maximum.map { "max ≤ \(fixed($0, 0))" }, "bias ≤ \(fixed(bias, 0))",
      isEdit ? "nearer than the unedited picture, pixels within \(fixed(100 * Self.pixels, 0)) %" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension Difference {
  var text: String {
    guard let edit else { return "\(fixed(mean, 2)) (max \(fixed(maximum, 1)), bias \(fixed(bias, 1)))" }
    return "\(fixed(mean, 2)) when matched (bias \(fixed(bias, 1)), \(fixed(edit.result, 1)) from ours, "
      + "the unedited picture \(fixed(edit.unedited, 1)), \(fixed(100 * edit.pixels, 0)) % of the pixels)"
  }
}

/// A picture as 64 by 64 means, for comparing edits whose sizes and colours are not quite the same.
struct Sketch {
  static let side = 64
  let pixelCount: Int
  /// R, G, B, rows without padding, 0…255.
  private let values: [Double]

  init(_ picture: Picture) {
    let (width, height) = (picture.size.width, picture.size.height)
    var sums = [SIMD3<Double>](repeating: .zero, count: Self.side * Self.side)
    var counts = [Double](repeating: 0, count: Self.side * Self.side)
    picture.values.withUnsafeBufferPointer { values in
      for y in 0..<height {
        let row = y * Self.side / height * Self.side
        for x in 0..<width {
          let (cell, index) = (row + x * Self.side / width, 3 * (y * width + x))
          sums[cell] += SIMD3(Double(values[index]), Double(values[index + 1]), Double(values[index + 2]))
          counts[cell] += 1
        }
      }
    }
    pixelCount = picture.size.pixelCount
    values = zip(sums, counts).flatMap { sum, count in
      let mean = sum / max(count, 1)
      return [mean.x, mean.y, mean.z]
    }
  }

  private init(pixelCount: Int, values: [Double]) { (self.pixelCount, self.values) = (pixelCount, values) }

  private func channel(_ channel: Int) -> [Double] {
    stride(from: channel, to: values.count, by: 3).map { values[$0] }
  }

  /// The mean of each channel, and the standard deviation of its values.
  private var statistics: [(mean: Double, deviation: Double)] {
    (0..<3).map { index in
      let samples = channel(index)
      let mean = samples.reduce(0, +) / Double(samples.count)
      let squares = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return (mean, (squares / Double(samples.count)).squareRoot())
    }
  }

  /// Returns this sketch with the channel means and gains of another one.
  func matched(to other: Sketch) -> Sketch {
    let (from, to) = (statistics, other.statistics)
    let matched = values.indices.map { index in
      let (own, wanted) = (from[index % 3], to[index % 3])
      let gain = own.deviation > 0 ? wanted.deviation / own.deviation : 0
      return (values[index] - own.mean) * gain + wanted.mean
    }
    return Sketch(pixelCount: pixelCount, values: matched)
  }

  /// The mean absolute difference over cells and channels.
  func distance(to other: Sketch) -> Double {
    zip(values, other.values).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(values.count)
  }

  /// How far another edit of `unedited` differs from this one.
  func difference(to other: Sketch, unedited: Sketch) -> Difference {
    let bias = zip(statistics, other.statistics).map { abs($0.mean - $1.mean) }.max() ?? .nan
    return Difference(
      mean: distance(to: other.matched(to: self)), maximum: .nan, bias: bias,
      edit: Difference.Edit(
        pixels: Double(other.pixelCount) / Double(pixelCount), result: distance(to: other),
        unedited: distance(to: unedited)))
  }
}
