import AnalysisTestSupport
import ColorScience
import Foundation
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Merging frames")
struct FrameMergeTests {
  private static let size = PixelSize(width: 320, height: 224)

  /// The gain of a merge over its reference, in dB.
  private func gain(
    _ merged: MergedFrames, over reference: PixelBuffer, _ clean: MergeReference.Picture,
    where counts: (Int, Int) -> Bool = { _, _ in true }
  ) throws -> Double {
    try MergeReference.Picture(merged.buffer).quality(against: clean, where: counts)
      - MergeReference.Picture(reference).quality(against: clean, where: counts)
  }

  @Test("Eight still frames are at least 8.3 dB better than one, near the 9 dB of theory")
  func still() throws {
    let scene = MergeScene.textures(size: Self.size, seed: 1)
    let clean = scene.clean()
    let frames = try (0..<8).map { try scene.noisy(clean, seed: $0) }
    let merged = try FrameMerge().merge(frames, reference: 3)
    let gain = try gain(merged, over: frames[3], clean)
    #expect(gain >= 8.3 && gain < 9.6, "\(gain) dB")
    let statistics = merged.statistics
    #expect(statistics.reference == 3 && statistics.frames.count == 8)
    #expect(statistics.frames.allSatisfy { $0.rejected < 0.05 && $0.meanShift < 0.2 })
    // Middle grey: the variance in light is 1e-3 · 0.214 + 1.5e-5, and one step of code is 1/255 / 1.08 of
    // light.
    let expected = 255 * 1.08 * (1e-3 * 0.214 + 1.5e-5).squareRoot()
    let noise = try #require(statistics.noise)
    #expect(abs(noise - expected) < 0.15 * expected, "\(noise), not \(expected)")
  }

  /// Shifts of a hand: up to 14 pixels and a degree.
  private static let views = (0..<8).map { index in
    let angle = Double(index) * 2.4
    return MergeScene.View(
      shift: index == 0 ? .zero : SIMD2(cos(angle), sin(angle)) * (2 + 1.7 * Double(index)),
      degrees: index == 0 ? 0 : cos(Double(index) * 1.9))
  }

  @Test("Of a camera in a hand, they are at least 7 dB better, and the motion is found within 0.1 pixel")
  func hand() throws {
    let scene = MergeScene.textures(size: Self.size, seed: 2)
    let frames = try Self.views.enumerated().map { try scene.frame($1, seed: $0) }
    let merged = try FrameMerge().merge(frames)
    // Around the middle, which all frames show.
    let gain = try gain(merged, over: frames[0], scene.clean()) { x, y in
      (20..<300).contains(x) && (20..<204).contains(y)
    }
    #expect(gain >= 7, "\(gain) dB")
    for (view, found) in zip(Self.views, merged.statistics.frames) {
      #expect(abs(found.shiftX - view.shift.x) < 0.1 && abs(found.shiftY - view.shift.y) < 0.1)
    }
  }

  @Test("Near and far, which a moving camera shifts differently, are aligned each by itself")
  func parallax() throws {
    let scene = MergeScene.parallax(size: Self.size)
    let frames = try (0..<8).map { try scene.frame(frame: $0, seed: 40 + $0) }
    let merged = try FrameMerge().merge(frames)
    let clean = scene.clean()
    // No affine motion of the whole fits any of the quarters.
    for (columns, rows) in [(20..<130, 20..<80), (190..<300, 20..<80), (20..<130, 144..<204)] {
      let gain = try gain(merged, over: frames[0], clean) { columns.contains($0) && rows.contains($1) }
      #expect(gain >= 7, "\(columns), \(rows): \(gain) dB")
    }
  }

  @Test("Inside of things that move, they are no worse than one", arguments: [0.02, 0.06, 0.12, 0.3, 1])
  func moving(contrast: Double) throws {
    let scene = MergeScene.disc(contrast: contrast, size: PixelSize(width: 256, height: 160))
    let frames = try (0..<8).map { try scene.frame(frame: $0, seed: 20 + $0) }
    let merged = try FrameMerge().merge(frames)
    let clean = scene.clean()
    let inside = try gain(merged, over: frames[0], clean) { MergeScene.isDisc($0, $1, 0..<1) }
    #expect(inside > -0.3, "\(inside) dB")
    // What the disc uncovers, and what it hides later.
    let around = try gain(merged, over: frames[0], clean) { MergeScene.isDisc($0, $1, 0..<8, margin: 2) }
    #expect(around > -0.3, "\(around) dB")
    let rest = try gain(merged, over: frames[0], clean) { x, _ in x > 170 }
    #expect(rest >= 8, "\(rest) dB")
  }

