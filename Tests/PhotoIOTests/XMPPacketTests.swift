import FrameCore
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

  @Test(
    "What only looks like one of them stays",
    arguments: [
      "", "tiff:Orientation", "tiff:Orientation=", "tiff:Orientation=\"", "<tiff:Orientation>6",
      "<x tiff:Orientation=\"6'/>", "<x tiff:OrientationHint=\"6\"/>",
      "<tiff:Orientation>six</tiff:Orientation>",
      "<xmp:Thumbnails>unclosed", "<x tiff:Orientation=\"\"/>",
    ])
  func leaves(text: String) { #expect(edited(text) == text) }
}
