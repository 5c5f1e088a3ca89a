import Safelight
import Testing

@testable import Editing

/// Values for a photo whose recipe, or whoever edits it, sets some already.
extension AutoValuesTests {
  @Test("Tone is found after an exposure that somebody gave")
  func given() throws {
    let picture = try Self.picture(seed: 2)
    func shadows(_ stops: Float) throws -> Float {
      let values = try Self.values(of: picture, [.exposure, .tone]) { filter in
        filter is Exposure ? Exposure(stops: stops) : filter
      }
      return values.filters.lazy.compactMap { $0 as? Tone }.first?.shadows ?? 0
    }
    #expect(try shadows(-1.5) > shadows(1) + 5)
  }

  private func ids(_ filters: [any Filter]) -> [String] { filters.map { type(of: $0).id.name } }

  @Test("A recipe's own filters of the kinds to find do not count, and are told to be replaced")
  func replaced() throws {
    let picture = try Self.picture(seed: 2, through: [Exposure(stops: -1)])
    let kinds = Set(AutoValues.Kind.allCases)
    let own = Recipe(filters: [
      Contrast(40), Exposure(stops: 2), Saturation(20), WhiteBalance(temperature: 3000), Tone(blacks: 50),
      Exposure(stops: -1),
    ])
    let plain = try Self.values(of: picture, kinds)
    let joining = try Self.values(of: picture, kinds, joining: own)
    let text = Recipe(filters: plain.filters).json()
    #expect(Recipe(filters: joining.filters).json() == text)
    #expect(ids(own.removing(kinds).filters) == ["saturation"])
    for kind in kinds {
      #expect(joining.reasons[kind] == "\(plain.reasons[kind] ?? ""); replaces the recipe's own")
    }
    // Found again for what was found, they are the same.
    let again = try Self.values(
      of: picture, kinds, joining: own.removing(kinds).then(Recipe(filters: plain.filters)))
    #expect(Recipe(filters: again.filters).json() == text)
  }

  @Test("A recipe's white balance and exposure count for what is found after them")
  func kept() throws {
    let dim = Exposure(stops: -1)
    let picture = try Self.picture(seed: 2, through: [dim])
    func found(_ kinds: Set<AutoValues.Kind>, _ own: any Filter...) throws -> [any Filter] {
      try Self.values(of: picture, kinds, joining: Recipe(filters: own)).filters
    }
    func shadows(_ filters: [any Filter]) -> Float {
      filters.lazy.compactMap { $0 as? Tone }.first?.shadows ?? 0
    }
    #expect(
      try shadows(found([.tone], Exposure(stops: -1), Exposure(stops: -0.5)))
        > shadows(found([.tone], Exposure(stops: 1))) + 5)
    // A balance against candle light takes most of the red away: light is missing then.
    func stops(_ filters: [any Filter]) -> Float {
      filters.lazy.compactMap { $0 as? Exposure }.first?.stops ?? 0
    }
    let cold = WhiteBalance(temperature: 3500)
    let balanced = try stops(found([.exposure], cold))
    #expect(try abs(balanced - stops(found([.exposure]))) > 0.05)
    // The same as for a picture that was rendered so.
    let rendered = try Self.values(of: Self.picture(seed: 2, through: [dim, cold]), [.exposure])
    #expect(abs(balanced - stops(rendered.filters)) < 0.05)
  }
}
