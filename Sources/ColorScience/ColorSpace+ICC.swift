import CLittleCMS
import FrameCore

extension ColorSpace {
  /// Returns a version 4 ICC profile of this space: matrix, curves and name; the same bytes every time.
  ///
  /// - Throws: `SafelightError` (`invalidValue`) if the primaries are collinear or a transfer function has no ICC
  ///   form.
  public func iccProfile() throws -> ICCProfileData {
    let determinant = toXYZ.determinant
    guard determinant.isFinite, abs(determinant) > 1e-9 else {
      throw SafelightError(
        .invalidValue, "The primaries of \"\(name)\" span no triangle", remedy: "give other primaries")
    }
    let context = try LittleCMSContext()
    var curves: [OpaquePointer?] = []
    defer { curves.forEach { cmsFreeToneCurve($0) } }
    for function in transfer {
      guard let curve = function.toneCurve(in: context) else {
        throw SafelightError(
          .invalidValue,
          "A transfer function of \"\(name)\" cannot be written as an ICC curve\(context.lastMessage)")
      }
      curves.append(curve)
    }
    var white = cmsCIExyY(primaries.white)
    var triple = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(primaries.red), Green: cmsCIExyY(primaries.green), Blue: cmsCIExyY(primaries.blue))
    guard let profile = cmsCreateRGBProfileTHR(context.raw, &white, &triple, curves) else {
      throw SafelightError(
        .invalidValue, "No ICC profile can be made from \"\(name)\"\(context.lastMessage)")
    }
    defer { cmsCloseProfile(profile) }
    cmsSetProfileVersion(profile, 4.3)
    try write(name, to: profile, in: context)
    return ICCProfileData(try serialized(profile, in: context))
  }

  private func write(_ text: String, to profile: cmsHPROFILE, in context: LittleCMSContext) throws {
    let localized = cmsMLUalloc(context.raw, 1)
    defer { cmsMLUfree(localized) }
    let wide = text.utf16.map { wchar_t($0) } + [0]
    guard cmsMLUsetWide(localized, "en", "US", wide) != 0,
      cmsWriteTag(profile, cmsSigProfileDescriptionTag, UnsafeRawPointer(localized)) != 0
    else { throw failure(context) }
  }

  private func serialized(_ profile: cmsHPROFILE, in context: LittleCMSContext) throws -> [UInt8] {
    var size: UInt32 = 0
    guard cmsSaveProfileToMem(profile, nil, &size) != 0, size > 128 else { throw failure(context) }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    guard bytes.withUnsafeMutableBytes({ cmsSaveProfileToMem(profile, $0.baseAddress, &size) }) != 0 else {
      throw failure(context)
    }
    // ICC.1:2022, 7.2.10: the creation date, year month day hour minute second as big-endian 16-bit numbers. A
    // fixed date, 2000-01-01, makes the bytes reproducible.
    let created: [UInt8] = [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
    bytes.replaceSubrange(24..<36, with: created)
    return bytes
  }

  private func failure(_ context: LittleCMSContext) -> SafelightError {
    SafelightError(
      .noMemory, "The ICC profile of \"\(name)\" cannot be written\(context.lastMessage)",
      remedy: "close other programs")
  }
}

extension TransferFunction {
  /// Returns the same function as a LittleCMS curve, owned by the caller.
  fileprivate func toneCurve(in context: LittleCMSContext) -> OpaquePointer? {
    // ICC.1:2022, table 68, function type 3 (LittleCMS's 4): (aX + b)^g for X ≥ d, else cX, as [g, a, b, c, d].
    func curve(_ type: Int32, _ parameters: [Double]) -> OpaquePointer? {
      cmsBuildParametricToneCurve(context.raw, type, parameters)
    }
    switch self {
    case .linear: return curve(1, [1])
    case .gamma(let exponent): return curve(1, [exponent])
    case .sRGB: return curve(4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    case .bt709:
      let alpha = Self.bt709Alpha
      return curve(4, [1 / 0.45, 1 / alpha, (alpha - 1) / alpha, 1 / 4.5, 4.5 * Self.bt709Beta])
    case .sampled(let sampled):
      // LittleCMS rejects tables of more than 65,530 entries.
      let count = min(sampled.samples.count, 65_530)
      let table = (0..<count).map { index in
        UInt16((min(sampled.decode(Double(index) / Double(count - 1)), 1) * 65535).rounded())
      }
      return cmsBuildTabulatedToneCurve16(context.raw, UInt32(count), table)
    }
  }
}

extension cmsCIExyY {
  fileprivate init(_ chromaticity: Chromaticity) {
    self.init(x: chromaticity.x, y: chromaticity.y, Y: 1)
  }
}
