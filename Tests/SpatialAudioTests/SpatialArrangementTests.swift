import Foundation
import FrameCore
import TestSupport
import Testing

@testable import SpatialAudio

@Suite("Spatial arrangement")
struct SpatialArrangementTests {
  @Test func textsAreReadAndWritten() throws {
    let texts: [(String, String)] = [
      ("ambix", "ambix"), ("fuma", "fuma"), ("type1", "type1,radius=15mm,pattern=cardioid"),
      ("type2,radius=14.7mm", "type2,radius=14.7mm,pattern=cardioid"),
      ("radius=1.47cm", "type1,radius=14.7mm,pattern=cardioid"),
      ("radius=20,pattern=0.6", "type1,radius=20mm,pattern=0.6"),
      ("order=flu/frd/bld/bru", "type1,radius=15mm,pattern=cardioid"),
      (
        "gains=0/0.5/-0.3/1,mounting=endfire,order=bru/flu/frd/bld,pattern=subcardioid,radius=12.5mm",
        "order=bru/flu/frd/bld,radius=12.5mm,pattern=subcardioid,mounting=endfire,gains=0/0.5/-0.3/1"
      ),
    ]
    for (text, canonical) in texts {
      let arrangement = try SpatialArrangement(text)
      #expect(arrangement.text == canonical)
      #expect(try SpatialArrangement(canonical) == arrangement)
    }
  }

