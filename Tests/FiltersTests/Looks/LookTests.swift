import ColorScience
import FilterGraph
import FrameCore
import Libc
import Testing

@testable import Filters

/// What every shipped look must hold, on a ColorChecker, greys, skin and a sky.
@Suite("Looks")
struct LookTests {
  /// The looks of this release's first version, which were made closer to each other.
  static let first: Set<String> = [
    "bleach-bypass", "cool-film", "faded", "golden-hour", "high-key", "low-key", "noir", "portrait-soft",
    "silver", "teal-orange", "vivid", "warm-film",
  ]
  /// Looks that turn skin on purpose: their light is not white, or their colours are wrong by name.
  static let unnatural: Set<String> = [
    "cool-film", "faded", "golden-hour", "cold-steel", "cross-process", "tungsten-night", "neon-night",
  ]
  /// The chroma in OKLCH that greys of a family may have.
  static let tints: [LookFamily: Double] = [
    .portraitNegative: 0.02, .consumerNegative: 0.03, .slide: 0.035, .cinePrint: 0.025,
    .bleachAndCross: 0.075,
    .blackAndWhite: 0.012, .faded: 0.03, .tungstenNight: 0.035, .landscapeAndFood: 0.037,
    .architecture: 0.008,
  ]

  /// Skin of seven tones, from light to dark, 8-bit sRGB: the chart's two and between and beyond them.
  static let skin: [SIMD3<Double>] = [
    SIMD3(240, 200, 180), SIMD3(224, 172, 145), SIMD3(194, 150, 130), SIMD3(198, 134, 105),
    SIMD3(141, 85, 60), SIMD3(115, 82, 68), SIMD3(92, 58, 44),
  ].map { $0 / 255 }

  static func presets() throws -> [Preset] { try PresetLibrary.byFamily() }

  @Test("There are thirty looks in ten families of two to four, with a line on when to use each, and tags")
  func families() throws {
    let presets = try Self.presets()
    #expect(presets.count == 30)
    #expect(Self.first.isSubset(of: presets.map(\.id)))
    for family in LookFamily.allCases {
      #expect((2...4).contains(presets.filter { $0.labels.family == family.rawValue }.count), "\(family)")
    }
    for preset in presets {
      let labels = preset.labels
      #expect(LookFamily(rawValue: labels.family) != nil, "\(preset.id)")
      #expect(labels.use.hasSuffix(".") && labels.use.count < 110 && labels.tags.count >= 3, "\(preset.id)")
      #expect(preset.description.count < 110, "\(preset.id)")
    }
    // Family by family.
    let order = LookFamily.allCases.map(\.rawValue)
    let places = presets.compactMap { order.firstIndex(of: $0.labels.family) }
    #expect(places == places.sorted())
  }

  @Test(
    "Any two looks are at least ΔE2000 4 apart on a chart and greys; two of the first twelve a little less")
  func apart() throws {
    let greys = (0...15).map { SIMD3(repeating: Double($0) / 15) }
    let colors = greys + ColorChecker.colors + ColorChecker.greys + Self.skin
    let seen = try Self.presets().map { preset -> (id: String, labs: [SIMD3<Double>]) in
      (preset.id, try PresetTests.apply(preset.recipe, to: colors).map(PresetTests.lab))
    }
    for (index, one) in seen.enumerated() {
      for other in seen[..<index] {
        let mean = zip(one.labs, other.labs).map { deltaE2000($0, $1) }.reduce(0, +) / Double(colors.count)
        let least = Self.first.contains(one.id) && Self.first.contains(other.id) ? 3.0 : 4.0
        #expect(mean >= least, "\(one.id) and \(other.id): \(mean)")
      }
    }
  }

