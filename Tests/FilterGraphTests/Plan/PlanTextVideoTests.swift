import ColorScience
import FilterGraph
import Filters
import FrameCore
import Testing

/// Plans that end in luma and colour differences, as text.
@Suite("Plans for video, as text")
struct PlanTextVideoTests {
  private static let size = PixelSize(width: 1920, height: 1080)
  private static let tags = ColorTags(
    primaries: .bt709, transfer: .bt709, matrix: .bt601, range: .limited, chromaSiting: .left)

  private func lines(
    _ filters: [any Filter], _ source: PixelFormat, to format: PixelFormat, _ tags: ColorTags? = tags
  ) throws -> [Substring] {
    let input = try PlanInput(size: Self.size, format: source, tags: Self.tags)
    let output = PlanOutput(format: format, space: input.space, videoTags: tags)
    return try Plan(Recipe(filters: filters), input: input, output: output).description.split(separator: "\n")
  }

  @Test("Unedited frames keep their samples, or the means of their colour differences")
  func copies() throws {
    #expect(try lines([], .nv12, to: .i420)[1] == "  1  store  i420 BT.601 limited, chroma left  own samples")
    #expect(
      try lines([], .yuyv422, to: .i420).dropFirst() == [
        "  1  store  i420 BT.601 limited, chroma left  own samples, chroma averaged"
      ])
    #expect(try lines([], .yuyv422, to: .gray8)[1] == "  1  store  gray8 limited  own samples")
  }

  @Test("Others become RGB in between, and say how they are stored")
  func conversion() throws {
    var full = Self.tags
    full.range = .full
    #expect(
      try lines([], .nv12, to: .nv12, full).dropFirst() == [
        "  1  ycbcr  nv12 BT.601 limited, chroma left → RGB", "  2  store  nv12 BT.601 full, chroma left",
      ])
    // Untagged video of this size, and deeper samples.
    let deep = try Plan(
      Recipe(), input: PlanInput(size: Self.size, format: .rgba16), output: PlanOutput(format: .i420))
    #expect(deep.description.hasSuffix("  1  store  i420 BT.709 limited, chroma left  dithered\n"))
  }

  @Test("The log says that samples are kept")
  func log() throws {
    let input = try PlanInput(size: Self.size, format: .i420, tags: Self.tags)
    let output = PlanOutput(format: .i420, space: input.space, videoTags: Self.tags)
    let plan = try Plan(Recipe(), input: input, output: output)
    #expect(plan.copiesSamples && plan.keepsSamples)
    #expect(plan.log.contains("keep stored samples: 1 → 0 stages"))
  }
}
