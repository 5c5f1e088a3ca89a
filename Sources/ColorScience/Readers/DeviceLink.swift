import CLittleCMS
import FrameCore

extension ColorLUT {
  /// The nodes along each edge at which a device link is evaluated. Lattices of 9, 17, 33 and 65 have all theirs among
  /// them.
  private static let linkSize = 65

  /// Reads an ICC device link from RGB to RGB, evaluated by LittleCMS.
  ///
  /// Source: ICC.1:2022, 8.6 (DeviceLink profile).
  ///
  /// - Throws: `SafelightError`: `corruptData` if the profile is damaged, `unsupported` if it is no link between RGB.
  package init(deviceLink bytes: [UInt8], name: String) throws {
    let context = try LittleCMSContext()
    let sampled: SampledLattice
    do {
      sampled = try context.withProfile(ICCProfileData(bytes)) { profile in
        guard cmsGetDeviceClass(profile) == cmsSigLinkClass else {
          throw SafelightError(
            .unsupported, "\(name) is an ICC profile of a device or a space, not a device link",
            remedy: "make a link from it and the space of its output, or give it to the program that made it")
        }
        guard cmsGetColorSpace(profile) == cmsSigRgbData, cmsGetPCS(profile) == cmsSigRgbData else {
          throw SafelightError(
            .unsupported, "\(name) is a device link that does not lead from RGB to RGB",
            remedy: "give a link between RGB")
        }
        guard
          let transform = cmsCreateTransformTHR(
            context.raw, profile, CLittleCMSLayoutRGBDouble, nil, CLittleCMSLayoutRGBDouble,
            UInt32(INTENT_PERCEPTUAL), CLittleCMSLinkFlags)
        else {
          throw SafelightError(
            .corruptData, "\(name) is a damaged device link\(context.lastMessage)", remedy: "make it again")
        }
        defer { cmsDeleteTransform(transform) }
        return try SampledLattice(size: Self.linkSize) { color in
          var numbers = (color.x, color.y, color.z)
          var result = (0.0, 0.0, 0.0)
          cmsDoTransform(transform, &numbers, &result, 1)
          return SIMD3(result.0, result.1, result.2)
        }
      }
    } catch let error as SafelightError where !error.problem.hasPrefix(name) {
      throw SafelightError(.corruptData, "\(name): \(error.problem)", remedy: "make the link again")
    }
    let table = ColorLUT(cube: sampled.table)
    self =
      sampled.error.maximum < 1e-5
      ? table
      : table.remarking(
        "is evaluated at \(Self.linkSize)³ colours; between them it differs from the link by at most "
          + PlainNumber.fixed(sampled.error.maximum, 5))
  }
}
