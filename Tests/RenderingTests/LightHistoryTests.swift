import ColorScience
import FilterGraph
import Filters
import FrameCore
import Libc
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// Statistics on live video: they move smoothly, and nothing of a scene is left after a cut.
@Suite("Light of live frames")
struct LightHistoryTests {
  private static let size = PixelSize(width: 480, height: 270)
  private static let look: [any Filter] = [Dehaze(80), Clarity(40), Tone(shadows: 40), Halation(40)]

  private func prepared(_ filters: [any Filter] = look) throws -> any PreparedPlan {
    let renderer = CPURenderer(threads: 2)
    return try renderer.prepare(
      Plan(Recipe(filters: filters), input: PlanInput(size: Self.size), output: PlanOutput()))
  }

  /// Runs frames at 30 a second.
  private func run(_ frames: [PixelBuffer], _ history: LightHistory, _ plan: any PreparedPlan) throws
    -> [PixelBuffer]
  {
    let following = plan.following(history)
    return try frames.enumerated().map { index, frame in
      history.advance(to: Timestamp(nanoseconds: Int64(index) * 33_333_333))
      let output = try plan.plan.makeOutput()
      try following.render(frame, into: output)
      return output
    }
  }

  private func alone(_ frame: PixelBuffer, _ plan: any PreparedPlan) throws -> PixelBuffer {
    let output = try plan.plan.makeOutput()
    try plan.render(frame, into: output)
    return output
  }

  private func worst(_ a: PixelBuffer, _ b: PixelBuffer) -> Int {
    var worst = 0
    for y in 0..<a.height {
      let (a, b) = (a.row(y, as: UInt8.self), b.row(y, as: UInt8.self))
      for x in 0..<a.count { worst = max(worst, abs(Int(a[x]) - Int(b[x]))) }
    }
    return worst
  }

  private func scene(_ edit: (inout HazyScene) -> Void) throws -> PixelBuffer {
    var scene = HazyScene(size: Self.size)
    edit(&scene)
    return try scene.hazy(.rgba8)
  }

  /// A part of a wider picture from a column on, as a camera that pans sees it, under a rectangle that may flicker.
  private func shown(_ wide: PixelBuffer, from column: Int, flash: UInt8? = nil) throws -> PixelBuffer {
    let frame = try PixelBuffer(size: Self.size, format: .rgba8)
    for y in 0..<frame.height {
      let (from, to) = (wide.row(y, as: UInt8.self), frame.row(y, as: UInt8.self))
      for x in 0..<4 * frame.width { to[x] = from[4 * column + x] }
      guard let flash, (60..<160).contains(y) else { continue }
      for x in 4 * 150..<4 * 280 where x % 4 != 3 { to[x] = flash }
    }
    return frame
  }

  @Test("The first frame after a cut is rendered as if it were alone")
  func cuts() throws {
    let plan = try prepared()
    let scenes = [
      try scene { _ in }, try scene { ($0.ambient, $0.furthest) = (SIMD3(0.25, 0.2, 0.15), 0.3) },
      try scene { ($0.ambient, $0.nearest, $0.furthest) = (SIMD3(0.95, 0.9, 0.7), 0.2, 1) },
      try scene { ($0.nearest, $0.furthest) = (1, 1) },
    ]
    let frames = scenes.flatMap { [PixelBuffer](repeating: $0, count: 4) }
    let history = LightHistory()
    let out = try run(frames, history, plan)
    #expect(history.cuts == scenes.count)
    for (index, scene) in scenes.enumerated() {
      #expect(worst(out[4 * index], try alone(scene, plan)) <= 1, "scene \(index)")
    }
  }

