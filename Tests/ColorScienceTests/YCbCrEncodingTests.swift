import ColorScience
import FrameCore
import TestSupport
import Testing

/// Luma and colour differences against colour-science and the constants that the standards print.
@Suite("YCbCr encodings")
struct YCbCrEncodingTests {
  /// colour-science 0.4.7: `RGB_to_YCbCr([0.25, 0.6, 0.9], K=WEIGHTS_YCBCR[…], in_legal=False, out_bits=8,
  /// out_legal=…)` times 255; full-range colour differences, which it centres on 0, moved to 128.
  static let printed: [(YCbCrEncoding, SIMD3<Double>)] = [
    (
      .init(matrix: .bt601, range: .limited), .init(131.97144999999998, 174.82889390519188, 83.33580599144081)
    ),
    (.init(matrix: .bt601, range: .full), .init(135.03525, 181.30967832957111, 77.154600570613425)),
    (.init(matrix: .bt709, range: .limited), .init(135.84775, 170.58245311489546, 85.71907543815088)),
    (.init(matrix: .bt709, range: .full), .init(139.54875, 176.47556046561759, 79.86769748539497)),
    (.init(matrix: .bt2020, range: .limited), .init(131.160055, 172.54699691718932, 86.097599348976)),
    (.init(matrix: .bt2020, range: .full), .init(134.090475, 178.711983097693206, 80.298606401736066)),
  ]

  @Test("agree with colour-science, there and back", arguments: printed)
  func colourScience(encoding: YCbCrEncoding, expected: SIMD3<Double>) {
    let rgb = SIMD3(0.25, 0.6, 0.9)
    let code = encoding.encode(rgb)
    let back = encoding.decode(expected)
    for channel in 0..<3 {
      #expect(abs(code[channel] - expected[channel]) < 1e-9, "\(encoding): \(code)")
      #expect(abs(back[channel] - rgb[channel]) < 1e-9, "\(encoding): \(back)")
    }
  }

  @Test("have the gains that BT.601 decoders print: 1.164, 1.596, -0.392, -0.813, 2.017")
  func printedGains() {
    let encoding = YCbCrEncoding(matrix: .bt601, range: .limited)
    let black = encoding.decode(SIMD3(16, 128, 128))
    func gain(_ code: SIMD3<Double>) -> SIMD3<Double> { (encoding.decode(code) - black) * 255 }
    let (y, cb, cr) = (gain(SIMD3(17, 128, 128)), gain(SIMD3(16, 129, 128)), gain(SIMD3(16, 128, 129)))
    for (value, printed) in [(y.x, 1.164), (cr.x, 1.596), (cb.y, -0.392), (cr.y, -0.813), (cb.z, 2.017)] {
      #expect(abs(value - printed) < 6e-4, "\(value), not \(printed)")
    }
    #expect(cb.x == 0 && cr.z == 0)
  }

  @Test("white, black and grey lie where the range says")
  func range() {
    for matrix in [YCbCrEncoding.Matrix.bt601, .bt709, .bt2020] {
      for (range, low, high) in [(ColorTags.Range.limited, 16.0, 235.0), (.full, 0, 255)] {
        let encoding = YCbCrEncoding(matrix: matrix, range: range)
        for (rgb, luma) in [(0.0, low), (1, high), (0.5, (low + high) / 2)] {
          let code = encoding.encode(SIMD3(repeating: rgb))
          #expect(abs(code.x - luma) < 1e-9 && abs(code.y - 128) < 1e-9 && abs(code.z - 128) < 1e-9)
        }
      }
    }
  }

  @Test("settle what tags leave open as V4L2, JFIF and video files have it")
  func settled() throws {
    func tags(
      _ matrix: ColorTags.Matrix, _ range: ColorTags.Range, _ siting: ColorTags.ChromaSiting = .unspecified
    ) -> ColorTags {
      ColorTags(
        primaries: .unspecified, transfer: .unspecified, matrix: matrix, range: range, chromaSiting: siting)
    }
    let (sd, hd) = (PixelSize(width: 640, height: 480), PixelSize(width: 1280, height: 720))
    #expect(try YCbCrEncoding(tags: tags(.unspecified, .limited), size: sd).matrix == .bt601)
    #expect(try YCbCrEncoding(tags: tags(.unspecified, .limited), size: hd).matrix == .bt709)
    #expect(try YCbCrEncoding(tags: tags(.bt601, .limited), size: hd).siting == .left)
    #expect(try YCbCrEncoding(tags: tags(.bt601, .full), size: hd).siting == .center)
    #expect(try YCbCrEncoding(tags: tags(.bt601, .full, .left), size: hd).siting == .left)
    // What a file does not say is no reason to change its colours.
    #expect(try ColorSpace(videoTags: tags(.bt601, .limited)) == .sRGB)
  }

  @Test("refuse tags of RGB")
  func identity() {
    #expect(throws: SafelightError.self) {
      try YCbCrEncoding(tags: .sRGB, size: PixelSize(width: 4, height: 4))
    }
  }
}
