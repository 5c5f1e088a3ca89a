import FoundationEssentials
import LibraryTestSupport
import Safelight
import Testing

@Suite("similar")
struct SimilarCommandTests {
  /// A burst of three, of which the second is sharp; a copy of one of them at half the size, one of its file, and a photo
  /// of something else.
  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch()
    let scene = SyntheticScene(size: PixelSize(width: 480, height: 320))
    let sharp = try scene.render()
    for (name, radius, time) in [("1", 4, 0), ("2", 0, 300), ("3", 2, 600)] {
      try write(radius > 0 ? blurred(sharp, radius) : sharp, "\(name).jpg", milliseconds: time, scratch)
    }
    let other = SyntheticScene(
      size: PixelSize(width: 480, height: 320), horizonDegrees: 12, horizonHeight: 0.2, seed: 77, time: 9)
    try write(other.render(), "other.jpg", milliseconds: 200_000, scratch)
    try scratch.makeFolder("web")
    try scratch.write(scratch.read("other.jpg"), to: "web/other.jpg")
    let small = try Program.run(
      ["edit", "2.jpg", "-o", "web/2-small.jpg", "--resize", "240x240"], in: scratch)
    #expect(small.exitCode == 0, "\(small.errors)")
    return scratch
  }

  private func write(
    _ picture: PixelBuffer, _ name: String, milliseconds: Int, _ scratch: Scratch
  ) throws {
    let date = CaptureFacts.Date(
      unixNanoseconds: 1_700_000_000_000_000_000 + Int64(milliseconds) * 1_000_000, minutesFromUTC: 0)
    try PhotoWriter.write(picture, to: scratch(name), CaptureFacts(date: date, camera: "Test"))
  }

  /// Means over a stretch of each row, as of a camera that moved.
  private func blurred(_ source: PixelBuffer, _ radius: Int) throws -> PixelBuffer {
    try picture(source.width, source.height) { x, y in
      let samples = (x - radius...x + radius).map { pixel(source, max(0, min($0, source.width - 1)), y) }
      return (0..<4).map { channel in samples.reduce(0) { $0 + $1[channel] } * 257 / samples.count }
    }
  }

  private func run(_ arguments: [String], _ scratch: Scratch) throws -> Program.Outcome {
    try Program.run(["similar"] + arguments, in: scratch)
  }

  private struct Report: Decodable {
    struct Group: Decodable {
      struct Photo: Decodable { let path: String; let isBest: Bool?; let reason: String? }
      let kind: String
      let photos: [Photo]
    }
    let photos: Int
    let groups: [Group]
  }

  private func report(_ arguments: [String], _ scratch: Scratch) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(run(arguments + ["--json"], scratch).output.utf8))
  }

  @Test("finds copies and bursts, and reads photos once")
  func groups() throws {
    let scratch = try makeFolder()
    let whole = try report([".", "--recursive"], scratch)
    #expect(whole.photos == 6)
    #expect(whole.groups.map(\.kind) == ["burst", "copies", "copies"])
    #expect(whole.groups[0].photos.map(\.path) == ["./1.jpg", "./2.jpg", "./3.jpg"])
    #expect(whole.groups[1].photos.map(\.path) == ["./2.jpg", "./web/2-small.jpg"])
    #expect(whole.groups[2].photos.map(\.reason) == ["480×320", "the same file"])
    // What was read is not read again; what was changed is.
    let index = try scratch.read(".safelight-similar")
    #expect(try report([".", "--recursive"], scratch).groups.count == 3)
    #expect(try scratch.read(".safelight-similar") == index)
    try FileManager.default.removeItem(atPath: scratch("other.jpg"))
    #expect(try report([".", "--recursive"], scratch).groups.count == 2)
    #expect(try report(["."], scratch).groups.map(\.kind) == ["burst"])
  }

  @Test("ranks the photos of a burst, and marks and names them without touching one")
  func best() throws {
    let scratch = try makeFolder()
    let original = try scratch.read("1.jpg")
    let burst = try report([".", "--best-of-bursts"], scratch).groups[0].photos
    #expect(
      burst.map(\.path) == ["./2.jpg", "./3.jpg", "./1.jpg"] && burst.map(\.isBest) == [true, false, false])
    #expect(burst[0].reason == "sharpest")
    #expect(try run([".", "--best-of-bursts", "--names", "best"], scratch).output == "./2.jpg\n")
    #expect(try run([".", "--best-of-bursts", "--names", "others"], scratch).output == "./3.jpg\n./1.jpg\n")
    _ = try Program.run(["rate", "1.jpg", "--flag", "pick"], in: scratch)
    #expect(try run([".", "--best-of-bursts", "--mark"], scratch).exitCode == 0)
    #expect(try PhotoMark.read(forPhoto: scratch("2.jpg")).flag == .pick)
    #expect(try PhotoMark.read(forPhoto: scratch("3.jpg")).flag == .reject)
    #expect(try PhotoMark.read(forPhoto: scratch("1.jpg")).flag == .pick, "a flag that was there stays")
    #expect(try scratch.read("1.jpg") == original)
  }

  @Test("ranks the other bursts where a photo of one cannot be read")
  func unreadable() throws {
    let scratch = try makeFolder()
    _ = try run(["."], scratch)
    // Its size and time stay, so that it is known and not read again before it is ranked.
    let line =
      "touch -r 3.jpg t && head -c $(wc -c < 3.jpg) /dev/zero > z && cat z > 3.jpg && touch -r t 3.jpg && rm t z"
    #expect(try Program.shell(line, in: scratch).exitCode == 0)
    let outcome = try run([".", "--best-of-bursts"], scratch)
    #expect(outcome.exitCode == 1 && outcome.errors.contains("3.jpg"), "\(outcome.errors)")
    #expect(outcome.output.contains("burst   ./1.jpg"), "\(outcome.output)")
    #expect(try run([".", "--best-of-bursts", "--names", "others"], scratch).output == "")
  }

  @Test("links the groups in a new folder only")
  func links() throws {
    let scratch = try makeFolder()
    #expect(try run([".", "--recursive", "--links", "alike"], scratch).exitCode == 0)
    let folders = try FileManager.default.contentsOfDirectory(atPath: scratch("alike")).sorted()
    #expect(folders == ["1-burst", "2-copies", "3-copies"])
    let links = try FileManager.default.contentsOfDirectory(atPath: scratch("alike/3-copies")).sorted()
    #expect(links == ["other-2.jpg", "other.jpg"])
    #expect(try scratch.read("alike/3-copies/other-2.jpg") == scratch.read("web/other.jpg"))
    let again = try run([".", "--recursive", "--links", "alike"], scratch)
    #expect(
      again.exitCode == 1 && again.errors.contains("alike exists; name a new folder"), "\(again.errors)")
  }

  @Test("finds the photos that look like another one")
  func to() throws {
    let scratch = try makeFolder()
    let found = try run([".", "--recursive", "--to", "web/2-small.jpg"], scratch)
    #expect(found.output.contains("./2.jpg  480×320") && !found.output.contains("other"), "\(found.output)")
    #expect(!found.output.contains("2-small"), "it is not like itself")
    try scratch.save(gradient(64, 48), as: "plain.png")
    let plain = try run([".", "--to", "plain.png"], scratch)
    #expect(plain.exitCode == 1 && plain.error?.contains("too little detail") == true, "\(plain.errors)")
  }

  @Test("tells what is wrong, and goes on where it can")
  func mistakes() throws {
    let scratch = try makeFolder()
    try scratch.write("no photo", to: "bad.jpg")
    let bad = try run([".", "--recursive"], scratch)
    #expect(
      bad.exitCode == 1 && bad.errors.contains("bad.jpg") && bad.output.contains("6 photos"), "\(bad.errors)")
    #expect(try run(["1.jpg"], scratch).errors.contains("1.jpg is not a folder; name a folder with photos"))
    #expect(try run(["nowhere"], scratch).errors.contains("nowhere is not a folder"))
    #expect(try run([".", "--names", "best"], scratch).exitCode == 64)
    #expect(try run([".", "--duplicates", "--best-of-bursts"], scratch).exitCode == 64)
    #expect(try run([".", "--to", "1.jpg", "--mark"], scratch).exitCode == 64)
    // A damaged index costs time only, and is replaced.
    try scratch.write("SLSI but no index", to: ".safelight-similar")
    let damaged = try run([".", "--recursive"], scratch)
    #expect(
      damaged.errors.contains(".safelight-similar is an index of another version")
        && damaged.output.contains("6 photos"))
    #expect(try !run([".", "--recursive"], scratch).errors.contains(".safelight-similar"))
  }
}
