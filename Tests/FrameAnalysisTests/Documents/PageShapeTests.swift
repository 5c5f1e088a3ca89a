import FrameCore
import Libc
import Testing

@testable import FrameAnalysis

@Suite("The shape of a page")
struct PageShapeTests {
  private static let size = PixelSize(width: 4000, height: 3000)

  /// How a pinhole camera sees a page of `ratio` × 1, one and a half pages away: turned in its plane by `roll`, then
  /// about the level axis by `pitch` and the upright one by `yaw`, in degrees.
  private func view(
    _ ratio: Double, focal: Double = 0.85, roll: Double = 0, pitch: Double = 0, yaw: Double = 0,
    at center: SIMD2<Double> = .zero
  ) -> [NormalizedPoint] {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let corners = [SIMD2(-ratio, -1.0), SIMD2(ratio, -1), SIMD2(ratio, 1), SIMD2(-ratio, 1)]
    return corners.map { corner in
      let p = corner / 2
      let (r, a, b) = (radians(roll), radians(pitch), radians(yaw))
      let (x, y) = (p.x * cos(r) - p.y * sin(r), p.x * sin(r) + p.y * cos(r))
      let (y1, z1) = (y * cos(a), y * sin(a))
      let (x2, z2) = (x * cos(b) + z1 * sin(b), z1 * cos(b) - x * sin(b))
      let distance = z2 + 2
      let seen = (SIMD2(x2, y1) + center) * (focal / distance) * Double(Self.size.longEdge)
      return NormalizedPoint(
        seen.x / Double(Self.size.width) + 0.5, seen.y / Double(Self.size.height) + 0.5)
    }
  }

  private func shape(_ outline: [NormalizedPoint], focal: Double? = nil, _ choice: PageChoice = .automatic)
    throws
    -> PageShape
  {
    try PageShape(of: outline, in: Self.size, focalLength: focal, choice: choice)
  }

  private func source(_ shape: PageShape) -> PageShape.FocalSource? {
    switch shape.origin {
    case .measured(let source), .recognized(let source): source
    case .given: nil
    }
  }

  @Test(
    "With the focal length, the proportions are exact from everywhere",
    arguments: [(0.0, 0.0, 0.0), (0, 35, 0), (0, 0, 40), (20, 30, 25), (45, 45, 0), (90, 20, -30), (0, 1, 0)])
  func known(roll: Double, pitch: Double, yaw: Double) throws {
    for ratio in [0.6, 1.0, 1.36, 1.75] {
      for focal in [0.7, 0.85, 2] {
        let outline = view(ratio, focal: focal, roll: roll, pitch: pitch, yaw: yaw, at: SIMD2(0.1, -0.05))
        let shape = try shape(outline, focal: focal)
        #expect(abs(shape.measured / ratio - 1) < 1e-9, "\(ratio), \(focal): \(shape)")
        #expect(shape.origin == .measured(.known))
      }
    }
  }

  @Test("From the front the focal length does not matter", arguments: [0.62, 1.0, 1.2, 1.36])
  func front(ratio: Double) throws {
    for roll in [0.0, 30] {
      let shape = try shape(view(ratio, focal: 1.4, roll: roll))
      #expect(abs(shape.measured / ratio - 1) < 0.002, "\(shape)")
      #expect(shape.deviation < 0.01)
      #expect(shape.origin == .measured(.usual))
    }
  }

  @Test("A page seen obliquely both ways tells the focal length itself", arguments: [0.7, 0.85, 1.2])
  func fromPage(focal: Double) throws {
    for ratio in [0.62, 1.2, 1.36] {
      let shape = try shape(view(ratio, focal: focal, roll: 40, pitch: 40, yaw: 20))
      #expect(source(shape) == .page)
      #expect(abs(shape.measured / ratio - 1) < 0.02, "\(focal), \(ratio): \(shape)")
    }
  }

