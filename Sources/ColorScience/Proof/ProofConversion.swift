import CLittleCMS
import FrameCore

/// The conversions of a soft proof by LittleCMS: from a colour space to a device and back, to samples and to CIE Lab.
struct ProofConversion {
  private let proof: SoftProof
  private let space: ColorSpace

  init(_ proof: SoftProof, space: ColorSpace) { (self.proof, self.space) = (proof, space) }

  /// Refuses what cannot be proofed, and returns the profile's description.
  static func check(_ profile: ICCProfileData, file: String, intent: SoftProof.Intent) throws -> String {
    let parsed: ICCProfile
    do {
      parsed = try ICCProfile.parse(profile)
    } catch let error as SafelightError {
      throw SafelightError(
        error.code, "\(file) cannot be proofed: \(error.problem)",
        remedy: "give the ICC profile of a printer, a display or a colour space")
    }
    let context = try LittleCMSContext()
    try context.withProfile(profile) { raw in
      func supports(_ intent: SoftProof.Intent) -> Bool {
        // What comes back to the screen is always relative or absolute.
        cmsIsIntentSupported(raw, intent.number, UInt32(LCMS_USED_AS_OUTPUT)) != 0
      }
      let known = SoftProof.Intent.allCases.filter(supports)
      // Lab and XYZ say what is seen, and no device is given them.
      let space = cmsGetColorSpace(raw)
      guard !known.isEmpty, cmsGetDeviceClass(raw) != cmsSigInputClass, space != cmsSigLabData,
        space != cmsSigXYZData
      else {
        throw SafelightError(
          .unsupported, "\(file) cannot be proofed: it has no conversion to its device",
          remedy: "give the profile of a printer or a display, not that of a camera or a scanner")
      }
      guard known.contains(intent) else {
        throw SafelightError(
          .unsupported, "\(file) has no conversion for the intent \(intent.rawValue)",
          remedy: "use \(known.map(\.rawValue).joined(separator: ", "))")
      }
    }
    return parsed.description
  }

