import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@Suite("Soft proofs of edits")
struct ProofTests {
  /// A device with less of green than sRGB.
  private static let narrow = ColorSpace(
    name: "Narrow",
    primaries: RGBPrimaries(
      red: Chromaticity(x: 0.6, y: 0.34), green: Chromaticity(x: 0.32, y: 0.5),
      blue: Chromaticity(x: 0.17, y: 0.1), white: .d65),
    transfer: .gamma(2.2))

  @Test("The result is as the device would show it, and what it cannot show becomes grey")
  func shown() throws {
    let scratch = try Scratch()
    let green = try PixelBuffer(size: PixelSize(width: 8, height: 8), format: .rgba8)
    for y in 0..<8 {
      let row = green.row(y, as: UInt8.self)
      for x in 0..<8 {
        for (channel, value) in [20, 250, 30, 255].enumerated() { row[4 * x + channel] = UInt8(value) }
      }
    }
    try scratch.save(green, as: "green.png")
    try scratch.write(Self.narrow.iccProfile().bytes, to: "narrow.icc")
    func edit(_ flags: [String]) throws -> SIMD3<Int> {
      let edit = try Program.run(
        ["edit", "green.png", "-o", "out.png", "--overwrite", "--proof", "narrow.icc"] + flags, in: scratch)
      #expect(edit.exitCode == 0, "\(edit.errors)")
      let photo = try Photo(contentsOf: scratch("out.png"))
      let row = photo.buffer.row(4, as: UInt8.self)
      return withExtendedLifetime(photo.buffer) { SIMD3(Int(row[16]), Int(row[17]), Int(row[18])) }
    }
    let proofed = try edit([])
    // Its green is paler, and as light.
    #expect(proofed.x > 100 && proofed.z > 80 && proofed.y > 200, "\(proofed)")
    let marked = try edit(["--gamut-warning"])
    for channel in 0..<3 { #expect(abs(marked[channel] - 128) < 6, "\(marked)") }
    #expect(try edit(["--verbose"]) == proofed)
    let told = try Program.run(
      ["edit", "green.png", "-o", "out.png", "--overwrite", "--proof", "narrow.icc", "--gamut-warning"],
      in: scratch)
    #expect(
      told.errors.contains("100.0 % of the picture is beyond what narrow.icc reproduces"), "\(told.errors)")
    let report = try Program.run(
      [
        "edit", "green.png", "-o", "out.png", "--overwrite", "--proof", "narrow.icc", "--gamut-warning",
        "--json",
      ],
      in: scratch)
    #expect(report.output.contains("\"beyondGamut\" : 1"), "\(report.output)")
    #expect(try edit(["--intent", "perceptual"]) == proofed)
  }

  @Test("What is no profile, or is missing, is named, and nothing is written")
  func refused() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    for (file, sentence) in [
      ("photo.png", "photo.png cannot be proofed: "), ("none.icc", "Cannot read none.icc: "),
    ] {
      let edit = try Program.run(["edit", "photo.png", "-o", "out.png", "--proof", file], in: scratch)
      #expect(edit.exitCode == 1)
      #expect(edit.error?.hasPrefix(sentence) ?? false, "\(edit.errors)")
    }
    #expect(try scratch.names == ["photo.png"])
  }
}
