import ColorScience
import FrameCore
import TestSupport
import Testing

@Suite("ICC profiles")
struct ICCProfileTests {
  @Test("The classic sRGB profile, a table of 1024 entries, is recognised as sRGB")
  func classicSRGB() throws {
    let curve = ICCProfileBuilder.table(count: 1024, TransferFunction.sRGB.decode)
    let profile = try ICCProfile.parse(ICCProfileBuilder.sRGB1998(curve: curve).data)
    #expect(profile.colorModel == .rgb)
    #expect(profile.description == "sRGB IEC61966-2.1")
    #expect(profile.colorSpace == .sRGB)
  }

  @Test("Adobe RGB (1998), as Adobe's profile holds it, is recognised")
  func adobeRGB() throws {
    let builder = ICCProfileBuilder.matrix(
      red: [0.60974, 0.31111, 0.01947], green: [0.20528, 0.62567, 0.06087],
      blue: [0.14919, 0.06322, 0.74457],
      curve: ICCProfileBuilder.gamma(563), description: "Adobe RGB (1998)")
    #expect(try ICCProfile.parse(builder.data).colorSpace == .adobeRGB)
  }

  @Test("Display P3, as phones embed it, is recognised")
  func displayP3() throws {
    let curve = ICCProfileBuilder.table(count: 4096, TransferFunction.sRGB.decode)
    let builder = ICCProfileBuilder.matrix(
      red: [0.51512, 0.24120, -0.00105], green: [0.29198, 0.69225, 0.04189],
      blue: [0.15710, 0.06657, 0.78407],
      curve: curve, description: "Display P3")
    #expect(try ICCProfile.parse(builder.data).colorSpace == .displayP3)
  }

