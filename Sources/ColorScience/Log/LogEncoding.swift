/// A camera's logarithmic encoding of scene light, with its primaries.
///
/// Light is reflectance under the exposure that the maker calls normal: 0.18 is grey, 1.0 is 100 %. Encoded values are
/// code values divided by the largest one, as the makers' formulas have them: 0…1.
public enum LogEncoding: String, Sendable, Hashable, CaseIterable {
  case sLog3 = "s-log3"
  case vLog = "v-log"
  case logC3 = "log-c3"
  case logC4 = "log-c4"
  case fLog = "f-log"
  case fLog2 = "f-log2"
  case cLog2 = "c-log2"
  case cLog3 = "c-log3"
  case nLog = "n-log"
  case appleLog = "apple-log"
  case dLog = "d-log"

  /// The makers' names of the curve and the gamut; LogC3 is that of EI 800.
  public var title: String {
    switch self {
    case .sLog3: "S-Log3 / S-Gamut3.Cine"
    case .vLog: "V-Log / V-Gamut"
    case .logC3: "ARRI LogC3 / Wide Gamut 3"
    case .logC4: "ARRI LogC4 / Wide Gamut 4"
    case .fLog: "F-Log / F-Gamut"
    case .fLog2: "F-Log2 / F-Gamut"
    case .cLog2: "Canon Log 2 / Cinema Gamut"
    case .cLog3: "Canon Log 3 / Cinema Gamut"
    case .nLog: "N-Log / Rec. 2020"
    case .appleLog: "Apple Log / Rec. 2020"
    case .dLog: "D-Log / D-Gamut"
    }
  }

  /// The camera's primaries, around D65.
  ///
  /// Sources: Sony, “Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3” (2014); Panasonic, “V-Log/V-Gamut
  /// Reference Manual” (2014); ARRI, “ALEXA Log C Curve” (2017) and “ARRI LogC4” (2022); Canon, “EOS C300 Mark II
  /// Instruction Manual: Cinema Gamut” and “Canon Log Gamma Curves” (2018); DJI, “White Paper on D-Log and D-Gamut”
  /// (2017). F-Gamut, N-Log and Apple Log have the primaries of ITU-R BT.2020.
  public var primaries: RGBPrimaries {
    switch self {
    case .sLog3: Self.primaries((0.766, 0.275), (0.225, 0.800), (0.089, -0.087))
    case .vLog: Self.primaries((0.730, 0.280), (0.165, 0.840), (0.100, -0.030))
    case .logC3: Self.primaries((0.684, 0.313), (0.221, 0.848), (0.0861, -0.102))
    case .logC4: Self.primaries((0.7347, 0.2653), (0.1424, 0.8576), (0.0991, -0.0308))
    case .cLog2, .cLog3: Self.primaries((0.740, 0.270), (0.170, 1.140), (0.080, -0.100))
    case .dLog: Self.primaries((0.710, 0.310), (0.210, 0.880), (0.090, -0.080))
    case .fLog, .fLog2, .nLog, .appleLog: .bt2020
    }
  }

  /// Linear light on the camera's primaries.
  public var linearSpace: ColorSpace {
    ColorSpace(name: "linear \(title)", primaries: primaries, transfer: .linear)
  }

  private static func primaries(
    _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double)
  ) -> RGBPrimaries {
    RGBPrimaries(
      red: Chromaticity(x: red.0, y: red.1), green: Chromaticity(x: green.0, y: green.1),
      blue: Chromaticity(x: blue.0, y: blue.1), white: .d65)
  }
}
