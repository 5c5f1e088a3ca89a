import ColorScience
import FrameCore
import Libc
import Testing

@testable import FilterGraph
@testable import Filters

@Suite("Grain")
struct GrainTests {
  /// The change of density at pixels from the top left corner on, for light of a density.
  private func grain(
    _ filter: Grain, density: Double, on size: PixelSize, columns: Int = 384, rows: Int = 384,
    cropping crop: Crop? = nil
  ) throws -> [[Double]] {
    let filters: [any Filter] = [crop.map { $0 as any Filter }, filter].compactMap { $0 }
    let linear = ColorSpace.linearRec2020
    let plan = try Plan(
      Recipe(filters: filters), input: PlanInput(size: size, format: .rgbaF32, space: linear),
      output: PlanOutput(format: .rgbaF32, space: linear))
    let field = try #require(plan.exactStages.first { $0.isColor })
    let light = SIMD3(repeating: pow(10, -density) - LocalLight.floor)
    return (0..<rows).map { y in
      (0..<columns).map { x in
        log10(field.evaluate(light, at: (Double(x) + 0.5, Double(y) + 0.5)).x / light.x)
      }
    }
  }

  private func deviation(_ rows: [[Double]]) -> Double {
    let values = rows.flatMap { $0 }
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
  }

  /// The means of squares of `count` pixels.
  private func means(_ rows: [[Double]], of count: Int) -> [[Double]] {
    (0..<rows.count / count).map { y in
      (0..<rows[0].count / count).map { x in
        var sum = 0.0
        for j in 0..<count { for i in 0..<count { sum += rows[y * count + j][x * count + i] } }
        return sum / Double(count * count)
      }
    }
  }

  @Test("is absent from the plan where it is neutral, whatever its size")
  func neutral() throws {
    #expect(try Grain(0, size: 80, roughness: 0, seed: 4).lowered().stages.isEmpty)
  }

  // Granularities as published for a negative film, through an opening of 48 µm: 1000 times the deviation of density.
  @Test(
    "of 25 has the granularity of a film of ISO 400",
    arguments: [(0.3, 7.9), (1.0, 11.6), (1.8, 9.3)])
  func granularity(density: Double, published: Double) throws {
    // Pixels of 42.5 µm have the area of that opening, and the clumps of 8 µm are finer than these.
    let size = PixelSize(width: 847, height: 565)
    let measured = deviation(try grain(Grain(25, size: 25, roughness: 0), density: density, on: size))
    #expect(abs(measured * 1000 / published - 1) < 0.05, "\(measured * 1000)")
  }

  @Test("is as much less on larger pixels as their areas tell, so that a preview looks like the full picture")
  func pitch() throws {
    let filter = Grain(60, size: 0, roughness: 0)
    let fine = try grain(filter, density: 1, on: PixelSize(width: 3000, height: 2000))
    for count in [4, 8] {
      let small = PixelSize(width: 3000 / count, height: 2000 / count)
      let coarse = deviation(try grain(filter, density: 1, on: small))
      let averaged = deviation(means(fine, of: count))
      #expect(abs(averaged / coarse - 1) < 0.08, "\(count): \(averaged) \(coarse)")
    }
  }

  @Test("leaves white and black as they are, and greys grey")
  func ends() throws {
    let linear = ColorSpace.linearRec2020
    let plan = try Plan(
      Recipe(filters: [Grain(100)]),
      input: PlanInput(size: PixelSize(width: 300, height: 200), format: .rgbaF32, space: linear),
      output: PlanOutput(format: .rgbaF32, space: linear))
    let field = try #require(plan.exactStages.first)
    for x in 0..<200 {
      let place = (Double(x) + 0.5, 7.5)
      #expect(
        field.evaluate(.one, at: place) == .one && field.evaluate(SIMD3(repeating: 40), at: place).x == 40)
      #expect(field.evaluate(.zero, at: place) == .zero)
      let grey = field.evaluate(SIMD3(repeating: 0.2), at: place)
      #expect(grey.x == grey.y && grey.y == grey.z && grey.x > 0)
      #expect(field.evaluate(SIMD3(repeating: .nan), at: place).x.isNaN)
    }
  }

  @Test("is the same for one seed and unlike for another")
  func seeds() throws {
    let size = PixelSize(width: 1500, height: 1000)
    func values(_ seed: Float) throws -> [Double] {
      try grain(Grain(40, seed: seed), density: 0.8, on: size, columns: 300, rows: 100).flatMap { $0 }
    }
    let (first, again, other) = (try values(3), try values(3), try values(4))
    #expect(first == again)
    let products = zip(first, other).map { $0 * $1 }.reduce(0, +)
    let squares = first.map { $0 * $0 }.reduce(0, +)
    #expect(abs(products / squares) < 0.05, "\(products / squares)")
  }

  @Test("does not repeat: no shift of a picture's width looks like the picture")
  func repetition() throws {
    let rows = try grain(
      Grain(40, roughness: 0), density: 0.8, on: PixelSize(width: 3000, height: 2000), columns: 2400, rows: 24
    )
    let squares = rows.flatMap { $0.prefix(1200) }.map { $0 * $0 }.reduce(0, +)
    for shift in [317, 383, 634, 766, 951, 1149] {
      let products = rows.map { row in (0..<1200).reduce(0.0) { $0 + row[$1] * row[$1 + shift] } }.reduce(
        0, +)
      // One of both pieces repeats, the other is another.
      #expect(abs(products / squares) < 0.6, "\(shift): \(products / squares)")
    }
  }

  @Test("belongs to the result: a crop has as much as the whole picture at that size")
  func crop() throws {
    let crop = Crop(.rectangle(x: 100, y: 50, width: 1500, height: 1000))
    let cropped = try grain(
      Grain(50), density: 1, on: PixelSize(width: 6000, height: 4000), columns: 64, rows: 64, cropping: crop)
    let whole = try grain(
      Grain(50), density: 1, on: PixelSize(width: 1500, height: 1000), columns: 64, rows: 64)
    #expect(cropped == whole)
  }

  @Test("becomes part of the one field, and the table follows it")
  func tables() throws {
    let filters: [any Filter] = [
      Clarity(20), Vignette(amount: -30), Grain(30), Saturation(20), Exposure(stops: 0.2),
    ]
    let plan = try Plan(
      Recipe(filters: filters), input: PlanInput(size: PixelSize(width: 600, height: 400), format: .rgba8),
      output: PlanOutput())
    #expect(plan.stages.map(\.kindName) == ["field", "matrix", "baked"], "\(plan)\n\(plan.log)")
    #expect(plan.description.contains("grain 30 of 8.0 µm, pixels of 60.0 µm"), "\(plan)")
  }

  @Test("of half a strength has half the amount, and is as fine")
  func strength() {
    #expect(
      Grain(60, size: 40, roughness: 10, seed: 2).scaled(by: 0.5)
        == Grain(30, size: 40, roughness: 10, seed: 2))
  }
}
