import FrameCore

/// Shows pictures as a printer, or another device that an ICC profile describes, would reproduce them.
///
///     var proof = try SoftProof(profile: bytes, name: "matte.icc")
///     (proof.simulatesPaper, proof.marksGamut) = (true, true)
public struct SoftProof: Sendable, Hashable {
  /// How colours that a device cannot reproduce become ones that it can. Source: ICC.1:2022, 0.4 and annex D.
  public enum Intent: String, Sendable, Hashable, Codable, CaseIterable {
    /// All colours move closer together, so that differences between them stay.
    case perceptual
    /// Colours that the device has stay; others become the nearest. The white of the paper counts as white.
    case relative
    /// Strong colours stay strong, for charts.
    case saturation
    /// As relative, on the light of the paper as it is.
    case absolute
  }

  public let profile: ICCProfileData
  /// What the profile calls its device, or the name of its file.
  public let name: String
  /// How the device would be given the picture.
  public var intent: Intent
  /// Whether white is the colour of the paper and black that of the ink, rather than those of the screen.
  public var simulatesPaper = false
  /// Whether colours that the device cannot reproduce are shown as middle grey.
  public var marksGamut = false

  /// From this ΔE2000 between a colour and its reproduction on it is marked, wholly from the second one on.
  package static let markedDifferences = 2.0...4.0
  /// The nodes along each edge of a proof's table.
  package static let size = 33

  /// - Parameters:
  ///   - profile: of a printer, a display or a colour space, with any number of channels.
  ///   - file: the name of its file, for errors, and for profiles without a description.
  /// - Throws: `SafelightError` that names the file: `corruptData` if it is no profile, `unsupported` if it has no
  ///   conversion to its device, such as one of a camera, or none for the intent.
  public init(profile: ICCProfileData, file: String, intent: Intent = .relative) throws {
    let description = try ProofConversion.check(profile, file: file, intent: intent)
    self.profile = profile
    name = description.isEmpty ? file : description
    self.intent = intent
  }

  /// Returns the part of a picture's pixels, 0…1, whose colours the device cannot reproduce: those that the gamut warning
  /// marks, if only a little.
  ///
  /// - Parameters:
  ///   - picture: `rgba8` or `rgba16` of `space`; transparent pixels do not count.
  /// - Throws: `SafelightError` if the conversion fails.
  package func shareBeyondGamut(of picture: PixelBuffer, in space: ColorSpace) throws -> Double {
    // Pictures have far fewer colours than pixels, and a conversion takes a microsecond.
    var counts: [SIMD3<UInt16>: Int] = [:]
    func count<Sample: FixedWidthInteger & UnsignedInteger>(_: Sample.Type) {
      for y in 0..<picture.height {
        let row = picture.row(y, as: Sample.self)
        for x in 0..<picture.width where row[4 * x + 3] > 0 {
          let color = SIMD3(UInt16(row[4 * x]), UInt16(row[4 * x + 1]), UInt16(row[4 * x + 2]))
          counts[color, default: 0] += 1
        }
      }
    }
    let isDeep = picture.format == .rgba16
    if isDeep { count(UInt16.self) } else { count(UInt8.self) }
    let full = isDeep ? 65_535.0 : 255
    let colors = Array(counts)
    let differences = try ProofConversion(self, space: space).differences(
      colors.flatMap { [Double($0.key.x) / full, Double($0.key.y) / full, Double($0.key.z) / full] })
    let pixels = colors.reduce(0) { $0 + $1.value }
    let beyond = zip(colors, differences).reduce(0) { sum, color in
      sum + (color.1 > Self.markedDifferences.lowerBound ? color.0.value : 0)
    }
    return pixels == 0 ? 0 : Double(beyond) / Double(pixels)
  }

  /// Returns the table from samples of `space` to what the device makes of them, as samples of the same space.
  ///
  /// - Throws: `SafelightError` if the conversion fails.
  package func table(for space: ColorSpace) throws -> ColorLUT {
    try ProofCache.shared.table(of: self, for: space) { try ProofConversion(self, space: space).table() }
  }
}
