import ColorScience
import FrameCore
import Testing

@Suite("ICC transforms")
struct ICCTransformTests {
  /// Converts one row and returns its 16-bit samples.
  private func convert(
    _ bytes: [UInt8], from profile: ICCProfileData, _ layout: ICCTransform.SourceLayout,
    to space: ColorSpace = .sRGB
  ) throws -> [UInt16] {
    let transform = try ICCTransform(from: profile, sourceLayout: layout, to: space)
    let width = bytes.count / layout.bytesPerPixel
    var output = [UInt16](repeating: 7, count: width * 4)
    bytes.withUnsafeBytes { source in
      output.withUnsafeMutableBytes { destination in
        guard let source = source.baseAddress, let destination = destination.baseAddress else { return }
        transform.convert(
          rows: 1, width: width, from: source, sourceRowBytes: bytes.count, to: destination,
          destinationRowBytes: width * 8)
      }
    }
    return output
  }

  private func expectNear(
    _ samples: ArraySlice<UInt16>, _ expected: SIMD3<Double>, within tolerance: Double, _ comment: Comment
  ) {
    for (sample, value) in zip(samples, [expected.x, expected.y, expected.z]) {
      #expect(abs(Double(sample) / 65535 - value) <= tolerance, comment)
    }
  }

  @Test("An RGB profile comes out as our own matrices and curves make it, alpha copied")
  func rgb() throws {
    let profile = try ColorSpace.displayP3.iccProfile()
    let pixels: [UInt8] = [0, 0, 0, 0, 255, 255, 255, 255, 200, 120, 100, 17, 90, 100, 140, 128]
    let output = try convert(pixels, from: profile, .rgba8, to: .adobeRGB)
    let toAdobe = ColorSpace.displayP3.matrix(to: .adobeRGB)
    for pixel in 0..<4 {
      let encoded =
        SIMD3(
          Double(pixels[pixel * 4]), Double(pixels[pixel * 4 + 1]), Double(pixels[pixel * 4 + 2])) / 255
      let expected = ColorSpace.adobeRGB.encode(toAdobe * ColorSpace.displayP3.decode(encoded))
      expectNear(output[(pixel * 4)..<(pixel * 4 + 3)], expected, within: 1e-3, "pixel \(pixel)")
      #expect(output[pixel * 4 + 3] == UInt16(pixels[pixel * 4 + 3]) * 257)
    }
  }

  @Test("16-bit RGB is converted likewise")
  func rgb16() throws {
    let samples: [UInt16] = [51400, 30840, 25700, 1234]
    let bytes = samples.withUnsafeBytes { Array($0) }
    let output = try convert(bytes, from: ColorSpace.displayP3.iccProfile(), .rgba16, to: .adobeRGB)
    let encoded = SIMD3(51400.0, 30840, 25700) / 65535
    let linear = ColorSpace.displayP3.matrix(to: .adobeRGB) * ColorSpace.displayP3.decode(encoded)
    expectNear(output[0..<3], ColorSpace.adobeRGB.encode(linear), within: 3e-4, "16 bit")
    #expect(output[3] == 1234)
  }

  @Test("Grey becomes neutral RGB through its curve, with full alpha")
  func gray() throws {
    let profile = ICCProfileBuilder.gray(curve: ICCProfileBuilder.gamma(563)).data
    let levels: [UInt8] = [0, 1, 64, 128, 200, 255]
    let output = try convert(levels, from: profile, .gray8)
    for (index, level) in levels.enumerated() {
      let light = TransferFunction.gamma(563.0 / 256).decode(Double(level) / 255)
      let expected = SIMD3<Double>(repeating: TransferFunction.sRGB.encode(light))
      expectNear(output[(index * 4)..<(index * 4 + 3)], expected, within: 2e-3, "level \(level)")
      #expect(output[index * 4 + 3] == 65535)
    }
    let deep = [UInt16(32768)].withUnsafeBytes { Array($0) }
    let light = TransferFunction.gamma(563.0 / 256).decode(32768.0 / 65535)
    let expected = SIMD3<Double>(repeating: TransferFunction.sRGB.encode(light))
    expectNear(try convert(deep, from: profile, .gray16)[0..<3], expected, within: 1e-3, "16 bit")
  }

