import ColorScience
import FrameCore
import Testing

@Suite("Transfer functions")
struct TransferFunctionTests {
  private static let inputs = [
    0, 0.001, 0.0031307, 0.0031309, 0.018, 0.0180538, 0.0180541, 0.04044, 0.04046, 0.0812, 0.0813, 0.18, 0.5,
    1.0, 1.5,
  ]

  @Test("sRGB decodes as colour-science 0.4.7 eotf_sRGB does, also around its break")
  func decodeSRGB() {
    let expected = [
      0.0, 7.739938080495357e-05, 0.00024231424148606813, 0.0002423297213622291, 0.001393188854489164,
      0.0013973529411764705, 0.0013973761609907122, 0.0031300309597523217, 0.003131594552688991,
      0.007348846144181122, 0.0073618023088576024, 0.027211780951381357, 0.21404114048223255, 1.0,
      2.537155239391517,
    ]
    for (input, value) in zip(Self.inputs, expected) {
      #expect(abs(TransferFunction.sRGB.decode(input) - value) < 1e-14, "at \(input)")
    }
  }

  @Test("sRGB encodes as colour-science 0.4.7 eotf_inverse_sRGB does, also around its break")
  func encodeSRGB() {
    let expected = [
      0.0, 0.012920000000000001, 0.040448644, 0.04045117777859802, 0.14282568130303916, 0.14307183311112337,
      0.14307320450435596, 0.2221769452873062, 0.2222340539614494, 0.31559606627588527, 0.3157861643035567,
      0.46135612950044164, 0.7353569830524495, 0.9999999999999999, 1.194176534680845,
    ]
    for (input, value) in zip(Self.inputs, expected) {
      #expect(abs(TransferFunction.sRGB.encode(input) - value) < 1e-14, "at \(input)")
    }
  }

  @Test("BT.709 encodes as colour-science 0.4.7 oetf_BT2020 with its precise constants does")
  func encodeBT709() {
    let expected = [
      0.0, 0.0045000000000000005, 0.01408815, 0.014089049999999999, 0.08099999999999999, 0.0812421,
      0.08124344999881727, 0.1602286457269247, 0.1602863957681105, 0.2558559278386567, 0.25605268233151335,
      0.408848108891225, 0.7054355530556183, 1.0, 1.2200410808970923,
    ]
    for (input, value) in zip(Self.inputs, expected) {
      #expect(abs(TransferFunction.bt709.encode(input) - value) < 1e-13, "at \(input)")
    }
  }

  @Test("BT.709 decodes as colour-science 0.4.7 oetf_inverse_BT2020 with its precise constants does")
  func decodeBT709() {
    let expected = [
      0.0, 0.00022222222222222223, 0.0006957111111111111, 0.0006957555555555555, 0.004, 0.004011955555555555,
      0.004012022222222222, 0.008986666666666665, 0.008991111111111111, 0.018044444444444443,
      0.018066669122796968, 0.047606795503515965, 0.2597194371011775, 1.0, 2.3004304829137427,
    ]
    // At 0.0813, just above the break 4.5 β = 0.08124, colour-science still takes the straight line; the value there
    // is BT.2020's formula evaluated in Python.
    for (input, value) in zip(Self.inputs, expected) {
      #expect(abs(TransferFunction.bt709.decode(input) - value) < 1e-13, "at \(input)")
    }
  }

  static let all: [TransferFunction] = [
    .linear, .sRGB, .bt709, .gamma(2.2), .gamma(563.0 / 256), .gamma(0.8), bumpy,
  ]

  /// A curve with slopes that differ from segment to segment.
  private static let bumpy: TransferFunction = {
    let curve = try? SampledCurve(samples: [0, 0.02, 0.11, 0.2, 0.55, 0.6, 1])
    return curve.map(TransferFunction.sampled) ?? .linear
  }()

