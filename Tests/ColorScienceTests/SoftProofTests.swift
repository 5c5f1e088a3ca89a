import FrameCore
import Testing

@testable import ColorScience

@Suite("Soft proofs")
struct SoftProofTests {
  private static let probes = [
    SIMD3(0.0, 0, 0), SIMD3(1.0, 1, 1), SIMD3(0.5, 0.5, 0.5), SIMD3(0.8, 0.45, 0.4), SIMD3(0.1, 0.9, 0.2),
    SIMD3(1.0, 0, 0), SIMD3(0, 0.2, 1.0),
  ]

  /// A device with the colours of sRGB, whose matrices and curves are our own.
  private func proof(
    _ space: ColorSpace = .sRGB, intent: SoftProof.Intent = .relative
  ) throws -> SoftProof {
    try SoftProof(profile: space.iccProfile(), file: "device.icc", intent: intent)
  }

  @Test("A device with fewer colours shows those that it has, and the others cut to its own")
  func narrower() throws {
    let table = try proof().table(for: .displayP3)
    let (out, back) = (ColorSpace.displayP3.matrix(to: .sRGB), ColorSpace.sRGB.matrix(to: .displayP3))
    for color in Self.probes {
      let device = (out * ColorSpace.displayP3.decode(color)).clamped(lowerBound: .zero, upperBound: .one)
      let expected = ColorSpace.displayP3.encode(back * device)
      let found = table.evaluate(color)
      for channel in 0..<3 {
        // The table's nodes are a step of 8 codes apart, and creases lie between them.
        #expect(abs(found[channel] - expected[channel]) < 0.02, "\(color): \(found) for \(expected)")
      }
    }
  }

  @Test("What the device cannot show becomes grey where that is asked for, and nothing else does")
  func marks() throws {
    var proof = try proof()
    proof.marksGamut = true
    let table = try proof.table(for: .displayP3)
    for color in [SIMD3(0.1, 0.95, 0.1), SIMD3(1.0, 0, 0)] {
      let found = table.evaluate(color)
      for channel in 0..<3 { #expect(abs(found[channel] - 0.5) < 0.02, "\(color): \(found)") }
    }
    for color in Self.probes.prefix(4) {
      let found = table.evaluate(color)
      for channel in 0..<3 { #expect(abs(found[channel] - color[channel]) < 0.02, "\(color): \(found)") }
    }
  }

  @Test("The part of a picture that the device cannot show is counted, without what is transparent")
  func share() throws {
    let picture = try PixelBuffer(size: PixelSize(width: 10, height: 10), format: .rgba8)
    for y in 0..<10 {
      let row = picture.row(y, as: UInt8.self)
      for x in 0..<10 {
        // Green that Display P3 has and sRGB has not; in the last row nobody sees it.
        let isStrong = x < 3
        row[4 * x] = isStrong ? 20 : 120
        row[4 * x + 1] = isStrong ? 250 : 130
        row[4 * x + 2] = isStrong ? 20 : 125
        row[4 * x + 3] = y == 9 && isStrong ? 0 : 255
      }
    }
    let found = try proof().shareBeyondGamut(of: picture, in: .displayP3)
    #expect(abs(found - 27 / 97) < 1e-9)
    #expect(try proof(.displayP3).shareBeyondGamut(of: picture, in: .displayP3) == 0)
  }

  @Test("Paper is darker than the screen's white, and only where it is simulated")
  func paper() throws {
    // A white of L* 90 and a black of L* 15.
    let profile = ICCProfileBuilder.printer(white: SIMD3(90, 0, 4), black: SIMD3(15, 0, 0)).data
    var proof = try SoftProof(profile: profile, file: "matte.icc")
    let screen = try proof.table(for: .sRGB)
    proof.simulatesPaper = true
    let paper = try proof.table(for: .sRGB)
    let white = SIMD3(1.0, 1, 1)
    #expect(screen.evaluate(white).min() > 0.98)
    #expect((0.8..<0.93).contains(paper.evaluate(white).y), "\(paper.evaluate(white))")
    // Yellowish.
    #expect(paper.evaluate(white).z < paper.evaluate(white).x - 0.01)
    #expect(screen.evaluate(.zero).max() < 0.02)
    #expect((0.08..<0.25).contains(paper.evaluate(.zero).y), "\(paper.evaluate(.zero))")
  }

  @Test("Profiles that lead to no device, and intents that they lack, are refused by name")
  func refused() throws {
    let scan = ICCProfileBuilder.cmyk { _ in SIMD3(50, 0, 0) }.data
    #expect(throws: SafelightError.self) { try SoftProof(profile: scan, file: "scan.icc") }
    #expect(throws: SafelightError.self) {
      try SoftProof(profile: ICCProfileData(Array("no profile".utf8)), file: "text.icc")
    }
    // It has relative colours alone.
    let printer = ICCProfileBuilder.printer(white: SIMD3(95, 0, 0), black: SIMD3(10, 0, 0)).data
    do {
      _ = try SoftProof(profile: printer, file: "matte.icc", intent: .saturation)
      Issue.record("taken")
    } catch let error as SafelightError {
      #expect(error.problem == "matte.icc has no conversion for the intent saturation")
      #expect(error.remedy == "use relative, absolute")
    }
  }

  @Test("ProPhoto RGB is that of ISO 22028-2")
  func proPhoto() {
    // ROMM RGB to XYZ under D50, as published in ISO 22028-2 and by Lindbloom.
    let expected = Matrix3x3(
      rows: SIMD3(0.7976749, 0.1351917, 0.0313534), SIMD3(0.2880402, 0.7118741, 0.0000857),
      SIMD3(0, 0, 0.8252100))
    for (row, other) in zip(ColorSpace.proPhoto.toXYZ.rows, expected.rows) {
      for column in 0..<3 { #expect(abs(row[column] - other[column]) < 2e-4) }
    }
  }
}
