import FilterGraph
import Filters
import FrameCore
import TestSupport
import Testing

/// Recipes as JSON: what is written is read back, and what cannot be read is explained.
@Suite("Recipes as JSON")
struct RecipeJSONTests {
  @Test("Random recipes survive writing and reading, to the last digit", arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let recipe = try Recipe.random(using: &random)
    let text = recipe.json()
    let read = try RecipeFiles.decode(text.utf8)
    #expect(read.contents == recipe.contents, "seed \(seed):\n\(text)")
    #expect(read.json() == text, "seed \(seed)")
  }

  @Test("Recipes are written for people: a filter a line, without neutral parameters")
  func layout() {
    let recipe = Recipe(
      name: "Warm", order: .listed,
      filters: [Exposure(stops: 0.7), Straighten(), Straighten(-2, corners: .keep), Crop(.square)])
    #expect(
      recipe.json() == """
        {
          "safelight": 1,
          "name": "Warm",
          "order": "listed",
          "filters": [
            { "filter": "exposure", "stops": 0.7 },
            { "filter": "straighten" },
            { "filter": "straighten", "angle": -2, "corners": "keep" },
            { "filter": "crop", "region": "1:1" }
          ]
        }

        """)
    #expect(Recipe().json() == "{\n  \"safelight\": 1,\n  \"filters\": []\n}\n")
  }

  @Test("Parameters left out are neutral; numbers may be written as text, and texts as numbers")
  func leniency() throws {
    let json = """
      { "safelight": 1, "filters": [
        { "filter": "white-balance", "tint": "-4.5" }, { "filter": "rotate", "degrees": 270 } ] }
      """
    let recipe = try RecipeFiles.decode(json.utf8)
    let balance = try #require(recipe.filters[0] as? WhiteBalance)
    #expect(balance.temperature == 6500 && balance.tint == -4.5)
    #expect((recipe.filters[1] as? Rotate)?.turn == .counterclockwise)
  }

  @Test("Files that a recipe names are read by the name it gives, and errors pass through")
  func files() throws {
    struct Missing: Error {}
    let json = Array(
      "{\"safelight\": 1, \"filters\": [{\"filter\": \"lut\", \"file\": \"../a/b.cube\"}]}".utf8)
    var names: [String] = []
    let recipe = try Recipe(json: json, file: "look.json", catalog: .standard) { name in
      names.append(name)
      return RecipeFiles.read(name)
    }
    #expect(names == ["../a/b.cube"])
    #expect((recipe.filters[0] as? LUT)?.table?.cube?.size == 2)
    #expect(throws: Missing.self) {
      try Recipe(json: json, file: "look.json", catalog: .standard) { _ in throw Missing() }
    }
  }

  /// All of them, which the errors tell.
  static let filters = FilterCatalog.all.map { $0.id.name }.joined(separator: ", ")
  static let notAValue = "is not a JSON value; write strings in double quotes, and numbers like -0.5."
  static let crops = "write 4:5, 16:9@0.5,0.2, square, or X,Y,WIDTH,HEIGHT in pixels."
  /// What is wrong in the text, and the whole message.
  static let broken: [(json: String, message: String)] = [
    ("", "look.json:1:1: the text ends where a value is expected."),
    ("{", "look.json:1:2: a key in double quotes is expected."),
    ("{'safelight': 1}", "look.json:1:2: a key in double quotes is expected."),
    ("{\"safelight\" 1}", "look.json:1:14: a colon is expected after the key “safelight”."),
    ("{\"safelight\": 1\n \"name\": 2}", "look.json:2:2: a comma or } is expected."),
    ("{\"safelight\": 1,}", "look.json:1:17: a key in double quotes is expected."),
    ("{\"safelight\": 1, // one\n}", "look.json:1:18: a key in double quotes is expected."),
    ("{\"filters\": [1 2]}", "look.json:1:16: a comma or ] is expected."),
    ("{\"filters\": [,]}", "look.json:1:14: a value is expected; JSON has no comments and no single quotes."),
    ("{} {}", "look.json:1:4: there is text after the end of the value."),
    ("exposure", "look.json:1:1: “exposure” \(notAValue)"),
    ("{\"safelight\": NaN}", "look.json:1:15: “NaN” \(notAValue)"),
    ("{\"safelight\": -Infinity}", "look.json:1:15: “-Infinity” \(notAValue)"),
    ("{\"safelight\": 01}", "look.json:1:15: “01” \(notAValue)"),
    ("{\"safelight\": .5}", "look.json:1:15: “.5” \(notAValue)"),
    ("{\"safelight\": 1.}", "look.json:1:15: “1.” \(notAValue)"),
    ("{\"safelight\": 1e}", "look.json:1:15: “1e” \(notAValue)"),
    ("{\"safelight\": +1}", "look.json:1:15: “+1” \(notAValue)"),
    ("{\"safelight\": 0x1}", "look.json:1:15: “0x1” \(notAValue)"),
    ("{\"safelight\":\n1e999}", "look.json:2:1: the number 1e999 is too large."),
    ("{\"é\": \"", "look.json:1:7: a string does not end; close it with a double quote."),
    (
      "{\"name\": \"a\nb\"}",
      "look.json:1:12: a string holds a line break or another control character; write \\n for a line break."
    ),
    (
      "{\"name\": \"C:\\photos\"}",
      "look.json:1:13: the backslash does not begin an escape sequence; write \\\\ for a backslash."
    ),
    ("{\"name\": \"\\u12g4\"}", "look.json:1:11: \\u is not followed by four hexadecimal digits."),
    ("{\"name\": \"\\udc00\"}", "look.json:1:11: a surrogate pair is incomplete."),
    ("{\"safelight\": 1, \"safelight\": 1}", "look.json:1:18: the key “safelight” is given twice."),
    (String(repeating: "[", count: 100), "look.json:1:65: values are nested more than 64 deep."),
    ("[]", "look.json is not a JSON object; write { … }."),
    (
      "{\"filters\": []}",
      "look.json has no “safelight” key, the version of the recipe format; write \"safelight\": 1, or 2 for a recipe with groups."
    ),
    (
      "{\"safelight\": 3}",
      "look.json is of recipe format 3; this build reads \"safelight\": 1 and 2; use a newer Safelight."
    ),
    (
      "{\"safelight\": 1, \"filters\": [{\"filter\": \"group\"}]}",
      "look.json is of recipe format 1, which has no groups; write \"safelight\": 2."
    ),
    ("{\"safelight\": 1.5}", "look.json is of recipe format 1.5; this build reads \"safelight\": 1 and 2."),
    ("{\"safelight\": \"1\"}", "look.json: “safelight” must be a number."),
    ("{\"safelight\": null}", "look.json: “safelight” must be a number."),
    (
      "{\"safelight\": 1, \"filers\": []}",
      "look.json: Unknown key “filers”; did you mean “filters”? Known: safelight, name, description, family, use, "
        + "tags, order, filters."
    ),
    (
      "{\"safelight\": 1, \"order\": \"listd\"}",
      "look.json: Unknown order “listd”; did you mean “listed”? Known: canonical, listed."
    ),
    ("{\"safelight\": 1, \"name\": 3}", "look.json: “name” must be a string."),
    ("{\"safelight\": 1, \"filters\": {}}", "look.json: “filters” must be a list."),
  ]

  @Test("A recipe that cannot be read says where and why", arguments: broken)
  func brokenRecipe(json: String, message: String) {
    expectError(json, message)
  }

  /// A filter of a recipe, and what is said after `look.json: filters[0]`.
  static let brokenFilters: [(json: String, message: String)] = [
    ("3", " is not a JSON object; write { … }."),
    ("{}", " has no “filter” key; name the filter, such as \"exposure\"."),
    ("{\"filter\": 3}", ": “filter” must be a string."),
    ("{\"filter\": \"exposre\"}", ": Unknown filter “exposre”; did you mean “exposure”? Known: \(filters)."),
    ("{\"filter\": \"xyzzy\"}", ": Unknown filter “xyzzy”; known: \(filters)."),
    (
      "{\"filter\": \"exposure\", \"stop\": 1}",
      ": Unknown key “stop”; did you mean “stops”? Known: filter, stops."
    ),
    ("{\"filter\": \"exposure\", \"stops\": null}", ": “stops” must be a number."),
    ("{\"filter\": \"exposure\", \"stops\": true}", ": “stops” must be a number."),
    ("{\"filter\": \"exposure\", \"stops\": [1]}", ": “stops” must be a number."),
    (
      "{\"filter\": \"exposure\", \"stops\": 9}",
      ": exposure is 9, outside its range; give a value in -5…5 EV."
    ),
    (
      "{\"filter\": \"exposure\", \"stops\": -5.5}",
      ": exposure is -5.5, outside its range; give a value in -5…5 EV."
    ),
    (
      "{\"filter\": \"exposure\", \"stops\": \"nan\"}", ": exposure is not a number; give a value in -5…5 EV."
    ),
    (
      "{\"filter\": \"exposure\", \"stops\": \"much\"}",
      ": exposure is “much”, which is not a number; write it like 0.5 or -20."
    ),
    (
      "{\"filter\": \"white-balance\", \"temperature\": 1999}",
      ": temperature is 1999, outside its range; give a value in 2000…25000 K."
    ),
    ("{\"filter\": \"crop\", \"region\": {}}", ": “region” must be a string."),
    (
      "{\"filter\": \"crop\", \"region\": \"4/5\"}",
      ": Cannot crop to “4/5”: it is neither proportions nor four whole numbers; \(crops)"
    ),
    (
      "{\"filter\": \"rotate\", \"degrees\": 45}",
      ": rotate is “45”, which is not one of its choices; give 0 (None), 90 (90° clockwise), 180 (Half turn) or 270 (90° counterclockwise); use --straighten for small angles."
    ),
    (
      "{\"filter\": \"flip\", \"axis\": \"x\"}",
      ": flip is “x”, which is not one of its choices; give none, h (Left–right) or v (Top–bottom)."
    ),
    (
      "{\"filter\": \"straighten\", \"corners\": \"kep\"}",
      ": straighten-corners is “kep”, which is not one of its choices; did you mean “keep”? Otherwise give crop or keep."
    ),
    ("{\"filter\": \"lut\"}", ": A lut filter has no file; give \"file\": \"name.cube\"."),
    (
      "{\"filter\": \"lut\", \"file\": \"a.png\"}",
      ": a.png is not what its extension says: the contents are no PNG; check the file, or give it the extension of its format."
    ),
    (
      "{\"filter\": \"lut\", \"file\": \"broken.cube\"}",
      ": broken.cube:1: \"many\" is not a whole number; write a size like 33."
    ),
    (
      "{\"filter\": \"lut\", \"file\": \"a.cube\", \"strength\": 101}",
      ": lut.strength is 101, outside its range; give a value in 0…100 %."
    ),
    (
      "{\"filter\": \"lut\", \"file\": \"a.cube\", \"encoding\": \"sRGB\"}",
      ": lut-encoding is “sRGB”, which is not one of its choices; did you mean “srgb”? Otherwise give srgb, rec709 (Rec. 709), display-p3 (Display P3), adobe-rgb (Adobe RGB), rec2020 (Rec. 2020), linear, s-log3 (S-Log3 / S-Gamut3.Cine), v-log (V-Log / V-Gamut), log-c3 (ARRI LogC3 / Wide Gamut 3), log-c4 (ARRI LogC4 / Wide Gamut 4), f-log (F-Log / F-Gamut), f-log2 (F-Log2 / F-Gamut), c-log2 (Canon Log 2 / Cinema Gamut), c-log3 (Canon Log 3 / Cinema Gamut), n-log (N-Log / Rec. 2020), apple-log (Apple Log / Rec. 2020) or d-log (D-Log / D-Gamut); DJI has not published D-Log M, so it is not among them."
    ),
  ]

  @Test("A filter that cannot be read says which it is and why", arguments: brokenFilters)
  func brokenFilter(json: String, message: String) {
    expectError("{\"safelight\": 1, \"filters\": [\(json)]}", "look.json: filters[0]\(message)")
    let second = "{\"safelight\": 1, \"filters\": [{\"filter\": \"flip\"}, \(json)]}"
    expectError(second, "look.json: filters[1]\(message)")
  }

  func expectError(_ json: String, _ message: String, location: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: SafelightError.self, sourceLocation: location) {
      try RecipeFiles.decode(json.utf8)
    }
    #expect(error?.description == message, "\(json)", sourceLocation: location)
  }

  @Test("Text that is not UTF-8 is refused where it stands; a byte order mark is skipped")
  func encoding() throws {
    let error = #expect(throws: SafelightError.self) {
      try RecipeFiles.decode(Array("{\"name\": \"caf".utf8) + [0xe9] + Array("\"}".utf8))
    }
    #expect(error?.description == "look.json:1:10: a string is not UTF-8; save the file as UTF-8.")
    #expect(try RecipeFiles.decode([0xef, 0xbb, 0xbf] + Array("{\"safelight\": 1}".utf8)).filters.isEmpty)
  }

  @Test("Escapes of JSON are read as RFC 8259 says")
  func escapes() throws {
    let json = #"{"safelight": 1, "name": "\"\\\/\b\f\n\r\t\u00e9\u00C9\ud83d\uDCF7"}"#
    #expect(try RecipeFiles.decode(json.utf8).name == "\"\\/\u{8}\u{c}\n\r\téÉ📷")
  }

  @Test("Values outside their range are refused when a plan is made, too")
  func validation() {
    func message(_ filter: any Filter) -> String? {
      #expect(throws: SafelightError.self) {
        try Plan(
          Recipe(filters: [filter]), input: PlanInput(size: PixelSize(width: 8, height: 8)),
          output: PlanOutput())
      }?.description
    }
    #expect(message(Exposure(stops: 6)) == "exposure is 6, outside its range; give a value in -5…5 EV.")
    #expect(message(Contrast(.nan)) == "contrast is not a number; give a value in -100…100 %.")
    #expect(message(Saturation(.infinity)) == "saturation is not a number; give a value in -100…100 %.")
    let nothing = "Cannot crop to “0:0”: the proportions are not two positive numbers; \(Self.crops)"
    #expect(message(Crop(.proportions(width: 0, height: 0))) == nothing)
    #expect(
      message(Crop(.proportions(width: 1, height: 1, x: .nan)))
        == "Cannot crop to “1:1@nan,0.5”: the place after @ is not two numbers in 0…1; \(Self.crops)")
    #expect(
      message(Crop(.rectangle(x: 0, y: 0, width: 0, height: .min)))
        == "Cannot crop to “0,0,0,\(Int.min)”: width and height must be positive; \(Self.crops)")
  }
}
