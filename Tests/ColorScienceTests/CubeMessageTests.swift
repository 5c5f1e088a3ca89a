import ColorScience
import FrameCore
import Testing

@Suite("Messages about damaged .cube files")
struct CubeMessageTests {
  private static let rows = CubeFileTests.rows
  private static let keywords =
    "TITLE, LUT_1D_SIZE, LUT_3D_SIZE, DOMAIN_MIN, DOMAIN_MAX, LUT_1D_INPUT_RANGE, LUT_3D_INPUT_RANGE"

  static let table: [(text: String, message: String)] = [
    (
      "",
      "x.cube:1: neither LUT_1D_SIZE nor LUT_3D_SIZE comes before the rows; check that this is a .cube file, or add its size."
    ),
    (
      "0 0 0\n1 1 1\n",
      "x.cube:1: neither LUT_1D_SIZE nor LUT_3D_SIZE comes before the rows; check that this is a .cube file, or add its size."
    ),
    (
      "# a\nLUT_4D_SIZE 2\n",
      "x.cube:2: unknown keyword \"LUT_4D_SIZE\"; remove the line; the keywords are \(keywords)."
    ),
    (
      "\u{1}PNG\u{2}\n",
      "x.cube:1: unknown keyword \"?PNG?\"; remove the line; the keywords are \(keywords)."
    ),
    (
      "LUT_3D_SIZE 2\n\nLUT_3D_SIZE 2\n" + rows,
      "x.cube:3: LUT_3D_SIZE is already on line 1; keep one of them."
    ),
    ("LUT_3D_SIZE two\n" + rows, "x.cube:1: \"two\" is not a whole number; write a size like 33."),
    ("LUT_3D_SIZE -2\n" + rows, "x.cube:1: \"-2\" is not a whole number; write a size like 33."),
    (
      "LUT_3D_SIZE\n" + rows,
      "x.cube:1: LUT_3D_SIZE takes one whole number, but the line ends early; add what is missing."
    ),
    (
      "LUT_3D_SIZE 2 2\n" + rows,
      "x.cube:1: LUT_3D_SIZE takes one whole number, but \"2\" follows; remove it."
    ),
    (
      "LUT_3D_SIZE 1\n" + rows,
      "x.cube:1: LUT_3D_SIZE 1 is outside 2…256; export the LUT with a size in this range."
    ),
    (
      "LUT_3D_SIZE 257\n" + rows,
      "x.cube:1: LUT_3D_SIZE 257 is outside 2…256; export the LUT with a size in this range."
    ),
    (
      "LUT_1D_SIZE 300001\n" + rows,
      "x.cube:1: LUT_1D_SIZE 300001 is outside 2…300000; export the LUT with a size in this range."
    ),
    (
      "LUT_3D_SIZE 256\n" + rows,
      "x.cube:1: LUT_3D_SIZE 256 calls for 16777216 rows, and the file's 64 bytes can hold 10 at most; export the LUT again; the file is cut off."
    ),
    (
      "LUT_3D_SIZE 2\n" + rows.dropLast(6),
      "x.cube:8: the file ends after 7 of 8 rows; export the LUT again, or correct its size."
    ),
    (
      "LUT_3D_SIZE 2\n" + rows + "0 0 0\n",
      "x.cube:10: the file goes on after the 8 rows that the sizes call for; correct the size, or remove the excess."
    ),
    (
      "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n" + rows + "# nothing more",
      "x.cube:10: the file ends after 8 of 10 rows; export the LUT again, or correct its size."
    ),
    (
      "LUT_3D_SIZE 2\n0 0 0\nDOMAIN_MIN 0 0 0\n" + rows,
      "x.cube:3: DOMAIN_MIN comes after the first row; move it above the rows."
    ),
    (
      "LUT_3D_SIZE 2\n" + rows + "TITLE \"late\"\n",
      "x.cube:10: TITLE comes after the first row; move it above the rows."
    ),
    (
      "LUT_3D_SIZE 2\n0 0 0\n0 0\n" + rows,
      "x.cube:3: a row takes 3 numbers, but the line ends early; add what is missing."
    ),
    (
      "LUT_3D_SIZE 2\n0 0 0 0\n" + rows, "x.cube:2: a row takes 3 numbers, but \"0\" follows; remove it."
    ),
    (
      "LUT_3D_SIZE 2\n0,5 0 0\n" + rows,
      "x.cube:2: \"0,5\" is not a finite decimal number; write numbers like 0.5 or 5e-1."
    ),
    (
      "LUT_3D_SIZE 2\n0 nan 0\n" + rows,
      "x.cube:2: \"nan\" is not a finite decimal number; write numbers like 0.5 or 5e-1."
    ),
    (
      "LUT_3D_SIZE 2\nNaN 0 0\n" + rows,
      "x.cube:2: \"NaN\" is not a finite decimal number; write numbers like 0.5 or 5e-1."
    ),
    (
      "LUT_3D_SIZE 2\n0 0 -inf\n" + rows,
      "x.cube:2: \"-inf\" is not a finite decimal number; write numbers like 0.5 or 5e-1."
    ),
    (
      "LUT_3D_SIZE 2\n0 0x1p3 0\n" + rows,
      "x.cube:2: \"0x1p3\" is not a finite decimal number; write numbers like 0.5 or 5e-1."
    ),
    (
      "LUT_3D_SIZE 2\n0 1e 0\n" + rows,
      "x.cube:2: \"1e\" is not a finite decimal number; write numbers like 0.5 or 5e-1."
    ),
    (
      "LUT_3D_SIZE 2\n0 1e39 0\n" + rows,
      "x.cube:2: \"1e39\" is too large for a float; keep numbers within ±3.4e38."
    ),
    (
      "LUT_3D_SIZE 2\n0 0 \(String(repeating: "z", count: 50))\n" + rows,
      "x.cube:2: \"\(String(repeating: "z", count: 32))…\" is not a finite decimal number; write numbers like 0.5 or 5e-1."
    ),
    (
      "DOMAIN_MIN 0 0 1\nLUT_3D_SIZE 2\nDOMAIN_MAX 1 1 1\n" + rows,
      "x.cube:3: the domain of blue runs from 1.0 to 1.0; give a DOMAIN_MIN below DOMAIN_MAX."
    ),
    (
      "DOMAIN_MAX -1 1 1\nLUT_3D_SIZE 2\n" + rows,
      "x.cube:1: the domain of red runs from 0.0 to -1.0; give a DOMAIN_MIN below DOMAIN_MAX."
    ),
    (
      "DOMAIN_MIN 0 0\nLUT_3D_SIZE 2\n" + rows,
      "x.cube:1: DOMAIN_MIN takes 3 numbers, but the line ends early; add what is missing."
    ),
    (
      "LUT_3D_INPUT_RANGE 1 0\nLUT_3D_SIZE 2\n" + rows,
      "x.cube:1: LUT_3D_INPUT_RANGE runs from 1.0 to 0.0; give a minimum below the maximum."
    ),
    (
      "LUT_1D_INPUT_RANGE 0 1\nLUT_3D_SIZE 2\n" + rows,
      "x.cube:1: LUT_1D_INPUT_RANGE without LUT_1D_SIZE; remove it or add the size."
    ),
    (
      "LUT_1D_SIZE 8\nLUT_3D_INPUT_RANGE 0 1\n" + rows,
      "x.cube:2: LUT_3D_INPUT_RANGE without LUT_3D_SIZE; remove it or add the size."
    ),
    (
      "LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 1\nDOMAIN_MIN 0 0 0\n" + rows,
      "x.cube:3: DOMAIN_MIN and DOMAIN_MAX do not belong in files with an INPUT_RANGE or with both a 1D and a 3D LUT; use LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE alone."
    ),
  ]

