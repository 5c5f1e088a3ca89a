import FoundationEssentials
import TestSupport
import Testing

@testable import PhotoIO

/// What is read of DNGs beside LibRaw: camera profiles and opcode lists, from the seeds in `Tests/Fuzz/dng`.
@Suite("Fuzzing the tables of DNGs")
struct RawTableFuzzTests {
  private static func seeds() throws -> [(name: String, bytes: [UInt8])] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = tests.appending(path: "Fuzz/dng")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { file in
      (file, try Array(Data(contentsOf: folder.appending(path: file))))
    }
  }

  private func read(_ path: String) throws -> (profile: CameraProfile, corrections: RawCorrections) {
    let tiff = TIFFFile(try InputFile(path: path))
    let pictures = tiff?.pictures ?? []
    return (
      CameraProfile(pictures.first, in: tiff), RawCorrections(pictures, in: tiff, isBayer: true)
    )
  }

  @Test("Seeds are used or named as damaged as their names say")
  func corpus() throws {
    let (seeds, scratch) = (try Self.seeds(), try Scratch())
    #expect(seeds.count >= 10)
    for (name, bytes) in seeds {
      let (profile, corrections) = try read(try scratch.write(bytes, to: name))
      let warning = profile.warning ?? corrections.warning
      #expect((warning == nil) == name.hasPrefix("good-"), "\(name): \(warning ?? "used")")
    }
    let all = try read(scratch("good-profile.dng")).profile
    #expect(all.toD50 != nil && all.hueSatMap != nil && all.toneCurve.count == 3)
    let corrections = try read(scratch("good-opcodes.dng")).corrections
    #expect(corrections.badPixels.count == 2 && corrections.gainMaps.count == 1 && corrections.lens != nil)
  }

  @Test("3,000 mutated files give tables of numbers, or none")
  func mutations() throws {
    var generator = SeededRandom(seed: 0xD0C5)
    let (seeds, scratch) = (try Self.seeds().map(\.bytes), try Scratch())
    // The header and the pixels stay, so that the directory is found.
    let first = 8 + 2 * 8 * 6
    var used = 0
    for round in 0..<3000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0...(round % 4) {
        let position = Int.random(in: first..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes[position] = 0xFF
        default: bytes.removeLast(min(bytes.count - position, 4))
        }
        guard bytes.count > first + 8 else { break }
      }
      let (profile, _) = try read(try scratch.write(bytes, to: "mutated.dng"))
      if let matrix = profile.toD50 { #expect(matrix.isFinite, "round \(round)") }
      guard let map = profile.hueSatMap else { continue }
      used += 1
      for rgb: SIMD3<Float> in [SIMD3(0, 0, 0), SIMD3(1, 0, 0.5), SIMD3(0.2, 3, 0.1), SIMD3(-1, 0.5, 0.5)] {
        let moved = map.apply(rgb)
        #expect(moved.x.isFinite && moved.y.isFinite && moved.z.isFinite, "round \(round): \(moved)")
      }
    }
    #expect(used > 300)
  }
}