  /// Samples the proof at the nodes of a lattice.
  func table() throws -> ColorLUT {
    let size = SoftProof.size
    let last = Double(size - 1)
    var colors: [Double] = []
    colors.reserveCapacity(3 * size * size * size)
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          colors += [Double(red) / last, Double(green) / last, Double(blue) / last]
        }
      }
    }
    let context = try LittleCMSContext()
    let own = try space.iccProfile()
    return try context.withProfile(own) { own in
      try context.withProfile(proof.profile) { device in
        let back = proof.simulatesPaper ? SoftProof.Intent.absolute : .relative
        let shown = try reproduced(
          colors, Ends(own: own, device: device), proof.intent, scalesBlack: proof.intent != .absolute,
          shownBy: back, scalingBlack: !proof.simulatesPaper, in: context)
        var nodes = stride(from: 0, to: shown.count, by: 3).map {
          SIMD3(shown[$0], shown[$0 + 1], shown[$0 + 2]).clamped(lowerBound: .zero, upperBound: .one)
        }
        if proof.marksGamut {
          let differences = try differences(colors, Ends(own: own, device: device), in: context)
          for index in nodes.indices {
            nodes[index] += Self.mark(differences[index]) * (SIMD3(repeating: 0.5) - nodes[index])
          }
        }
        return ColorLUT(
          title: "proof of \(proof.name)",
          cube: try LUT3D(size: size, nodes: nodes.map { SIMD3<Float>($0) }))
      }
    }
  }

  // MARK: Conversions

  /// The profiles of the screen's space and of the device.
  private struct Ends {
    let own, device: cmsHPROFILE
  }

  /// Converts colours to the device and back to the screen's space, three numbers each.
  private func reproduced(
    _ colors: [Double], _ ends: Ends, _ intent: SoftProof.Intent, scalesBlack: Bool,
    shownBy back: SoftProof.Intent, scalingBlack: Bool, in context: LittleCMSContext
  ) throws -> [Double] {
    let space = cmsGetColorSpace(ends.device)
    let layout = cmsFormatterForColorspaceOfProfile(ends.device, 0, 1)
    let channels = Int(cmsChannelsOfColorSpace(space))
    guard channels > 0 else { throw failure(context) }
    var device = try convert(
      colors, 3, from: (ends.own, CLittleCMSLayoutRGBDouble), to: (ends.device, layout), channels, intent,
      scalesBlack: scalesBlack, in: context)
    // In floating point LittleCMS gives more than all of an ink or of a light, which no device has. Inks are in percent.
    let most = space == cmsSigRgbData || space == cmsSigGrayData ? 1.0 : 100
    for index in device.indices { device[index] = min(max(device[index], 0), most) }
    return try convert(
      device, channels, from: (ends.device, layout), to: (ends.own, CLittleCMSLayoutRGBDouble), 3, back,
      scalesBlack: scalingBlack, in: context)
  }

  /// Returns ΔE2000 between each colour and its reproduction, three encoded samples each.
  func differences(_ colors: [Double]) throws -> [Double] {
    let context = try LittleCMSContext()
    return try context.withProfile(try space.iccProfile()) { own in
      try context.withProfile(proof.profile) { device in
        try differences(colors, Ends(own: own, device: device), in: context)
      }
    }
  }

  /// Returns how far a colour is marked, 0…1.
  private static func mark(_ difference: Double) -> Double {
    let bounds = SoftProof.markedDifferences
    let part = (difference - bounds.lowerBound) / (bounds.upperBound - bounds.lowerBound)
    let clipped = min(max(part, 0), 1)
    return clipped * clipped * (3 - 2 * clipped)
  }

  /// Returns ΔE2000 between each colour and its reproduction, both under their own white and from their own black.
  private func differences(
    _ colors: [Double], _ ends: Ends, in context: LittleCMSContext
  ) throws -> [Double] {
    let made = try reproduced(
      colors, ends, .relative, scalesBlack: true, shownBy: .relative, scalingBlack: true, in: context)
    func lab(_ colors: [Double], _ index: Int) -> SIMD3<Double> {
      let encoded = SIMD3(colors[3 * index], colors[3 * index + 1], colors[3 * index + 2])
      return CIELab.fromXYZ(space.toXYZ * space.decode(encoded), white: space.primaries.white)
    }
    return (0..<colors.count / 3).map { deltaE2000(lab(colors, $0), lab(made, $0)) }
  }

  private func convert(
    _ colors: [Double], _ inputs: Int, from source: (profile: cmsHPROFILE, layout: UInt32),
    to destination: (profile: cmsHPROFILE, layout: UInt32), _ outputs: Int, _ intent: SoftProof.Intent,
    scalesBlack: Bool, in context: LittleCMSContext
  ) throws -> [Double] {
    var profiles: [cmsHPROFILE?] = [source.profile, destination.profile]
    var intents = [intent.number, intent.number]
    var scales = [cmsBool(scalesBlack ? 1 : 0), cmsBool(scalesBlack ? 1 : 0)]
    // The eye adapts to the paper's white.
    var adaptation = [1.0, 1.0]
    guard
      let transform = cmsCreateExtendedTransform(
        context.raw, 2, &profiles, &scales, &intents, &adaptation, nil, 0, source.layout, destination.layout,
        CLittleCMSLinkFlags)
    else { throw failure(context) }
    defer { cmsDeleteTransform(transform) }
    let count = colors.count / inputs
    var results = [Double](repeating: 0, count: outputs * count)
    cmsDoTransform(transform, colors, &results, UInt32(count))
    return results
  }

  private func failure(_ context: LittleCMSContext) -> SafelightError {
    SafelightError(
      .corruptData, "Pictures cannot be proofed by \(proof.name)\(context.lastMessage)",
      remedy: "get the profile again from its maker")
  }
}

extension SoftProof.Intent {
  fileprivate var number: UInt32 {
    switch self {
    case .perceptual: UInt32(INTENT_PERCEPTUAL)
    case .relative: UInt32(INTENT_RELATIVE_COLORIMETRIC)
    case .saturation: UInt32(INTENT_SATURATION)
    case .absolute: UInt32(INTENT_ABSOLUTE_COLORIMETRIC)
    }
  }
}
