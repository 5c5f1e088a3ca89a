import AnalysisTestSupport
import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Focus of live frames") struct FocusTests {
  private static func frame(_ buffer: PixelBuffer, _ orientation: Orientation = .up) -> Frame {
    Frame(buffer: buffer, time: Timestamp(nanoseconds: 0), sequence: 0, orientation: orientation)
  }

  @Test("Every bit of blur lowers the value, also blur that the proxy cannot see; exposure does not matter")
  func values() throws {
    let meter = FocusMeter()
    // Without any blur the texture is noise.
    let values = try [2, 3, 5, 9].map {
      try meter.measure(Self.frame(FocusScene.picture(blur: $0))).value ?? 0
    }
    for (sharper, softer) in zip(values, values.dropFirst()) { #expect(sharper > softer + 0.03, "\(values)") }
    let dark = try meter.measure(Self.frame(FocusScene.picture(blur: 2, gain: 0.5))).value
    #expect(abs((dark ?? 0) - values[0]) < 0.02)
  }

  @Test("Only the middle counts, however the frame is turned, or the area that is named")
  func area() throws {
    let blurred = try FocusScene.picture(blur: 9)
    let flat = try Pictures.gray8(640, 480) { _, _ in 100 }
    #expect(FocusMeter().measure(Self.frame(flat)).value == nil)
    let meter = FocusMeter()
    let upright = meter.measure(Self.frame(blurred)).value ?? 0
    let turned = meter.measure(Self.frame(blurred, Orientation(mirrored: false, quarterTurns: 1))).value ?? 0
    #expect(abs(upright - turned) < 0.02)
    // The left quarter has no detail at all.
    let corner = try FocusMeter(area: SubjectArea(x: 0, y: 0, width: 0.2, height: 0.2))
    #expect(corner.measure(Self.frame(blurred)).value == nil)
    #expect(throws: SafelightError.self) {
      try FocusMeter(area: SubjectArea(x: 0.5, y: 0, width: 0.6, height: 1))
    }
  }

  /// The frames of the peaks of readings drawn as digits, tenths of sharpness, ten a second; `.` has no edges.
  private func peaks(_ drawing: String, step: Double = 0.15) -> [UInt64] {
    var peaks = FocusPeaks(step: step)
    return drawing.enumerated().compactMap { index, mark in
      let value = mark.wholeNumberValue.map { Double($0) / 10 }
      let time = Timestamp(nanoseconds: Int64(index) * 100_000_000)
      return peaks.take(value, at: time, sequence: UInt64(index))?.sequence
    }
  }

  @Test(
    "A peak is the sharpest frame between two softer ones, or the first of those that stay sharp",
    arguments: [
      ("2222345654322222", [7]), ("22345677777777777", [6]), ("2345643234565432", [4, 11]),
      ("222222222222222", []), ("222322322232222", []), ("765432222222", []), ("222292222222", []),
      ("..34565443......", [5]), ("222777777227777777", [3, 11]),
    ] as [(String, [UInt64])])
  func drawn(_ drawing: String, _ frames: [UInt64]) {
    #expect(peaks(drawing) == frames, "\(drawing)")
  }
}
