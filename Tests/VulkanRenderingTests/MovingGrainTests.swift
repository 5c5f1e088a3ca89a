import FilterGraph
import Filters
import FrameCore
import Rendering
import RendererTestSupport
import Testing

@Suite("Grain of live frames on a GPU", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct MovingGrainTests {
  @Test("moves as on the processor", arguments: [false, true])
  func moves(hasLocalTone: Bool) throws {
    let filters: [any Filter] = (hasLocalTone ? [Clarity(40)] : []) + [Grain(80, seed: 3)]
    let source = try NoisePicture.make(333, 211, .rgba8)
    let plan = try Plan(
      Recipe(filters: filters), input: PlanInput(size: source.size), output: PlanOutput())
    func frames(_ renderer: some Renderer) throws -> [PixelBuffer] {
      let history = LightHistory()
      let following = try renderer.prepare(plan).following(history)
      return try (0..<3).map { frame in
        history.advance(to: Timestamp(nanoseconds: Int64(frame) * 33_333_333))
        let output = try plan.makeOutput()
        try following.render(source, into: output)
        return output
      }
    }
    let (ours, theirs) = (try frames(CPURenderer(threads: 1)), try frames(TestDevice.shared()))
    for (index, (a, b)) in zip(ours, theirs).enumerated() {
      #expect(worst(a, b) <= 1, "frame \(index): \(worst(a, b))")
    }
    #expect(worst(theirs[0], theirs[1]) > 5 && worst(theirs[1], theirs[2]) > 5)
    try TestDevice.expectNoComplaints()
  }

  private func worst(_ a: PixelBuffer, _ b: PixelBuffer) -> Int {
    var worst = 0
    for y in 0..<a.height {
      let (a, b) = (a.row(y, as: UInt8.self), b.row(y, as: UInt8.self))
      for x in a.indices { worst = max(worst, abs(Int(a[x]) - Int(b[x]))) }
    }
    return worst
  }
}
