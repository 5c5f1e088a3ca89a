import FrameCore
import Libc

/// From a sensor's samples to sRGB, balanced for white: a table for each channel.
///
/// The sensor's colours are taken for light on sRGB's primaries: no driver tells what they are. The black level is
/// taken for 0, since V4L2 has no control for it, and the white level for the largest value of the format.
struct BayerCurves {
  /// Returns sRGB's code, 0…1, of linear light (IEC 61966-2-1).
  static func encode(_ linear: Double) -> Double {
    linear <= 0.003_130_8 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
  }

  /// The inverse of `encode`.
  static func decode(_ code: Double) -> Double {
    code <= 0.040_45 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
  }

  /// Linear light, 0…1, by sample.
  static func light(of format: BayerFormat, _ transfer: ColorTags.Transfer) -> [Float] {
    (0...format.maximum).map { (sample: Int) -> Float in
      let value = Double(sample) / Double(format.maximum)
      return Float(transfer == .linear ? value : decode(value))
    }
  }

  /// What channels are multiplied by. White is as bright as the format allows: what is clipped stays white.
  static func gains(_ neutral: SIMD3<Double>?) -> SIMD3<Double> {
    guard let neutral else { return SIMD3(1, 1, 1) }
    return neutral.max() / neutral
  }

  /// Codes of 8 bits for light in steps so fine that neighbours differ by a twentieth of a code at most.
  private static let codes: [UInt8] = (0...65_535).map { (step: Int) -> UInt8 in
    UInt8((encode(Double(step) / 65_535) * 255).rounded())
  }

  /// Writes the tables of 8 bits for one white balance, one after the other.
  static func fill(_ tables: inout [UInt8], light: [Float], gains: SIMD3<Double>) {
    let count = light.count
    codes.withUnsafeBufferPointer { codes in
      for channel in 0..<3 {
        let scale = Float(gains[channel]) * 65_535
        for sample in 0..<count {
          tables[channel * count + sample] = codes[Int(min(light[sample] * scale, 65_535) + 0.5)]
        }
      }
    }
  }

  /// Returns the tables of 16 bits for one white balance, one after the other.
  static func tables16(light: [Float], gains: SIMD3<Double>) -> [UInt16] {
    (0..<3).flatMap { channel in
      light.map { (light: Float) -> UInt16 in
        UInt16((encode(min(Double(light) * gains[channel], 1)) * 65_535).rounded())
      }
    }
  }
}
