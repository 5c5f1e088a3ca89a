import ColorScience
import FrameCore
import TestSupport
import Testing

@Suite("Reading .cube files")
struct CubeFileTests {
  /// Two nodes an edge, the identity.
  static let rows = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"

  static func read(_ text: String) throws -> ColorLUT {
    try ColorLUT(cube: Array(text.utf8), name: "x.cube")
  }

  // Made by Fixtures/generate.py with PyOpenColorIO 2.6.0: float, tetrahedral, no optimization.
  @Test(
    "Colours come out as OpenColorIO makes them",
    arguments: [
      ("unit", "6³", 200), ("domain", "5³", 200), ("resolve", "1D 33 + 4³", 200), ("curves", "1D 17", 120),
    ])
  func agreesWithOpenColorIO(name: String, size: String, count: Int) throws {
    let lut = try ColorLUT(cube: Fixtures.bytes("\(name).cube"), name: name)
    #expect(lut.sizeDescription == size)
    let expectations = try Fixtures.expectations(name)
    #expect(expectations.count == count)
    for (input, output) in expectations {
      #expect(distance(lut.evaluate(input), output) < 1e-5, "at \(input)")
    }
  }

  @Test("Title, sizes and domain are taken from the header")
  func header() throws {
    let lut = try ColorLUT(cube: Fixtures.bytes("domain.cube"), name: "domain.cube")
    #expect(lut.title == "Twisted, own domain")
    #expect(lut.cube?.domainMin == SIMD3(-0.1, 0, 0.05))
    #expect(lut.cube?.domainMax == SIMD3(1.5, 2, 1.2))
    let resolve = try ColorLUT(cube: Fixtures.bytes("resolve.cube"), name: "resolve.cube")
    #expect(resolve.shaper?.domainMin == SIMD3(repeating: -0.25))
    #expect(resolve.shaper?.domainMax == SIMD3(repeating: 4))
    #expect(resolve.cube?.domainMin == SIMD3(repeating: -0.1))
  }

  /// The same cube, spelled differently.
  static let spellings: [String] = {
    let file = "LUT_3D_SIZE 2\n" + rows
    return [
      file,
      "\u{FEFF}" + file,
      file.replacing("\n", with: "\r\n"),
      file.replacing("\n", with: "\r"),
      String(file.dropLast()),
      "\t " + file.replacing(" ", with: "\t ").replacing("\n", with: " \n \t# between\n\n\t"),
      "# first\nlut_3d_size 2\n" + rows,
      "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 1.0 1e0 10E-1\n" + file,
      "LUT_3D_INPUT_RANGE 0.0 1.0\n" + file + "\n# the end",
      "LUT_3D_SIZE 2\n" + rows.replacing("0 0", with: ".0 -0.e3").replacing("1", with: "+1.000E+00"),
    ]
  }()

  @Test("Layouts that programs write are all read", arguments: spellings)
  func layouts(text: String) throws {
    let cube = try #require(try Self.read(text).cube)
    #expect(cube.nodes == (try #require(try Self.read("LUT_3D_SIZE 2\n" + Self.rows).cube)).nodes)
    #expect(cube.domainMin == SIMD3(0, 0, 0) && cube.domainMax == SIMD3(1, 1, 1))
  }

  @Test("A title may be empty, unquoted, or in any script")
  func titles() throws {
    #expect(try Self.read("TITLE \"Grün – 夜\"\nLUT_3D_SIZE 2\n" + Self.rows).title == "Grün – 夜")
    #expect(try Self.read("TITLE plain  words \nLUT_3D_SIZE 2\n" + Self.rows).title == "plain  words")
    #expect(try Self.read("TITLE \"\"\nLUT_3D_SIZE 2\n" + Self.rows).title == "")
    #expect(try Self.read("LUT_3D_SIZE 2\n" + Self.rows).title == "")
  }

  @Test(
    "Numbers are the nearest floats, however they are written",
    arguments: [
      "0", "-0", "1", "0.1", "0.333333", ".5", "5.", "+.25e2", "1e-7", "123456789",
      "0.123456789012345678901234567890",
      "1.00000005960464477539062500000", "1.00000005960464477539062500001", "1.0000000596046447753906249",
      "3.4028235e38", "1.17549435e-38", "1e-40", "1.4e-45", "1e-60", "99999999999999999999e-20", "16777217",
      "0.000000000000000000000000000000000001e36", "1e00000000000000000001", "9007199254740993",
    ])
  func numbers(literal: String) throws {
    // The standard library's conversion is the independent source; it does not go through our scanner.
    let expected = try #require(Float(literal))
    let lut = try Self.read(
      "LUT_1D_SIZE 2\n\(literal) 0 0\n1 1 -\(literal.drop { $0 == "+" || $0 == "-" })\n")
    #expect(lut.shaper?.samples[0].x.bitPattern == expected.bitPattern)
  }

  @Test("Random numbers in many spellings are the nearest floats")
  func randomNumbers() throws {
    var generator = SeededRandom(seed: 11)
    var literals: [String] = []
    for _ in 0..<3000 {
      let digits = Int.random(in: 1...22, using: &generator)
      var literal = Bool.random(using: &generator) ? "-" : ""
      let point = Int.random(in: 0...digits, using: &generator)
      for index in 0..<digits {
        if index == point { literal += "." }
        literal += String(Int.random(in: 0...9, using: &generator))
      }
      if Bool.random(using: &generator) { literal += "e\(Int.random(in: -48...12, using: &generator))" }
      literals.append(literal)
    }
    let text = "LUT_1D_SIZE \(literals.count)\n" + literals.map { "\($0) 0 0\n" }.joined()
    let samples = try #require(try Self.read(text).shaper).samples
    for (literal, sample) in zip(literals, samples) {
      #expect(sample.x.bitPattern == Float(literal)?.bitPattern, "\(literal)")
    }
  }
}
