import ColorScience
import FrameCore

/// The colours of a proxy as linear light, in rows as stored: the input of automatic values. Invisible samples
/// (see `AnalysisProxy`) keep their positions in the rows but count for nothing.
package struct LinearColors: Sendable {
  /// Columns and rows.
  package let size: PixelSize
  /// The linear Rec. 2020 value of each sample, 1 at white; black if a sample is invisible.
  package private(set) var rgb: [SIMD3<Float>]
  /// Whether a sample is visible and not clipped: no channel is at full scale (to 8 bits) in the file.
  package let isWhole: [Bool]
  /// The fraction of the visible samples that are white in the file, all channels at 250 of 255 or above: 0…1.
  package let white: Double
  /// The fraction of the visible samples with a channel at full scale, 0…1.
  package let clipped: Double
  /// Whether each sample is visible; empty if all are.
  private let isVisible: [Bool]

  /// - Parameter buffer: the picture that `proxy` was made from.
  /// - Throws: `SafelightError` if the picture's ICC profile is damaged or is not a matrix with curves.
  package init(_ proxy: AnalysisProxy, of buffer: PixelBuffer) throws {
    try self.init(
      encoded: proxy.colors, alpha: proxy.alpha,
      size: AnalysisProxy.fit(buffer.size, longEdge: AnalysisProxy.colorLongEdge),
      space: ColorSpace(tags: buffer.tags))
  }

  /// - Parameters:
  ///   - encoded: three planes of the visible samples, 0…1.
  ///   - alpha: alpha at each position of the grid; empty if all samples are visible.
  private init(
    encoded: UnsafeBufferPointer<Float>, alpha: UnsafeBufferPointer<Float>, size: PixelSize, space: ColorSpace
  ) {
    let isVisible = alpha.map { $0 >= AnalysisProxy.leastAlpha }
    let count = encoded.count / 3
    self.size = size
    self.isVisible = isVisible
    let decode = DecodingTable(space.transfer)
    let matrix = FloatMatrix(space.matrix(to: .linearRec2020))
    let fullScale: Float = 254.5 / 255
    var (whiteCount, clippedCount) = (0, 0)
    var rgb: [SIMD3<Float>] = []
    var isWhole: [Bool] = []
    rgb.reserveCapacity(size.pixelCount)
    isWhole.reserveCapacity(size.pixelCount)
    var i = 0
    for place in 0..<size.pixelCount {
      guard isVisible.isEmpty || isVisible[place] else {
        rgb.append(.zero)
        isWhole.append(false)
        continue
      }
      // NaN counts as black.
      let sample = SIMD3(encoded[i], encoded[count + i], encoded[2 * count + i])
      let code = sample.replacing(with: 0, where: sample .!= sample).clamped(
        lowerBound: .zero, upperBound: .one)
      rgb.append(matrix * decode(code))
      isWhole.append(code.max() < fullScale)
      if code.max() >= fullScale { clippedCount += 1 }
      if code.min() > 249.5 / 255 { whiteCount += 1 }
      i += 1
    }
    self.rgb = rgb
    self.isWhole = isWhole
    white = Double(whiteCount) / Double(max(count, 1))
    clipped = Double(clippedCount) / Double(max(count, 1))
  }

  /// The colours multiplied by a matrix in linear Rec. 2020, such as a white balance or an exposure.
  package func multiplied(by matrix: Matrix3x3) -> LinearColors {
    var colors = self
    let matrix = FloatMatrix(matrix)
    for i in colors.rgb.indices { colors.rgb[i] = matrix * rgb[i] }
    return colors
  }

  /// Linear Rec. 2020 of the visible samples.
  package var visible: [SIMD3<Float>] {
    isVisible.isEmpty ? rgb : rgb.indices.compactMap { isVisible[$0] ? rgb[$0] : nil }
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

/// Tables of transfer functions over 0…1; 8-bit code values coincide with entries.
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