  @Test("Skin keeps its hue, or the look is one that turns it on purpose; greys keep to their family's tint")
  func skinAndGreys() throws {
    for preset in try Self.presets() {
      let character = try LookCharacter(of: preset.recipe)
      let family = try #require(LookFamily(rawValue: preset.labels.family))
      #expect(character.greyTint <= Self.tints[family] ?? 0, "\(preset.id): \(character.greyTint)")
      if family == .blackAndWhite {
        #expect(character.skinHueShift == nil && character.saturation < 0.1, "\(preset.id)")
      } else if !Self.unnatural.contains(preset.id) {
        for hue in character.skinHues { #expect((38...55).contains(hue), "\(preset.id): \(hue)") }
        #expect(character.skinHues.count == 2, "\(preset.id)")
      } else if let shift = character.skinHueShift {
        #expect(abs(shift) < 30, "\(preset.id): \(shift)")
      }
    }
  }

  @Test("No skin is newly clipped")
  func skinIsNotClipped() throws {
    // Each tone over two stops of light, as a face has.
    let tones = Self.skin.flatMap { tone in
      stride(from: -1.0, through: 0.4, by: 0.1).map { stops -> SIMD3<Double> in
        ColorSpace.sRGB.encode(ColorSpace.sRGB.decode(tone) * exp2(stops))
      }
    }.filter { $0.max() < 0.97 }
    #expect(tones.count > 60)
    for preset in try Self.presets() {
      let seen = try PresetTests.apply(preset.recipe, to: tones)
      let clipped = seen.count { $0.max() >= 254.5 / 255 || $0.min() <= 0.5 / 255 }
      #expect(Double(clipped) < 0.02 * Double(tones.count), "\(preset.id): \(clipped) of \(tones.count)")
    }
  }

  /// Looks whose skies turn towards teal, or fade, on purpose.
  static let turningSkies: Set<String> = [
    "teal-orange", "golden-hour", "faded", "warm-film", "instant-print", "sun-bleached",
    "cine-print", "pastel-cinema", "warm-slide", "holiday-print", "open-shade",
  ]

  /// A sky from the horizon to the zenith, in 2000 steps: no step of lightness may stand out, as bands do. Dither hides
  /// steps of a code, not kinks of a table.
  @Test(
    "A clear sky has no bands: its steps change gently, and its hue turns by at most 15°, or more on purpose")
  func sky() throws {
    let (horizon, zenith) = (SIMD3(0.78, 0.87, 0.95), SIMD3(0.16, 0.34, 0.62))
    let colors = (0...2000).map { horizon + (zenith - horizon) * Double($0) / 2000 }
    let before = colors.map(Self.oklch)
    for preset in try Self.presets() {
      let seen = try PresetTests.apply(preset.recipe, to: colors).map(Self.oklch)
      let lightness: [Double] = seen.map(\.x)
      let steps: [Double] = zip(lightness.dropFirst(), lightness).map { $0 - $1 }
      // A table is straight between nodes, so steps change at nodes alone; a band is where they change at once.
      let jumps: [Double] = zip(steps.dropFirst(), steps).map { abs($0 - $1) }
      let mean = abs(lightness[2000] - lightness[0]) / 2000
      #expect((jumps.max() ?? 0) < 0.5 * mean, "\(preset.id): \((jumps.max() ?? 0) / mean)")
      // What has no colour has no hue, and yellow whites turn a pale horizon.
      guard preset.labels.family != LookFamily.blackAndWhite.rawValue, preset.id != "cross-process" else {
        continue
      }
      var most = 0.0
      for (old, new) in zip(before, seen) where new.y > 0.03 { most = max(most, turn(old.z, new.z)) }
      #expect(most < (Self.turningSkies.contains(preset.id) ? 45 : 15), "\(preset.id): \(most)°")
    }
  }

  static func oklch(_ encoded: SIMD3<Double>) -> SIMD3<Double> {
    let clipped = encoded.clamped(lowerBound: .zero, upperBound: .one)
    return OKLab.lch(fromLab: OKLab.fromXYZ(ColorSpace.sRGB.toXYZ * ColorSpace.sRGB.decode(clipped)))
  }

  @Test("Strength 0 is the picture, and its effect grows with strength")
  func strength() throws {
    for preset in try Self.presets() {
      let none = try PresetTests.apply(preset.recipe.scaled(by: 0), to: ColorChecker.colors)
      for (color, same) in zip(ColorChecker.colors, none) {
        #expect(difference(color, same) < 1e-6, "\(preset.id)")
      }
      var last = 0.0
      for strength in stride(from: 0.1, through: 1, by: 0.1) {
        let seen = try PresetTests.apply(preset.recipe.scaled(by: strength), to: ColorChecker.colors)
        var sum = 0.0
        for (color, new) in zip(ColorChecker.colors, seen) {
          sum += deltaE2000(PresetTests.lab(color), PresetTests.lab(new))
        }
        #expect(sum > last, "\(preset.id) at \(strength)")
        last = sum
      }
    }
  }
}
