import AnalysisKernels
import ColorScience
import FrameCore

/// Converts encoded R, G, B with certain tags to OKLab L.
struct LightnessTable {
  let tags: ColorTags
  /// Whether samples are proportional to light.
  let isLinear: Bool
  /// The transfer functions of red, green and blue over 0…1. 8-bit code values coincide with entries.
  private let decode: [Float]
  private let toLMS: [Float]
  private let mix: [Float]

  private static let entries = 255 * 16 + 1

  /// - Throws: `SafelightError` if the tags contain an ICC profile that is damaged or is not a matrix with curves.
  init(_ tags: ColorTags) throws {
    let space = try ColorSpace(tags: tags)
    self.tags = tags
    isLinear = space.transfer.allSatisfy { $0 == .linear }
    decode = space.transfer.flatMap { function in
      (0..<Self.entries).map { Float(function.decode(Double($0) / Double(Self.entries - 1))) }
    }
    let lms = OKLab.lmsFromXYZ * ColorSpace.linearSRGB.toXYZ * space.matrix(to: .linearSRGB)
    toLMS = lms.rows.flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
    let row = OKLab.labFromLMS.rows[0]
    mix = [Float(row.x), Float(row.y), Float(row.z)]
  }

  /// Computes OKLab L, clipped to 0…1, of `count` samples in three planes one after another.
  func lightness(of planes: UnsafePointer<Float>, count: Int, into lightness: UnsafeMutablePointer<Float>) {
    sla_oklab_lightness(planes, count, decode, Int32(Self.entries), toLMS, mix, lightness)
  }
}
