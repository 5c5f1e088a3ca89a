import ColorScience
import FrameCore
import Testing

@Suite("RGB colour spaces")
struct ColorSpaceTests {
  // colour-science 0.4.7: models.normalised_primary_matrix(c.primaries, c.whitepoint) of RGB_COLOURSPACES[…].
  @Test(
    "Normalised primary matrices are colour-science's",
    arguments: [
      (
        ColorSpace.sRGB,
        [
          0.41239079926595934, 0.35758433938387796, 0.1804807884018343, 0.2126390058715103,
          0.7151686787677559,
          0.07219231536073371, 0.019330818715591825, 0.11919477979462595, 0.9505321522496606,
        ]
      ),
      (
        .displayP3,
        [
          0.486570948648216, 0.2656676931690931, 0.1982172852343625, 0.2289745640697487, 0.6917385218365064,
          0.079286914093745, 0, 0.04511338185890264, 1.0439443689009757,
        ]
      ),
      (
        .adobeRGB,
        [
          0.5766690429101304, 0.1855582379065463, 0.1882286462349947, 0.29734497525053605, 0.6273635662554661,
          0.07529145849399788, 0.02703136138641234, 0.07068885253582723, 0.9913375368376387,
        ]
      ),
      (
        .rec2020,
        [
          0.6369580483012912, 0.1446169035862084, 0.16888097516417208, 0.262700212011267, 0.6779980715188711,
          0.05930171646986195, 0, 0.028072693049087445, 1.0609850577107909,
        ]
      ),
    ])
  func primaryMatrices(space: ColorSpace, expected: [Double]) {
    #expect(space.toXYZ.largestDifference(from: matrix(expected)) < 1e-14)
  }

  // colour-science 0.4.7: matrix_RGB_to_RGB(…, None) of spaces with derived matrices.
  @Test("Matrices between spaces are colour-science's")
  func conversions() {
    let fromAdobe = matrix([
      1.398355743960778, -0.3983557439607785, 0, 0, 1, 0, 0, -0.04292898929447319, 1.042928989294473,
    ])
    #expect(ColorSpace.adobeRGB.matrix(to: .sRGB).largestDifference(from: fromAdobe) < 1e-14)
    let fromP3 = matrix([
      0.7538330343617214, 0.19859736905261652, 0.04756959658566191, 0.045743848965358304, 0.9417772198116936,
      0.012478931222948124, -0.0012103403545183934, 0.017601717301089993, 0.9836086230534282,
    ])
    #expect(ColorSpace.displayP3.matrix(to: .rec2020).largestDifference(from: fromP3) < 1e-14)
  }

  @Test("Equal primaries need no matrix at all")
  func identity() {
    #expect(ColorSpace.sRGB.matrix(to: .linearSRGB) == .identity)
    #expect(ColorSpace.rec2020.matrix(to: .linearRec2020) == .identity)
  }

  @Test("White stays white between spaces of different whites")
  func whiteIsKept() {
    let wide = RGBPrimaries(
      red: Chromaticity(x: 0.7347, y: 0.2653), green: Chromaticity(x: 0.1596, y: 0.8404),
      blue: Chromaticity(x: 0.0366, y: 0.0001), white: .d50)
    let proPhoto = ColorSpace(name: "ROMM RGB", primaries: wide, transfer: .gamma(1.8))
    let white = proPhoto.matrix(to: .linearRec2020) * SIMD3(1, 1, 1)
    #expect(distance(white, SIMD3(1, 1, 1)) < 1e-14)
    let there = proPhoto.matrix(to: .sRGB)
    #expect((ColorSpace.sRGB.matrix(to: proPhoto) * there).isIdentity(within: 1e-13))
  }

