import LibraryTestSupport
import Safelight
import FoundationEssentials
import Testing

@testable import Sidecars

@Suite("Edits beside photos")
struct RecipeSidecarTests {
  static let photo = FileFingerprint(bytes: 12, hash: String(repeating: "0f", count: 16))

  /// A sidecar with an edit and two steps of history.
  static func sample() -> RecipeSidecar {
    var sidecar = RecipeSidecar(recipe: nil, engine: "0.0.9", photo: photo)
    sidecar.replaceRecipe(with: Recipe { Exposure(stops: 0.3) }, .set, time: "2026-11-21T12:20:19Z")
    sidecar.replaceRecipe(
      with: Recipe(
        name: "Ünïcode", order: .listed,
        filters: [Crop(.proportions(width: 4, height: 5)), Saturation(-20)]), .copied, source: "a \"b\".jpg",
      time: "2026-11-21T12:21:00Z")
    return sidecar
  }

  @Test("The text is the documented one: sorted keys, one filter a line")
  func text() throws {
    #expect(
      try Self.sample().json() == """
        {
          "engine": "\(SafelightVersion.current)",
          "history": [
            { "action": "set", "time": "2026-11-21T12:20:19Z" },
            {
              "action": "copied",
              "replaced": {
                "filters": [
                  { "filter": "exposure", "stops": 0.3 }
                ],
                "safelight": 1
              },
              "source": "a \\"b\\".jpg",
              "time": "2026-11-21T12:21:00Z"
            }
          ],
          "photo": { "bytes": 12, "hash": "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f" },
          "recipe": {
            "filters": [
              { "filter": "crop", "region": "4:5" },
              { "amount": -20, "filter": "saturation" }
            ],
            "name": "Ünïcode",
            "order": "listed",
            "safelight": 1
          },
          "safelight-sidecar": 1
        }

        """)
  }

  @Test("What is written reads as the same")
  func roundTrip() throws {
    let json = try Self.sample().json()
    let read = try RecipeSidecar(json: Array(json.utf8), file: "s")
    #expect(try read.json() == json)
    #expect(read.recipe?.filters.count == 2)
    #expect(read.history.map(\.action) == [.set, .copied])
    #expect(read.history[1].source == "a \"b\".jpg")
  }

  @Test(
    "A sidecar that is not sound is refused in one sentence that names it",
    arguments: [
      ("", "s:1:1: the text ends where a value is expected."),
      ("[]", "s is not a JSON object; write { … }."),
      (
        "{}",
        "s has no “safelight-sidecar” key, so it is not the edit of a photo; make one with “safelight recipe set”; give a recipe by itself with --recipe."
      ),
      (
        #"{"safelight-sidecar": 2}"#,
        "s is of sidecar format 2; this build reads \"safelight-sidecar\": 1; use the Safelight that wrote it."
      ),
      (#"{"safelight-sidecar": "1"}"#, "s: “safelight-sidecar” must be a number."),
      (#"{"safelight-sidecar": 1}"#, "s: photo is not a JSON object; write { … }."),
      (
        #"{"safelight-sidecar": 1, "photo": {"bytes": 1, "hash": "xyz"}}"#,
        "s: photo does not say which photo the edit is for; it needs the “bytes” of the file and its “hash”, 32 hexadecimal digits."
      ),
      (
        #"{"safelight-sidecar": 1, "photo": {"bytes": -1, "hash": "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"}}"#,
        "s: photo: “bytes” must be a whole number of at least 0."
      ),
      (
        #"{"safelight-sidecar": 1, "photo": PHOTO, "recipe": {"safelight": 1, "filters": [{"filter": "exposur"}]}}"#,
        "s: recipe: filters[0]: Unknown filter “exposur”; did you mean “exposure”? "
      ),
      (
        #"{"safelight-sidecar": 1, "photo": PHOTO, "recipe": {"safelight": 1, "filters": [{"filter": "exposure", "stops": 9}]}}"#,
        "s: recipe: filters[0]: exposure is 9, outside its range; give a value in -5…5 EV."
      ),
      (
        #"{"safelight-sidecar": 1, "photo": PHOTO, "recipe": {"safelight": 7}}"#,
        "s: recipe is of recipe format 7; this build reads \"safelight\": 1 and 2; use a newer Safelight."
      ),
      (#"{"safelight-sidecar": 1, "photo": PHOTO, "recipe": NaN}"#, "s:1:"),
      (
        #"{"safelight-sidecar": 1, "photo": PHOTO, "recipe": 3}"#,
        "s: recipe is not a JSON object; write { … }."
      ),
      (
        #"{"safelight-sidecar": 1, "photo": PHOTO, "history": [{"action": "set", "time": "yesterday"}]}"#,
        "s: history[0]: “time” is not a time; write it like 2026-11-21T12:20:19Z."
      ),
      (
        #"{"safelight-sidecar": 1, "photo": PHOTO, "history": [{"action": "sett", "time": "2026-11-21T12:20:19Z"}]}"#,
        "s: history[0]: Unknown action “sett”; did you mean “set”? Known: set, added, copied, imported, cleared."
      ),
      (
        #"{"safelight-sidecar": 1, "photo": PHOTO, "histori": []}"#,
        "s: Unknown key “histori”; did you mean “history”? "
      ),
    ])
  func unsound(json: String, beginning: String) {
    let json = json.replacing("PHOTO", with: #"{"bytes": 1, "hash": "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"}"#)
    let text = message { _ = try RecipeSidecar(json: Array(json.utf8), file: "s") }
    #expect(text?.hasPrefix(beginning) ?? false, "\(text ?? "accepted")")
  }

  @Test("More history than is ever written is refused")
  func longHistory() {
    let step = #"{"action": "set", "time": "2026-11-21T12:20:19Z"}"#
    let steps = Array(repeating: step, count: 501).joined(separator: ",")
    let photo = #"{"bytes": 1, "hash": "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"}"#
    let json = #"{"safelight-sidecar": 1, "photo": \#(photo), "history": [\#(steps)]}"#
    #expect(
      message { _ = try RecipeSidecar(json: Array(json.utf8), file: "s") }
        == "s: “history” has 501 changes, more than 500; remove the first of them.")
  }

  @Test("The last 500 changes are kept, and can be taken back one by one, no further")
  func history() throws {
    var sidecar = RecipeSidecar(recipe: nil, photo: Self.photo)
    for step in 1...510 {
      sidecar.replaceRecipe(with: Recipe { Exposure(stops: Float(step) / 200) }, .set)
    }
    #expect(sidecar.history.count == 500)
    for step in stride(from: 509, through: 10, by: -1) {
      try sidecar.undo()
      #expect((sidecar.recipe?.filters.first as? Exposure)?.stops == Float(step) / 200)
    }
    #expect(
      message { try sidecar.undo() }
        == "There is nothing left to undo; the last 500 changes of an edit can be undone.")
  }

  @Test("What was undone can be done again, until something else is done; both are kept in the file")
  func redo() throws {
    var sidecar = RecipeSidecar(recipe: nil, photo: Self.photo)
    let stops: [Float] = [0.5, 1, 1.5]
    for stop in stops { sidecar.replaceRecipe(with: Recipe { Exposure(stops: stop) }, .added) }
    func value() -> Float? { (sidecar.recipe?.filters.first as? Exposure)?.stops }
    for expected in [1, 0.5, nil] as [Float?] {
      try sidecar.undo()
      #expect(value() == expected)
    }
    for expected in stops {
      sidecar = try RecipeSidecar(json: Array(sidecar.json().utf8), file: "s")
      try sidecar.redo()
      #expect(value() == expected && sidecar.history.last?.action == .added)
    }
    #expect(
      message { try sidecar.redo() } == "There is nothing to do again; only what was undone last can be.")
    try sidecar.undo()
    sidecar.replaceRecipe(with: Recipe(), .set)
    #expect(sidecar.undone.isEmpty && sidecar.history.count == 3)
  }

  @Test("A step back knows the photo as it was then")
  func undoneFingerprint() throws {
    var sidecar = RecipeSidecar(recipe: Recipe(), photo: Self.photo)
    let later = FileFingerprint(bytes: 13, hash: Self.photo.hash)
    sidecar.replaceRecipe(with: Recipe { Exposure(stops: 1) }, for: later, .set)
    #expect(sidecar.photo == later)
    var read = try RecipeSidecar(json: Array(sidecar.json().utf8), file: "s")
    try read.undo()
    #expect(read.photo == Self.photo)
  }

  @Test("A file too large to be read again is not written: history goes first, then it is an error")
  func size() throws {
    let large = Recipe(name: String(repeating: "x", count: 1_500_000))
    var sidecar = RecipeSidecar(recipe: large, photo: Self.photo)
    for _ in 1...3 { sidecar.replaceRecipe(with: large, .set, time: "2026-11-21T12:20:19Z") }
    let json = try sidecar.json()
    #expect(json.utf8.count <= RecipeSidecar.sizeLimit)
    #expect(try RecipeSidecar(json: Array(json.utf8), file: "s").history.count < 3)
    sidecar.recipe = Recipe(name: String(repeating: "x", count: 4_200_000))
    #expect(
      message { _ = try sidecar.json() }?.hasSuffix("more than the 4 MiB of a sidecar; use fewer filters.")
        ?? false)
  }
}