  @Test("If one pair of sides is parallel the focal length is unknown, and the deviation says so")
  func onePair() throws {
    for focal in [0.7, 0.85, 1.1] {
      for (pitch, yaw) in [(40.0, 0.0), (0, 40)] {
        let outline = view(1.2, focal: focal, pitch: pitch, yaw: yaw)
        let shape = try shape(outline)
        #expect(source(shape) == .usual)
        #expect(shape.deviation > 0.03)
        #expect(abs(log(shape.measured / 1.2)) < 2 * shape.deviation, "\(focal): \(shape)")
        #expect(try self.shape(outline, focal: focal).deviation < shape.deviation / 3)
      }
    }
  }

  @Test(
    "Usual formats are recognized, upright and lying, and named with the reason",
    arguments: PageShape.Paper.allCases)
  func formats(paper: PageShape.Paper) throws {
    for ratio in [paper.longToShort, 1 / paper.longToShort] {
      for (roll, pitch, yaw) in [(0.0, 0.0, 0.0), (5, 25, 15)] {
        let shape = try shape(view(ratio * 1.006, roll: roll, pitch: pitch, yaw: yaw), focal: 0.85)
        #expect(shape.paper == paper && shape.ratio == ratio)
        #expect(shape.origin == .recognized(.known))
        #expect(
          shape.explanation.hasPrefix("taken for \(paper.rawValue): measured with the camera's focal length"))
      }
    }
  }

  @Test("Other proportions are kept as measured", arguments: [1.0, 1.2, 1.352, 1.5, 1.68, 1.78, 2.5])
  func others(ratio: Double) throws {
    let shape = try shape(view(ratio, pitch: 20, yaw: 10), focal: 0.85)
    #expect(shape.paper == nil)
    #expect(shape.ratio == shape.measured)
    #expect(
      shape.explanation.hasPrefix("measured with the camera's focal length: \(ratio == 1 ? "1.000" : "")"))
  }

  @Test("What is given overrules what is measured, turned as the page is seen")
  func given() throws {
    let lying = view(1.3, pitch: 20)
    #expect(try shape(lying, .paper(.a4)).ratio == 2.0.squareRoot())
    #expect(try shape(lying, .ratio(0.75)).ratio == 4.0 / 3)
    let upright = view(0.8, pitch: 20)
    #expect(try shape(upright, .paper(.a4)).ratio == 1 / 2.0.squareRoot())
    #expect(try shape(upright, .ratio(0.75)).ratio == 0.75)
    #expect(try shape(upright, .ratio(0.75)).origin == .given)
    #expect(try shape(upright, .ratio(0.75)).explanation == "as given")
  }

  @Test("Shapes are read from text, and what is none is refused")
  func texts() throws {
    #expect(try PageChoice("auto") == .automatic)
    #expect(try PageChoice("A4") == .paper(.a4))
    #expect(try PageChoice("Letter") == .paper(.letter))
    #expect(try PageChoice("card") == .paper(.card))
    #expect(try PageChoice("3:2") == .ratio(1.5))
    for text in ["", "a5", "3", "3:", ":", "0:2", "-3:2", "1:0", "nan:1", "inf:1", "1:2:3", "1000:1"] {
      #expect(throws: SafelightError.self, "\(text)") { try PageChoice(text) }
    }
  }

  @Test("Outlines and focal lengths that are none are refused")
  func refuses() throws {
    let line = [
      NormalizedPoint(0, 0), NormalizedPoint(0.3, 0.3), NormalizedPoint(1, 1), NormalizedPoint(0.5, 0.5),
    ]
    #expect(throws: SafelightError.self) { try shape(line) }
    #expect(throws: SafelightError.self) { try shape(view(1), focal: 0) }
    #expect(throws: SafelightError.self) { try shape(view(1), focal: .nan) }
    #expect(throws: SafelightError.self) { try PageShape(of: view(1), in: PixelSize(width: 0, height: 3)) }
  }

  @Test("Pages keep the pixels of their longest sides")
  func pixels() throws {
    let outline = view(1.2, pitch: 25)
    let shape = try shape(outline, focal: 0.85)
    let size = try shape.pixelSize(of: outline, in: Self.size)
    #expect(abs(Double(size.width) / Double(size.height) - 1.2) < 0.001)
    let bottom = (outline[2].x - outline[3].x) * Double(Self.size.width)
    #expect(Double(size.width) >= max(bottom, (outline[1].x - outline[0].x) * Double(Self.size.width)) - 1)
  }
}
