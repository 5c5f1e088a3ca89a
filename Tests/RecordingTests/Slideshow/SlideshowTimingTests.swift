import FrameCore
import TestSupport
import Testing

@testable import Recording

@Suite("When a slideshow shows its pictures")
struct SlideshowTimingTests {
  private func voice(
    _ duration: Double, marks: [Double] = [], pauses: [ClosedRange<Double>] = []
  ) -> VoiceFacts {
    VoiceFacts(name: "take.wav", duration: duration, marks: marks, pauses: pauses)
  }

  @Test("without a voice each picture has the same time")
  func seconds() throws {
    let usual = try SlideshowTiming(pictures: 3)
    #expect(usual.cuts == [4, 8] && usual.duration == 12 && usual.basis == .seconds)
    let given = try SlideshowTiming(pictures: 2, seconds: 1.5)
    #expect(given.cuts == [1.5] && given.duration == 3)
    #expect(given.span(of: 0) == 0...1.5 && given.span(of: 1) == 1.5...3)
    #expect(try SlideshowTiming(pictures: 1).cuts.isEmpty)
  }

  @Test("a voice with marks cuts there, one without in equal parts")
  func automatic() throws {
    // Recorders put a mark at the start, and players one at the end: nothing changes at either.
    let marked = try SlideshowTiming(pictures: 3, voice: voice(10, marks: [0, 2.5, 7, 10]))
    #expect(marked.cuts == [2.5, 7] && marked.duration == 10 && marked.basis == .marks)
    let plain = try SlideshowTiming(pictures: 4, voice: voice(10))
    #expect(plain.cuts == [2.5, 5, 7.5] && plain.duration == 10 && plain.basis == .equal)
    let equal = try SlideshowTiming(pictures: 2, cuts: .equal, voice: voice(10, marks: [3, 4]))
    #expect(equal.cuts == [5])
  }

  @Test("pictures that do not fit the marks are refused with both numbers")
  func mismatch() throws {
    #expect(
      message { _ = try SlideshowTiming(pictures: 5, voice: voice(10, marks: [2, 4])) }
        == "take.wav has 2 marks within it, which makes 3 parts, but there are 5 pictures; "
        + "give 3 pictures, or cut at times, at pauses or in equal parts.")
    #expect(
      message { _ = try SlideshowTiming(pictures: 1, voice: voice(10, marks: [2])) }
        == "take.wav has 1 mark within it, which makes 2 parts, but there is 1 picture; "
        + "give 2 pictures, or cut at times, at pauses or in equal parts.")
    #expect(
      message { _ = try SlideshowTiming(pictures: 2, cuts: .times([1, 2])) }
        == "2 cuts would make 3 parts, but there are 2 pictures; give one cut fewer than pictures.")
    #expect(
      message { _ = try SlideshowTiming(pictures: 3, cuts: .pauses, voice: voice(9, pauses: [1...2])) }
        == "take.wav has 1 pause of at least 0.2 s, but 3 pictures need 2; "
        + "give fewer pictures, or cut at times or in equal parts.")
    #expect(throws: SafelightError.self) { try SlideshowTiming(pictures: 3, cuts: .marks) }
  }

  @Test("times that do not increase are refused")
  func order() throws {
    for times in [[3, 2], [0, 1], [2, 2], [.nan, 3]] as [[Double]] {
      #expect(throws: SafelightError.self, "\(times)") {
        try SlideshowTiming(pictures: 3, cuts: .times(times))
      }
    }
  }

  @Test("pauses are cut in their middle, the longest first, and equal ones from the start")
  func pauses() throws {
    let pauses: [ClosedRange<Double>] = [1...1.5, 3...4, 5...5.5, 7...9]
    let three = try SlideshowTiming(pictures: 3, cuts: .pauses, voice: voice(10, pauses: pauses))
    #expect(three.cuts == [3.5, 8] && three.duration == 10)
    let four = try SlideshowTiming(pictures: 4, cuts: .pauses, voice: voice(10, pauses: pauses))
    #expect(four.cuts == [1.25, 3.5, 8])
  }

  @Test("pictures that outlast the voice, and a voice that outlasts them, are told")
  func ends() throws {
    let long = try SlideshowTiming(pictures: 2, cuts: .times([3]), voice: voice(10))
    #expect(long.duration == 10 && long.notes.isEmpty)
    let short = try SlideshowTiming(pictures: 3, cuts: .times([3, 12]), seconds: 2, voice: voice(10))
    #expect(short.duration == 14 && short.notes.count == 1)
    #expect(short.notes.first?.contains("before the last cut at 12.0 s") == true)
    #expect(throws: SafelightError.self) {
      try SlideshowTiming(pictures: 3, cuts: .times([3, 12]), voice: voice(10))
    }
    let waiting = try SlideshowTiming(pictures: 2, seconds: 3, voice: voice(10))
    #expect(waiting.cuts == [3] && waiting.duration == 10)
    #expect(waiting.notes.first?.contains("the last picture stays") == true)
    let silent = try SlideshowTiming(pictures: 4, seconds: 3, voice: voice(10))
    #expect(
      silent.duration == 12 && silent.notes == ["take.wav ends at 10.0 s, and the pictures go on to 12.0 s"])
  }
}