  @Test("sRGB's primaries with another gamma keep the primaries and the gamma exactly")
  func gammaProfile() throws {
    let space = try #require(
      try ICCProfile.parse(ICCProfileBuilder.sRGB1998(curve: ICCProfileBuilder.gamma(461)).data).colorSpace)
    #expect(space.primaries == .bt709)
    #expect(space.transfer == Array(repeating: .gamma(461.0 / 256), count: 3))
    #expect(space.name == "sRGB IEC61966-2.1")
  }

  @Test("A curve of no known form is kept as samples, at least 1024, that pass through the table's entries")
  func sampledCurve() throws {
    let entries = [0, 0.02, 0.3, 0.35, 0.7, 1]
    let curve = ICCProfileBuilder.table(count: 6) { entries[Int(($0 * 5).rounded())] }
    let space = try #require(try ICCProfile.parse(ICCProfileBuilder.sRGB1998(curve: curve).data).colorSpace)
    guard case .sampled(let sampled) = space.transfer[1] else {
      Issue.record("\(space.transfer[1]) is not sampled")
      return
    }
    #expect(sampled.samples.count >= 1024)
    for (index, entry) in entries.enumerated() {
      #expect(abs(sampled.decode(Double(index) / 5) - entry) < 1e-5)
    }
    #expect(abs(sampled.decode(0.3) - 0.16) < 1e-5)
  }

  @Test("Primaries that are not known are carried from D50 to D65 by Bradford")
  func unknownPrimaries() throws {
    // ROMM RGB (ProPhoto) colorants relative to D50: ISO 22028-2, annex A.
    let builder = ICCProfileBuilder.matrix(
      red: [0.7977, 0.2880, 0.0000], green: [0.1352, 0.7119, 0.0000], blue: [0.0313, 0.0001, 0.8249],
      curve: ICCProfileBuilder.gamma(461), description: "ProPhoto")
    let space = try #require(try ICCProfile.parse(builder.data).colorSpace)
    #expect(space.name == "ProPhoto")
    #expect(space.primaries.white == .d65)
    // colour-science 0.4.7: matrix_RGB_to_RGB(ProPhoto RGB, sRGB, "Bradford") with derived matrices.
    let expected = matrix([
      2.034368, -0.727634, -0.306733, -0.228827, 1.231753, -0.002927, -0.008558, -0.153268, 1.161827,
    ])
    #expect(space.matrix(to: .sRGB).largestDifference(from: expected) < 2e-3)
    let white = space.matrix(to: .sRGB) * SIMD3(1, 1, 1)
    #expect(distance(white, SIMD3(1, 1, 1)) < 1e-14)
  }

  @Test("A curve that falls makes the profile one for transforms, not a colour space")
  func fallingCurve() throws {
    let curve = ICCProfileBuilder.table(count: 64) { 1 - $0 }
    #expect(try ICCProfile.parse(ICCProfileBuilder.sRGB1998(curve: curve).data).colorSpace == nil)
  }

  @Test("CMYK and grey profiles say what they are, and are no RGB space")
  func otherModels() throws {
    let cmyk = try ICCProfile.parse(ICCProfileBuilder.cmyk { _ in SIMD3(50, 0, 0) }.data)
    #expect(cmyk.colorModel == .cmyk && cmyk.colorSpace == nil && cmyk.description == "Test CMYK")
    let gray = try ICCProfile.parse(ICCProfileBuilder.gray(curve: ICCProfileBuilder.gamma(563)).data)
    #expect(gray.colorModel == .gray && gray.colorSpace == nil)
    let tags = ColorTags.icc(gray.data.bytes)
    let error = #expect(throws: SafelightError.self) { try ColorSpace(tags: tags) }
    #expect(
      error?.description
        == "The ICC profile \"Test grey\" (grey) is not a matrix with curves; convert the picture to sRGB or Adobe RGB first."
    )
  }

  static let spaces: [ColorSpace] = [.sRGB, .displayP3, .adobeRGB, .rec2020, .linearSRGB, .linearRec2020]

  @Test("Written profiles are read back as the same space", arguments: spaces)
  func roundTrip(space: ColorSpace) throws {
    let profile = try ICCProfile.parse(space.iccProfile())
    #expect(profile.colorSpace == space)
    #expect(profile.description == space.name)
  }

  @Test("Written profiles are version 4 and the same bytes every time, whatever the clock says")
  func deterministic() throws {
    let bytes = try ColorSpace.displayP3.iccProfile().bytes
    #expect(bytes == (try ColorSpace.displayP3.iccProfile().bytes))
    #expect(bytes[8] == 4)
    #expect(Array(bytes[24..<36]) == [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    #expect(bytes.count < 1000)
  }

  @Test("A sampled space survives being written, to the 16 bits of a profile's tables")
  func sampledRoundTrip() throws {
    let samples = (0..<1500).map { index in
      let x = Double(index) / 1499
      return x * x * (1.5 - 0.5 * x)
    }
    let curve = try SampledCurve(samples: samples)
    let space = ColorSpace(name: "Ünïcode 夜", primaries: .adobeRGB, transfer: .sampled(curve))
    let back = try ICCProfile.parse(space.iccProfile())
    #expect(back.description == "Ünïcode 夜")
    let read = try #require(back.colorSpace)
    #expect(read.primaries == .adobeRGB)
    for step in 0...100 {
      let x = Double(step) / 100
      #expect(abs(read.transfer[0].decode(x) - curve.decode(x)) < 1e-5)
    }
  }

  @Test("Primaries on one line have no profile")
  func degenerate() {
    let line = RGBPrimaries(
      red: Chromaticity(x: 0.2, y: 0.2), green: Chromaticity(x: 0.3, y: 0.3),
      blue: Chromaticity(x: 0.4, y: 0.4),
      white: .d65)
    let error = #expect(throws: SafelightError.self) {
      try ColorSpace(name: "flat", primaries: line, transfer: .linear).iccProfile()
    }
    #expect(error?.description == "The primaries of \"flat\" span no triangle; give other primaries.")
  }

  @Test("What is no profile is refused")
  func garbage() {
    let error = #expect(throws: SafelightError.self) { try ICCProfile.parse(ICCProfileData([1, 2, 3])) }
    #expect(
      error?.description
        == "The 3 bytes given as an ICC profile are not one; strip or replace the picture's profile.")
    let noise = ICCProfileData((0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 167) })
    #expect(throws: SafelightError.self) { try ICCProfile.parse(noise) }
  }

  @Test("A profile that links devices says nothing about a picture")
  func deviceLink() {
    var builder = ICCProfileBuilder.sRGB1998(curve: ICCProfileBuilder.gamma(563))
    builder.deviceClass = "link"
    let error = #expect(throws: SafelightError.self) { try ICCProfile.parse(builder.data) }
    #expect(error?.code == .unsupported)
  }

  @Test("Cut off and mutated profiles are read or refused, and never crash")
  func mutations() throws {
    let table = ICCProfileBuilder.table(count: 33) { $0 * $0 }
    let seeds = [
      ICCProfileBuilder.sRGB1998(curve: table).data.bytes, ICCProfileBuilder.gray(curve: table).data.bytes,
      ICCProfileBuilder.cmyk { _ in SIMD3(40, 10, 10) }.data.bytes, try ColorSpace.sRGB.iccProfile().bytes,
    ]
    var generator = SeededRandom(seed: 99)
    var readable = 0
    for round in 0..<4000 {
      var bytes = seeds[round % seeds.count]
      if round % 3 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
      for _ in 0..<Int.random(in: 0...6, using: &generator) where !bytes.isEmpty {
        // The header and the tag table are where damage matters most.
        let end = Bool.random(using: &generator) ? min(260, bytes.count) : bytes.count
        bytes[Int.random(in: 0..<end, using: &generator)] = UInt8.random(in: .min ... .max, using: &generator)
      }
      do {
        let data = ICCProfileData(bytes)
        let profile = try ICCProfile.parse(data)
        readable += 1
        let layouts = ICCTransform.SourceLayout.allCases.filter { $0.colorModel == profile.colorModel }
        if round % 10 == 1, let layout = layouts.first {
          _ = try ICCTransform(from: data, sourceLayout: layout, to: .sRGB)
        }
      } catch is SafelightError {}
    }
    #expect(readable > 500)
  }
}
