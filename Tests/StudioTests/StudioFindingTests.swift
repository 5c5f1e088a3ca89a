import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("What the studio finds in photos")
struct StudioFindingTests {
  /// Pillars that run together at the top, as seen from below.
  private func pillars() throws -> PixelBuffer {
    try picture(720, 480) { x, y in
      let (u, v) = (Double(x) - 360, Double(y) - 240)
      let pillar = (u / (1 + v / 1200) / 60).rounded(.down)
      let light = pillar.truncatingRemainder(dividingBy: 2) == 0 ? 12_000 : 50_000
      return [light, light, light, 65_535]
    }
  }

  private func values(_ finding: StudioFinding) throws -> [String: JSONValue] {
    guard case .object(let values)? = finding.fields["values"] else { throw Problem.missing }
    return values
  }
  private enum Problem: Error { case missing }

  @Test(
    "Upright lines are those of the command line, drawn where they are then, and take the place of four corners"
  )
  func upright() throws {
    let scratch = try Scratch()
    try scratch.save(pillars(), as: "a.png")
    let sample = try PhotoSample(contentsOf: scratch("a.png"))
    let turn = try #require(AutoUpright(sample, .vertical).turn)
    let corners = Perspective(.places([SIMD2(0.1, 0), SIMD2(0.9, 0), SIMD2(1, 1), SIMD2(0, 1)]))
    let finding = try StudioFinding(
      StudioFinding.Question(.uprightVertical), in: scratch("a.png"),
      joining: Recipe(filters: [corners, Keystone(vertical: 3)]))
    let found = try values(finding)
    #expect(found["keystone-vertical"] == .number(Double("\(turn.keystone.vertical)") ?? 0))
    #expect(found["perspective"] == .string("none"))
    #expect(
      finding.summary.hasPrefix("Made upright: vertical ") && finding.summary.hasSuffix("for a lens of 26 mm")
    )
    // Upright in the picture that the page shows, up to what the angle is straightened by.
    let upright = finding.lines.filter { $0.role == .upright }
    #expect(upright.count >= 4)
    let lean = try upright.map { line in
      let full = try Plan(
        Recipe(filters: [turn.keystone]), input: PlanInput(size: sample.size), output: PlanOutput(),
        optimized: false
      ).outputSize
      let (dx, dy) = (line.to.x - line.from.x, line.to.y - line.from.y)
      return abs(dx * Double(full.width) / (dy * Double(full.height)))
    }
    #expect(lean.sorted()[lean.count / 2] < 0.02)
  }

  @Test("Where nothing is sure, it says so in the command line's words")
  func abstains() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(300, 200), as: "a.png")
    for kind in [StudioFinding.Kind.uprightAuto, .uprightVertical, .uprightLevel, .uprightFull] {
      let finding = try StudioFinding(StudioFinding.Question(kind), in: scratch("a.png"), joining: Recipe())
      #expect(finding.fields["found"] == .bool(false) && finding.values.isEmpty)
      #expect(finding.summary == "Not made upright: not sure enough what is level")
    }
  }

  @Test(
    "The lens is that of the command line, in numbers that the edit keeps; why there is none is told",
    .lensfunIsInstalled)
  func lens() throws {
    let scratch = try Scratch()
    var facts = CaptureFacts(camera: "Canon EOS 5D Mark III")
    (facts.make, facts.lens, facts.focalLength, facts.fNumber) = ("Canon", "EF24-105mm f/4L IS USM", 24, 4)
    try PhotoWriter.write(gradient(120, 80), to: scratch("a.jpg"), facts)
    var edit = Edit()
    edit.lens = .automatic
    let wanted = try edit.resolve(scratch("a.jpg"))
    let lens = try #require(wanted.recipe.filters.first as? Lens)
    let finding = try StudioFinding(StudioFinding.Question(.lens), in: scratch("a.jpg"), joining: Recipe())
    #expect(finding.summary.hasPrefix("Lens: Canon EF 24-105mm f/4L IS USM, 24 mm, f/4"))
    let json = JSONValue.object(["values": .object(try values(finding))])
    let recipe = try StudioEdit(json).recipe(forPhoto: scratch("a.jpg"), in: FileSnapshot())
    #expect(recipe.filters.count == 1 && recipe.filters.first as? Lens == lens)
    // And back from the file beside the photo.
    let again = try StudioEdit(recipe).recipe(forPhoto: scratch("a.jpg"), in: FileSnapshot())
    #expect(again.json() == recipe.json())

    (facts.lens, facts.camera) = (nil, "Canon EOS 5D Mark III")
    try PhotoWriter.write(gradient(120, 80), to: scratch("b.jpg"), facts)
    let none = try StudioFinding(StudioFinding.Question(.lens), in: scratch("b.jpg"), joining: Recipe())
    #expect(none.fields["found"] == .bool(false))
    #expect(none.summary == "No lens correction: the photo does not name its lens")
  }
}