  @Test("Encoding undoes decoding, below 0 and above 1 too", arguments: all)
  func inverses(function: TransferFunction) {
    for step in -300...400 {
      let x = Double(step) / 200
      #expect(abs(function.encode(function.decode(x)) - x) < 2e-8, "at \(x)")
      #expect(abs(function.decode(function.encode(x)) - x) < 2e-8, "at \(x)")
    }
  }

  @Test("Functions are odd and rise, through the breaks and past 1", arguments: all)
  func oddAndRising(function: TransferFunction) {
    var previous = -Double.infinity
    for step in 0...3000 {
      let x = Double(step) / 2000
      let y = function.decode(x)
      #expect(y > previous, "at \(x)")
      #expect(function.decode(-x) == -y)
      #expect(function.encode(-x) == -function.encode(x))
      previous = y
    }
    #expect(abs(function.decode(1) - 1) < 1e-15)
  }

  @Test("Gamma is a power")
  func gamma() {
    #expect(TransferFunction.gamma(2).decode(0.3) == 0.09)
    #expect(abs(TransferFunction.gamma(2).encode(2.25) - 1.5) < 1e-15)
  }
}

@Suite("Sampled curves")
struct SampledCurveTests {
  @Test("Samples are met exactly, and joined by straight lines")
  func interpolation() throws {
    let curve = try SampledCurve(samples: [0, 0.1, 0.5, 1])
    #expect(curve.decode(0) == 0)
    #expect(abs(curve.decode(1.0 / 3) - 0.1) < 1e-15)
    #expect(abs(curve.decode(0.5) - 0.3) < 1e-15)
    #expect(curve.decode(1) == 1)
    #expect(abs(curve.decode(2) - 2.5) < 1e-12)
    #expect(abs(curve.encode(2.5) - 2) < 1e-12)
  }

  @Test("A level stretch is inverted to where it begins")
  func plateaus() throws {
    let curve = try SampledCurve(samples: [0, 0, 0.5, 0.5, 1, 1])
    #expect(curve.encode(0) == 0)
    #expect(abs(curve.encode(0.5) - 0.4) < 1e-15)
    #expect(abs(curve.encode(0.75) - 0.7) < 1e-15)
    #expect(abs(curve.encode(1) - 0.8) < 1e-15)
    #expect(curve.encode(3) == 1)
    #expect(curve.decode(3) == 1)
  }

  @Test("Not-a-number stays one and does not trap")
  func notANumber() throws {
    let curve = try SampledCurve(samples: [0, 0.5, 1])
    #expect(curve.decode(.nan).isNaN)
    #expect(curve.encode(.nan).isNaN)
    #expect(curve.decode(.infinity) == .infinity)
  }

  @Test("Curves with equal samples are equal and hash alike")
  func equality() throws {
    let curve = try SampledCurve(samples: [0, 0.5, 1])
    #expect(curve == (try SampledCurve(samples: [0, 0.5, 1])))
    #expect(curve.hashValue == (try SampledCurve(samples: [-0.0, 0.5, 1])).hashValue)
    #expect(curve != (try SampledCurve(samples: [0, 0.5000001, 1])))
  }

  @Test(
    "What is no curve is refused with the reason",
    arguments: [
      ([1.0], "A curve needs at least 2 samples, not 1."),
      ([0, 0.5, 0.25, 1], "The curve falls from 0.5 to 0.25 at sample 2; give samples that never fall."),
      ([0, .nan, 1], "Sample 1 of the curve is nan; give finite values of 0 or more."),
      ([0, 1, .infinity], "Sample 2 of the curve is inf; give finite values of 0 or more."),
      ([-0.5, 1], "Sample 0 of the curve is -0.5; give finite values of 0 or more."),
      ([0.5, 0.5], "The curve is 0.5 everywhere; give a curve that rises."),
    ])
  func refusals(samples: [Double], message: String) {
    let error = #expect(throws: SafelightError.self) { try SampledCurve(samples: samples) }
    #expect(error?.description == message)
  }
}
