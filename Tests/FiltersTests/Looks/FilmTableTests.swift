import ColorScience
import FilterGraph
import FrameCore
import TestSupport
import Testing

@testable import Filters

/// Tables of films against the model that they are made from, and films as filters.
@Suite("Tables of films")
struct FilmTableTests {
  /// The films of the looks that ship.
  static func shipped() throws -> [(id: String, film: Film)] {
    try PresetLibrary.ids.flatMap { id in
      try PresetLibrary.preset(id).recipe.filters.compactMap { filter in
        (filter as? Film).map { (id, $0) }
      }
    }
  }

  static func lab(_ linear: SIMD3<Double>) -> SIMD3<Double> {
    CIELab.fromXYZ(ColorSpace.linearRec2020.toXYZ * linear, white: .d65)
  }

  @Test("Nodes are the model's colours")
  func nodes() throws {
    let shipped = try Self.shipped()
    #expect(shipped.count == 18)
    for (id, film) in shipped {
      let model = FilmModel(film)
      let cube = try #require(try FilmTable.table(of: film).cube)
      let top = Double(cube.domainMax.x)
      var worst = 0.0
      for index in stride(from: 0, to: cube.nodes.count, by: 7) {
        let place = SIMD3(index % 33, index / 33 % 33, index / 1089)
        let color = FilmModel.encoding.decode(SIMD3<Double>(place) * top / 32)
        worst = max(
          worst,
          difference(SIMD3<Double>(cube.nodes[index]), FilmModel.encoding.encode(model.evaluate(color))))
      }
      #expect(worst < 6e-4, "\(id): \(worst)")
    }
  }

  @Test("Between nodes, photos' colours are off by little")
  func interpolation() throws {
    var random = SeededRandom(seed: 8)
    let toFilm = ColorSpace.linearSRGB.matrix(to: .linearRec2020)
    for (id, film) in try Self.shipped() {
      let model = FilmModel(film)
      let table = try FilmTable.table(of: film)
      var (sum, worst) = (0.0, 0.0)
      for index in 0..<1500 {
        // Greys, muted colours as most photos have, and all of sRGB.
        let any = SIMD3<Double>.random(in: 0...1, using: &random)
        let grey = SIMD3<Double>(repeating: any.sum() / 3)
        let chroma: Double = [0, 0.4, 1][index % 3]
        let color = toFilm * ColorSpace.sRGB.decode(grey + chroma * (any - grey))
        let exact = model.evaluate(color)
        let seen = FilmModel.encoding.decode(table.evaluate(FilmModel.encoding.encode(color)))
        let wrong = deltaE2000(Self.lab(exact), Self.lab(seen))
        sum += wrong
        worst = max(worst, wrong)
      }
      #expect(sum / 1500 < 0.12 && worst < 2, "\(id): mean ΔE2000 \(sum / 1500), max \(worst)")
    }
  }

  @Test("Strength mixes the film with the picture, and 0 is the picture")
  func strength() throws {
    var film = try #require(try Self.shipped().first).film
    let color = SIMD3(0.3, 0.2, 0.1)
    // What a table returns is encoded.
    let full = try film.evaluate(color)
    let before = ColorSpace.rec2020Video.encode(color)
    for strength in [25.0, 50, 75] {
      film.strength = Float(strength)
      let mixed = try film.evaluate(color)
      #expect(difference(mixed, before + (full - before) * strength / 100) < 1e-6)
    }
    film.strength = 0
    #expect(try film.lowered().stages.isEmpty)
    film.strength = 100
    #expect(film.scaled(by: 0.3).strength == 30 && film.scaled(by: 0.3).gamma == film.gamma)
  }

  @Test("NaN stays NaN, and what is beyond all light is white")
  func extremes() throws {
    let film = Film(strength: 100)
    #expect(try film.evaluate(SIMD3(.nan, 0.2, 0.2)).x.isNaN)
    let white = try film.evaluate(SIMD3(repeating: 1.3))
    #expect(difference(try film.evaluate(SIMD3(repeating: 1e6)), white) < 1e-3)
    #expect(try film.evaluate(SIMD3(repeating: -1)).max() < 1e-3)
  }

  @Test(
    "Wrong numbers are refused with a remedy",
    arguments: [
      ("gamma", "0.6,0.6", "write those of red, green and blue"),
      ("gamma", "0.6,0.6,nan", "give numbers in 0.2…2"),
      ("black", "0,0,41", "give numbers in 0…40"),
      ("sensitivity", "1,-1,0", "give shares in -2…2"),
      ("sensitivity", "grey", "write those of red, green and blue"),
      ("dyes", "0.1,x,0.2,0.3", "write those of red, green and blue"),
    ])
  func refused(name: String, text: String, remedy: String) throws {
    let json = "{\"safelight\":1,\"filters\":[{\"filter\":\"film\",\"strength\":50,\"\(name)\":\"\(text)\"}]}"
    let error = #expect(throws: SafelightError.self) {
      try Recipe(json: Array(json.utf8), file: "r.json", catalog: .standard) { _ in [] }
    }
    #expect(error?.problem.hasPrefix("r.json: filters[0]: ") ?? false, "\(String(describing: error))")
    #expect(error?.remedy.contains(remedy) ?? false, "\(String(describing: error))")
  }

  @Test("A film is written to JSON and read back")
  func json() throws {
    var film = Film(strength: 80)
    (film.gamma, film.sensitivity) = (
      Film.Gamma(0.65, 0.6, 0.575), .panchromatic(red: 0.4, green: 1.5, blue: -0.9)
    )
    let text = Recipe(filters: [film]).json()
    #expect(
      text.contains("\"gamma\": \"0.65,0.6,0.575\"") && text.contains("\"sensitivity\": \"0.4,1.5,-0.9\""))
    let read = try Recipe(json: Array(text.utf8), file: "r", catalog: .standard) { _ in [] }
    #expect(read.filters.first as? Film == film)
  }
}