  @Test("CMYK goes through the profile's table; paper is white and full ink black, inverted or not")
  func cmyk() throws {
    // Black ink alone, and all inks, are L* 0; no ink is paper; cyan alone is L* 60, a* -20, b* -20.
    let profile = ICCProfileBuilder.cmyk { inks in
      if inks[3] == 1 { return SIMD3(0, 0, 0) }
      return inks == [1, 0, 0, 0]
        ? SIMD3(60, -20, -20) : inks == [0, 0, 0, 0] ? SIMD3(100, 0, 0) : SIMD3(30, 0, 0)
    }.data
    let pixels: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0]
    let output = try convert(pixels, from: profile, .cmyk8)
    expectNear(output[0..<3], SIMD3(1, 1, 1), within: 2e-3, "paper")
    expectNear(output[4..<7], SIMD3(0, 0, 0), within: 2e-3, "black")
    // colour-science 0.4.7: XYZ_to_sRGB(Lab_to_XYZ([60, -20, -20], D50), D50, "Bradford").
    expectNear(output[8..<11], SIMD3(0.302269, 0.610603, 0.702234), within: 4e-3, "cyan")
    #expect([output[3], output[7], output[11]] == [65535, 65535, 65535])
    let inverted = try convert(pixels.map { 255 - $0 }, from: profile, .cmyk8Inverted)
    for (plain, turned) in zip(output, inverted) { #expect(abs(Int(plain) - Int(turned)) <= 2) }
  }

  @Test("Rows are found by their strides, and nothing is written beside them")
  func strides() throws {
    let profile = ICCProfileBuilder.gray(curve: ICCProfileBuilder.gamma(256)).data
    let transform = try ICCTransform(from: profile, sourceLayout: .gray8, to: .linearSRGB)
    let source: [UInt8] = [0, 255, 99, 255, 0, 99]
    var output = [UInt16](repeating: 7, count: 24)
    source.withUnsafeBytes { source in
      output.withUnsafeMutableBytes { destination in
        guard let source = source.baseAddress, let destination = destination.baseAddress else { return }
        transform.convert(
          rows: 2, width: 2, from: source, sourceRowBytes: 3, to: destination, destinationRowBytes: 24)
      }
    }
    #expect(output[0] == 0 && output[3] == 65535 && output[4] > 65500)
    #expect(output[12] > 65500 && output[16] == 0 && output[19] == 65535)
    #expect(output[8..<12].allSatisfy { $0 == 7 } && output[20...].allSatisfy { $0 == 7 })
  }

  @Test("Threads that share a transform get what one thread gets")
  func concurrency() async throws {
    let profile = ICCProfileBuilder.cmyk { inks in SIMD3(100 - 25 * inks.reduce(0, +), 10 * inks[1], 0) }.data
    let transform = try ICCTransform(from: profile, sourceLayout: .cmyk8, to: .sRGB)
    let results = await withTaskGroup(of: [UInt16].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let source = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ $0 / 5) }
          var output = [UInt16](repeating: 0, count: 4096)
          for _ in 0..<20 {
            source.withUnsafeBytes { source in
              output.withUnsafeMutableBytes { destination in
                guard let source = source.baseAddress, let destination = destination.baseAddress else {
                  return
                }
                transform.convert(
                  rows: 4, width: 256, from: source, sourceRowBytes: 1024, to: destination,
                  destinationRowBytes: 2048)
              }
            }
          }
          return output
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(results).count == 1)
    #expect(Set(results[0]).count > 100)
  }

  @Test("A layout that is not the profile's is refused with both models")
  func wrongModel() {
    let profile = ICCProfileBuilder.gray(curve: ICCProfileBuilder.gamma(563)).data
    let error = #expect(throws: SafelightError.self) {
      try ICCTransform(from: profile, sourceLayout: .cmyk8, to: .sRGB)
    }
    #expect(
      error?.description
        == "The ICC profile \"Test grey\" is for grey, but the picture is CMYK; strip or replace the picture's profile."
    )
  }

  @Test("A profile without the tags to convert from it is refused")
  func missingTable() {
    var builder = ICCProfileBuilder.cmyk { _ in SIMD3(50, 0, 0) }
    builder.tags.removeLast()
    let error = #expect(throws: SafelightError.self) {
      try ICCTransform(from: builder.data, sourceLayout: .cmyk8, to: .sRGB)
    }
    #expect(error?.code == .corruptData)
    #expect(error?.problem.hasPrefix("The ICC profile \"Test CMYK\" cannot be converted from") == true)
  }
}
