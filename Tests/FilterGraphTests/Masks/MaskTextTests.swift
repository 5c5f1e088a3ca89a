import FrameCore
import TestSupport
import Testing

@testable import FilterGraph

/// Masks as text and as JSON: what is written is read back, and what is wrong is shown.
@Suite("Masks as text and JSON")
struct MaskTextTests {
  @Test("Random masks survive JSON exactly, and text by meaning", arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let mask = Mask.random(using: &random, depth: 4)
    let json = try JSONValue(parsing: Array(mask.json.utf8), file: "mask")
    #expect(try Mask(json, at: "mask") == mask)
    // A list of one is that one when it is read.
    let read = try Mask(mask.text)
    #expect(try Mask(read.text) == read)
  }

  /// Texts and what they mean.
  static let texts: [(text: String, mask: Mask)] = [
    ("linear 0.5,0.6 0.5,0.3", .linear(from: MaskPoint(0.5, 0.6), to: MaskPoint(0.5, 0.3))),
    (
      "radial -0.1,.5 0.2x0.1 angle 15 feather 1",
      .radial(center: MaskPoint(-0.1, 0.5), radiusX: 0.2, radiusY: 0.1, angle: 15, feather: 1)
    ),
    ("luminance 0.6..1", .luminance(from: 0.6, to: 1)),
    ("luminance 0.2…0.4 soft 0", .luminance(from: 0.2, to: 0.4, softness: 0)),
    ("color #C08040", .color(MaskColor(red: 0xc0, green: 0x80, blue: 0x40))),
    (
      "brush 0.05 0,0 1,1 hardness 1 erase 0.02 0.5,0.5 flow 0.5",
      .brush([
        BrushStroke([MaskPoint(0, 0), MaskPoint(1, 1)], radius: 0.05, hardness: 1),
        BrushStroke([MaskPoint(0.5, 0.5)], radius: 0.02, flow: 0.5, erases: true),
      ])
    ),
    ("not polygon 0,0 1,0 1,1", .invert(.polygon([MaskPoint(0, 0), MaskPoint(1, 0), MaskPoint(1, 1)]))),
    (
      "feather 0.1 (polygon 0,0 1,0 1,1)",
      .feather(.polygon([MaskPoint(0, 0), MaskPoint(1, 0), MaskPoint(1, 1)]), radius: 0.1)
    ),
    (
      "feather 0.02 edges (polygon 0,0 1,0 1,1) & luminance 0..1",
      .intersect([
        .feather(
          .polygon([MaskPoint(0, 0), MaskPoint(1, 0), MaskPoint(1, 1)]), radius: 0.02, edges: true),
        .luminance(from: 0, to: 1),
      ])
    ),
    (
      "luminance 0..1 - luminance 0..0.5 - luminance 0..0.1 + color 000000",
      .add([
        .subtract(.luminance(from: 0, to: 1), [.luminance(from: 0, to: 0.5), .luminance(from: 0, to: 0.1)]),
        .color(MaskColor(red: 0, green: 0, blue: 0)),
      ])
    ),
    (
      " luminance 0..1 &(luminance 0..0.5 & luminance 0..0.1) ",
      .intersect([
        .luminance(from: 0, to: 1), .intersect([.luminance(from: 0, to: 0.5), .luminance(from: 0, to: 0.1)]),
      ])
    ),
  ]

  @Test("Texts mean what the manual says", arguments: texts.indices)
  func meaning(index: Int) throws {
    #expect(try Mask(Self.texts[index].text) == Self.texts[index].mask)
  }

