import LibraryTestSupport
import Safelight
import Testing

@Suite("Horizon")
struct HorizonTests {
  /// Windows in rows on a wall, turned clockwise by so many degrees, with edges that are soft as a lens leaves them:
  /// stairs of whole pixels are level lines in truth.
  private func facade(turned degrees: Double) throws -> PixelBuffer {
    // sin and cos by their series: this needs no import for small angles.
    let angle = degrees * Double.pi / 180
    let sine = angle - angle * angle * angle / 6
    let cosine = 1 - angle * angle / 2
    // How much of a pixel lies within the first `width` of each period.
    func coverage(_ position: Double, width: Double, period: Double) -> Double {
      let place = (position + 100 * period).truncatingRemainder(dividingBy: period)
      let rise = min(place, period - place)
      let inside = place < width ? min(rise, width - place) : -min(place - width, period - place)
      return min(max(inside + 0.5, 0), 1)
    }
    return try picture(320, 240) { x, y in
      let (u, v) = (Double(x) - 160, Double(y) - 120)
      let window =
        coverage(u * cosine + v * sine, width: 22, period: 40)
        * coverage(v * cosine - u * sine, width: 38, period: 60)
      let level = Int(44_000 - 35_000 * window)
      return [level, level, level, 65_535]
    }
  }

  @Test("The angle is the turn that levels the photo", arguments: [-3.0, 4])
  func angle(degrees: Double) throws {
    let scratch = try Scratch()
    try scratch.save(facade(turned: degrees), as: "facade.png")
    let run = try Program.run(["horizon", "facade.png", "--json", "--strict"], in: scratch)
    #expect(run.exitCode == 0 && run.errors == "")
    let report = try #require(JSONReport.list(run.output).first)
    let horizon = try #require(report["horizon"] as? [String: Any])
    // The picture was turned clockwise by `degrees`; turning it back levels it.
    #expect(abs((horizon["degrees"] as? Double ?? 99) + degrees) < 0.5)
    #expect(horizon["isConfident"] as? Bool == true)
    let evidence = try #require(report["evidence"] as? [String: Any])
    #expect((evidence["lines"] as? [Any])?.count == horizon["lines"] as? Int)

    let text = try Program.run(["horizon", "facade.png"], in: scratch)
    let first = try #require(text.output.split(separator: "\n").first)
    let answer = /^facade\.png  -?[0-9]+\.[0-9]° ± [0-9]\.[0-9]{2}° · confidence [01]\.[0-9]{2} · [a-z, ]+$/
    #expect(first.contains(answer), "\(first)")
  }

  @Test("Without a horizon the program says so, and ends with 3 where it must be sure")
  func none() throws {
    let scratch = try Scratch()
    try scratch.save(picture(64, 48) { _, _ in [30_000, 30_000, 30_000, 65_535] }, as: "plain.png")
    try scratch.save(facade(turned: 2), as: "facade.png")
    let plain = try Program.run(["horizon", "plain.png"], in: scratch)
    #expect(plain.exitCode == 0 && plain.output.hasPrefix("plain.png  no horizon found\n"))
    let strict = try Program.run(["horizon", "plain.png", "facade.png", "--strict"], in: scratch)
    #expect(strict.exitCode == 3 && strict.errors == "")
    #expect(strict.output.split(separator: "\n").count == 2)
    // A photo that cannot be read weighs more.
    let broken = try Program.run(["horizon", "plain.png", "none.png", "--strict"], in: scratch)
    #expect(broken.exitCode == 1)
    #expect(broken.error == "Cannot read none.png: there is no such file; check the spelling.")
  }

  @Test("The evidence is drawn to a file, or for several photos into a folder")
  func drawing() throws {
    let scratch = try Scratch()
    try scratch.save(facade(turned: 2), as: "a.png")
    try scratch.save(gradient(40, 30), as: "b.png")
    let one = try Program.run(["horizon", "a.png", "--draw", "evidence.png"], in: scratch)
    #expect(one.exitCode == 0 && one.output.hasSuffix("  drawn to evidence.png\n"))
    // Enlarged to where lines can be told from each other, perhaps with a margin for a vanishing point.
    #expect(try scratch.photo("evidence.png").buffer.width >= 1200)
    let both = try Program.run(["horizon", "a.png", "b.png", "--draw", "out/"], in: scratch)
    #expect(both.exitCode == 0 && both.output.hasSuffix("drawings in out/\n"))
    #expect(try scratch.photo("out/a-horizon.jpg").formatName == "JPEG")
    #expect(try scratch.photo("out/b-horizon.jpg").formatName == "JPEG")
    let several = try Program.run(["horizon", "a.png", "b.png", "--draw", "x.jpg"], in: scratch)
    #expect(several.exitCode == 1)
    #expect(
      several.error
        == "--draw x.jpg names one picture, but 2 photos are given; name a folder, such as --draw x/.")
    let itself = try Program.run(["horizon", "a.png", "--draw", "a.png"], in: scratch)
    #expect(itself.error == "a.png is the photo a.png itself; write to another name.")
  }

  @Test("Names that begin with a dash go after two")
  func dashes() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "-a.png")
    let run = try Program.run(["horizon", "--", "-a.png"], in: scratch)
    #expect(run.exitCode == 0 && run.output.hasPrefix("-a.png  "))
  }
}
