import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// What filters lower to, run as it is, beside what the optimizer makes of it: passes keep the meaning of plans.
@Suite("Stages as lowered")
struct LoweredStagesTests {
  private func rendered(_ source: PixelBuffer, _ plan: Plan) throws -> (
    lowered: PixelBuffer, exact: PixelBuffer
  ) {
    (
      try ReferenceRenderer(.lowered).render(source, through: plan),
      try ReferenceRenderer(.exact).render(source, through: plan)
    )
  }

  /// Colours that change little from one pixel to the next where their input does.
  private func color(using random: inout SeededRandom, gentle: Bool = false) -> any Filter {
    let part: Float = gentle ? 0.2 : 1
    switch random.next() % 4 {
    case 0: return Exposure(stops: .random(in: -1...1, using: &random) * part)
    case 1: return Contrast(.random(in: -60...60, using: &random) * part)
    case 2: return Saturation(.random(in: -60...60, using: &random) * part)
    default:
      return WhiteBalance(
        temperature: 6500 + .random(in: -2000...2000, using: &random) * part,
        tint: .random(in: -30...30, using: &random) * part)
    }
  }

  private static let formats: [PixelFormat] = [
    .rgbaF32, .rgba8, .rgba16, .gray8, .yuyv422, .nv12, .i420, .i444,
  ]

  @Test("Where only whole pixels move, both make the same of noise", arguments: 0..<40)
  func wholePixels(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let size = PixelSize(
      width: Int.random(in: 1...23, using: &random), height: Int.random(in: 1...17, using: &random))
    var picture = size
    let orientation = Orientation.allCases.randomElement(using: &random) ?? .up
    picture = orientation.applied(to: picture)
    var filters: [any Filter] = []
    for _ in 0..<Int.random(in: 1...7, using: &random) {
      switch random.next() % 6 {
      case 0:
        let turn = Rotate.Turn.allCases.randomElement(using: &random) ?? .none
        filters.append(Rotate(turn))
        if turn == .clockwise || turn == .counterclockwise {
          picture = PixelSize(width: picture.height, height: picture.width)
        }
      case 1: filters.append(Flip(random.next() % 2 == 0 ? .horizontal : .vertical))
      case 2:
        let (width, height) = (
          Int.random(in: 1...picture.width, using: &random),
          Int.random(in: 1...picture.height, using: &random)
        )
        filters.append(
          Crop(
            .rectangle(
              x: Int.random(in: 0...picture.width - width, using: &random),
              y: Int.random(in: 0...picture.height - height, using: &random), width: width, height: height)))
        picture = PixelSize(width: width, height: height)
      default: filters.append(color(using: &random))
      }
    }
    let format = Self.formats[Int(random.next() % UInt64(Self.formats.count))]
    let source =
      format.isRGBA
      ? try RandomPicture.noise(size, format, using: &random)
      : try CameraPictures.noise(size, format, using: &random)
    let plan = try Plan(
      Recipe(order: .listed, filters: filters),
      input: PlanInput(size: size, format: format, orientation: orientation),
      output: PlanOutput(format: .rgbaF32))
    #expect(plan.outputSize == picture)
    let (lowered, exact) = try rendered(source, plan)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        for channel in 0..<4 {
          let (a, b) = (RandomPicture.get(lowered, x, y, channel), RandomPicture.get(exact, x, y, channel))
          // Single precision in the output, and what products of matrices round otherwise.
          #expect(abs(a - b) <= 1e-6 * max(1, abs(b)), "\(plan)\(x), \(y): \(a), \(b)")
        }
      }
    }
  }

  /// Each resample of its own may miss a ramp by a part of a step from pixel to pixel: where its picture ends,
  /// kernels see the edge instead of what a single resample sees beyond, and downsamplings of one part average other
  /// samples than those of two. A wrong place, a wrong order or another light are several steps.
  private static let steps = 1.0

  @Test("Where resamples are joined, both make the same of smooth pictures", arguments: 0..<60)
  func resamples(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let size = PixelSize(
      width: Int.random(in: 31...48, using: &random), height: Int.random(in: 31...48, using: &random))
    var filters: [any Filter] = []
    var scale = 1.0
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      switch random.next() % 6 {
      case 0: filters.append(Rotate(Rotate.Turn.allCases.randomElement(using: &random) ?? .none))
      case 1: filters.append(Straighten(.random(in: -20...20, using: &random)))
      case 2: filters.append(Crop(.proportions(width: 4, height: 3 + Double(random.next() % 4))))
      case 3:
        let percent = Double.random(in: 45...180, using: &random)
        filters.append(Resize(.percent(percent)))
        scale = min(scale, scale * percent / 100)
      default: filters.append(color(using: &random, gentle: true))
      }
    }
    let plan = try Plan(
      Recipe(order: random.next() % 2 == 0 ? .listed : .canonical, filters: filters),
      input: PlanInput(
        size: size, format: .rgbaF32, orientation: Orientation.allCases.randomElement(using: &random) ?? .up),
      output: PlanOutput(format: .rgbaF32))
    let (lowered, exact) = try rendered(try RandomPicture.gradient(size, .rgbaF32), plan)
    let difference = RandomPicture.largestDifference(lowered, exact)
    let step = 1 / Double(min(size.width, size.height) - 1) / scale
    #expect(difference.value <= Self.steps * step, "\(plan)\(plan.loweredStages)")
  }

  @Test("The list as lowered begins with a camera's samples and has every resample and conversion")
  func list() throws {
    let plan = try Plan(
      Recipe(order: .listed, filters: [Exposure(stops: 1), Crop(.square), Flip(.horizontal)]),
      input: PlanInput(size: PixelSize(width: 60, height: 40), format: .nv12), output: PlanOutput(),
      optimized: false)
    #expect(
      plan.loweredStages.map(\.description) == [
        "ycbcr nv12 BT.601 limited, chroma left → RGB", "geometry window 60×40 at 0,0 exact",
        "curve decode sRGB",
        "matrix [0.6274 0.3293 0.0433 | 0.0691 0.9195 0.0114 | 0.0164 0.0880 0.8956]", "curve encode linear",
        "matrix gain 2.0000 2.0000 2.0000", "geometry window 40×40 at 10,0 exact", "geometry flip exact",
        "curve decode linear",
        "matrix [1.6605 -0.5876 -0.0728 | -0.1246 1.1329 -0.0083 | -0.0182 -0.1006 1.1187]",
        "curve encode sRGB",
      ])
    #expect(
      plan.exactStages.map(\.description) == [
        "geometry flip · window 40×40 at 49,0 exact", "ycbcr nv12 BT.601 limited, chroma left → RGB",
        "curve decode sRGB", "matrix gain 2.0000 2.0000 2.0000", "curve encode sRGB",
      ])
    #expect(
      plan.log.split(separator: "\n").prefix(4) == [
        "join geometry: 11 → 9 stages", "remove no-ops: 9 → 7 stages", "multiply matrices: 7 → 5 stages",
        "resample as stored: 5 → 5 stages",
      ])
  }
}