  /// Wrong texts and the whole message.
  static let wrong: [(text: String, message: String)] = [
    (
      "",
      "Mask, character 1: a mask is missing; begin with one of linear, radial, luminance, color, brush, polygon, not, feather."
    ),
    (
      "linar 0,0 1,1",
      "Mask, character 1: unknown mask “linar”; did you mean “linear”? Known: linear, radial, luminance, color, brush, polygon, not, feather."
    ),
    (
      "linear 0.5,0.2 0.5",
      "Mask, character 16: “0.5” is not a place; write X,Y such as 0.5,0.25: 0,0 is the top left corner, 1,1 the bottom right one."
    ),
    (
      "linear 0,0 1,1 radial",
      "Mask, character 16: “radial” is not +, - or &; combine masks with one of them."
    ),
    ("(linear 0,0 1,1", "Mask, character 16: a closing parenthesis is missing; close what “(” opened."),
    (
      "radial 0,0 big",
      "Mask, character 12: “big” is not a radius; write one number for a circle, or two such as 0.2x0.1."
    ),
    (
      "luminance 0.5",
      "Mask, character 11: “0.5” is not a range of lightness; write it like 0.6..1."
    ),
    ("color red", "Mask, character 7: “red” is not a colour; write it like #c08040."),
    ("brush 0,0 1,1", "Mask, character 7: “0,0” is not a radius; write a number like 0.05."),
    (
      "polygon 0,0 1,0 1,x",
      "Mask, character 17: “1,x” is not a place; write X,Y such as 0.5,0.25: 0,0 is the top left corner, 1,1 the bottom right one."
    ),
    (
      "linear 0,0 0,0",
      "The linear mask begins and ends at the same place; give two places: it grows from the first to the second."
    ),
    (
      "luminance 0.8..0.2",
      "The luminance mask goes from 0.8 to 0.2; write the darker end first; for all but a range, invert it."
    ),
    ("radial 0.5,0.5 0", "The radial mask has the radius 0; give 0.0001…10."),
    ("radial 0.5,0.5 nan", "The radial mask has the radius nan; give 0.0001…10."),
    (
      "linear nan,0 1,1",
      "The linear mask has the place nan,0; give x and y in -10…10; the picture is 0…1."
    ),
    ("polygon 0,0 1,1", "The polygon mask has 2 points; give three or more."),
    ("feather 1.5 polygon 0,0 1,0 1,1", "The feather mask has the radius 1.5; give 0…1."),
    (
      "feather 0.1 luminance 0..0.5",
      "A feather cannot soften a luminance mask, which has no outline; give it a larger softness instead."
    ),
    (
      "feather 0.1 edges (polygon 0,0 1,0 1,1 - color #ff0000)",
      "A feather cannot soften a color mask, which has no outline; give it a larger softness instead."
    ),
    (
      "feather 0.1 not feather 0.02 edges polygon 0,0 1,0 1,1",
      "A feather cannot soften a feather mask that follows edges, which are those of each picture; feather inside of it, or give it a larger radius."
    ),
    (
      "feather edges polygon 0,0 1,0 1,1",
      "Mask, character 9: “edges” is not a radius; write a number like 0.05."
    ),
  ]

  @Test("Wrong texts are refused with the place and a remedy", arguments: wrong.indices)
  func errors(index: Int) {
    let (text, message) = Self.wrong[index]
    let error = #expect(throws: SafelightError.self) { try Mask(text) }
    #expect(error?.description == message, "\(text)")
  }

  /// Wrong masks of recipes, and what is said after `mask`.
  static let wrongJSON: [(json: String, message: String)] = [
    ("3", " is not a JSON object; write { … }."),
    ("{}", " has no “kind” key; name the kind of mask, such as \"linear\"."),
    (
      #"{"kind": "polygn"}"#,
      ": Unknown mask “polygn”; did you mean “polygon”? Known: linear, radial, luminance, color, brush, polygon, add, intersect, subtract, invert, feather."
    ),
    (#"{"kind": "linear", "from": [0, 0]}"#, ": “to” must be a place such as [0.5, 0.5]."),
    (
      #"{"kind": "invert", "mask": {"kind": "radial", "center": [0, 0]}}"#,
      ".mask: “radius” must be a number, or two of them such as [0.2, 0.1]."
    ),
    (
      #"{"kind": "add", "masks": [{"kind": "luminance", "form": 1}]}"#,
      ".masks[0]: Unknown key “form”; did you mean “from”? Known: kind, from, to, softness."
    ),
    (#"{"kind": "brush", "strokes": [{"points": []}]}"#, ".strokes[0]: “radius” must be a number."),
    (#"{"kind": "color", "color": "red"}"#, " has no color like #c08040; give one as \"color\"."),
  ]

  @Test("Wrong masks of recipes are refused with their place", arguments: wrongJSON.indices)
  func jsonErrors(index: Int) throws {
    let (json, message) = Self.wrongJSON[index]
    let value = try JSONValue(parsing: Array(json.utf8), file: "mask")
    let error = #expect(throws: SafelightError.self) { try Mask(value, at: "mask") }
    #expect(error?.description == "mask" + message)
  }

  @Test("Masks with more points than a recipe may have are refused, alone and together")
  func pointLimit() throws {
    let many = Mask.polygon(Array(repeating: MaskPoint(0.5, 0.5), count: Mask.pointLimit))
    try many.validate()
    let error = #expect(throws: SafelightError.self) {
      try Mask.add([many, .polygon([MaskPoint(0, 0), MaskPoint(1, 0), MaskPoint(1, 1)])]).validate()
    }
    #expect(
      error?.description
        == "The masks have 100003 points, more than 100000; leave out points that lie close to each other.")
  }
}
