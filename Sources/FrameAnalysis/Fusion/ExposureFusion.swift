import AnalysisKernels
import FrameCore

/// Blends pictures of one scene with different exposures into one picture that is well exposed everywhere.
///
/// Each pixel of each picture is weighed by its contrast, its saturation and how near it is to middle grey;
/// the pictures' Laplacian pyramids are blended with these weights, smoothed alike. No response curve and no
/// exposure times are needed. Encoded samples are blended as they are, so that the result is a picture for
/// display.
///
/// Everything in the scene must stand still: what moves is blended with what is behind it. Pictures taken by
/// hand are aligned first, by `BracketAlignment`.
///
/// Besides the pictures and the result (8 bytes per pixel), n pictures take (16 n + 12) / 3 bytes per pixel,
/// 20 for three, and a few rows for each thread.
///
/// Source: T. Mertens, J. Kautz, F. Van Reeth, Exposure Fusion, Pacific Graphics 2007. The number of levels,
/// the ends of rows and the default exponents are those of OpenCV's MergeMertens.
public struct ExposureFusion: Sendable, Hashable, Codable {
  /// The exponent of contrast, the absolute value of luma's Laplacian; 0 ignores it. 0…10.
  public var contrast: Double
  /// The exponent of saturation, the deviation of red, green and blue from their mean; 0 ignores it. 0…10.
  public var saturation: Double
  /// The exponent of well-exposedness, how near red, green and blue are to one half; 0 ignores it. 0…10.
  public var exposedness: Double

  /// The number of pictures that can be fused.
  public static let pictureCounts = 2...9
  /// All three measures count equally, as in the paper. Smooth grey surfaces, which have neither contrast nor
  /// saturation, come from the pictures that expose them well.
  public static let balanced = ExposureFusion(exposedness: 1)

  public init(contrast: Double = 1, saturation: Double = 1, exposedness: Double = 0) {
    (self.contrast, self.saturation, self.exposedness) = (contrast, saturation, exposedness)
  }

  /// Fuses pictures.
  ///
  /// - Parameters:
  ///   - pictures: 2…9 opaque pictures in `rgba8` or `rgba16`, of one size, with the same colour tags.
  ///   - shifts: of each picture, from `BracketAlignment`; empty if none is shifted. What a shifted picture
  ///     lacks at an edge is taken from the others.
  ///   - threads: the number of threads to use; nil uses all processors.
  /// - Returns: an opaque picture in `rgba16` with the pictures' size and tags.
  /// - Throws: `SafelightError` if the pictures do not match or are in another format, if the exponents are
  ///   out of range, or if memory is short.
  public func fuse(
    _ pictures: [PixelBuffer], shifts: [PictureShift] = [], threads: Int? = nil
  ) throws -> PixelBuffer {
    try validate()
    let size = try Self.validate(pictures)
    try Self.validate(shifts, of: pictures.count, size)
    let bracket = Bracket(
      size: size, pictures: pictures,
      shifts: shifts.isEmpty ? pictures.map { _ in SIMD2(0, 0) } : shifts.map { SIMD2($0.x, $0.y) },
      exponents: sla_fusion_exponents(
        contrast: Float(contrast), saturation: Float(saturation), exposedness: Float(exposedness)))
    let output = try PixelBuffer(size: size, format: .rgba16, tags: pictures[0].tags)
    let team = ThreadTeam(name: "fusion", threads: max(threads ?? ProcessorCount.usable, 1))
    try FusionPyramid(bracket, team: team).blend(into: output)
    withExtendedLifetime(pictures) {}
    return output
  }

  private func validate() throws {
    for (name, exponent) in [
      ("contrast", contrast), ("saturation", saturation), ("exposedness", exposedness),
    ] where !(0...10).contains(exponent) {
      throw SafelightError(
        .invalidValue, "The exponent of \(name) of a fusion is \(exponent)", remedy: "use 0 to 10")
    }
  }

  /// Returns the size of the pictures of a bracket, which must match.
  static func validate(_ pictures: [PixelBuffer]) throws -> PixelSize {
    guard pictureCounts.contains(pictures.count) else {
      throw SafelightError(
        .invalidValue, "A bracket of \(pictures.count) pictures cannot be fused",
        remedy: "use \(pictureCounts.lowerBound) to \(pictureCounts.upperBound) pictures")
    }
    let first = pictures[0]
    for (index, picture) in pictures.enumerated() {
      guard picture.format == .rgba8 || picture.format == .rgba16 else {
        throw SafelightError(
          .invalidValue, "Picture \(index + 1) of the bracket is in \(picture.format.rawValue)",
          remedy: "convert it to rgba8 or rgba16")
      }
      guard picture.size == first.size else {
        throw SafelightError(
          .invalidValue,
          "Picture \(index + 1) of the bracket has \(picture.size) pixels, the first \(first.size)",
          remedy: "use pictures of one size")
      }
      guard picture.tags == first.tags else {
        throw SafelightError(
          .invalidValue, "Picture \(index + 1) of the bracket is in another colour space than the first",
          remedy: "convert the pictures to one colour space")
      }
      guard picture.alpha == .opaque else {
        throw SafelightError(
          .invalidValue, "Picture \(index + 1) of the bracket is transparent", remedy: "use opaque pictures")
      }
    }
    guard first.tags.transfer != .linear else {
      throw SafelightError(
        .invalidValue, "The bracket is in linear light, and its weights are for encoded samples",
        remedy: "convert it to sRGB")
    }
    return first.size
  }

  private static func validate(_ shifts: [PictureShift], of pictures: Int, _ size: PixelSize) throws {
    guard !shifts.isEmpty else { return }
    guard shifts.count == pictures else {
      throw SafelightError(
        .invalidValue, "\(shifts.count) shifts were given for \(pictures) pictures",
        remedy: "give one for each picture or none")
    }
    for shift in shifts {
      guard shift.x.magnitude < size.width, shift.y.magnitude < size.height else {
        throw SafelightError(
          .invalidValue, "A shift of (\(shift.x), \(shift.y)) moves a picture of \(size) out of sight",
          remedy: "use shifts smaller than the picture")
      }
    }
    // So that every pixel of the result is in a picture.
    guard shifts.contains(where: { $0.x == 0 && $0.y == 0 }) else {
      throw SafelightError(
        .invalidValue, "All pictures of the bracket are shifted", remedy: "leave one of them in place")
    }
  }
}