  @Test func valuesAreThoseOfTheText() throws {
    guard
      case .capsules(let array) = try SpatialArrangement(
        "order=fru/fld/brd/blu,radius=14.7mm,pattern=supercardioid,mounting=upside-down,gains=1/2/3/-4")
    else { return #expect(Bool(false)) }
    #expect(array.order == [.frontRightUp, .frontLeftDown, .backRightDown, .backLeftUp])
    #expect(array.radius == 0.0147 && array.pattern == 0.37 && array.mounting == .upsideDown)
    #expect(array.calibration == .gains([1, 2, 3, -4]))
    #expect(SpatialArrangement.capsules(array).layout == .discrete(4))
    #expect(SpatialArrangement.ambisonic(.ambiX).layout == .ambiX)
    #expect(SpatialArrangement.ambisonic(.fuMa).layout == .fuMa)
  }

  @Test(arguments: [
    ("", "bytes"), ("ambxi", "did you mean “ambix”"), ("type3", "did you mean “type"),
    ("type1,type2", "given twice"),
    ("radius=15mm,radius=15mm", "given twice"), ("raduis=15mm", "did you mean “radius”"),
    ("radius=big", "no length"),
    ("radius=60mm", "outside 5…50"), ("radius=nan", "no length"),
    ("pattern=cardiod", "did you mean “cardioid”"),
    ("pattern=1", "outside 0.25…0.8"), ("pattern=nan", "outside 0.25…0.8"),
    ("mounting=sideways", "Unknown mounting"),
    ("order=flu/frd/bld/bry", "did you mean “bru”"), ("order=flu/frd/bld/blu", "not the corners"),
    ("order=flu/flu/frd/bld", "not the corners"), ("type1,order=fld/fru/blu/brd", "leave the type out"),
    ("order=flu/frd", "stereo"), ("gains=0/0/0", "four of −24…24"), ("gains=0/0/0/x", "no numbers"),
    ("gains=0/0/0/99", "four of −24…24"), ("type1,", "given twice"),
  ])
  func mistakesAreNamedWithTheRemedy(text: String, part: String) {
    let problem = message { _ = try SpatialArrangement(text) }
    #expect(problem?.contains(part) == true, "\(text): \(problem ?? "was read")")
  }

  @Test func twoMicrophonesAreStereo() {
    for count in [1, 2, 3, 5, 8] {
      let problem = message { try SpatialArrangement.check(channelCount: count) }
      #expect(problem?.contains("First-order ambisonics needs four capsules") == true)
      #expect(problem?.contains("record stereo") == (count == 2))
    }
    #expect(throws: Never.self) { try SpatialArrangement.check(channelCount: 4) }
  }

  @Test func arrangementsSurviveJSON() throws {
    let array = try TetrahedralArray(
      order: CapsulePosition.typeII.reversed(), radius: 0.02, pattern: 0.3, mounting: .endfireUp,
      calibration: .responses([[1, 0.5], [1], [0.5], [1]], sampleRate: 48_000))
    for arrangement in [.ambisonic(.fuMa), .capsules(array), try SpatialArrangement("type1,gains=1/2/3/4")] {
      let data = try JSONEncoder().encode(arrangement)
      #expect(try JSONDecoder().decode(SpatialArrangement.self, from: data) == arrangement)
    }
  }

  @Test func valuesOutOfRangeAreRefusedFromJSONToo() throws {
    let data = try JSONEncoder().encode(TetrahedralArray.typeI)
    let text = try #require(String(data: data, encoding: .utf8))
    #expect(text.contains("0.015"))
    let changed = Data(text.replacingOccurrences(of: "0.015", with: "1.5").utf8)
    #expect(throws: SafelightError.self) { try JSONDecoder().decode(TetrahedralArray.self, from: changed) }
  }

  @Test func fuMaDevicesBecomeAmbiXAndBack() throws {
    var encoder = AmbisonicEncoder(Direction(azimuth: 50, elevation: 10), format: .fuMa)
    let samples = encoder.process(Sphere.noise(100, seed: 95))
    var toAmbiX = try SpatialConverter(.ambisonic(.fuMa), sampleRate: 48_000)
    var kept = try SpatialConverter(.ambisonic(.fuMa), output: .fuMa, sampleRate: 48_000)
    #expect(toAmbiX.process(samples) == AmbisonicFormat.fuMa.convert(to: .ambiX, samples))
    for (own, expected) in zip(kept.process(samples), samples) {
      #expect(abs(own - expected) <= expected.ulp)
    }
    #expect(toAmbiX.latency == 0)
  }

  @Test func capsulesBecomeTheWantedFormatAndTurn() throws {
    var converter = try SpatialConverter(.capsules(.typeI), output: .fuMa, sampleRate: 48_000)
    #expect(converter.latency == 48)
    converter.rotation = Rotation(yaw: 90)
    // The first block turns.
    _ = converter.process([Float](repeating: 0, count: 4 * 64))
    let samples = SimulatedArray().sine(500, from: [1, 0, 0], sampleRate: 48_000, frames: 4800)
    let ambiX = AmbisonicFormat.fuMa.convert(to: .ambiX, converter.process(samples))
    var meter = DirectionMeter(sampleRate: 48_000, timeConstant: 0.02)
    meter.process(ambiX)
    #expect(try #require(meter.reading.direction).angle(to: Direction(azimuth: 90)) < 1)
  }

  @Test func buffersKeepTheTimeOfTheirSound() throws {
    var converter = try SpatialConverter(.capsules(.typeI), sampleRate: 48_000)
    // An impulse in all capsules at frame 60 of a buffer whose first sample is at 1 s.
    var samples = [Float](repeating: 0, count: 4 * 480)
    for channel in 0..<4 { samples[4 * 60 + channel] = 1 }
    let buffer = AudioBuffer(
      format: AudioFormat(sampleRate: 48_000, layout: .discrete(4)), samples: samples,
      time: Timestamp(nanoseconds: 1_000_000_000), position: 960, silence: .overrun)
    let result = try converter.process(buffer)
    #expect(result.format == AudioFormat(sampleRate: 48_000, layout: .ambiX))
    #expect(result.time == Timestamp(nanoseconds: 999_000_000) && result.position == 912)
    #expect(result.silence == .overrun && result.frameCount == 480)
    let w = stride(from: 0, to: result.samples.count, by: 4).map { abs(result.samples[$0]) }
    let peak = try #require(w.indices.max { w[$0] < w[$1] })
    // The same at all capsules is not a wave: it comes a little after one at the centre.
    #expect((0...4).contains(peak - (60 + converter.latency)))
    #expect(throws: SafelightError.self) {
      try converter.process(
        AudioBuffer(format: AudioFormat(sampleRate: 48_000, layout: .stereo), samples: [0, 0], time: .now))
    }
    #expect(throws: SafelightError.self) {
      try converter.process(
        AudioBuffer(format: AudioFormat(sampleRate: 44_100, layout: .discrete(4)), samples: [], time: .now))
    }
  }
}
