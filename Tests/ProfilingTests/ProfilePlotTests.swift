import LibraryTestSupport
import Safelight
import Testing

@testable import Profiling

@Suite("Plots of profiles")
struct ProfilePlotTests {
  @Test("Ticks are 1, 2 or 5 times a power of ten apart, on round values, within the axis")
  func ticks() {
    for (low, high) in [
      (0, 1), (7.12, 7.61), (-0.9, 3.5), (0, 512), (0.0003, 0.0004), (1, 100_000), (3, 3), (0, 0),
    ] {
      let scale = ProfilePlotScale(linear: low, high, at: 0, 100, mostTicks: 6)
      #expect((2...8).contains(scale.ticks.count), "\(low)…\(high): \(scale.ticks)")
      let step = scale.ticks[1] - scale.ticks[0]
      #expect(scale.low <= low + 1e-9 * step && scale.high >= high - 1e-9 * step)
      var mantissa = step
      while mantissa >= 9.999 { mantissa /= 10 }
      while mantissa < 0.999 { mantissa *= 10 }
      #expect([1, 2, 5].contains { abs($0 - mantissa) < 1e-6 }, "\(low)…\(high): \(step)")
      for tick in scale.ticks { #expect(abs((tick / step).rounded() - tick / step) < 1e-6) }
      #expect(Set(scale.ticks.map(scale.label)).count == scale.ticks.count, "\(scale.ticks.map(scale.label))")
    }
  }

  @Test("An axis places its ends at its ends, and what lies beyond too")
  func places() {
    let linear = ProfilePlotScale(linear: 0, 10, at: 200, 100, mostTicks: 5)
    #expect(
      linear(0) == 200 && linear(5) == 150 && linear(10) == 100 && linear(99) == 100 && linear(.nan) == 200)
    let logarithmic = ProfilePlotScale(logarithmic: 1, 100, at: 0, 100, mostTicks: 9)
    #expect(abs(logarithmic(10) - 50) < 1e-9)
    #expect(logarithmic.ticks.map(logarithmic.label) == ["1", "2", "5", "10", "20", "50", "100"])
    let long = ProfilePlotScale(logarithmic: 0.01, 1e6, at: 0, 100, mostTicks: 5)
    #expect(long.ticks.count <= 5)
    for low in [0, -1, Double.nan, .infinity] {
      let scale = ProfilePlotScale(logarithmic: low, .infinity, at: 0, 100, mostTicks: 5)
      #expect(scale(1).isFinite)
    }
  }

  @Test(
    "Numbers have three digits and no exponent",
    arguments: [
      (0, "0"), (7.4251, "7.43"), (0.012345, "0.0123"), (12.345, "12.3"), (1234.5, "1,235"), (-0.9, "−0.900"),
      (99.96, "100"), (9.999, "10.0"), (1e9, "1,000,000,000"), (.infinity, "–"), (.nan, "–"),
    ])
  func numbers(value: Double, text: String) { #expect(ProfilePlotText.number(value) == text) }

  @Test("A column of numbers has one number of decimals, and shows a little as a little, not as nothing")
  func column() {
    #expect(ProfilePlotText.column([3.4, 0.35, 0.001, 0]) == ["3.40", "0.35", "< 0.01", "0.00"])
    #expect(ProfilePlotText.column([120, 3.4, -0.2]) == ["120", "3", "> −1"])
    #expect(ProfilePlotText.column([.infinity, 0]) == ["–", "0.00"])
  }

  @Test("Text is escaped for HTML, and characters that it may not hold are shown as others")
  func escaping() {
    #expect(
      ProfilePlotText.escaped("<a href=\"x\">'&'</a>")
        == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;")
    #expect(ProfilePlotText.escaped("a\u{0}b\u{1B}[31m\u{7F}") == "a␀b␛[31m␡")
    #expect(ProfilePlotText.escaped("x\u{202E}gpj.exe\u{85}") == "x\u{FFFD}gpj.exe\u{FFFD}")
    #expect(ProfilePlotText.escaped("né 光\n") == "né 光\n")
  }

  @Test("Long names end in an ellipsis and are no wider than there is room")
  func cutting() {
    #expect(ProfilePlotText.cut("baked", to: 100) == "baked")
    let cut = ProfilePlotText.cut("a very long name of a filter", to: 80)
    #expect(cut.hasSuffix("…") && cut.hasPrefix("a ve") && ProfilePlotText.width(cut) <= 80)
  }

  @Test("Names that are too long for a line are broken behind the marks that join their parts")
  func lines() {
    let name = "Kodak_Vision3_250D_5207_to_Fuji_3510_print_emulation.cube"
    let lines = ProfilePlotText.lines("lut " + name, to: 180, size: 13)
    #expect(lines.joined() == "lut" + name && lines.count == 4)
    #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasSuffix("_") }, "\(lines)")
    #expect(lines.allSatisfy { ProfilePlotText.width($0, size: 13) <= 180 })
    // Where there is no mark, anywhere.
    let plain = ProfilePlotText.lines(String(repeating: "x", count: 40), to: 100)
    #expect(plain.joined().count == 40 && Set(plain.dropLast().map(\.count)).count == 1)
  }

  @Test("The histogram counts every frame once, those far out apart")
  func bins() throws {
    var times = (0..<500).map { frame -> Double in 2 + Double(frame % 50) / 500 }
    times += [2.5, 90, 400]
    let bins = try #require(ProfilePlotHistogram.bins(of: times, most: 56))
    #expect(bins.counts.reduce(0, +) + bins.beyond == 503)
    #expect((2...3).contains(bins.beyond))
    #expect(bins.low <= 2 && bins.high < 3)
    #expect((8...70).contains(bins.counts.count))
    // Fifty values 0.002 apart, ten times each: as many as a bar is wide.
    #expect(bins.counts[0] == Int((bins.width / 0.002).rounded()) * 10)
    for few in [[2.0], [2, 2], [2, 2.1, 9], [0, 0, 0], [1e-9, 1e9]] {
      let bins = try #require(ProfilePlotHistogram.bins(of: few, most: 56))
      #expect(bins.counts.reduce(0, +) + bins.beyond == few.count, "\(few)")
    }
    #expect(ProfilePlotHistogram.bins(of: [], most: 56) == nil)
  }

  @Test("Columns of the timeline hold every frame, with the shortest and the longest of each")
  func columns() {
    var times = (0..<10_007).map { frame -> Double in 2 + Double(frame % 13) / 100 }
    times[5000] = 99
    times[7001] = 0.5
    let columns = ProfilePlotTimeline.columns(of: times, atMost: 250)
    #expect(columns.count == 250)
    #expect(columns.map(\.frames.count).reduce(0, +) == 10_007)
    #expect(columns.first?.frames.lowerBound == 0 && columns.last?.frames.upperBound == 10_007)
    #expect(columns.first { $0.frames.contains(5000) }?.greatest == 99)
    #expect(columns.first { $0.frames.contains(7001) }?.least == 0.5)
    #expect(ProfilePlotTimeline.columns(of: [3, 1], atMost: 250).map(\.median) == [3, 1])
    #expect(ProfilePlotTimeline.columns(of: [], atMost: 250).isEmpty)
  }
}
