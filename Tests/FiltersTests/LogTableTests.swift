import ColorScience
import Foundation
import FrameCore
import TestSupport
import Testing

@testable import FilterGraph
@testable import Filters

/// Tables for log footage, chains of steps, and what is told of them.
@Suite("Log footage and chains of tables")
struct LogTableTests {
  private static let identity = ColorLUT(
    cube: try? LUT3D(
      size: 2,
      nodes: (0..<8).map { SIMD3(Float($0 & 1), Float($0 >> 1 & 1), Float($0 >> 2)) }))

  private func plan(
    _ filters: [any Filter], from source: ColorSpace = .sRGB, to output: ColorSpace = .sRGB
  ) throws -> Plan {
    try Plan(
      Recipe(filters: filters),
      input: PlanInput(size: PixelSize(width: 8, height: 8), format: .rgba16, space: source),
      output: PlanOutput(format: .rgba16, space: output), optimized: false)
  }

  private func evaluate(_ plan: Plan, _ color: SIMD3<Double>) -> SIMD3<Double> {
    plan.loweredStages.reduce(color) { $1.evaluate($0) }
  }

  private static let colors: [SIMD3<Double>] = {
    var random = SeededRandom(seed: 3)
    func number() -> Double { Double.random(in: 0...1, using: &random) }
    return (0..<300).map { _ in SIMD3(number(), number(), number()) } + [.zero, .one, SIMD3(0, 0, 1)]
  }()

  private static let fuzz = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fuzz")

  private static func seed(_ path: String) throws -> ColorLUT {
    let bytes = [UInt8](try Data(contentsOf: fuzz.appending(path: path)))
    return try ColorLUT(file: bytes, name: path)
  }

  @Test(
    "A table for log footage receives the maker's encoding of the picture", arguments: LogEncoding.allCases)
  func conversion(log: LogEncoding) throws {
    // What the table is given comes out as if it were sRGB.
    let plan = try plan([
      LUT(Self.identity, name: "i", encoding: .log(log), output: .encoding(.sRGB))
    ])
    let matrix = ColorSpace.sRGB.matrix(to: log.linearSpace)
    for color in Self.colors {
      let expected = SampleEncoding.log(log).encode(matrix * ColorSpace.sRGB.decode(color))
        .clamped(lowerBound: .zero, upperBound: .one)
      #expect(difference(evaluate(plan, color), expected) < 1e-5, "\(log) at \(color)")
    }
  }

  @Test("Footage that is declared is decoded by the maker's formula", arguments: LogEncoding.allCases)
  func footage(log: LogEncoding) throws {
    let plan = try plan([InputEncoding(.log(log))], to: .linearRec2020)
    let matrix = log.linearSpace.matrix(to: .linearRec2020)
    for color in Self.colors {
      let expected = matrix * SampleEncoding.log(log).decode(color)
      let scale = max(1, abs(expected.x), abs(expected.y), abs(expected.z))
      #expect(difference(evaluate(plan, color), expected) / scale < 1e-5, "\(log) at \(color)")
    }
  }

  @Test("A table for the encoding of the footage receives its samples unchanged")
  func unchanged() throws {
    let plan = try plan([
      InputEncoding(.log(.sLog3)), LUT(Self.identity, name: "i", encoding: .log(.sLog3)),
    ])
    #expect(plan.loweredStages.filter(\.isColor).count == 1)
    for color in Self.colors { #expect(difference(evaluate(plan, color), color) < 1e-6) }
  }

  @Test("A grade on log samples leaves what it does not change, and comes back to light")
  func gradeOnLog() throws {
    let grade = try plan([CDL(slope: CDL.Slope(1, 1, 1), saturation: 0.999_999, encoding: .log(.vLog))])
    for color in Self.colors { #expect(difference(evaluate(grade, color), color) < 2e-3, "\(color)") }
  }

  @Test("The input is declared ahead of colours only")
  func order() throws {
    var recipe = Recipe(filters: [Exposure(stops: 1), InputEncoding(.log(.vLog))])
    recipe.order = .listed
    #expect(throws: SafelightError.self) {
      try Plan(recipe, input: PlanInput(size: PixelSize(width: 8, height: 8)), output: PlanOutput())
    }
    recipe.order = .canonical
    _ = try Plan(recipe, input: PlanInput(size: PixelSize(width: 8, height: 8)), output: PlanOutput())
  }

  @Test("An encoding that is unknown is refused, and D-Log M with the reason")
  func unpublished() throws {
    let error = #expect(throws: SafelightError.self) { try LUT.Encoding(parameterText: "d-log-m") }
    #expect(error?.remedy.contains("DJI has not published D-Log M") == true)
    #expect(try LUT.Encoding(parameterText: "slog3") == .log(.sLog3))
  }

  @Test("A chain is rendered as it is evaluated, and what is not is told")
  func chains() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.fuzz.appending(path: "clf").path)
      .filter { !$0.hasPrefix("bad-") }.sorted()
    #expect(names.count == 15)
    for name in names {
      let lut = try Self.seed("clf/\(name)")
      let plan = try plan([LUT(lut, name: name)])
      var worst = 0.0
      for color in Self.colors { worst = max(worst, difference(evaluate(plan, color), lut.evaluate(color))) }
      let note = plan.notes.first { $0.contains("rendered as tables") }
      #expect(worst < (note == nil ? 2e-4 : 0.02), "\(name): \(worst)")
      if name != "trilinear.clf" { #expect(note == nil, "\(note ?? "")") }
    }
  }

