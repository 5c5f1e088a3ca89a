import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// Groups under masks, rendered: the CPU as the reference, crops as the whole picture.
@Suite("Groups under masks, rendered")
struct MaskTests {
  static let size = PixelSize(width: 120, height: 80)

  static let masks: [Mask] = [
    .linear(from: MaskPoint(0.2, 0.6), to: MaskPoint(0.7, 0.3)),
    .subtract(
      .radial(center: MaskPoint(0.4, 0.5), radiusX: 0.4, radiusY: 0.2, angle: 20, feather: 0.4),
      [.luminance(from: 0.7, to: 1, softness: 0.1)]),
    .add([
      .feather(.polygon([MaskPoint(0.1, 0.1), MaskPoint(0.6, 0.2), MaskPoint(0.3, 0.9)]), radius: 0.02),
      .brush([BrushStroke([MaskPoint(0.7, 0.1), MaskPoint(0.9, 0.9)], radius: 0.05)]),
    ]),
    .color(MaskColor(red: 60, green: 90, blue: 190), range: 0.08, softness: 0.08),
  ]

  static var groups: [any Filter] {
    masks.enumerated().map { index, mask in
      Group(mask, opacity: Float(100 - 15 * index)) {
        Exposure(stops: index % 2 == 0 ? -1 : 0.7)
        Saturation(30)
      }
    }
  }

  /// Smooth colours, so that resamples agree.
  static func picture(_ format: PixelFormat = .rgba8) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: size, format: .rgba8, tags: .sRGB, alpha: .opaque)
    for y in 0..<size.height {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<size.width {
        (row[4 * x], row[4 * x + 1]) = (UInt8(2 * x), UInt8(3 * y))
        (row[4 * x + 2], row[4 * x + 3]) = (UInt8(255 - x - y), 255)
      }
    }
    return buffer
  }

  static func render(_ filters: [any Filter], _ renderer: some Renderer) throws -> PixelBuffer {
    let picture = try picture()
    let plan = try renderer.plan(
      Recipe(filters: filters), input: PlanInput(size: size), output: PlanOutput())
    return try renderer.render(picture, through: plan)
  }

  static func difference(_ a: PixelBuffer, _ b: PixelBuffer, at place: (x: Int, y: Int) = (0, 0)) -> Int {
    var most = 0
    for y in 0..<b.size.height {
      let (first, second) = (a.row(y + place.y, as: UInt8.self), b.row(y, as: UInt8.self))
      for x in 0..<4 * b.size.width {
        most = max(most, abs(Int(first[x + 4 * place.x]) - Int(second[x])))
      }
    }
    return most
  }

  @Test("The CPU renders them as the reference does, within a code; with a turn, within two")
  func equality() throws {
    let cases: [([any Filter], Int)] = [
      (Self.groups, 1), (Self.groups + [Exposure(stops: 0.5), Contrast(20)], 1),
      (Self.groups + [Vignette(amount: -40), Crop(.rectangle(x: 11, y: 7, width: 71, height: 53))], 1),
      (Self.groups + [Straighten(3)], 2),
    ]
    for (filters, bound) in cases {
      let expected = try Self.render(filters, ReferenceRenderer())
      let found = try Self.render(filters, CPURenderer(threads: 2))
      #expect(Self.difference(expected, found) <= bound)
    }
  }

  @Test("A crop of the rendered picture is the rendered crop, byte for byte")
  func crop() throws {
    let crop = Crop(.rectangle(x: 21, y: 13, width: 80, height: 50))
    for group in Self.groups {
      let whole = try Self.render([group], CPURenderer(threads: 2))
      let part = try Self.render([group, crop], CPURenderer(threads: 2))
      #expect(Self.difference(whole, part, at: (21, 13)) == 0)
    }
    let whole = try Self.render(Self.groups, ReferenceRenderer())
    let part = try Self.render(Self.groups + [crop], ReferenceRenderer())
    #expect(Self.difference(whole, part, at: (21, 13)) == 0)
  }

  @Test("Where the mask is 0, nothing changes; where it is 1, all of the filters' effect is there")
  func ends() throws {
    let left = Mask.linear(from: MaskPoint(0.6, 0), to: MaskPoint(0.4, 0))
    let masked = try Self.render([Group(left) { Exposure(stops: -1) }], CPURenderer(threads: 1))
    let (plain, whole) = (
      try Self.render([], CPURenderer(threads: 1)), try Self.render([Exposure(stops: -1)], CPURenderer())
    )
    for y in 0..<Self.size.height {
      let (row, before, after) = (
        masked.row(y, as: UInt8.self), plain.row(y, as: UInt8.self), whole.row(y, as: UInt8.self)
      )
      for x in 4 * 75..<4 * 120 { #expect(row[x] == before[x]) }
      for x in 0..<4 * 45 { #expect(abs(Int(row[x]) - Int(after[x])) <= 1) }
    }
  }
}
