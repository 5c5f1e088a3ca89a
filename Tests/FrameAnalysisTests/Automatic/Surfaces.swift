import AnalysisTestSupport
import ColorScience
import FrameCore
import TestSupport

@testable import FrameAnalysis
import Libc

/// Flat surfaces side by side, as under one light: a Mondrian.
struct Surfaces {
  static let size = PixelSize(width: 160, height: 120)
  private static let edge = 8

  /// Linear Rec. 2020 of each surface under white light.
  private let colors: [SIMD3<Double>]

  /// - Parameters:
  ///   - chroma: how strong colours are: the standard deviation of the logarithm of a channel.
  ///   - hue: what every colour is multiplied by.
  init(seed: UInt64, chroma: Double, hue: SIMD3<Double> = SIMD3(1, 1, 1)) {
    var random = SeededRandom(seed: seed)
    // A sum of twelve is close to a normal distribution.
    func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    }
    let count = (Self.size.width / Self.edge) * (Self.size.height / Self.edge)
    colors = (0..<count).map { _ in
      let level = 0.18 * exp(0.9 * normal())
      let color = level * SIMD3(exp(chroma * normal()), exp(chroma * normal()), exp(chroma * normal())) * hue
      return color.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 0.95))
    }
  }

  /// As sRGB of 8 bits, after a matrix on linear Rec. 2020.
  func picture(_ matrix: Matrix3x3 = .identity) throws -> PixelBuffer {
    let toSRGB = ColorSpace.linearRec2020.matrix(to: .linearSRGB) * matrix
    return try Pictures.rgba8(Self.size.width, Self.size.height) { x, y in
      let color = colors[y / Self.edge * (Self.size.width / Self.edge) + x / Self.edge]
      let encoded = ColorSpace.sRGB.encode(toSRGB * color) * 255
      return SIMD3<UInt8>(
        encoded.rounded(.toNearestOrAwayFromZero).clamped(
          lowerBound: .zero, upperBound: SIMD3(repeating: 255)))
    }
  }

  func colors(_ matrix: Matrix3x3 = .identity) throws -> LinearColors {
    try LinearColors(of: picture(matrix))
  }
}

extension LinearColors {
  /// The colours of a picture by itself.
  init(of buffer: PixelBuffer) throws {
    let proxy = AnalysisProxy()
    try proxy.update(from: buffer)
    try self.init(proxy, of: buffer)
  }

  /// A picture of greys: `level`, 0…1 of linear light, by position.
  static func greys(_ level: (Int, Int) -> Double) throws -> LinearColors {
    try LinearColors(
      of: Pictures.gray8(160, 120) { x, y in
        UInt8((255 * ColorSpace.sRGB.transfer[0].encode(min(max(level(x, y), 0), 1))).rounded())
      })
  }
}