  @Test("A part of a chain's strength is a mix with the picture")
  func strength() throws {
    let lut = try Self.seed("clf/lut1d.clf")
    let half = try plan([LUT(lut, name: "a.clf", strength: 50)])
    let chain = try Self.seed("clf/cdl-Fwd.clf")
    let part = try plan([LUT(chain, name: "b.clf", strength: 25)])
    let toRec709 = try plan([
      InputEncoding(.log(.logC3)), LUT(Self.identity, name: "c", strength: 50, encoding: .log(.logC3)),
    ])
    var mixed = 0.0
    for color in Self.colors {
      #expect(difference(evaluate(half, color), 0.5 * (color + lut.evaluate(color))) < 1e-6)
      #expect(difference(evaluate(part, color), color + 0.25 * (chain.evaluate(color) - color)) < 5e-3)
      // Half of the picture as it is shown, half of the table's output.
      let shown = SampleEncoding.log(.logC3).convert(color, to: .space(.sRGB))
        .clamped(lowerBound: .zero, upperBound: .one)
      // Where the picture clips, the lattice has creases, and tells so.
      mixed = max(mixed, difference(evaluate(toRec709, color), 0.5 * (shown + color)))
    }
    #expect(mixed < 0.12, "\(mixed)")
    #expect(toRec709.notes.contains { $0.hasPrefix("c at 50 % is rendered as a table of 65³, at most 0.") })
    #expect(part.notes.contains { $0.hasPrefix("b.clf at 25 % is rendered as a table of 65³, at most 0.0") })
  }

  /// A maker's table for log footage in the rough: S-Log3 to what is shown, with soft highlights.
  private static func forLog(_ log: LogEncoding) throws -> ColorLUT {
    ColorLUT(
      shaper: try LUT1D(
        samples: (0...255).map { code in
          let light = max(log.decode(Double(code) / 255), 0)
          let shown = TransferFunction.sRGB.encode(light * 1.3 / (1 + 0.3 * light))
          return SIMD3(repeating: Float(min(shown, 1)))
        }))
  }

  @Test("A table for log footage that is given what is shown is noticed", arguments: LogEncoding.allCases)
  func wantsLog(log: LogEncoding) throws {
    let lut = try Self.forLog(log)
    let notes = try plan([LUT(lut, name: "a.cube")]).notes
    #expect(notes.contains { $0.hasPrefix("a.cube seems to be made for log footage") }, "\(log)")
    #expect(try plan([LUT(lut, name: "a.cube", encoding: .log(log))]).notes.isEmpty)
    let kept = LUT(lut, name: "a.cube", encoding: .log(log), output: .encoding(.log(log)))
    #expect(try plan([kept]).notes.contains { $0.contains("declare --lut-output-encoding rec709") })
  }

  @Test("A look for what is shown that is given log footage is noticed, and no shipped look is suspicious")
  func wantsDisplay() throws {
    for name in ShippedFiles.tables {
      let lut = try ColorLUT(cube: ShippedFiles.contents(name), name: name)
      #expect(try plan([LUT(lut, name: name)]).notes.isEmpty, "\(name)")
    }
    let wrong = try plan([LUT(Self.identity, name: "a.cube", encoding: .log(.sLog3))]).notes
    #expect(wrong.contains { $0.hasPrefix("a.cube seems to be made for pictures as they are shown") })
  }
}
