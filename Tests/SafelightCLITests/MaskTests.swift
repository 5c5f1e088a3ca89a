import Foundation
import LibraryTestSupport
import Safelight
import Testing

@Suite("Groups and masks on the command line")
struct MaskTests {
  private static let left = "linear 0.6,0 0.4,0"

  private func prepare() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.save(gradient(200, 150), as: "photo.png")
    return scratch
  }

  private func edited(_ flags: [String], in scratch: Scratch) throws -> PixelBuffer {
    let run = try Program.run(
      ["edit", "photo.png", "-o", "out.png", "--overwrite"] + flags, in: scratch)
    #expect(run.exitCode == 0, "\(flags): \(run.errors)")
    return try scratch.photo("out.png").buffer
  }

  @Test("--masked acts where its mask is, and in the order of its flags")
  func masked() throws {
    let scratch = try prepare()
    let plain = try scratch.photo("photo.png").buffer
    let whole = try edited(["--exposure", "-1"], in: scratch)
    let half = try edited(["--masked", "\(Self.left): exposure -1"], in: scratch)
    for y in [5, 75, 140] {
      for x in [130, 190] { #expect(pixel(half, x, y) == pixel(plain, x, y)) }
      for x in [10, 70] {
        #expect(zip(pixel(half, x, y), pixel(whole, x, y)).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
      }
    }
    let both = try edited(
      [
        "--masked", "\(Self.left): exposure -1", "--masked", "not (\(Self.left)): exposure -1, opacity 100 %",
      ],
      in: scratch)
    for x in [10, 190] {
      #expect(zip(pixel(both, x, 75), pixel(whole, x, 75)).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }
  }

  @Test("Groups are kept in recipes of format 2, beside photos too")
  func recipes() throws {
    let scratch = try prepare()
    let text = "\(Self.left): exposure -1, whites 10, blacks -5"
    let once = try edited(["--masked", text, "--write-recipe", "r.json"], in: scratch)
    let json = String(decoding: try scratch.read("r.json"), as: UTF8.self)
    #expect(json.contains("\"safelight\": 2") && json.contains("\"kind\": \"linear\""), "\(json)")
    let again = try edited(["--recipe", "r.json"], in: scratch)
    #expect(pixel(once, 20, 30) == pixel(again, 20, 30))
    let set = try Program.run(["recipe", "set", "photo.png", "--masked", text], in: scratch)
    #expect(set.exitCode == 0, "\(set.errors)")
    let export = try Program.run(["export", "photo.png", "-o", "final/"], in: scratch)
    #expect(export.exitCode == 0, "\(export.errors)")
    #expect(pixel(try scratch.photo("final/photo.png").buffer, 20, 30) == pixel(once, 20, 30))
  }

  /// What is wrong with `--masked`, and a part of the message.
  static let wrong: [(text: String, message: String)] = [
    ("linear 0,0 1,1", "has no colon between the mask and its filters"),
    ("linear 0,0 1: exposure 1", "Mask, character 12: “1” is not a place"),
    ("linear 0,0 1,1: exposur 1", "Unknown setting “exposur”; did you mean “exposure”?"),
    ("linear 0,0 1,1: exposure 9", "exposure is 9, outside its range"),
    ("linear 0,0 1,1: exposure", "“exposure” has no value"),
    ("linear 0,0 1,1:", "names no filters behind its colon"),
    ("linear 0,0 1,1: crop 1:1", "The filter “crop” moves pixels, so it cannot be in a group"),
    ("linear 0,0 1,1: clarity 20, vignette -20", "The filter “vignette” acts on the whole picture"),
  ]

  @Test("Wrong groups are refused with a remedy, and nothing is written", arguments: wrong.indices)
  func errors(index: Int) throws {
    let scratch = try prepare()
    let run = try Program.run(
      ["edit", "photo.png", "-o", "out.png", "--masked", Self.wrong[index].text], in: scratch)
    #expect(run.exitCode != 0 && run.errors.contains(Self.wrong[index].message), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch("out.png")))
  }

  @Test("safelight mask draws a mask in grey, code by code, and in red on the photo")
  func drawing() throws {
    let scratch = try prepare()
    let grey = try Program.run(
      ["mask", "photo.png", "linear 0,0 1,0", "-o", "grey.png", "--show", "grey"], in: scratch)
    #expect(grey.exitCode == 0, "\(grey.errors)")
    let picture = try scratch.photo("grey.png").buffer
    for x in stride(from: 0, to: 200, by: 13) {
      let w = (Double(x) + 0.5) / 200
      let expected = 255 * w * w * (3 - 2 * w)
      for code in pixel(picture, x, 70).prefix(3) { #expect(abs(Double(code) - expected) <= 1.5) }
    }
    let red = try Program.run(["mask", "photo.png", Self.left, "-o", "red.png", "--json"], in: scratch)
    #expect(red.exitCode == 0 && red.output.contains("\"mask\" : \"linear 0.6,0 0.4,0\""), "\(red.output)")
    let plain = try scratch.photo("photo.png").buffer
    let overlay = try scratch.photo("red.png").buffer
    #expect(pixel(overlay, 190, 75) == pixel(plain, 190, 75))
    #expect(pixel(overlay, 10, 75)[0] > 180)
    let kept = try Program.run(["mask", "photo.png", Self.left, "-o", "red.png"], in: scratch)
    #expect(kept.exitCode != 0 && kept.errors.contains("--overwrite"), "\(kept.errors)")
  }

  @Test("safelight mask draws every mask of a recipe, cropped as the recipe says")
  func recipeDrawing() throws {
    let scratch = try prepare()
    try scratch.write(
      """
      { "safelight": 2, "filters": [{ "filter": "crop", "region": "100,0,100,150" },
        { "filter": "group", "mask": "linear 0,0 1,0", "filters": [] },
        { "filter": "group", "mask": "luminance 0..1", "filters": [] }] }
      """, to: "r.json")
    let run = try Program.run(
      ["mask", "photo.png", "--recipe", "r.json", "-o", "m.png", "--show", "grey"], in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let first = try scratch.photo("m.png").buffer
    let second = try scratch.photo("m-2.png").buffer
    #expect(first.size == PixelSize(width: 100, height: 150))
    #expect(abs(Int(pixel(first, 0, 9)[0]) - 128) <= 2 && pixel(first, 99, 9)[0] >= 254)
    #expect(pixel(second, 50, 50).prefix(3).allSatisfy { $0 == 255 })
    let none = try Program.run(["mask", "photo.png", "-o", "n.png"], in: scratch)
    #expect(none.exitCode != 0 && none.errors.contains("Missing the mask"), "\(none.errors)")
  }
}
