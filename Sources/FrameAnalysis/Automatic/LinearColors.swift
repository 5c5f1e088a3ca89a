import ColorScience
import FrameCore

/// The colours of a proxy as light, in rows as stored: what automatic values are found from.
public struct LinearColors: Sendable {
  /// Columns and rows.
  public let size: PixelSize
  /// Linear Rec. 2020 of each sample, 1 at white.
  public private(set) var rgb: [SIMD3<Float>]
  /// Whether a sample tells its colour: no channel is at full scale (to 8 bits) in the file.
  public let isWhole: [Bool]
  /// The part of the samples that are white in the file, all channels at 250 of 255 or above: 0…1.
  public let white: Double

  /// The part of the samples with a channel at full scale, 0…1.
  public var clipped: Double {
    Double(isWhole.lazy.filter { !$0 }.count) / Double(max(isWhole.count, 1))
  }

  /// - Parameter buffer: what `proxy` was made from.
  /// - Throws: `SafelightError` where the picture's ICC profile is damaged or is not a matrix with curves.
  public init(_ proxy: AnalysisProxy, of buffer: PixelBuffer) throws {
    try self.init(
      encoded: proxy.colors, size: AnalysisProxy.fit(buffer.size, longEdge: AnalysisProxy.colorLongEdge),
      space: ColorSpace(tags: buffer.tags))
  }

  /// - Parameter encoded: three planes of samples, 0…1.
  init(encoded: UnsafeBufferPointer<Float>, size: PixelSize, space: ColorSpace) {
    let count = min(size.pixelCount, encoded.count / 3)
    self.size = count == size.pixelCount ? size : PixelSize(width: count, height: 1)
    let decode = DecodingTable(space.transfer)
    let matrix = FloatMatrix(space.matrix(to: .linearRec2020))
    let fullScale: Float = 254.5 / 255
    var whiteCount = 0
    var rgb: [SIMD3<Float>] = []
    var isWhole: [Bool] = []
    rgb.reserveCapacity(count)
    isWhole.reserveCapacity(count)
    for i in 0..<count {
      // What is no number counts as black.
      let sample = SIMD3(encoded[i], encoded[count + i], encoded[2 * count + i])
      let code = sample.replacing(with: 0, where: sample .!= sample).clamped(
        lowerBound: .zero, upperBound: .one)
      rgb.append(matrix * decode(code))
      isWhole.append(code.max() < fullScale)
      if code.min() > 249.5 / 255 { whiteCount += 1 }
    }
    self.rgb = rgb
    self.isWhole = isWhole
    white = Double(whiteCount) / Double(max(count, 1))
  }

  /// The colours after a matrix on linear Rec. 2020, such as that of a white balance or an exposure.
  public func multiplied(by matrix: Matrix3x3) -> LinearColors {
    var colors = self
    let matrix = FloatMatrix(matrix)
    for i in colors.rgb.indices { colors.rgb[i] = matrix * rgb[i] }
    return colors
  }

  /// Y of each sample, 1 at white.
  var luminance: [Float] {
    let row = SIMD3<Float>(ColorSpace.linearRec2020.toXYZ.rows[1])
    return rgb.map { ($0 * row).sum() }
  }
}

/// A matrix in single precision.
struct FloatMatrix {
  let rows: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

  init(_ matrix: Matrix3x3) {
    let exact = matrix.rows
    rows = (SIMD3<Float>(exact[0]), SIMD3<Float>(exact[1]), SIMD3<Float>(exact[2]))
  }

  static func * (matrix: FloatMatrix, vector: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(
      (matrix.rows.0 * vector).sum(), (matrix.rows.1 * vector).sum(), (matrix.rows.2 * vector).sum())
  }
}

/// Transfer functions over 0…1; code values of 8 bits fall on entries.
private struct DecodingTable {
  private let entries: [Float]
  private static let last = 255 * 16

  init(_ functions: [TransferFunction]) {
    entries = functions.flatMap { function in
      (0...Self.last).map { Float(function.decode(Double($0) / Double(Self.last))) }
    }
  }

  func callAsFunction(_ code: SIMD3<Float>) -> SIMD3<Float> {
    func decode(_ code: Float, _ channel: Int) -> Float {
      let position = code * Float(Self.last)
      let index = min(Int(position), Self.last - 1)
      let base = channel * (Self.last + 1) + index
      return entries[base] + (position - Float(index)) * (entries[base + 1] - entries[base])
    }
    return SIMD3(decode(code.x, 0), decode(code.y, 1), decode(code.z, 2))
  }
}
