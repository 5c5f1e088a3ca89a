import FrameCore
import LibraryTestSupport
import Safelight
import Testing

@testable import LiveVideo

/// Sinks that take luma and colour differences: alone, frames are rendered to them; beside others, each sink's thread
/// converts the pictures that all share.
@Suite("Video for encoders", .serialized)
struct PlaneSinksTests {
  @Test(
    "has the same samples alone and beside sinks of other pictures",
    arguments: [PixelFormat.yuyv422, .i420, .nv12, .i444, .gray8],
    [ColorTags.ChromaSiting.left, .center, .topLeft])
  func samples(format: PixelFormat, siting: ColorTags.ChromaSiting) async throws {
    let tags = ColorTags(
      primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited, chromaSiting: siting)
    let frames = try (0..<3).map { number in
      try YCbCrPicture(130, 66, format, tags) { x, y in
        [UInt8(16 + (3 * x + y + 9 * number) % 220), UInt8(90 + x % 70), UInt8(90 + y % 70)]
      }.buffer
    }
    for filters in [[], [Exposure(stops: 0.3)]] as [[any Filter]] {
      let recipe = Recipe(filters: filters)
      let alone = try await VideoRun(frames, through: recipe, to: [.y4m])
      let beside = try await VideoRun(frames, through: recipe)
      #expect(alone.header == beside.header)
      #expect(!alone.samples.isEmpty && alone.samples == beside.samples, "\(filters.count) filters")
    }
  }
}
