import BenchmarkSupport
import Safelight

/// A result that can be compared with another one's: R, G, B, rows without padding, 0…255 whatever the depth.
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

  /// Raw rows from a file.
  ///
  /// - Parameters:
  ///   - sample: `u8`, `u16` or `f32`, in the machine's byte order.
  ///   - channels: of a pixel; those after the third are passed over.
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

  /// A picture file.
  init(photo: String) throws { try self.init(Photo(contentsOf: photo).buffer) }

  /// How far `other` is from this picture, without the outermost pixels: programs continue edges differently.
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

/// How far two pictures are from each other, in levels of 255.
struct Difference {
  /// The mean over all pixels and channels of what they differ by.
  var mean: Double
  var maximum: Double
  /// What a channel's mean differs by, of the channel where it is most.
  var bias: Double
}

/// How far a result may be from ours and still be the same work, in levels of 255.
struct Tolerance {
  /// Of the mean difference of pixels; nil compares only the means of channels.
  var mean: Double?
  /// Of the largest difference of a pixel; nil where single pixels may differ by anything, as with other kernels at edges.
  var maximum: Double?
  /// Of the mean of a channel.
  var bias = 2.0

  /// The same arithmetic: rounding alone may differ, or that there is none, as FFmpeg cuts decimals off.
  static let rounding = Tolerance(mean: 0.75, maximum: 2)
  /// Another interpolation between the same values.
  static let interpolation = Tolerance(mean: 1.5)
  /// Programs whose exposure, contrast and white balance mean something else: a picture that was not edited or not decoded
  /// is further away.
  static let edit = Tolerance(bias: 48)

  func holds(_ difference: Difference) -> Bool {
    (mean.map { difference.mean <= $0 } ?? true) && (maximum.map { difference.maximum <= $0 } ?? true)
      && difference.bias <= bias
  }

  var text: String {
    let parts = [
      mean.map { "mean ≤ \(fixed($0, 1))" }, maximum.map { "max ≤ \(fixed($0, 0))" },
      "bias ≤ \(fixed(bias, 0))",
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension Difference {
  var text: String {
    mean.isNaN
      ? "\(fixed(bias, 1)) in a channel's mean"
      : "\(fixed(mean, 2)) (max \(fixed(maximum, 1)), bias \(fixed(bias, 1)))"
  }
}

extension Picture {
  /// For pictures of different sizes: only what the means of channels differ by.
  func meanDifference(to other: Picture) -> Difference {
    func means(_ picture: Picture) -> SIMD3<Double> {
      var sums = SIMD3<Double>.zero
      for index in picture.values.indices { sums[index % 3] += Double(picture.values[index]) }
      return sums / Double(max(1, picture.size.pixelCount))
    }
    let bias = means(other) - means(self)
    return Difference(mean: .nan, maximum: .nan, bias: max(bias.max(), -bias.min()))
  }
}
