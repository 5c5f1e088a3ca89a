import LibraryTestSupport
import Safelight
import FoundationEssentials
import Testing

@testable import Sidecars

@Suite("Settings of Adobe's programs")
struct AdobeSettingsTests {
  private static let head = """
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
    """

  /// A packet with these attributes and elements.
  static func packet(_ attributes: String, _ elements: String = "") -> [UInt8] {
    Array("<rdf:RDF \(head)><rdf:Description \(attributes)>\(elements)</rdf:Description></rdf:RDF>".utf8)
  }

  static func imported(_ attributes: String, _ elements: String = "") throws -> AdobeImport {
    try AdobeImport(
      AdobeSettings(packet: packet(attributes, elements), file: "a.xmp"),
      size: PixelSize(width: 60, height: 40),
      orientation: .up, isOwn: true)
  }

  @Test("Settings become the filters that the table says")
  func mapping() throws {
    let result = try Self.imported(
      """
      crs:ProcessVersion="11.0" crs:Exposure2012="+0.35" crs:Contrast2012="+25" crs:Highlights2012="-40"
      crs:Shadows2012="+30" crs:Whites2012="+5" crs:Blacks2012="-6" crs:Saturation="-10"
      crs:IncrementalTemperature="+100" crs:IncrementalTint="-5" crs:PostCropVignetteAmount="-18"
      crs:PostCropVignetteMidpoint="40" crs:PostCropVignetteFeather="70" crs:PostCropVignetteRoundness="+15"
      crs:PostCropVignetteStyle="1" crs:Sharpness="40" crs:SharpenRadius="+1.4" crs:SharpenDetail="30"
      crs:SharpenEdgeMasking="15" crs:Dehaze="+12" crs:Texture="-8" crs:Clarity2012="+22" crs:LuminanceSmoothing="20"
      crs:LuminanceNoiseReductionDetail="70" crs:LuminanceNoiseReductionContrast="0" crs:ColorNoiseReduction="25"
      crs:ColorNoiseReductionDetail="40" crs:GrainAmount="33" crs:GrainSize="40" crs:GrainFrequency="60"
      """)
    #expect(
      result.recipe.json()
        == Recipe {
          NoiseReduction(luminance: 20, luminanceDetail: 70, color: 25, colorDetail: 40)
          WhiteBalance(temperature: 10_000, tint: -5)
          Exposure(stops: 0.35)
          Dehaze(12)
          Texture(-8)
          Clarity(22)
          Vignette(amount: -18, midpoint: 40, feather: 70, roundness: 15)
          Grain(33, size: 40, roughness: 60)
          Tone(highlights: -40, shadows: 30, whites: 5, blacks: -6)
          Contrast(25)
          Saturation(-10)
          Sharpen(40, radius: 1.4, detail: 30, masking: 15)
        }.json())
    #expect(
      result.report.approximate.map(\.text) == [
        "LuminanceSmoothing 20", "ColorNoiseReduction 25", "LuminanceNoiseReductionDetail 70",
        "ColorNoiseReductionDetail 40", "IncrementalTemperature +100",
        "IncrementalTint -5", "Dehaze +12", "Texture -8", "Clarity2012 +22", "PostCropVignetteAmount -18",
        "PostCropVignetteMidpoint 40", "PostCropVignetteFeather 70", "PostCropVignetteRoundness +15",
        "GrainAmount 33", "GrainSize 40", "GrainFrequency 60",
        "Highlights2012 -40", "Shadows2012 +30",
        "Whites2012 +5", "Blacks2012 -6", "Contrast2012 +25", "Saturation -10",
        "Sharpness 40", "SharpenRadius +1.4", "SharpenDetail 30", "SharpenEdgeMasking 15",
      ])
    #expect(result.report.exact.map(\.text) == ["Exposure2012 +0.35"])
    #expect(result.report.ignored.isEmpty)
  }

  @Test("The slider for rendered photos moves in equal steps of reciprocal temperature")
  func relativeTemperature() {
    // 10⁶/6500 = 153.846, 10⁶/10000 = 100: the other end is at 153.846 + 53.846 = 207.692.
    #expect(AdobeImport.relativeTemperature(0) == 6500)
    #expect(abs(AdobeImport.relativeTemperature(100) - 10_000) < 1e-6)
    #expect(abs(AdobeImport.relativeTemperature(-100) - 1e6 / 207.6923) < 0.01)
  }

  @Test("Kelvin are used where the camera's own are known: as shot is 6500 K then")
  func asShot() throws {
    let packet = Self.packet(#"crs:WhiteBalance="Custom" crs:Temperature="6000" crs:Tint="+12""#)
    let settings = try AdobeSettings(packet: packet, file: "a.xmp")
    func imported(_ asShot: AdobeImport.AsShotWhiteBalance?) throws -> AdobeImport {
      try AdobeImport(
        settings, size: PixelSize(width: 60, height: 40), orientation: .up, isOwn: true, asShot: asShot)
    }
    func filter(_ asShot: AdobeImport.AsShotWhiteBalance) throws -> WhiteBalance? {
      try imported(asShot).recipe.filters.first as? WhiteBalance
    }
    // The same as the camera's is as shot.
    #expect(try filter(.init(kelvin: 6000, tint: 12)) == nil)
    #expect(try filter(.init(kelvin: 6000, tint: 2))?.tint == 10)
    // 153.846 + 166.667 - 200 mireds.
    #expect(try filter(.init(kelvin: 5000, tint: 12))?.temperature == 8300)
    #expect(try imported(.init(kelvin: 5000)).report.ignored.isEmpty)
    let far = try imported(.init(kelvin: 3000))
    #expect(far.recipe.filters.isEmpty)
    #expect(
      far.report.ignored.first?.reason == "further from the camera's own than white balance reaches here")
    #expect(
      try imported(nil).report.ignored.first?.reason
        == "means nothing without the camera's own; “recipe import” takes it as --as-shot")
  }

  @Test("What Lightroom writes for a photo that nobody has touched is an empty edit, and nothing is lost")
  func untouched() throws {
    let result = try Self.imported(
      """
      crs:Version="15.4" crs:ProcessVersion="11.0" crs:WhiteBalance="As Shot" crs:Temperature="5350" crs:Tint="+12"
      crs:Exposure2012="0.00" crs:Contrast2012="0" crs:Highlights2012="0" crs:Shadows2012="0" crs:Whites2012="0"
      crs:Blacks2012="0" crs:Texture="0" crs:Clarity2012="0" crs:Dehaze="0" crs:Vibrance="0" crs:Saturation="0"
      crs:ParametricShadows="0" crs:ParametricShadowSplit="25" crs:ParametricMidtoneSplit="50"
      crs:ParametricHighlightSplit="75" crs:Sharpness="0" crs:SharpenRadius="+1.0" crs:SharpenDetail="25"
      crs:LuminanceSmoothing="0" crs:ColorNoiseReduction="0" crs:ColorNoiseReductionDetail="50"
      crs:SplitToningBalance="0" crs:ColorGradeBlending="50" crs:GrainAmount="0" crs:PostCropVignetteAmount="0"
      crs:LensProfileEnable="0" crs:PerspectiveUpright="0" crs:PerspectiveScale="100" crs:DefringePurpleHueLo="30"
      crs:CameraProfile="Adobe Standard" crs:ToneCurveName2012="Linear" crs:HasCrop="False" crs:HasSettings="True"
      crs:CropTop="0" crs:CropRight="1" crs:AlreadyApplied="False" crs:RawFileName="DSC_0061.NEF"
      """,
      """
      <crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 0</rdf:li><rdf:li>255, 255</rdf:li></rdf:Seq></crs:ToneCurvePV2012>
      <crs:Look><rdf:Description crs:Name=""/></crs:Look>
      """)
    #expect(result.recipe.filters.isEmpty)
    #expect(result.report.approximate.isEmpty)
    #expect(result.report.ignored.isEmpty, "\(result.report.ignored)")
  }

  @Test("Everything that changes the picture and is not used is told, once")
  func unused() throws {
    let result = try Self.imported(
      """
      crs:ProcessVersion="5.7" crs:WhiteBalance="Custom" crs:Temperature="5350" crs:Tint="+12"
      crs:LensProfileEnable="1" crs:LensProfileName="Canon" crs:Unheard="7"
      """,
      """
      <crs:Look><rdf:Description crs:Name="Adobe Color"><crs:Amount>1</crs:Amount></rdf:Description></crs:Look>
      <crs:MaskGroupBasedCorrections><rdf:Seq><rdf:li rdf:parseType="Resource"><crs:What>Correction</crs:What></rdf:li>
      </rdf:Seq></crs:MaskGroupBasedCorrections>
      """)
    #expect(
      result.report.ignored.map(\.text) == [
        "LensProfileEnable 1", "LensProfileName Canon", "Look Adobe Color", "ProcessVersion 5.7",
        "Temperature 5350", "Tint +12", "Unheard 7",
      ])
    #expect(result.recipe.filters.isEmpty)
  }

  @Test("Settings count by their namespace, as attributes or elements, and not in structures")
  func forms() throws {
    let packet = """
      <?xpacket begin="\u{FEFF}"?><!-- x -->
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <r:Description xmlns:crs="http://example.org/" crs:Exposure2012="9"/>
      <r:Description xmlns:other="http://ns.adobe.com/camera-raw-settings/1.0/" other:Contrast2012='&#43;1&#x32;'>
       <other:Exposure2012>
        <![CDATA[-1]]>.5
       </other:Exposure2012>
       <other:Look r:parseType="Resource"><other:Exposure2012>4</other:Exposure2012></other:Look>
      </r:Description></r:RDF></x:xmpmeta>
      <?xpacket end="w"?>
      """
    let settings = try AdobeSettings(packet: Array(packet.utf8), file: "a.xmp")
    #expect(settings.values["Exposure2012"] == .text("-1.5"))
    #expect(settings.values["Contrast2012"] == .text("+12"))
    #expect(settings.values["Look"] == .structure(["Exposure2012": "4"]))
    #expect(settings.values.count == 3)
  }

  @Test(
    "XML that is not sound is refused with its line",
    arguments: [
      ("", "a.xmp:1: there is no XML element"),
      ("<a>", "a.xmp:1: the element <a> does not end"),
      ("<a>\n<b></a></b>", "a.xmp:2: <b> ends with </a>"),
      ("<a b=c/>", "a.xmp:1: a value in quotes is expected"),
      ("<a b='1' b='2'/>", "a.xmp:1: the attribute “b” is given twice"),
      ("<a b='<'/>", "a.xmp:1: a value in quotes holds a <"),
      ("<p:a/>", "a.xmp:1: the prefix “p” is not declared"),
      (
        "<a>&nbsp;</a>",
        "a.xmp:1: there is an & that does not begin a reference known to XML; write &amp; instead."
      ),
      ("<a>&#0;</a>", "a.xmp:1: there is an & that does not begin a reference known to XML"),
      ("<!DOCTYPE a><a/>", "a.xmp:1: it has a document type, which is not read; remove the DOCTYPE."),
      ("<a/><b/>", "a.xmp:1: there is text after the end of the element"),
      ("<a/>", "a.xmp is XML, but not XMP; name an .xmp file or a photo that holds XMP."),
      (String(repeating: "<a>", count: 65), "a.xmp:1: elements are nested more than 64 deep"),
    ])
  func unsound(xml: String, beginning: String) {
    let text = message { _ = try AdobeSettings(packet: Array(xml.utf8), file: "a.xmp") }
    #expect(text?.hasPrefix(beginning) ?? false, "\(text ?? "accepted")")
  }

  @Test("Texts made to take long or much are refused, or read, in no time")
  func hostile() {
    let many = (0..<300_000).map { " a\($0)=''" }.joined()
    let prefixes = (0..<300).map { " xmlns:a\($0)=''" }.joined()
    for (xml, ending) in [
      (
        "<a\(many)/>",
        "holds more than 200000 elements and attributes; save it without brush strokes and without its history."
      ),
      (
        "<a\(prefixes)/>",
        "more than 256 prefixes are declared; save it again with the program that wrote it."
      ),
      (
        String(repeating: " ", count: 16 << 20) + "<a/>",
        "bytes of XML, more than 16 MiB; save it without brush strokes and without its history."
      ),
    ] {
      let text = message { _ = try AdobeSettings(packet: Array(xml.utf8), file: "a.xmp") }
      #expect(text?.hasSuffix(ending) ?? false, "\(text ?? "accepted")")
    }
  }

  @Test(
    "A setting out of its range is refused, not bent",
    arguments: [
      (#"crs:Exposure2012="5.5""#, "a.xmp: crs:Exposure2012 is “5.5”; it is a number in -5…5."),
      (#"crs:Contrast2012="much""#, "a.xmp: crs:Contrast2012 is “much”; it is a number in -100…100."),
      (#"crs:Exposure2012="nan""#, "a.xmp: crs:Exposure2012 is “nan”; it is a number in -5…5."),
      (#"crs:HasCrop="True" crs:CropAngle="46""#, "a.xmp: crs:CropAngle is “46”; it is a number in -45…45."),
      (
        #"crs:HasCrop="True" crs:CropLeft="0.8" crs:CropRight="0.2""#,
        "a.xmp: the crop is empty; crop again in the program that wrote it."
      ),
    ])
  func outOfRange(attributes: String, sentence: String) {
    #expect(message { _ = try Self.imported(attributes) } == sentence)
  }

  @Test("Files without settings, and those with settings that are in the pixels already, are refused")
  func none() throws {
    let sentence =
      "a.xmp holds no develop settings of Lightroom or Camera Raw; save them to the file there (Ctrl-S), or name the .xmp file beside the photo."
    for attributes in ["", #"crs:HasSettings="False" crs:Exposure2012="1""#] {
      #expect(message { _ = try Self.imported(attributes) } == sentence)
    }
    #expect(
      message { _ = try Self.imported(#"crs:AlreadyApplied="True" crs:Exposure2012="1""#) }
        == "The settings in a.xmp are already applied to its pixels; import them from the original, or name the photo to apply them to."
    )
  }

  @Test("What did not fit into a packet is joined in its order")
  func extended() throws {
    let mark = String(repeating: "0A", count: 16)
    let rest = Self.packet(#"crs:Exposure2012="1.25""#)
    func part(_ range: Range<Int>) -> [UInt8] {
      func bytes(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
      return Array(mark.utf8) + bytes(rest.count) + bytes(range.lowerBound) + rest[range]
    }
    let packet = Array(
      "<rdf:RDF \(Self.head) xmlns:n=\"http://ns.adobe.com/xmp/note/\"><rdf:Description n:HasExtendedXMP=\"\(mark)\"/></rdf:RDF>"
        .utf8)
    let parts = [part(100..<rest.count), part(0..<100)]
    let settings = try AdobeSettings(packet: packet, extended: parts, file: "a.jpg")
    #expect(settings.values["Exposure2012"] == .text("1.25"))
    #expect(
      message { _ = try AdobeSettings(packet: packet, extended: [parts[0]], file: "a.jpg") }
        == "A part of the XMP in a.jpg is missing; save it again with the program that wrote it.")
  }

  @Test("An .xmp file belongs to the photo of its name, to the raw where there are two")
  func photo() throws {
    let scratch = try Scratch()
    for name in [
      "a.NEF", "a.jpg", "a.xmp", "b.jpg", "b.jpg.xmp", "c.jpg", "c.png", "c.xmp", "d.txt", "d.xmp",
    ] {
      try scratch.write("", to: name)
    }
    #expect(try AdobeSettings.photo(for: scratch("a.xmp")) == scratch("a.NEF"))
    #expect(try AdobeSettings.photo(for: scratch("b.jpg.xmp")) == scratch("b.jpg"))
    #expect(try AdobeSettings.photo(for: scratch("b.jpg")) == scratch("b.jpg"))
    #expect(
      message { _ = try AdobeSettings.photo(for: scratch("c.xmp")) }
        == "\(scratch("c.xmp")) may be for c.jpg or c.png; give the photo as the second argument.")
    #expect(
      message { _ = try AdobeSettings.photo(for: scratch("d.xmp")) }
        == "There is no photo for \(scratch("d.xmp")) beside it; give the photo as the second argument.")
  }
}
