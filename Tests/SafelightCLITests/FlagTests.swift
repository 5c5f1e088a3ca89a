import LibraryTestSupport
import Safelight
import Testing

@Suite("Flags")
struct FlagTests {
  @Test(
    "A wrong value is refused with exit code 64 and a sentence that names what is accepted",
    arguments: [
      (["--exposure", "6"], "exposure is 6, outside its range; give a value in -5…5 EV."),
      (["--exposure", "-5.01"], "exposure is -5.01, outside its range; give a value in -5…5 EV."),
      (["--exposure", "nan"], "exposure is not a number; give a value in -5…5 EV."),
      (["--exposure", "1e999"], "exposure is not a number; give a value in -5…5 EV."),
      (["--contrast", "soft"], "contrast is “soft”, which is not a number; write it like 0.5 or -20."),
      (["--temperature", "100"], "temperature is 100, outside its range; give a value in 2000…25000 K."),
      (["--straighten", "46"], "straighten is 46, outside its range; give a value in -45…45 °."),
      (["--saturation", "-101"], "saturation is -101, outside its range; give a value in -100…100 %."),
      (
        ["--curve", "0,0 0.6,0.4 0.5,0.7 1,1"],
        "curve has the points 0.6,0.4 0.5,0.7, the second of which is not to the right of the first; order them from left to right, at least 0.01 apart."
      ),
      (
        ["--curve-red", "0,0.5 1,0.2"],
        "curve-red has the points 0,0.5 1,0.2, between which it falls; let y stay the same or rise from point to point."
      ),
      (["--cdl-slope", "1,-1,1"], "cdl-slope has -1, outside its range; give numbers in 0…100."),
      (
        ["--resize", "-1"],
        "Cannot resize to “-1”: an edge has 1…65535 px; write 2048 for the longer edge, 1600x1200 to fit into, or 50%."
      ),
      (["--resize", "99999999999999999999"], "an edge has 1…65535 px; "),
      (["--resize", "0%"], "Cannot resize to “0%”: a percentage is 0.01…10000; "),
      (
        ["--max-size", "50%"],
        "a long edge or a box of 1…65535 px is needed; write it like 2048 or 1600x1200."
      ),
      (
        ["--format", "png"],
        "--format asks for PNG, but out.jpg is the name of a JPEG file; leave the flag out, or give a name with .png."
      ),
      (
        ["--strength", "101", "--preset", "noir"],
        "strength is 101, outside its range; give a value in 0…100 %."
      ),
      (
        ["--strength", "nan", "--preset", "noir"],
        "strength is nan, outside its range; give a value in 0…100 %."
      ),
      (["--quality", "0"], "quality is 0, outside its range; give a value in 1…100."),
      (["--compare", "split", "--split", "1.5"], "split is 1.5, outside its range; give a value in 0…1."),
      (
        ["--rotate", "45"],
        "rotate is “45”, which is not one of its choices; give 0 (None), 90 (90° clockwise), 180 (Half turn) or 270 (90° counterclockwise); use --straighten for small angles."
      ),
      (
        ["--flip", "d"],
        "flip is “d”, which is not one of its choices; give none, h (Left–right) or v (Top–bottom)."
      ),
      (
        ["--crop", "4:"],
        "Cannot crop to “4:”: the proportions are not two positive numbers; "
          + "write 4:5, 16:9@0.5,0.2, square, or X,Y,WIDTH,HEIGHT in pixels."
      ),
      (
        ["--crop", "4:5@2,0"],
        "Cannot crop to “4:5@2,0”: the place after @ is not two numbers in 0…1; "
          + "write 4:5, 16:9@0.5,0.2, square, or X,Y,WIDTH,HEIGHT in pixels."
      ),
      (
        ["--crop", "1,2,3"],
        "Cannot crop to “1,2,3”: it is neither proportions nor four whole numbers; "
          + "write 4:5, 16:9@0.5,0.2, square, or X,Y,WIDTH,HEIGHT in pixels."
      ),
      (["--crop", "0,0,0,5"], "Cannot crop to “0,0,0,5”: width and height must be positive; "),
      (
        ["--preset", "golden-our"],
        "Unknown preset “golden-our”; did you mean “golden-hour”? Known: bleach-bypass, "
      ),
      (["--preset", "sepia"], "Unknown preset “sepia”; known: bleach-bypass, "),
      (
        ["--lut-encoding", "foo"],
        "lut-encoding is “foo”, which is not one of its choices; give srgb, rec709 (Rec. 709), display-p3 (Display P3), adobe-rgb (Adobe RGB), rec2020 (Rec. 2020), linear, s-log3 (S-Log3 / S-Gamut3.Cine), v-log (V-Log / V-Gamut), log-c3 (ARRI LogC3 / Wide Gamut 3), log-c4 (ARRI LogC4 / Wide Gamut 4), f-log (F-Log / F-Gamut), f-log2 (F-Log2 / F-Gamut), c-log2 (Canon Log 2 / Cinema Gamut), c-log3 (Canon Log 3 / Cinema Gamut), n-log (N-Log / Rec. 2020), apple-log (Apple Log / Rec. 2020) or d-log (D-Log / D-Gamut); DJI has not published D-Log M, so it is not among them."
      ),
      (["--compare", "foo"], "Please provide one of 'split', 'side', 'wipe' or 'difference'."),
      (
        ["--color-space", "foo"],
        "The value 'foo' is invalid for '--color-space <space>'. Please provide one of the following:"
      ),
      (["--backend", "gpu"], "Please provide one of 'auto', 'cpu', 'vulkan' or 'reference'."),
      (["--gpu", ""], "“” names no GPU; give its number or a part of its name, as --gpu list shows them."),
      (
        ["--gpu", "-1"], "“-1” names no GPU; give its number or a part of its name, as --gpu list shows them."
      ),
      (["--expsure", "1"], "Unknown option '--expsure'. Did you mean '--exposure'?"),
      (["--exposure"], "Missing value for '--exposure <EV>'"),
    ])
  func wrongValue(flags: [String], sentence: String) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    let edit = try Program.run(["edit", "photo.png", "-o", "out.jpg"] + flags, in: scratch)
    #expect(edit.exitCode == 64, "\(edit.errors)")
    #expect(edit.error?.contains(sentence) ?? false, "\(edit.errors)")
    #expect(try scratch.names == ["photo.png"])
  }

  @Test(
    "A flag that would have no effect is refused",
    arguments: [
      (["--gamut-warning"], "--gamut-warning has no effect without --proof; give both or neither."),
      (["--intent", "perceptual"], "--intent has no effect without --proof; give both or neither."),
      (
        ["--backend", "cpu", "--gpu", "0"],
        "--gpu has no effect with --backend cpu; leave one of them out, or give --backend vulkan."
      ),
      (["--split", "0.3"], "--split has no effect without --compare split; give both or neither."),
      (
        ["--split", "0.3", "--compare", "side"],
        "--split has no effect without --compare split; give both or neither."
      ),
      (["--no-labels"], "--no-labels has no effect without --compare; give both or neither."),
      (
        ["--compare-geometry", "original"],
        "--compare-geometry has no effect without --compare; give both or neither."
      ),
      (["--strength", "50"], "--strength has no effect without --preset or --lut; give one of them."),
      (["--lut-encoding", "linear"], "--lut-encoding has no effect without --lut; give both or neither."),
      (["--in-place"], "--in-place and -o exclude each other; give one of them."),
    ])
  func noEffect(flags: [String], sentence: String) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    let edit = try Program.run(["edit", "photo.png", "-o", "out.jpg"] + flags, in: scratch)
    #expect(edit.error == sentence)
    #expect(edit.exitCode == 64)
    #expect(try scratch.names == ["photo.png"])
  }

  @Test("Neither -o nor --in-place")
  func nowhere() throws {
    let edit = try Program.run(["edit", "photo.png"], in: Scratch())
    #expect(edit.error == "Missing the output; give -o OUT, or --in-place to replace the original.")
    #expect(edit.exitCode == 64)
  }

  @Test(
    "A crop outside the picture names the picture's size, also after other geometry",
    arguments: [
      (["--crop", "0,0,41,30"], "0,0,41,30", "40×30"),
      (["--crop", "-1,0,5,5"], "-1,0,5,5", "40×30"),
      (["--crop", "9223372036854775807,0,1,1"], "9223372036854775807,0,1,1", "40×30"),
      (["--rotate", "90", "--crop", "0,0,40,30"], "0,0,40,30", "30×40"),
    ])
  func cropOutside(flags: [String], crop: String, size: String) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "photo.png")
    let sides = size.split(separator: "×")
    let edit = try Program.run(["edit", "photo.png", "-o", "out.jpg"] + flags, in: scratch)
    #expect(
      edit.errors
        == "Error: The crop \(crop) reaches outside the picture, which is \(size) at this point; "
        + "keep X + WIDTH within \(sides[0]) and Y + HEIGHT within \(sides[1]).\n")
    #expect(edit.exitCode == 1)
    #expect(try scratch.names == ["photo.png"])
  }

  @Test("Every parameter of the catalog with a flag is in the help of edit and of plan, with its range")
  func catalog() throws {
    let scratch = try Scratch()
    for command in ["edit", "plan"] {
      let help = try Program.run([command, "--help"], in: scratch)
      #expect(help.exitCode == 0)
      let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for filter in FilterCatalog.all {
        for parameter in filter.parameters {
          guard let flag = parameter.flag else { continue }
          #expect(words.contains("--\(flag) <"), "\(command)")
          guard case .number = parameter.kind else { continue }
          #expect(words.contains("(\(parameter.syntax); "), "\(command) --\(flag)")
        }
      }
    }
  }

  @Test("Each flag of the catalog reaches its filter: the plan changes with it")
  func flagsReachFilters() throws {
    let scratch = try Scratch()
    try scratch.write("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n", to: "half.cube")
    for filter in FilterCatalog.all {
      for parameter in filter.parameters {
        guard let flag = parameter.flag else { continue }
        var value = ""
        var companions: [String] = []
        switch (flag, parameter.kind) {
        // Only of camera raws, which --size cannot stand for: `ToneMapTests`, `RawDetailTests`.
        case ("tone-map", _), ("tone-map-contrast", _), ("raw-detail", _): continue
        // A picture of 65535 × 49151 would be too large, which is another test.
        case ("resize", _): value = "200"
        // A name by itself changes nothing.
        case ("lens-name", _): continue
        case ("lens-distortion", _): value = "1.02,0,-0.03"
        case ("lens-center", _): (value, companions) = ("0.05,0", ["--lens-distortion", "1.02,0,-0.03"])
        case ("lens-vignetting", _): value = "-0.3,0,0"
        case ("perspective", _): value = "0.1,0.1 0.9,0.2 0.8,0.9 0,1"
        case ("perspective-proportions", _):
          (value, companions) = ("1:1", ["--perspective", "0.1,0.1 0.9,0.2 0.8,0.9 0,1"])
        // Without one, 45° look beyond the horizon.
        case ("keystone-focal-length", _): (value, companions) = ("100", ["--keystone-vertical", "10"])
        case ("keystone-vertical", _), ("keystone-horizontal", _): value = "10"
        case ("color-noise-reduction-detail", _):
          (value, companions) = ("90", ["--color-noise-reduction", "50"])
        // A colour shows once there is some of it, and regions once they differ.
        case ("grade-blending", _), ("grade-balance", _):
          (value, companions) = ("90", ["--grade-shadows-luminance", "-20"])
        case (_, .number) where flag.hasPrefix("grade-") && flag.hasSuffix("-hue"):
          (value, companions) = ("200", ["--\(flag.dropLast(3))saturation", "20"])
        // Their upper ends are neutral.
        case ("levels-white", _), ("levels-output-white", _): value = "90"
        case ("curve", _), ("curve-luminance", _), ("curve-red", _), ("curve-green", _), ("curve-blue", _):
          value = "0,0 0.25,0.2 1,1"
        case ("cdl-slope", _), ("cdl-power", _): value = "1.1,1,0.9"
        case ("cdl-offset", _): value = "0.02,0,-0.01"
        case ("cdl-encoding", _): (value, companions) = ("linear", ["--cdl-slope", "1.1,1,0.9"])
        case (_, .number(let number)): value = PlainNumber.text(number.range.upperBound)
        case ("rotate", _): value = "90"
        case ("flip", _): value = "h"
        case ("crop", _): value = "square"
        case ("straighten-corners", _): (value, companions) = ("keep", ["--straighten", "3"])
        case ("sharpen-output", _): value = "print"
        case ("lut", _): value = "half.cube"
        case ("input-encoding", _): value = "v-log"
        case ("gamut", _): (value, companions) = ("keep-hue", ["--saturation", "80"])
        case ("lut-output-encoding", _): (value, companions) = ("linear", ["--lut", "half.cube"])
        case ("lut-encoding", _): (value, companions) = ("linear", ["--lut", "half.cube"])
        default: Issue.record("--\(flag) is new: give it a value in this test")
        }
        // The shape of an effect matters only with an amount of it.
        if case .number? = filter.parameters.first?.kind, let amount = filter.parameters.first?.flag,
          flag.hasPrefix(amount + "-")
        {
          companions += ["--\(amount)", "20"]
        }
        let plan = ["plan", "--size", "400x300"] + companions
        let without = try Program.run(plan, in: scratch)
        let with = try Program.run(plan + ["--\(flag)", value], in: scratch)
        #expect(with.exitCode == 0, "--\(flag): \(with.errors)")
        #expect(with.output != without.output, "--\(flag)")
      }
    }
  }

  @Test("SAFELIGHT_SIMD lowers the instruction set, and nonsense in it is an error")
  func instructionSet() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(64, 48), as: "photo.png")
    let arguments = [
      "edit", "photo.png", "-o", "out.png", "--preset", "vivid", "--straighten", "3", "--overwrite",
    ]
    #expect(try Program.run(arguments, in: scratch).exitCode == 0)
    let fast = try scratch.photo("out.png").buffer
    let scalar = try Program.run(
      arguments + ["--json"], in: scratch, environment: ["SAFELIGHT_SIMD": "scalar"])
    #expect(scalar.exitCode == 0)
    #expect(scalar.output.contains(#""instructionSet" : "EMU128""#), "\(scalar.output)")
    #expect(try (largestDifference(scratch.photo("out.png").buffer, fast) ?? 255) <= 1)

    let nonsense = try Program.run(arguments, in: scratch, environment: ["SAFELIGHT_SIMD": "warp"])
    #expect(nonsense.exitCode == 1)
    #expect(nonsense.error?.contains("SAFELIGHT_SIMD") ?? false)
    #expect(nonsense.error?.contains("scalar, sse4, avx2, avx512 or avx512icl") ?? false)
  }
}