  @Test("In a slow pan, and beside an object that flickers, gains do not pump")
  func steady() throws {
    var wideScene = HazyScene(size: PixelSize(width: 780, height: 270))
    wideScene.furthest = 0.4
    let wide = try wideScene.hazy(.rgba8)
    let pan = try (0..<60).map { try shown(wide, from: 4 * $0) }
    let flicker = try (0..<60).map { try shown(wide, from: 0, flash: $0 % 2 == 0 ? 255 : 0) }
    for (name, frames) in [("pan", pan), ("flicker", flicker)] {
      let history = LightHistory()
      var ambients: [AmbientLight] = []
      let plan = try Plan(Recipe(filters: Self.look), input: PlanInput(size: Self.size), output: PlanOutput())
      let compiled = try #require(CompiledLight(plan))
      let memory = LightMemory(compiled)
      for (index, frame) in frames.enumerated() {
        history.advance(to: Timestamp(nanoseconds: Int64(index) * 33_333_333))
        compiled.make(memory, of: frame, history: history)
        ambients.append(memory.ambient[0])
      }
      #expect(history.cuts == 1, "\(name)")
      // Gains follow the ambient light, which moves by at most 3 % from frame to frame.
      let steps = zip(ambients, ambients.dropFirst()).map { a, b in
        let ratio = b.color / a.color
        return max(abs(ratio.max() - 1), abs(ratio.min() - 1), abs(b.found - a.found))
      }
      #expect(steps.max() ?? 1 < 0.03, "\(name): \(steps.max() ?? 1)")
    }
  }

  @Test("What changes for good is reached in time, however far frames are apart")
  func convergence() {
    let history = LightHistory()
    let colors = NodeColors(PixelSize(width: 16, height: 9))
    let (first, second) = (
      AmbientLight(color: SIMD3(repeating: 0.4), found: 0, lit: 1),
      AmbientLight(color: SIMD3(repeating: 0.8), found: 1, lit: 1)
    )
    var last = first
    for frame in 0...60 {
      history.advance(to: Timestamp(nanoseconds: Int64(frame) * 25_000_000))
      history.follow(colors)
      last = history.smoothed(frame == 0 ? first : second, field: 0)
    }
    // 1.5 s are three time constants.
    #expect(abs(last.found - (1 - exp(-3))) < 0.001, "\(last.found)")
  }

  @Test("Grain moves from frame to frame, with and without local tone", arguments: [false, true])
  func grain(hasLocalTone: Bool) throws {
    let size = PixelSize(width: 300, height: 170)
    let filters: [any Filter] = (hasLocalTone ? [Clarity(30)] : []) + [Grain(60, size: 10, seed: 5)]
    let linear = ColorSpace.linearRec2020
    let plan = try CPURenderer(threads: 2).prepare(
      Plan(
        Recipe(filters: filters), input: PlanInput(size: size, format: .rgbaF32, space: linear),
        output: PlanOutput(format: .rgbaF32, space: linear)))
    let grey = try PixelBuffer(size: size, format: .rgbaF32)
    for y in 0..<size.height {
      let row = grey.row(y, as: Float.self)
      for x in row.indices { row[x] = x % 4 == 3 ? 1 : 0.18 }
    }
    let field = try #require(plan.plan.exactStages.compactMap { $0.grainField }.first)
    let grain = try #require(field.grain)
    let tiles = try #require(grain.tiles)
    let frames = try run([grey, grey, grey], LightHistory(), plan)
    var shown: [[Double]] = []
    for (number, frame) in frames.enumerated() {
      let film = GrainTiles.film(ofFrame: number)
      var (grains, worst) = ([Double](), 0.0)
      for y in stride(from: 0, to: size.height, by: 7) {
        let row = frame.row(y, as: Float.self)
        for x in 0..<size.width {
          // Grey has one density, so that stops are in proportion to the grain alone.
          let stops = log2(Double(row[4 * x]) / 0.18)
          let value = tiles.value(x, y, seed: 5, film: film)
          grains.append(stops)
          worst = max(worst, abs(stops - value * grain.stops(brightness: 0)))
        }
      }
      #expect(worst < 1e-4, "frame \(number): \(worst)")
      shown.append(grains)
    }
    #expect(shown[0] != shown[1] && shown[1] != shown[2])
    #expect(worst(frames[0], try alone(grey, plan)) == 0, "the first frame has the grain of a photo")
  }

  @Test("Photos are never smoothed")
  func photos() throws {
    let plan = try prepared()
    let (a, b) = (try scene { _ in }, try scene { $0.ambient = SIMD3(0.7, 0.78, 0.84) })
    let first = try alone(b, plan)
    _ = try alone(a, plan)
    #expect(worst(first, try alone(b, plan)) == 0)
  }
}
