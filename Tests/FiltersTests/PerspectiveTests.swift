import FilterGraph
import Filters
import FrameCore
import Libc
import TestSupport
import Testing

@Suite("Perspective and keystone")
struct PerspectiveTests {
  private func geometry(_ filters: any Filter..., size: PixelSize = PixelSize(width: 300, height: 200)) throws
    -> Geometry
  {
    let plan = try Plan(Recipe(filters: filters), input: PlanInput(size: size), output: PlanOutput())
    return try #require(plan.geometry)
  }

  private func refusal(_ filters: any Filter...) -> String? {
    do {
      _ = try Plan(
        Recipe(filters: filters), input: PlanInput(size: PixelSize(width: 300, height: 200)),
        output: PlanOutput())
      return nil
    } catch { return "\(error)" }
  }

  @Test("Four places become the corners, in their order")
  func corners() throws {
    var random = SeededRandom(seed: 77)
    for _ in 0..<200 {
      let places = ([(0, 0), (1, 0), (1, 1), (0, 1)] as [(Double, Double)]).map { corner in
        SIMD2(
          corner.0 + Double.random(in: -0.2...0.2, using: &random),
          corner.1 + Double.random(in: -0.2...0.2, using: &random))
      }
      let made = try geometry(Perspective(.places(places)))
      let (w, h) = (Double(made.outputSize.width), Double(made.outputSize.height))
      for (corner, place) in zip([(0, 0), (w, 0), (w, h), (0, h)] as [(Double, Double)], places) {
        let found = made.place(corner.0, corner.1)
        #expect(abs(found.x - 300 * place.x) < 1e-6 && abs(found.y - 200 * place.y) < 1e-6)
        let back = made.placeInOutput(300 * place.x, 200 * place.y)
        #expect(abs(back.x - corner.0) < 1e-6 && abs(back.y - corner.1) < 1e-6)
      }
      // Straight lines stay straight.
      let (a, b, c) = (
        made.place(3, 5), made.place(0.4 * w, 0.3 * h), made.place(2 * 0.4 * w - 3, 2 * 0.3 * h - 5)
      )
      let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
      #expect(abs(area) < 1e-6 * w * h)
    }
  }

  @Test("The longer of two sides is kept whole, and proportions lose nothing")
  func sides() throws {
    let trapezoid: [SIMD2<Double>] = [SIMD2(0.25, 0), SIMD2(0.75, 0), SIMD2(1, 1), SIMD2(0, 1)]
    let made = try geometry(Perspective(.places(trapezoid)))
    #expect(made.outputSize.width == 300)
    #expect(made.outputSize.height == Int(hypot(75.0, 200).rounded()))
    let square = try geometry(Perspective(.places(trapezoid), proportions: .ratio(width: 1, height: 1)))
    #expect(square.outputSize == PixelSize(width: 300, height: 300))
  }

  @Test("Places in a line, crossed, counter-clockwise or beyond are refused with the remedy")
  func badPlaces() throws {
    let shapes: [[SIMD2<Double>]] = [
      [SIMD2(0, 0), SIMD2(0.5, 0.5), SIMD2(1, 1), SIMD2(0, 1)],
      [SIMD2(0, 0), SIMD2(1, 1), SIMD2(1, 0), SIMD2(0, 1)],
      [SIMD2(0, 0), SIMD2(0, 1), SIMD2(1, 1), SIMD2(1, 0)],
      [SIMD2(0, 0), SIMD2(0, 0), SIMD2(0, 0), SIMD2(0, 0)],
    ]
    for shape in shapes {
      let text = try #require(refusal(Perspective(.places(shape))))
      #expect(text.contains("are not the corners of a convex shape") && text.contains("clockwise"), "\(text)")
    }
    for places in [[], [SIMD2(0, 0)], [SIMD2(0, 0), SIMD2(.nan, 0), SIMD2(1, 1), SIMD2(0, 1)]]
      as [[SIMD2<Double>]]
    {
      #expect(refusal(Perspective(.places(places)))?.contains("four") == true)
    }
    // Only the ratio counts, however large the numbers are.
    for text in ["1e308:1e307", "1e-308:1e-307"] {
      let wide = Perspective(
        .places([SIMD2(0, 0), SIMD2(1, 0), SIMD2(1, 1), SIMD2(0, 1)]),
        proportions: try .init(parameterText: text))
      #expect(refusal(wide) == nil, "\(text)")
    }
    for text in ["0,0 1,0 1,1", "a b c d", "0,0 1,0 1,1 0,9", "0,0 1,0 1,1 0,nan", ""] {
      #expect(throws: SafelightError.self) { try Perspective.Corners(parameterText: text) }
    }
    let text = "0.1,0.2 0.9,0.1 0.95,0.8 0.05,0.9"
    #expect(try Perspective.Corners(parameterText: text).parameterText == text)
  }

  @Test("A keystone is what turning the camera does")
  func camera() throws {
    // Upright lines of a camera that looked up by 10° meet at −f / tan 10° from the middle.
    let size = PixelSize(width: 3000, height: 2000)
    let made = try geometry(Keystone(vertical: 10, focalLength: 28), size: size)
    let focal = 28 / hypot(36.0, 24) * hypot(3000.0, 2000)
    let meeting = (x: 1500.0, y: 1000 - focal / tan(10 * Double.pi / 180))
    let (w, h) = (Double(made.outputSize.width), Double(made.outputSize.height))
    for x in [0.1 * w, 0.5 * w, 0.9 * w] {
      let (a, b) = (made.place(x, 0.1 * h), made.place(x, 0.9 * h))
      let area = (b.x - a.x) * (meeting.y - a.y) - (b.y - a.y) * (meeting.x - a.x)
      #expect(abs(area) / hypot(b.x - a.x, b.y - a.y) < 1e-3)
    }
    // No corner is empty, and the proportions stay.
    for (x, y) in [(0.0, 0.0), (w, 0), (w, h), (0, h)] {
      let place = made.place(x, y)
      #expect((-1...3001).contains(place.x) && (-1...2001).contains(place.y), "\(place)")
    }
    #expect(abs(w / h - 1.5) < 0.01)
    // Up and then down again is where it was.
    let there = Projection(.translation(-3, 4)).then(try #require(made.projection)).then(
      try #require(made.projection).inverse)
    #expect(abs(there.apply(30, 40).x - 27) < 1e-6 && abs(there.apply(30, 40).y - 44) < 1e-6)
  }

  @Test("Turning beyond the horizon is refused")
  func horizon() throws {
    let text = try #require(refusal(Keystone(vertical: 45, horizontal: 45, focalLength: 8)))
    #expect(text.contains("beyond its horizon") && text.contains("a longer focal length"), "\(text)")
  }

  @Test("A plan says what a projection does, and how exactly")
  func text() throws {
    let plan = try Plan(
      Recipe(filters: [Keystone(vertical: 10)]), input: PlanInput(size: PixelSize(width: 3000, height: 2000)),
      output: PlanOutput())
    #expect(plan.description.contains("perspective scale ×"))
    #expect(plan.description.contains(", two passes, blocks of ") && plan.description.contains(" px"))
  }
}
