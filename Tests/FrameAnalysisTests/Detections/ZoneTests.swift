import FrameAnalysis
import FrameCore
import Testing

@Suite("Zones of a picture") struct ZoneTests {
  @Test("A zone is read from its text, and a point belongs to it by the even-odd rule")
  func text() throws {
    // A U: the middle of its opening is outside.
    let zone = try Zone("door=0,0,0.3,0,0.3,0.7,0.7,0.7,0.7,0,1,0,1,1,0,1")
    #expect(zone.name == "door" && zone.corners.count == 8)
    #expect(zone.contains(NormalizedPoint(0.1, 0.1)) && zone.contains(NormalizedPoint(0.9, 0.1)))
    #expect(zone.contains(NormalizedPoint(0.5, 0.9)))
    #expect(!zone.contains(NormalizedPoint(0.5, 0.3)) && !zone.contains(NormalizedPoint(1.1, 0.5)))
  }

  @Test(
    "What is no zone is refused with what is wrong",
    arguments: [
      ("door", "cannot be read"), ("door=", "cannot be read"), ("door=0.1,0.2,0.3", "cannot be read"),
      ("door=a,b,c,d,e,f", "cannot be read"), ("door=0.1,0.2,0.3,0.4", "has 2 corners"),
      ("=0,0,1,0,1,1", "has no fit name"), ("a b=0,0,1,0,1,1", "has no fit name"),
      ("a@b=0,0,1,0,1,1", "has no fit name"), ("door=0,0,1.5,0,1,1", "outside the picture"),
      ("door=0,0,nan,0,1,1", "outside the picture"), ("door=0,0,1,1,1,0,0,1", "cross"),
      ("door=0.1,0.1,0.5,0.5,0.9,0.9", "no area"), ("door=0.5,0.5,0.5,0.5,0.5,0.5", "no area"),
    ])
  func refused(_ text: String, _ problem: String) {
    let error = #expect(throws: SafelightError.self) { try Zone(text) }
    #expect(error?.problem.contains(problem) == true && error?.remedy.isEmpty == false, "\(error as Any)")
  }

  @Test("Two zones of one name are refused")
  func names() throws {
    let zone = try Zone("a=0,0,1,0,1,1")
    try Zone.checkTogether([zone, Zone("b=0,0,1,0,1,1")])
    #expect(throws: SafelightError.self) { try Zone.checkTogether([zone, zone]) }
  }

  @Test("What moves belongs where its foot is, everything else where its middle is")
  func place() {
    let outline = [(0.2, 0.2), (0.4, 0.2), (0.4, 0.8), (0.2, 0.8)].map { NormalizedPoint($0, $1) }
    let foot = Detection(.motion, outline: outline, confidence: 1).place
    let middle = Detection(.face, outline: outline, confidence: 1).place
    #expect(abs(foot.x - 0.3) < 1e-12 && foot.y == 0.8)
    #expect(abs(middle.x - 0.3) < 1e-12 && abs(middle.y - 0.5) < 1e-12)
  }
}
