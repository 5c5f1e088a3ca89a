import Safelight
import Testing

@testable import Sidecars

/// Presets of Lightroom and Camera Raw, and the settings that only they have.
@Suite("Presets of Lightroom")
struct AdobeLookTests {
  private static func imported(_ attributes: String, _ elements: String = "") throws -> AdobeImport {
    try AdobeImport(
      look: AdobeSettings(packet: AdobeSettingsTests.packet(attributes, elements), file: "a.xmp"))
  }

  @Test("A preset has its name and group, and each of its settings is in one list")
  func preset() throws {
    let look = try LookSeeds.look("good-preset.xmp")
    #expect(look.name == "Harbour B/W Soft" && look.group == "My Film" && look.program == .lightroom)
    #expect(look.recipe.labels == RecipeLabels(family: "my-film", tags: ["lightroom"]))
    #expect(look.settings.texts(\.exact) == ["Exposure2012 +0.35"])
    #expect(
      Set(look.settings.approximate.map(\.name)) == [
        "Contrast2012", "Highlights2012", "Shadows2012", "Vibrance", "Saturation", "HueAdjustmentBlue",
        "SaturationAdjustmentBlue", "ColorGradeMidtoneHue", "ColorGradeMidtoneSat", "SplitToningShadowHue",
        "SplitToningShadowSaturation", "ColorGradeBlending", "ParametricDarks", "ParametricShadowSplit",
        "RedHue",
        "BlueSaturation", "GrainAmount", "GrainSize", "CurveRefineSaturation", "ToneCurvePV2012",
      ])
    #expect(
      look.settings.ignored.map { "\($0.text): \($0.reason ?? "")" } == [
        "CameraProfile Camera Neutral: a camera profile of Adobe's",
        "LensProfileEnable 1: lenses are corrected from a database here",
        "Look Adobe Color: a profile of Adobe's, whose tables are not in the file",
        "ShadowTint -8: the shadows have a tint of their own",
      ])
    // Refined to 0, the curve keeps saturation.
    let curve = try #require(look.recipe.filters.compactMap { $0 as? PointCurve }.first)
    #expect(curve.rgb == PointCurve.straight && curve.luminance.count > 4)
  }

  @Test("Calibration is a mix of channels with moved primaries, and greys stay")
  func calibration() throws {
    func mix(_ attributes: String) throws -> ChannelMixer {
      try #require(Self.imported(attributes).recipe.filters.compactMap { $0 as? ChannelMixer }.first)
    }
    func near(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Bool { (a - b).max() < 0.06 && (b - a).max() < 0.06 }
    // Computed with NumPy: primaries of BT.2020 as chromaticities, matrices by SMPTE RP 177.
    let red = try mix(#"crs:RedHue="+100""#)
    #expect(near(red.red, SIMD3(100, 0, 0)) && near(red.green, SIMD3(26.44, 73.56, 0)), "\(red)")
    #expect(near(red.blue, SIMD3(0, 0, 100)))
    let two = try mix(#"crs:BlueSaturation="-100" crs:GreenHue="-50""#)
    #expect(near(two.red, SIMD3(75.73, 8.89, 15.38)) && near(two.green, SIMD3(0, 84.62, 15.38)), "\(two)")
    for row in [red.red, red.green, red.blue, two.red, two.green, two.blue] {
      #expect(abs(row.sum() - 100) < 1e-4)
    }
  }

  @Test("The parametric curve moves its regions, and never falls, whatever its sliders")
  func parametric() throws {
    func curve(_ attributes: String) throws -> [SIMD2<Double>] {
      try #require(Self.imported(attributes).recipe.filters.compactMap { $0 as? PointCurve }.first).rgb
    }
    // The middle of the darks, 25…50 %, moves by 0.12, and its borders by half of that.
    let darks = try curve(#"crs:ParametricDarks="-100""#)
    #expect(darks.contains(SIMD2(0.375, 0.255)) && darks.contains(SIMD2(0.25, 0.19)))
    #expect(darks.first == .zero && darks.last == .one)
    for (shadows, darks, lights, highlights) in [
      (100, -100, 100, -100), (-100, 100, -100, 100), (100, 100, -100, -100),
    ] {
      let points = try curve(
        #"crs:ParametricShadows="\#(shadows)" crs:ParametricDarks="\#(darks)" crs:ParametricLights="\#(lights)" "#
          + #"crs:ParametricHighlights="\#(highlights)" crs:ParametricShadowSplit="10" crs:ParametricMidtoneSplit="20""#
      )
      #expect(zip(points, points.dropFirst()).allSatisfy { $1.y >= $0.y && $1.x > $0.x }, "\(points)")
    }
    // With a curve of points behind it.
    let points =
      "<crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 51</rdf:li><rdf:li>255, 255</rdf:li></rdf:Seq></crs:ToneCurvePV2012>"
    let both = try #require(
      Self.imported(#"crs:ParametricDarks="-100""#, points).recipe.filters.compactMap { $0 as? PointCurve }
        .first)
    // 0.2 + 0.8 · 0.255
    #expect(both.rgb.contains { abs($0.x - 0.375) < 1e-9 && abs($0.y - 0.404) < 1e-3 }, "\(both.rgb)")
  }

  @Test("Settings of process 2010 count only where no later ones are meant")
  func legacy() throws {
    let old = try LookSeeds.look("good-old.lrtemplate")
    #expect(old.name == "Old Punch")
    #expect(
      old.recipe.filters.map { type(of: $0).id.name } == [
        "exposure", "tone", "contrast", "clarity", "curve", "saturation", "vibrance",
      ])
    #expect(old.recipe.filters[1].isEqual(to: Tone(highlights: -30, shadows: 20, blacks: -5)))
    #expect((old.recipe.filters[2] as? Contrast)?.amount == 25)
    #expect(old.settings.texts(\.ignored) == ["Brightness 60"] && old.settings.exact.isEmpty)
    let new = try Self.imported(
      #"crs:ProcessVersion="11.0" crs:Contrast2012="5" crs:Exposure="1" crs:Brightness="60" crs:Shadows="20""#
    )
    #expect(new.recipe.filters.count == 1 && new.report.ignored.isEmpty)
    // Contrast rested at 25, brightness at 50 and blacks at 5: a preset that sets them to 0 changes the picture.
    let zeros = try Self.imported(
      #"crs:ProcessVersion="5.7" crs:Contrast="0" crs:Brightness="0" crs:Shadows="0" crs:Exposure="0""#)
    #expect((zeros.recipe.filters.last as? Contrast)?.amount == -25)
    #expect(zeros.recipe.filters.contains { ($0 as? Tone)?.blacks == 5 })
    #expect(zeros.report.ignored.map(\.text) == ["Brightness 0"])
  }

  @Test("A gradient without a length, as of a click, is told and leaves the rest")
  func click() throws {
    let result = try Self.imported(
      #"crs:ProcessVersion="11.0" crs:Exposure2012="+0.5""#,
      """
      <crs:MaskGroupBasedCorrections><rdf:Seq><rdf:li rdf:parseType="Resource"><crs:What>Correction</crs:What>
      <crs:CorrectionAmount>1</crs:CorrectionAmount><crs:LocalExposure2012>-0.25</crs:LocalExposure2012>
      <crs:CorrectionMasks><rdf:Seq><rdf:li crs:What="Mask/Gradient" crs:ZeroX="0.5" crs:ZeroY="0.5" crs:FullX="0.5"
      crs:FullY="0.5"/></rdf:Seq></crs:CorrectionMasks></rdf:li></rdf:Seq></crs:MaskGroupBasedCorrections>
      """)
    #expect(result.recipe.filters.count == 1)
    #expect(
      result.report.ignored.count == 1 && result.report.ignored[0].reason?.contains("same place") == true)
  }

  @Test("Gradients are groups, placed as the photo is turned, and what Adobe finds is told")
  func masks() throws {
    let look = try LookSeeds.look("good-masks.xmp")
    let group = try #require(look.recipe.filters.first as? Group)
    #expect(look.recipe.filters.count == 1 && group.opacity == 80)
    // A photo of 3:2: the ellipse is 0.4 of its width, and 0.2 of its height, which is two thirds of that.
    #expect(
      group.mask
        == .subtract(
          .linear(from: MaskPoint(0.5, 0.6), to: MaskPoint(0.5, 0.2)),
          [
            .radial(
              center: MaskPoint(0.4, 0.2), radiusX: 0.2, radiusY: 0.066667, feather: 0.4)
          ]))
    #expect(group.nestedFilters.map { type(of: $0).id.name } == ["exposure", "saturation"])
    #expect((group.nestedFilters[0] as? Exposure)?.stops == -1)
    #expect((group.nestedFilters[1] as? Saturation)?.amount == 20)
    #expect(
      look.settings.ignored.map { "\($0.text): \($0.reason ?? "")" } == [
        "MaskGroupBasedCorrections[0].LocalHue 0.1: no such setting in groups",
        "MaskGroupBasedCorrections[1] Face: what Adobe finds in a picture is not in the file",
      ])
    // A camera held upright: what is at the top of the stored picture is at the right of the shown one.
    let settings = try AdobeSettings(packet: LookSeeds.bytes("good-masks.xmp"), file: "a.xmp")
    let turned = try AdobeImport(
      settings, size: PixelSize(width: 300, height: 200), orientation: .right, isOwn: true)
    guard case .subtract(.linear(let from, let to), _)? = (turned.recipe.filters.first as? Group)?.mask else {
      Issue.record("no gradient")
      return
    }
    #expect(from == MaskPoint(0.4, 0.5) && to == MaskPoint(0.8, 0.5))
  }

  @Test("A template has settings in a table, those of a panel that is off without effect")
  func template() throws {
    let look = try LookSeeds.look("good-film.lrtemplate")
    #expect(look.name == "Moody Film")
    #expect((look.recipe.filters.first as? Exposure)?.stops == -0.35)
    #expect(!look.recipe.filters.contains { $0 is Sharpen })
    #expect(
      look.recipe.filters.contains { $0 is Group } && look.recipe.filters.contains { $0 is ChannelMixer })
    #expect(
      look.settings.texts(\.ignored) == ["LensProfileEnable 1", "ShadowTint 4", "Temperature 4900", "Tint 6"])
    let error = #expect(throws: SafelightError.self) { try LookSeeds.look("bad-code.lrtemplate") }
    #expect(error?.problem == "bad-code.lrtemplate:1: “os” is no value")
  }

  @Test("A crop belongs to no look, and a file with nothing for us is refused by what it has")
  func nothing() throws {
    let cropped = try Self.imported(#"crs:HasCrop="True" crs:CropLeft="0.2" crs:Exposure2012="1""#)
    #expect(cropped.recipe.filters.count == 1)
    #expect(
      cropped.report.ignored.map { "\($0.name): \($0.reason ?? "")" } == ["HasCrop: a look has no crop"])
    let error = #expect(throws: SafelightError.self) { try LookSeeds.look("bad-nothing.xmp") }
    #expect(error?.problem == "bad-nothing.xmp holds nothing that Safelight has; not used: LensProfileEnable")
  }
}
