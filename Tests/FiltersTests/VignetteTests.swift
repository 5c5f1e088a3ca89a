import ColorScience
import FrameCore
import Libc
import Testing

@testable import FilterGraph
@testable import Filters

@Suite("Vignette")
struct VignetteTests {
  static let sizes = [(600, 400), (400, 600), (1, 1), (4000, 100)].map {
    PixelSize(width: $0.0, height: $0.1)
  }
  static let roundnesses: [Float] = [-100, -40, 0, 30, 100]

  private func falloff(_ vignette: Filters.Vignette, _ size: PixelSize) throws -> LightFalloff {
    guard case .field(let field, _)? = try vignette.lowered(size: size).stages.first,
      let falloff = field.falloff
    else { throw SafelightError(.invalidValue, "no field", remedy: "") }
    return falloff
  }

  @Test("is absent from the plan where it is neutral, whatever its shape")
  func neutral() throws {
    #expect(try Filters.Vignette(amount: 0, midpoint: 0, feather: 0, roundness: 100).lowered().stages.isEmpty)
  }

  @Test("leaves the centre as it is and has one light in the four corners", arguments: sizes, roundnesses)
  func corners(size: PixelSize, roundness: Float) throws {
    let falloff = try falloff(Filters.Vignette(amount: -100, roundness: roundness), size)
    let (w, h) = (Double(size.width), Double(size.height))
    #expect(falloff.gain(w / 2, h / 2) == 1)
    let corners = [(0, 0), (w, 0), (0, h), (w, h)].map { falloff.gain($0.0, $0.1) }
    // The corners are at a distance of 1, beyond which the default has reached 1/16.
    #expect(corners.allSatisfy { abs($0 - 1.0 / 16) < 1e-6 }, "\(corners)")
    #expect(abs(pow(2, falloff.stops) - 1.0 / 16) < 1e-12)
  }

  @Test("darkens steadily from the centre outwards", arguments: roundnesses)
  func monotone(roundness: Float) throws {
    for (midpoint, feather) in [(0, 0), (0, 100), (50, 50), (100, 0), (100, 100)] as [(Float, Float)] {
      let vignette = Filters.Vignette(
        amount: -70, midpoint: midpoint, feather: feather, roundness: roundness)
      let falloff = try falloff(vignette, PixelSize(width: 300, height: 200))
      for angle in stride(from: 0.0, to: 6.3, by: 0.3) {
        let gains = (0...200).map {
          falloff.gain(150 + cos(angle) * Double($0), 100 + sin(angle) * Double($0))
        }
        #expect(zip(gains, gains.dropFirst()).allSatisfy { $1 <= $0 })
      }
    }
  }

  @Test("follows the frame's proportions, or is a circle")
  func roundness() throws {
    let size = PixelSize(width: 600, height: 300)
    let ellipse = try falloff(Filters.Vignette(amount: -50), size)
    // As far to the side as up, measured in half edges.
    #expect(abs(ellipse.gain(300 + 210, 150) - ellipse.gain(300, 150 + 105)) < 1e-6)
    let circle = try falloff(Filters.Vignette(amount: -50, roundness: 100), size)
    #expect(abs(circle.gain(300 + 140, 150) - circle.gain(300, 150 + 140)) < 1e-6)
    let box = try falloff(Filters.Vignette(amount: -50, roundness: -100), size)
    // Its edges are straight for longer: the middle of a side is as light as a place some way along it.
    let middle = log2(box.gain(300 + 260, 150)), along = log2(box.gain(300 + 260, 150 + 60))
    #expect(middle < -0.1 && abs(along - middle) < 0.02, "\(middle) \(along)")
  }

  @Test("is about the crop, and stays with it where the stream is resized")
  func crop() throws {
    let input = PlanInput(size: PixelSize(width: 800, height: 600), format: .rgba8)
    let filters: [any Filter] = [
      Crop(.rectangle(x: 400, y: 300, width: 300, height: 200)), Filters.Vignette(amount: -100),
    ]
    let plan = try Plan(
      Recipe(filters: filters), input: input,
      output: PlanOutput(size: PixelSize(width: 150, height: 100)), optimized: false)
    let fields = plan.exactStages.compactMap { stage -> LightFalloff? in
      if case .field(let field, _) = stage { field.falloff } else { nil }
    }
    let falloff = try #require(fields.first)
    #expect(fields.count == 1 && plan.exactStages.first.map { !$0.isColor } == true)
    #expect(abs(falloff.gain(75, 50) - 1) < 1e-9)
    #expect(abs(falloff.gain(0, 0) - 1.0 / 16) < 1e-6 && abs(falloff.gain(150, 100) - 1.0 / 16) < 1e-6)
  }

  @Test("is equal in plans of live frames that are levelled anew, which share their tables then")
  func levels() throws {
    let input = PlanInput(size: PixelSize(width: 1280, height: 720), format: .rgba8)
    let stages = try [Float(0.4), 0.45, 1.3, -2.05].map { degrees in
      let filters: [any Filter] = [Straighten(degrees), Filters.Vignette(amount: -30, roundness: -40)]
      return try Plan(
        Recipe(filters: filters), input: input,
        output: PlanOutput(size: PixelSize(width: 1270, height: 714)), optimized: false
      ).exactStages.filter(\.isColor)
    }
    #expect(Set(stages).count == 1, "\(stages)")
  }

  @Test("of half a strength has half the amount and the same shape")
  func strength() {
    let vignette = Filters.Vignette(amount: -60, midpoint: 20, feather: 80, roundness: -30)
    #expect(
      vignette.scaled(by: 0.5) == Filters.Vignette(amount: -30, midpoint: 20, feather: 80, roundness: -30))
  }

  @Test("lets matrices behind it into the table, which is that of the plan without it where it darkens")
  func tables() throws {
    let input = PlanInput(size: PixelSize(width: 800, height: 600), format: .rgba8)
    let colour: [any Filter] = [Exposure(stops: 0.5), Saturation(30)]
    let dark = try Plan(
      Recipe(filters: colour + [Filters.Vignette(amount: -100)]), input: input, output: PlanOutput())
    #expect(dark.stages.map(\.kindName) == ["field", "baked"], "\(dark)\n\(dark.log)")
    let alone = try Plan(
      Recipe(filters: [Filters.Vignette(amount: -100)]), input: input, output: PlanOutput())
    #expect(alone.stages.map(\.kindName) == ["field"], "\(alone)\n\(alone.log)")
    let without = try Plan(Recipe(filters: colour), input: input, output: PlanOutput())
    #expect(dark.stages.last == without.stages.last)
    let bright = try Plan(
      Recipe(filters: colour + [Filters.Vignette(amount: 15)]), input: input, output: PlanOutput())
    #expect(
      bright.stages.map(\.kindName) == ["field", "matrix", "baked"], "\(bright)\n\(bright.log)")
    // Two of them leave more light than a table takes.
    let twice = Recipe(filters: [Filters.Vignette(amount: 100), Filters.Vignette(amount: 10), Saturation(30)])
    let exact = try Plan(twice, input: input, output: PlanOutput())
    #expect(exact.stages == Optimizer.advanceFields(exact.exactStages))
    #expect(exact.log.contains("too bright for a table"))
  }
}

extension LightFalloff {
  /// The factor at a place in pixels.
  fileprivate func gain(_ x: Double, _ y: Double) -> Double { exp2(change(x, y)) }
}
