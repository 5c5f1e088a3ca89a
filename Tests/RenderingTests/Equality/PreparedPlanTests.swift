import FilterGraph
import Filters
import FrameCore
import Rendering
import Testing

/// What a renderer is given must fit together; what does not is an error, never memory written past its end.
@Suite("Prepared plans and pictures")
struct PreparedPlanTests {
  private let size = PixelSize(width: 40, height: 30)

  private func makePlan(_ filters: [any Filter] = []) throws -> Plan {
    try Plan(Recipe(filters: filters), input: PlanInput(size: size), output: PlanOutput())
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("Buffers, rows and pictures that do not fit are refused", arguments: ["cpu", "reference"])
  func misfits(name: String) throws {
    let renderer: any Renderer = name == "cpu" ? CPURenderer() : ReferenceRenderer()
    let picture = try PixelBuffer(size: size, format: .rgba8)
    let plan = try renderer.prepare(makePlan())
    let source = try plan.picture(of: picture)
    let output = try PixelBuffer(size: size, format: .rgba8)
    try source.render(rows: 0..<30, into: output)

    for (wrong, format) in [
      (PixelSize(width: 39, height: 30), PixelFormat.rgba8), (size, .rgba16),
      (PixelSize(width: 40, height: 9), .rgba8),
    ] {
      let buffer = try PixelBuffer(size: wrong, format: format)
      #expect(
        message { try source.render(rows: 10..<20, into: buffer) }
          == "A buffer of \(wrong) \(format.rawValue) does not hold 10 rows of 40×30 rgba8; make one as wide, of the plan's format."
      )
    }
    #expect(
      message { try source.render(rows: 20..<31, into: output) }
        == "The rows 20..<31 are not all in the plan's output; ask for rows in 0..<30.")

    let small = try PixelBuffer(size: PixelSize(width: 40, height: 29), format: .rgba8)
    #expect(
      message { try plan.render(picture, into: small) }
        == "A buffer of 40×29 rgba8 does not hold 30 rows of 40×30 rgba8; make one as wide, of the plan's format."
    )
    let turned = try renderer.prepare(makePlan([Rotate(.clockwise)]))
    let tall = try PixelBuffer(size: size.transposed, format: .rgba8)
    #expect(
      message { try turned.render(tall, into: tall) }
        == "The plan is for 40×30 rgba8, alpha opaque, the picture is 30×40 rgba8, alpha opaque; make a plan for this picture."
    )
    let transparent = try PixelBuffer(size: size, format: .rgba8, alpha: .straight)
    for refusal in [
      message { _ = try plan.picture(of: transparent) },
      message { try plan.render(transparent, into: output) },
    ] {
      #expect(
        refusal
          == "The plan is for 40×30 rgba8, alpha opaque, the picture is 40×30 rgba8, alpha straight; make a plan for this picture."
      )
    }
  }
}
