import ColorScience
import FilterGraph
import Foundation
import FrameCore
import TestSupport
import Testing

@testable import Filters

/// Films as numbers: the model against an independent one, what it promises for any numbers, and its tables.
@Suite("Films")
struct FilmModelTests {
  /// Colours and what films make of them, linear Rec. 2020. Made by the formulas of `FilmModel`, written a second time in
  /// NumPy in double precision with its own matrices, from the chromaticities of BT.709 and BT.2020.
  struct Fixture: Decodable {
    struct Case: Decodable {
      let name: String
      let film: [String: Value]
      let results: [[Double]]
    }
    enum Value: Decodable {
      case number(Double)
      case text(String)
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do { self = .number(try container.decode(Double.self)) } catch {
          self = .text(try container.decode(String.self))
        }
      }
    }
    let colors: [[Double]]
    let cases: [Case]

    static func read() throws -> Fixture {
      let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/film.json")
      return try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: file))
    }
  }

  /// A film with values by the names of recipes.
  static func film(_ values: [String: Fixture.Value]) throws -> Film {
    var film = Film()
    for (name, value) in values {
      let parameter = try #require(Film.parameters.first { $0.name == name })
      switch value {
      case .number(let number): try parameter.set(.number(number), in: &film)
      case .text(let text): try parameter.set(.text(text), in: &film)
      }
    }
    return film
  }

  @Test("Colours come out as from a second implementation of the formulas")
  func reference() throws {
    let fixture = try Fixture.read()
    #expect(fixture.cases.count > 20 && fixture.colors.count > 40)
    for one in fixture.cases {
      let model = FilmModel(try Self.film(one.film))
      for (color, expected) in zip(fixture.colors, one.results) {
        let result = model.evaluate(SIMD3(color[0], color[1], color[2]))
        let wrong = difference(result, SIMD3(expected[0], expected[1], expected[2]))
        #expect(wrong < 2e-6, "\(one.name): \(color) is \(result), not \(expected)")
      }
    }
  }

  /// Source: a film's gamma is its density per tenfold light, a paper's contrast that of the print per density of the
  /// film, and the print's slope their product; manufacturers' data sheets give 0.6 and about 2, and so 1.2.
  @Test(
    "The slopes of film and print in their straight parts are gamma and contrast", arguments: [1.5, 2.0, 2.7])
  func slopes(contrast: Double) throws {
    var film = Film(strength: 100)
    (film.contrast, film.glow, film.density) = (Float(contrast), 0.1, 4)
    let model = FilmModel(film)
    #expect(abs(model.filmDensity(0.2) - model.filmDensity(0.1) - log10(2)) < 0.01)
    // In the middle of the print's range.
    let middle = 2 / contrast
    #expect(
      abs((model.printDensity(middle + 0.1) - model.printDensity(middle - 0.1)) / 0.2 - contrast) < 0.02)
    // From fog to the densest: the latitude at unit gamma, and the print's density.
    let latitude = Double(film.toe + film.shoulder) * log10(2)
    #expect(abs(model.filmDensity(1e4) - latitude) < 0.01 && model.filmDensity(0) < 0.01)
    #expect(abs(model.printDensity(10) - 4) < 0.01 && model.printDensity(-10) < 1e-9)
  }

  static func random(_ random: inout SeededRandom) throws -> Film {
    var film = Film(strength: 100)
    for parameter in Film.parameters where parameter.name != "strength" {
      switch parameter.kind {
      case .number(let number):
        try parameter.set(.number(.random(in: number.range, using: &random)), in: &film)
      default: break
      }
    }
    func three(_ range: ClosedRange<Double>) -> (Double, Double, Double) {
      (
        .random(in: range, using: &random), .random(in: range, using: &random),
        .random(in: range, using: &random)
      )
    }
    let (gamma, held, dyes) = (three(0.2...2), three(0...0.5), three(0...0.5))
    film.gamma = Film.Gamma(gamma.0, gamma.1, gamma.2)
    film.inhibition = Film.Inhibition(held.0, held.1, held.2)
    film.dyes = Film.Dyes(dyes.0, dyes.1, dyes.2)
    let (black, middle, white) = (three(0...40), three(-2...2), three(60...100))
    film.black = Film.Black(black.0, black.1, black.2)
    film.middle = Film.Middle(middle.0, middle.1, middle.2)
    film.white = Film.White(white.0, white.1, white.2)
    if Bool.random(using: &random) {
      film.sensitivity = .panchromatic(red: .random(in: -0.5...2, using: &random), green: 1, blue: 0)
    }
    try film.validate()
    return film
  }

  @Test(
    "Whatever its numbers, a film keeps greys in order, unless they are tinted beyond sRGB, and stays finite")
  func anyNumbers() throws {
    var random = SeededRandom(seed: 22)
    var compared = 0
    for round in 0..<60 {
      let film = try Self.random(&random)
      let model = FilmModel(film)
      var last = -Double.infinity
      for step in 0...200 {
        let light = model.brightest * pow(Double(step) / 200, 2.4)
        let out = model.evaluate(SIMD3(repeating: light))
        let y = (PlanBuilder.workingSpace.toXYZ * out).y
        #expect(y.isFinite, "round \(round), light \(light): \(film)")
        let srgb = ColorSpace.linearRec2020.matrix(to: .linearSRGB) * out
        // Compression begins at a fifth of the lightest channel.
        guard srgb.min() > 0.21 * srgb.max() else { continue }
        #expect(y >= last - 1e-9, "round \(round), light \(light): \(film)")
        last = y
        compared += 1
      }
      let table = try FilmTable.table(of: film)
      #expect(table.cube?.nodes.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite } ?? false)
    }
    #expect(compared > 2000)
  }

  @Test("Black, middle grey and white come out where the film puts them")
  func anchors() throws {
    var film = Film(strength: 100)
    film.black = Film.Black(5, 4, 6)
    film.middle = Film.Middle(0.3, 0.1, -0.2)
    film.white = Film.White(98, 99, 95)
    (film.gamma, film.silver, film.headroom) = (Film.Gamma(0.65, 0.6, 0.55), 30, 0.5)
    let model = FilmModel(film)
    func srgb(_ light: Double) -> SIMD3<Double> {
      ColorSpace.sRGB.encode(
        ColorSpace.linearRec2020.matrix(to: .linearSRGB) * model.evaluate(SIMD3(repeating: light)))
    }
    #expect(difference(srgb(0), SIMD3(0.05, 0.04, 0.06)) < 1e-9)
    #expect(difference(srgb(0.5.squareRoot() * 2), SIMD3(0.98, 0.99, 0.95)) < 1e-9)
    // Between black and white, as `middle` says.
    let (black, white) = (
      ColorSpace.sRGB.decode(SIMD3(0.05, 0.04, 0.06)), ColorSpace.sRGB.decode(SIMD3(0.98, 0.99, 0.95))
    )
    let middle = ColorSpace.sRGB.decode(srgb(0.18))
    for (channel, stops) in [0.3, 0.1, -0.2].enumerated() {
      let expected = black[channel] + (white[channel] - black[channel]) * 0.18 * exp2(stops)
      #expect(abs(middle[channel] - expected) < 0.02 * expected)
    }
  }

  @Test("Inhibition separates colours, dyes dull them, depth darkens them, and none of them changes a grey")
  func colors() throws {
    var film = Film(strength: 100)
    (film.inhibition, film.depth, film.dyes) = (Film.Inhibition(0), 0, Film.Dyes(0))
    let plain = FilmModel(film)
    film.inhibition = Film.Inhibition(0.3)
    let separated = FilmModel(film)
    (film.inhibition, film.dyes) = (Film.Inhibition(0), Film.Dyes(0.4))
    let dull = FilmModel(film)
    (film.dyes, film.depth) = (Film.Dyes(0), 80)
    let deep = FilmModel(film)
    for hue in stride(from: 0.0, to: 360, by: 30) {
      let color = rgb(0.6, 0.08, hue)
      let before = oklch(plain.evaluate(color))
      #expect(oklch(separated.evaluate(color)).chroma > 1.1 * before.chroma)
      #expect(oklch(dull.evaluate(color)).chroma < before.chroma)
      #expect(oklch(deep.evaluate(color)).lightness < before.lightness - 0.01)
    }
    for light in [0.01, 0.18, 0.6] {
      let grey = SIMD3(repeating: light)
      for model in [separated, dull, deep] {
        #expect(difference(model.evaluate(grey), plain.evaluate(grey)) < 1e-9)
      }
    }
  }

  @Test("Colours of films are within sRGB, but for a hundredth")
  func gamut() throws {
    var random = SeededRandom(seed: 5)
    for id in PresetLibrary.ids {
      for case let film as Film in try PresetLibrary.preset(id).recipe.filters {
        let model = FilmModel(film)
        for _ in 0..<500 {
          let color = SIMD3<Double>.random(in: 0...1, using: &random)
          let light = ColorSpace.sRGB.decode(color)
          let out =
            ColorSpace.linearRec2020.matrix(to: .linearSRGB)
            * model.evaluate(ColorSpace.linearSRGB.matrix(to: .linearRec2020) * light)
          #expect(out.min() > -0.01, "\(id): \(color) is \(out)")
        }
      }
    }
  }
}