  @Test("Each fault has its message, with the line and a remedy", arguments: table)
  func messages(text: String, message: String) {
    let error = #expect(throws: SafelightError.self) { try CubeFileTests.read(text) }
    #expect(error?.description == message)
  }

  @Test("A byte order mark of UTF-16 is named")
  func utf16() {
    let error = #expect(throws: SafelightError.self) {
      try ColorLUT(cube: [0xFF, 0xFE, 0x4C, 0x00], name: "x.cube")
    }
    #expect(error?.description == "x.cube:1: the text is UTF-16; save the LUT as plain text (UTF-8).")
  }

  @Test("Lines are counted the same for every line end", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(end: String) {
    let text =
      ["# one", "LUT_3D_SIZE 2", "", "0 0 0", "oops"].joined(separator: end) + end
      + "1 2 3 4 5 6 7 8 9 0 1 2 3"
    let error = #expect(throws: SafelightError.self) { try CubeFileTests.read(text + text) }
    #expect(error?.problem == "x.cube:5: \"oops\" is not a finite decimal number")
  }

  @Test("Sizes beyond what is accepted say so by their code")
  func codes() {
    let error = #expect(throws: SafelightError.self) { try CubeFileTests.read("LUT_3D_SIZE 300\n") }
    #expect(error?.code == .tooLarge)
  }
}
