import Capture
import ColorScience
import FilterGraph
import Filters
import FrameCore
import Libc
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

@Suite("Groups under masks")
struct MaskEqualityTests {
  private let renderer = CPURenderer(threads: 2)

  @Test(
    "agree with the reference, in every format",
    arguments: EqualityCases.groupFormats)
  func equality(format: PixelFormat, alpha: AlphaMode) throws {
    try checkOnCPU(EqualityCases.groups(format, alpha), "\(format) \(alpha)")
  }

  @Test("agree with the reference in small and narrow pictures")
  func small() throws { try checkOnCPU(EqualityCases.smallGroups(), "small") }

  private static let look: [any Filter] = EqualityCases.masks.map { mask in
    Group(mask, opacity: 70, filters: [Exposure(stops: 0.8), Saturation(-20)])
  }

  private func render(
    _ filters: [any Filter], _ source: PixelBuffer, maximumSize: PixelSize? = nil
  ) throws -> PixelBuffer {
    try renderer.render(
      source,
      through: Plan(
        Recipe(filters: filters), input: PlanInput(source),
        output: PlanOutput(format: source.format, maximumSize: maximumSize)))
  }

  @Test("stay where they are when the picture is cropped", arguments: [PixelFormat.rgba8, .rgba16])
  func crops(format: PixelFormat) throws {
    var random = SeededRandom(seed: 11)
    let source = try RandomPicture.noise(PixelSize(width: 700, height: 260), format, using: &random)
    let whole = try render(Self.look, source)
    let part = try render([Crop(.rectangle(x: 123, y: 77, width: 500, height: 101))] + Self.look, source)
    var worst = 0.0
    for y in 0..<101 {
      for x in 0..<500 {
        for channel in 0..<3 {
          let (a, b) = (
            RandomPicture.get(part, x, y, channel), RandomPicture.get(whole, x + 123, y + 77, channel)
          )
          worst = max(worst, abs(a - b))
        }
      }
    }
    // Places within a block are in single precision, which 16 bits show in a last digit.
    #expect(worst <= (format == .rgba8 ? 0 : 2), "\(worst) codes")
  }

  @Test("have the same place in a preview and in the export")
  func previews() throws {
    let size = PixelSize(width: 2400, height: 1600)
    let source = try SyntheticScene(size: size, horizonDegrees: 2, showsPatches: true).render()
    let box = PixelSize(width: 600, height: 400)
    // The mean difference in EV between a small rendering and a large one made small.
    func difference(_ filters: [any Filter]) throws -> Double {
      let small = try render(filters, source, maximumSize: box)
      let shrunk = try render([], render(filters, source), maximumSize: box)
      var sum = 0.0
      for y in 0..<400 {
        let (a, b) = (small.row(y, as: UInt8.self), shrunk.row(y, as: UInt8.self))
        for x in 0..<600 {
          func light(_ row: UnsafeMutableBufferPointer<UInt8>) -> Double {
            log2(TransferFunction.sRGB.decode(Double(row[4 * x + 1]) / 255) + 0.01)
          }
          sum += abs(light(a) - light(b))
        }
      }
      return sum / 240_000
    }
    let alone = try difference([Exposure(stops: 0.3)])
    for mask in EqualityCases.masks {
      let masked = try difference([Group(mask, filters: [Exposure(stops: 0.8)])])
      #expect(masked <= alone + 0.005, "\(mask): \(masked), \(alone) without")
    }
  }

  @Test("without an effect are absent from the plan")
  func neutral() throws {
    let groups: [any Filter] = [
      Group(EqualityCases.masks[0], filters: [Exposure(stops: 0)]),
      Group(EqualityCases.masks[1], opacity: 0, filters: [Exposure(stops: 1)]), Group(),
    ]
    let plan = try Plan(
      Recipe(filters: groups), input: PlanInput(size: PixelSize(width: 90, height: 60)), output: PlanOutput())
    #expect(plan.stages.isEmpty)
  }

  @Test("outside of which every byte stays")
  func outside() throws {
    var random = SeededRandom(seed: 12)
    let source = try RandomPicture.noise(PixelSize(width: 600, height: 90), .rgba8, using: &random)
    let left = Mask.linear(from: MaskPoint(0.5, 0), to: MaskPoint(0.4, 0))
    let made = try render([Group(left, filters: [Exposure(stops: -2)])], source)
    for y in 0..<90 {
      let (a, b) = (source.row(y, as: UInt8.self), made.row(y, as: UInt8.self))
      #expect((4 * 300..<4 * 600).allSatisfy { a[$0] == b[$0] }, "row \(y)")
      #expect((0..<4 * 200).allSatisfy { a[$0] >= b[$0] })
    }
  }

  @Test("whose order does not change what ranges select")
  func order() throws {
    var random = SeededRandom(seed: 13)
    let source = try RandomPicture.noise(PixelSize(width: 300, height: 60), .rgbaF32, using: &random)
    let dark = Group(.luminance(from: 0, to: 0.4), filters: [Exposure(stops: 1)])
    let bright = Group(.luminance(from: 0.5, to: 1), filters: [Exposure(stops: -0.5)])
    let (a, b) = (try render([dark, bright], source), try render([bright, dark], source))
    // Gains commute, so only the masks could differ.
    #expect(RandomPicture.largestDifference(a, b).value < 1e-4)
  }
}
