import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("XMP")
struct XMPPacketTests {
  private func edited(_ text: String) -> String {
    let metadata = PhotoMetadata(xmp: Array(text.utf8))
    let edited = metadata.edited(size: PixelSize(width: 800, height: 6000), colorSpace: .sRGB)
    return String(decoding: edited.xmp ?? [], as: UTF8.self)
  }

  @Test(
    "Properties that an edit makes wrong are corrected in both forms",
    arguments: [
      (#"<x tiff:Orientation="6" a="6"/>"#, #"<x tiff:Orientation="1" a="6"/>"#),
      (#"<x tiff:Orientation = '8'/>"#, #"<x tiff:Orientation = '1'/>"#),
      ("<tiff:Orientation>6</tiff:Orientation>", "<tiff:Orientation>1</tiff:Orientation>"),
      ("<tiff:Orientation> 6\n</tiff:Orientation>", "<tiff:Orientation> 1\n</tiff:Orientation>"),
      (
        #"<x exif:PixelXDimension="4000" exif:PixelYDimension="30"/>"#,
        #"<x exif:PixelXDimension="800" exif:PixelYDimension="6000"/>"#
      ),
      (
        #"<x tiff:ImageWidth="1"><tiff:ImageLength>2</tiff:ImageLength>"#,
        #"<x tiff:ImageWidth="800"><tiff:ImageLength>6000</tiff:ImageLength>"#
      ),
      (#"<x exif:ColorSpace="65535"/>"#, #"<x exif:ColorSpace="1"/>"#),
      ("a<xmp:Thumbnails><rdf:Alt>/9j/4AA</rdf:Alt></xmp:Thumbnails>b", "ab"),
    ])
  func corrects(text: String, expected: String) { #expect(edited(text) == expected) }

  @Test("Adobe's settings of development go, so that nothing applies them to the result again")
  func settings() {
    let packet = #"""
      <rdf:Description xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" xmp:Rating="5"
       crs:Exposure2012="+1.50" crs:Temperature='4200'><crs:Masks><crs:Masks a="b"/><crs:Masks>1</crs:Masks>
      </crs:Masks ><dc:title>scrs:x</dc:title><crs:ToneCurvePV2012><rdf:li>0, 0</rdf:li></crs:ToneCurvePV2012>
      </rdf:Description>
      """#
    let result = edited(packet)
    for name in ["crs:Exposure2012", "crs:T", "crs:Masks", "0, 0"] {
      #expect(!result.contains(name), "\(name)")
    }
    #expect(result.contains(#"xmp:Rating="5""#) && result.contains("<dc:title>scrs:x</dc:title>"))
    #expect(result.hasSuffix("</rdf:Description>"))
  }

  @Test("Nothing promises a gain map or a video that is no longer there")
  func promises() {
    let packet = #"""
      <rdf:Description hdrgm:Version="1.0" HDRGainMap:HDRGainMapVersion="65536" GCamera:MotionPhoto="1" \#
      GCamera:MicroVideoOffset="4000" GCamera:SpecialTypeID="x" a="b"><Container:Directory><rdf:Seq><rdf:li>\#
      <Container:Item Item:Semantic="GainMap" Item:Length="1000"/></rdf:li></rdf:Seq></Container:Directory>\#
      </rdf:Description>
      """#
    let words = edited(packet).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words == #"<rdf:Description GCamera:SpecialTypeID="x" a="b"></rdf:Description>"#)
  }

  @Test(
    "What only looks like one of them stays",
    arguments: [
      "", "tiff:Orientation", "tiff:Orientation=", "tiff:Orientation=\"", "<tiff:Orientation>6",
      "<x tiff:Orientation=\"6'/>", "<x tiff:OrientationHint=\"6\"/>",
      "<tiff:Orientation>six</tiff:Orientation>",
      "<xmp:Thumbnails>unclosed", "<x tiff:Orientation=\"\"/>",
    ])
  func leaves(text: String) { #expect(edited(text) == text) }

  // MARK: Hostile packets

  @Test("A million hits are cleared, in both forms, and what stands between stays")
  func manyHits() {
    for (hit, cleared) in [(#" a="7""#, #" a="""#), ("<a>7 <", "<a> <")] {
      var packet = XMPPacket([UInt8](repeating: Array(hit.utf8), times: 1_000_000))
      packet.clear("a")
      // Compared before: the difference of arrays of this length takes minutes.
      let isCleared = packet.bytes == [UInt8](repeating: Array(cleared.utf8), times: 1_000_000)
      #expect(isCleared, "\(hit)")
    }
  }

  @Test("A hundred thousand thumbnails and numbers that are not closed stay as they are")
  func unclosed() {
    for hit in ["<xmp:Thumbnails>", "<tiff:Orientation>", "tiff:Orientation='"] {
      let bytes = [UInt8](repeating: Array(hit.utf8), times: 100_000)
      var packet = XMPPacket(bytes)
      packet.adapt(to: PixelSize(width: 1, height: 1), colorSpace: .sRGB)
      let isUnchanged = packet.bytes == bytes
      #expect(isUnchanged, "\(hit)")
    }
  }

  @Test("Six thousand mutated packets neither crash nor keep a level that an edit erases")
  func mutations() {
    let packets = [
      #"<x drone-dji:GimbalRollDegree="+1.50" drone-dji:GimbalPitchDegree='-12.3' tiff:Orientation="6"/>"#
        + "<xmp:Thumbnails>/9j/4AA</xmp:Thumbnails><exif:ColorSpace>1</exif:ColorSpace>",
      "<GPano:PoseRollDegrees> -3.25 </GPano:PoseRollDegrees><tiff:ImageWidth>8</tiff:ImageWidth>"
        + #"<x GPano:CroppedAreaImageWidthPixels="2000" GPano:FullPanoWidthPixels="8000"/>"#,
    ]
    var random = SeededRandom(seed: 77)
    let marks = Array("<>/='\" \n0-n".utf8)
    var told = 0
    for packet in packets.map({ Array($0.utf8) }) {
      for _ in 0..<3000 {
        var bytes = packet
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<6, using: &random) {
          case 0: bytes.removeLast(place)
          case 1: bytes.insert(contentsOf: bytes[place...], at: Int.random(in: 0...place, using: &random))
          case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
          default: bytes[place] = marks[Int.random(in: 0..<marks.count, using: &random)]
          }
        }
        let metadata = PhotoMetadata(xmp: bytes)
        if let roll = metadata.gravityRoll {
          told += 1
          #expect(abs(roll) <= 45)
        }
        let size = PixelSize(width: 800, height: 6000)
        let turned = metadata.edited(size: size, colorSpace: .sRGB, keepsLevel: false)
        #expect(turned.gravityRoll == nil)
        // What is corrected once stays as it is.
        #expect(turned.edited(size: size, colorSpace: .sRGB, keepsLevel: false) == turned)
      }
    }
    // The mutations must reach both what is read and what is not.
    #expect(told > 500 && told < 5500)
  }
}

extension [UInt8] {
  fileprivate init(repeating part: [UInt8], times: Int) {
    self.init()
    reserveCapacity(part.count * times)
    for _ in 0..<times { append(contentsOf: part) }
  }
}
