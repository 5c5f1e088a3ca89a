import LibraryTestSupport
import Safelight
import Testing

@Suite("Edits")
struct EditTests {
  @Test(
    "Every format is written with 8 bits, and with 16 where it can hold them",
    .everyFormatIsWritable, arguments: PhotoFileFormat.allCases)
  func formats(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(64, 48), as: "8.png")
    try scratch.save(gradient(64, 48, format: .rgba16), as: "16.png")
    for pathExtension in format.pathExtensions + [format.pathExtensions[0].uppercased()] {
      for bits in [8, 16] {
        let name = "out\(bits).\(pathExtension)"
        let edit = try Program.run(
          ["edit", "\(bits).png", "-o", name, "--exposure", "-0.5", "--quality", "95"], in: scratch)
        #expect(edit.exitCode == 0, "\(name): \(edit.errors)")
        let photo = try scratch.photo(name)
        #expect(photo.fileFormat == format)
        #expect(photo.buffer.format == (format.bitDepths.contains(bits) && bits == 16 ? .rgba16 : .rgba8))
        // Column 32 of 64 is 32/63; half a stop darker, encode(decode(32/63) · 2^-0.5) = 0.4330 (IEC 61966-2-1).
        let full = photo.buffer.format == .rgba16 ? 65_535.0 : 255
        let middle = Double(pixel(photo.buffer, 32, 20)[0]) / full
        let isLossless = format == .png || format == .tiff
        #expect(abs(middle - 0.433) < (isLossless ? 0.004 : 0.03), "\(name): \(middle)")
      }
    }
  }

  @Test("16 bits with alpha survive: no sample of the result is rounded to 8 bits, and alpha is as it was")
  func deepAlpha() throws {
    let scratch = try Scratch()
    let source = try gradient(61, 47, format: .rgba16, alpha: .straight)
    try scratch.save(source, as: "deep.png")
    for name in ["out.png", "out.tif"] {
      let edit = try Program.run(["edit", "deep.png", "-o", name, "--exposure", "0.01"], in: scratch)
      #expect(edit.exitCode == 0, "\(edit.errors)")
      let result = try scratch.photo(name).buffer
      #expect(result.format == .rgba16 && result.alpha == .straight)
      #expect((0..<61).allSatisfy { pixel(result, $0, 20)[3] == pixel(source, $0, 20)[3] }, "\(name)")
      // An 8-bit detour would leave multiples of 257 only.
      #expect((0..<61).filter { pixel(result, $0, 20)[0] % 257 != 0 }.count > 40, "\(name)")
    }
    let flat = try Program.run(["edit", "deep.png", "-o", "out.jpg"], in: scratch)
    #expect(flat.exitCode == 0)
    #expect(flat.errors == "Warning: JPEG stores no alpha; the picture was flattened onto white.\n")
  }

  /// Where the stored pixel (row, column) is seen in an upright picture of `size` (EXIF 2.32, tag 274: what the
  /// stored 0th row and 0th column are).
  private func seen(_ orientation: Int, _ row: Int, _ column: Int, in size: PixelSize) -> (x: Int, y: Int) {
    let (right, bottom) = (size.width - 1, size.height - 1)
    switch orientation {
    case 1: return (column, row)  // top, left
    case 2: return (right - column, row)  // top, right
    case 3: return (right - column, bottom - row)  // bottom, right
    case 4: return (column, bottom - row)  // bottom, left
    case 5: return (row, column)  // left, top
    case 6: return (right - row, column)  // right, top
    case 7: return (right - row, bottom - column)  // right, bottom
    default: return (row, bottom - column)  // left, bottom
    }
  }

  @Test("A photo in any EXIF orientation comes out upright, and says so", arguments: 1...8)
  func orientation(value: Int) throws {
    let scratch = try Scratch()
    let upright = PixelSize(width: 48, height: 32)
    let colors = [
      [200, 40, 40], [40, 200, 40], [40, 40, 200], [200, 200, 40], [200, 40, 200], [40, 200, 200],
    ]
    // Blocks of 16 pixels, which JPEG keeps apart in every orientation.
    func color(_ x: Int, _ y: Int) -> [Int] { colors[y / 16 * 3 + x / 16] }
    let turned = value > 4
    let stored = try picture(turned ? 32 : 48, turned ? 48 : 32) { column, row in
      let place = seen(value, row, column, in: upright)
      return color(place.x, place.y).map { $0 << 8 } + [65_535]
    }
    try scratch.save(stored, as: "plain.jpg")
    try scratch.write(JPEGFile(bytes: scratch.read("plain.jpg")).oriented(UInt8(value)), to: "photo.jpg")
    #expect(try JPEGFile(bytes: scratch.read("photo.jpg")).orientation == value)

    let edit = try Program.run(["edit", "photo.jpg", "-o", "out.jpg", "--quality", "100"], in: scratch)
    #expect(edit.exitCode == 0, "\(edit.errors)")
    let result = try scratch.photo("out.jpg")
    #expect(result.buffer.size == upright)
    for y in stride(from: 8, to: 32, by: 16) {
      for x in stride(from: 8, to: 48, by: 16) {
        let difference = zip(pixel(result.buffer, x, y), color(x, y)).map { abs($0 - $1) }.max() ?? 255
        #expect(difference <= 4, "\(x), \(y): \(pixel(result.buffer, x, y))")
      }
    }
    #expect(try JPEGFile(bytes: scratch.read("out.jpg")).orientation == 1)
  }

  @Test("Metadata survive: the maker's name and note, and none of the old thumbnail or size")
  func metadata() throws {
    let scratch = try Scratch()
    try scratch.copy(fuzz: "good-exif.jpg", to: "photo.jpg")
    let edit = try Program.run(["edit", "photo.jpg", "-o", "out.jpg", "--exposure", "0.5"], in: scratch)
    #expect(edit.exitCode == 0, "\(edit.errors)")
    let exif = try #require(try JPEGFile(bytes: scratch.read("out.jpg")).exif)
    func holds(_ text: String) -> Bool { exif.firstRange(of: Array(text.utf8)) != nil }
    #expect(holds("Safelight Works") && holds("MAKER NOTE with offsets of its own!!"))
    #expect(!holds("the unedited picture"))
    // The file said 4000 × 3000 (0x0FA0, 0x0BB8), big-endian; the picture is 16 × 16.
    #expect(exif.firstRange(of: [0x0F, 0xA0]) == nil && exif.firstRange(of: [0x0B, 0xB8]) == nil)
  }

  @Test("The profile stays byte for byte, unless --color-space asks for another")
  func profile() throws {
    let scratch = try Scratch()
    let displayP3 = try ColorSpace.displayP3.iccProfile().bytes
    // sRGB's pure red is (0.9175, 0.2003, 0.1386) in Display P3 (colour-science 0.4.7, RGB_to_RGB).
    try scratch.save(
      picture(32, 32, tags: .icc(displayP3)) { _, _ in [234 << 8, 51 << 8, 35 << 8, 65_535] }, as: "p3.jpg")
    #expect(try JPEGFile(bytes: scratch.read("p3.jpg")).profile == displayP3)

    #expect(try Program.run(["edit", "p3.jpg", "-o", "keep.jpg"], in: scratch).exitCode == 0)
    #expect(try JPEGFile(bytes: scratch.read("keep.jpg")).profile == displayP3)
    #expect(try isNear(pixel(scratch.photo("keep.jpg").buffer, 16, 16), [234, 51, 35], 2))

    #expect(
      try Program.run(
        ["edit", "p3.jpg", "-o", "srgb.jpg", "--color-space", "srgb", "--quality", "100"], in: scratch
      ).exitCode == 0)
    let replaced = try #require(try JPEGFile(bytes: scratch.read("srgb.jpg")).profile)
    #expect(replaced != displayP3)
    #expect(try ICCProfile.parse(ICCProfileData(replaced)).colorSpace == .sRGB)
    #expect(try isNear(pixel(scratch.photo("srgb.jpg").buffer, 16, 16), [255, 0, 0], 3))
  }

  private func isNear(_ pixel: [Int], _ expected: [Int], _ tolerance: Int) -> Bool {
    zip(pixel, expected).allSatisfy { abs($0 - $1) <= tolerance }
  }

  @Test("The CPU renderer stays within 2 of 255 of the reference, and a baked table within its bound")
  func backends() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(96, 64), as: "photo.png")
    let flags = ["--exposure", "0.4", "--straighten", "2", "--crop", "4:5"]
    func render(_ flags: [String]) throws -> (cpu: PixelBuffer, reference: PixelBuffer) {
      for backend in ["cpu", "reference", "auto"] {
        let edit = try Program.run(
          ["edit", "photo.png", "-o", backend + ".png", "--overwrite", "--backend", backend] + flags,
          in: scratch)
        #expect(edit.exitCode == 0, "\(edit.errors)")
      }
      #expect(try scratch.read("auto.png") == scratch.read("cpu.png"))
      return (try scratch.photo("cpu.png").buffer, try scratch.photo("reference.png").buffer)
    }
    let exact = try render(flags)
    #expect((largestDifference(exact.cpu, exact.reference) ?? 255) <= 2)

    let baked = try render(flags + ["--contrast", "20", "--preset", "teal-orange"])
    var differences: [Double] = []
    for y in 0..<baked.cpu.height {
      for x in 0..<baked.cpu.width {
        differences.append(deltaE2000(lab(baked.cpu, x, y), lab(baked.reference, x, y)))
      }
    }
    // The table's bound is 1.0; rounding both sides to 8 bits adds up to as much in dark, saturated colours.
    #expect(differences.max() ?? 9 <= 2)
    #expect(differences.reduce(0, +) / Double(differences.count) <= 0.25)
  }

  private func lab(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> SIMD3<Double> {
    let samples = pixel(buffer, x, y).map { Double($0) / 255 }
    let linear = ColorSpace.sRGB.decode(SIMD3(samples[0], samples[1], samples[2]))
    return CIELab.fromXYZ(ColorSpace.sRGB.toXYZ * linear, white: RGBPrimaries.bt709.white)
  }

  @Test("--json is JSON with the steps' times, the plan and the warnings")
  func json() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(96, 64, alpha: .straight), as: "photo.png")
    let edit = try Program.run(
      ["edit", "photo.png", "-o", "out.jpg", "--preset", "vivid", "--resize", "200", "--json"], in: scratch)
    #expect(edit.exitCode == 0)
    #expect(edit.errors == "")
    let report = try JSONReport(edit.output)
    #expect(report["output"] as? String == "out.jpg")
    #expect(report["width"] as? Int == 200 && report["height"] as? Int == 133)
    #expect(report["backend"] as? String == "cpu")
    let steps = try #require(report["steps"] as? [[String: Any]])
    #expect(
      steps.compactMap { $0["name"] as? String } == ["open", "plan", "decode", "render", "encode", "write"])
    #expect(steps.allSatisfy { ($0["milliseconds"] as? Double ?? -1) >= 0 })
    let total = try #require(report["milliseconds"] as? Double)
    let other = try #require(report["otherMilliseconds"] as? Double)
    let saved = try #require(report["savedMilliseconds"] as? Double)
    let sum = steps.reduce(other - saved) { $0 + ($1["milliseconds"] as? Double ?? 0) }
    #expect(total > 0 && abs(sum - total) < 0.01, "\(sum), \(total)")
    #expect(report["bytes"] as? Int == (try scratch.read("out.jpg").count) && report["quality"] as? Int == 92)
    let plan = try #require(report["plan"] as? [String: Any])
    #expect((plan["stages"] as? [Any])?.isEmpty == false)
    #expect(plan["text"] as? String == (try planText(["--preset", "vivid", "--resize", "200"], in: scratch)))
    let warnings = try #require(report["warnings"] as? [String])
    #expect(
      warnings == [
        "resize enlarges the picture from 96×64",
        "JPEG stores no alpha; the picture was flattened onto white",
      ])
  }

  /// The plan alone, as `safelight plan` prints it for the photo.
  private func planText(_ flags: [String], in scratch: Scratch) throws -> String? {
    let plan = try Program.run(["plan", "photo.png", "--json"] + flags, in: scratch)
    return try JSONReport(plan.output)["text"] as? String
  }

  @Test("One line says where the result is, its size and where the time went")
  func line() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(96, 64), as: "photo.png")
    let edit = try Program.run(["edit", "photo.png", "-o", "out.jpg", "--crop", "square"], in: scratch)
    #expect(edit.errors == "")
    #expect(
      edit.output.wholeMatch(
        of:
          /out\.jpg  64×64  [0-9.]+ (bytes|kB)  quality 92  [a-z]+ [0-9.]+( \+ [a-z]+ [0-9.]+)*( − side by side [0-9.]+)? = [0-9.]+ ms\n/
      ) != nil,
      "\(edit.output)")
    let lossless = try Program.run(["edit", "photo.png", "-o", "out.tiff", "--crop", "square"], in: scratch)
    #expect(lossless.output.hasPrefix("out.tiff  64×64  ") && !lossless.output.contains("quality"))
  }
}