  @Test("Channels may have their own transfer functions")
  func threeTransferFunctions() {
    let space = ColorSpace(name: "mixed", primaries: .bt709, transfer: [.linear, .gamma(2), .sRGB])
    #expect(space.decode(SIMD3(0.5, 0.5, 1)) == SIMD3(0.5, 0.25, 1))
    #expect(space.encode(SIMD3(0.5, 0.25, 1)).y == 0.5)
  }

  @Test(
    "CICP code points name the known spaces",
    arguments: [
      (ColorTags.sRGB, ColorSpace.sRGB),
      (.displayP3, .displayP3),
      (.linearRec2020, .linearRec2020),
      (ColorTags(primaries: .unspecified, transfer: .unspecified), .sRGB),
      (ColorTags(primaries: .bt2020, transfer: .bt2020TenBit), .rec2020Video),
      (ColorTags(primaries: .bt709, transfer: .bt709), .sRGB),
      (ColorTags(primaries: .bt709, transfer: .bt601), .rec709Video),
      (ColorTags(primaries: .bt709, transfer: .linear), .linearSRGB),
    ])
  func fromCodePoints(tags: ColorTags, expected: ColorSpace) throws {
    #expect(try ColorSpace(tags: tags) == expected)
  }

  @Test("Code points without a name of their own are still described")
  func unnamedCodePoints() throws {
    let space = try ColorSpace(tags: ColorTags(primaries: .bt601NTSC, transfer: .bt601))
    #expect(space.name == "bt601NTSC primaries, bt601 transfer")
    #expect(space.primaries.green == Chromaticity(x: 0.310, y: 0.595))
    #expect(space.transfer == [.sRGB, .sRGB, .sRGB])
    #expect(try space.tags == ColorTags(primaries: .bt601NTSC, transfer: .sRGB))
  }

  // Chromium 156 shows AVIF photos with these code points so: 40 and 128 stay with transfer functions 1 and 6, and become
  // 35 and 129 with 4, 17 and 106 with 5, 110 and 188 with 8.
  @Test(
    "Code points show greys as browsers do: a camera's curve has no part in it, a display's gamma has",
    arguments: [
      (ColorTags.Transfer.bt709, 40.0, 128.0), (.bt601, 40, 128), (.bt2020TenBit, 40, 128), (.sRGB, 40, 128),
      (.unspecified, 40, 128), (.gamma22, 35, 129), (.gamma28, 17, 106), (.linear, 110, 188),
    ])
  func shownGreys(transfer: ColorTags.Transfer, dark: Double, middle: Double) throws {
    let space = try ColorSpace(tags: ColorTags(primaries: .bt709, transfer: transfer))
    for (code, shown) in [(40.0, dark), (128.0, middle)] {
      let light = space.decode(SIMD3(repeating: code / 255))
      #expect(abs(ColorSpace.sRGB.encode(light).x * 255 - shown) < 0.6, "\(code)")
    }
  }

  @Test("Video shows the gammas of BT.470 like all else, and keeps its greys")
  func videoGreys() throws {
    for transfer in [ColorTags.Transfer.gamma22, .gamma28, .bt709, .pq, .hlg] {
      #expect(try ColorSpace(videoTags: ColorTags(primaries: .bt709, transfer: transfer)) == .sRGB)
    }
  }

  @Test("An ICC profile takes precedence over code points")
  func profileFirst() throws {
    let tags = ColorTags(
      primaries: .bt709, transfer: .sRGB, iccProfile: try ColorSpace.adobeRGB.iccProfile())
    #expect(try ColorSpace(tags: tags) == .adobeRGB)
  }

  @Test("Tags lead back to the space, through code points or a profile")
  func tagsRoundTrip() throws {
    for space in [
      ColorSpace.sRGB, .displayP3, .adobeRGB, .rec2020, .rec2020Video, .linearSRGB, .linearRec2020,
    ] {
      #expect(try ColorSpace(tags: space.tags) == space)
    }
    #expect(try ColorSpace.sRGB.tags == .sRGB)
    #expect(try ColorSpace.adobeRGB.tags.iccProfile != nil)
  }
}