  @Test("Where no frame fits, the reference comes out unchanged", arguments: [PixelFormat.rgba8, .rgba16])
  func unrelated(format: PixelFormat) throws {
    var random = SeededRandom(seed: 5)
    let frames = try (0..<3).map { index in
      let frame = try PixelBuffer(size: PixelSize(width: 150, height: 90), format: format)
      for y in 0..<90 {
        for x in 0..<4 * 150 {
          // Ramps and codes without relation, from dark to light.
          let code = index == 0 ? x * 65_535 / 600 : Int.random(in: 0...65_535, using: &random)
          let value = x % 4 == 3 ? 65_535 : code
          if format == .rgba8 {
            frame.row(y, as: UInt8.self)[x] = UInt8(value >> 8)
          } else {
            frame.row(y, as: UInt16.self)[x] = UInt16(value)
          }
        }
      }
      return frame
    }
    let merged = try FrameMerge().merge(frames)
    #expect(merged.statistics.frames.dropFirst().allSatisfy { $0.rejected == 1 })
    for y in 0..<90 {
      for x in 0..<600 {
        let own =
          format == .rgba8
          ? 257 * UInt16(frames[0].row(y, as: UInt8.self)[x]) : frames[0].row(y, as: UInt16.self)[x]
        guard merged.buffer.row(y, as: UInt16.self)[x] == own else {
          Issue.record("(\(x / 4), \(y)) has \(merged.buffer.row(y, as: UInt16.self)[x]), not \(own)")
          return
        }
      }
    }
  }

  @Test("The result is the same on any number of threads and with any instruction set")
  func deterministic() throws {
    let scene = MergeScene.textures(size: PixelSize(width: 301, height: 203), seed: 6)
    let frames = try Self.views.prefix(4).enumerated().map { try scene.frame($1, seed: $0) }
    func bits(_ threads: Int) throws -> ([UInt16], MergeStatistics) {
      var merge = FrameMerge()
      merge.threads = threads
      let merged = try merge.merge(frames)
      return (
        (0..<203).flatMap { Array(merged.buffer.row($0, as: UInt16.self)) }, merged.statistics
      )
    }
    let expected = try bits(1)
    let three = try bits(3)
    #expect(three.0 == expected.0 && three.1 == expected.1)
    let sets = try InstructionSet.allResults { Result { try bits(2) } }.map { try $0.get() }
    for (set, found) in zip(InstructionSet.allCases, sets) {
      #expect(found.0 == expected.0 && found.1 == expected.1, "\(set) differs")
    }
  }

  @Test("One frame comes out as it is, and statistics survive JSON")
  func single() throws {
    let scene = MergeScene.textures(size: PixelSize(width: 40, height: 30), seed: 7)
    let frame = try scene.frame(seed: 1)
    let merged = try FrameMerge().merge([frame])
    for y in 0..<30 {
      let row = frame.row(y, as: UInt8.self)
      #expect(merged.buffer.row(y, as: UInt16.self).elementsEqual(row.map { 257 * UInt16($0) }))
    }
    let statistics = merged.statistics
    #expect(statistics.noise == nil && statistics.frames == [.init(still: ())])
    let coded = try JSONEncoder().encode(statistics)
    #expect(try JSONDecoder().decode(MergeStatistics.self, from: coded) == statistics)
  }

  @Test("A merge that is cancelled ends")
  func cancelled() async throws {
    let scene = MergeScene.textures(size: PixelSize(width: 40, height: 30), seed: 8)
    let frames = try (0..<2).map { try scene.frame(seed: $0) }
    let cancellation = WorkCancellation()
    cancellation.cancel()
    #expect(throws: CancellationError.self) {
      try FrameMerge().merge(frames, reference: 0, cancellation: cancellation)
    }
    let merged = try await FrameMerge().merged(frames)
    #expect(merged.buffer.size == PixelSize(width: 40, height: 30))
  }
}

extension MergeStatistics.Frame {
  /// A reference's.
  fileprivate init(still: ()) { self.init(shiftX: 0, shiftY: 0, meanShift: 0, rejected: 0) }
}
