import Foundation
import LibraryTestSupport
import Safelight
import Testing

/// Pictures that hold tables, from the corpus `Tests/Fuzz/hald`, which FFmpeg's haldclutsrc made.
@Suite("Halds")
struct HaldTests {
  private static let folder = packageFolder + "/Tests/Fuzz/hald/"

  @Test("FFmpeg's neutral Hald changes nothing, and one of 16 bits keeps them")
  func ffmpeg() throws {
    let neutral = try #require(try LUT(contentsOf: Self.folder + "identity-8.png").table)
    #expect(neutral.cube?.size == 9)
    for color in [SIMD3(0.1, 0.5, 0.9), SIMD3(1, 0, 0.33)] {
      let difference = neutral.evaluate(color) - color
      #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 1.0 / 255)
    }
    let darker = try #require(try LUT(contentsOf: Self.folder + "darker-16.png").table)
    let tiff = try #require(try LUT(contentsOf: Self.folder + "small.tif").table)
    #expect(darker.cube?.nodes == tiff.cube?.nodes && darker.cube?.size == 4)
    // More than 8 bits can hold.
    #expect(darker.cube?.nodes.contains { ($0.x * 255).rounded() / 255 != $0.x } == true)
  }

  @Test("Pictures that are no Hald are refused with a reason")
  func bad() throws {
    for (name, reason) in [
      ("bad-width.png", "is a picture of 26×27, which is no Hald"),
      ("bad-edges.png", "is a picture of 30×30, which is no Hald"),
      ("bad-grey.png", "is a grey picture, which is no Hald"),
      ("bad-truncated.png", "cannot be read as a picture"),
    ] {
      let error = #expect(throws: SafelightError.self) { try LUT(contentsOf: Self.folder + name) }
      #expect(error?.problem.contains(reason) == true, "\(error?.description ?? "")")
    }
  }

  @Test("Mutated pictures are read or refused with their name")
  func mutations() throws {
    var random = SeededRandom(seed: 11)
    let scratch = try Scratch()
    let seeds = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted().map {
      [UInt8](try Data(contentsOf: URL(filePath: Self.folder + $0)))
    }
    var readable = 0
    for round in 0..<400 {
      var bytes = seeds[round % seeds.count]
      for _ in 0...2 {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        bytes[position] = UInt8.random(in: 0...255, using: &random)
      }
      try scratch.write(bytes, to: "a.png")
      do {
        _ = try LUT(contentsOf: scratch("a.png"))
        readable += 1
      } catch let error as SafelightError {
        #expect(error.problem.hasPrefix(scratch("a.png")), "round \(round): \(error)")
      }
    }
    #expect(readable > 10)
  }
}
