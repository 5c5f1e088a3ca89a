import ColorScience
import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

/// Frames that a look leaves as they are, in plans that end in luma and colour differences.
@Suite("Unedited frames keep their own samples")
struct CopiedSamplesTests {
  private static let encoding = YCbCrEncoding(matrix: .bt601, range: .limited, siting: .left)

  private func plan(
    _ size: PixelSize, _ source: PixelFormat, _ encoding: YCbCrEncoding, to format: PixelFormat,
    _ stored: YCbCrEncoding, _ filters: [any Filter] = []
  ) throws -> Plan {
    try CPURenderer(threads: 1).plan(
      Recipe(filters: filters), input: PlanInput(size: size, format: source, ycbcr: encoding),
      output: PlanOutput(format: format, videoTags: stored.tags(.sRGB)))
  }

  @Test("in their own format, sample for sample", arguments: PlaneOutputTests.formats, [1, 3])
  func same(format: PixelFormat, threads: Int) throws {
    for (seed, encoding) in CameraCases.encodings.enumerated() {
      for size in [(1, 1), (17, 5), (131, 70), (640, 67)] {
        var random = SeededRandom(seed: UInt64(seed))
        let size = PixelSize(width: size.0, height: size.1)
        let source = try CameraPictures.noise(size, format, using: &random)
        let plan = try plan(size, format, encoding, to: format, encoding)
        #expect(plan.copiesSamples && plan.keepsSamples)
        let made = try CPURenderer(threads: threads).render(source, through: plan)
        let isEqual = PlaneOutputTests.samples(made) == PlaneOutputTests.samples(source)
        #expect(isEqual, "\(size), \(encoding)")
      }
    }
  }

  /// Every pair of formats whose samples need no interpolation.
  static let pairs: [(PixelFormat, PixelFormat)] = PlaneOutputTests.formats.flatMap { source in
    PlaneOutputTests.formats.filter { target in
      guard source != target, source != .gray8, target != .gray8 else { return source != target }
      guard let from = source.planes.last, let to = target.planes.last else { return false }
      return from.columnsPerGroup <= to.columnsPerGroup && from.rowsPerGroup <= to.rowsPerGroup
    }.map { (source, $0) }
  }

  @Test("in other layouts, colour differences averaged where there are fewer", arguments: pairs)
  func layouts(source format: PixelFormat, target: PixelFormat) throws {
    for siting in [ColorTags.ChromaSiting.left, .center, .topLeft] {
      let encoding = YCbCrEncoding(matrix: .bt709, range: .full, siting: siting)
      for size in [(1, 1), (2, 3), (17, 5), (131, 70), (640, 67)] {
        var random = SeededRandom(seed: 7)
        let size = PixelSize(width: size.0, height: size.1)
        let source = try CameraPictures.noise(size, format, using: &random)
        let plan = try plan(size, format, encoding, to: target, encoding)
        try #require(plan.copiesSamples)
        let exact = try ReferenceRenderer().render(source, through: plan)
        for threads in [1, 3] {
          let made = try CPURenderer(threads: threads).render(source, through: plan)
          let isEqual = PlaneOutputTests.samples(made) == PlaneOutputTests.samples(exact)
          #expect(isEqual, "\(size), \(encoding), \(threads) threads")
        }
        // Luma is never touched, whatever the reference says.
        for y in 0..<size.height {
          for x in 0..<size.width {
            let (a, b) = (CameraPictures.codes(source, x, y).x, CameraPictures.codes(exact, x, y).x)
            if a != b { Issue.record("luma \(a) became \(b) at \(x) \(y)") }
          }
        }
      }
    }
  }

  @Test("and those of 4:2:2 become the means of two rows in 4:2:0")
  func meansOfRows() throws {
    let size = PixelSize(width: 6, height: 4)
    let source = try PixelBuffer(size: size, format: .yuyv422)
    for y in 0..<4 {
      let row = source.row(y, as: UInt8.self)
      for x in 0..<12 { row[x] = UInt8(20 * y + x) }
    }
    let plan = try plan(size, .yuyv422, Self.encoding, to: .i420, Self.encoding)
    let made = try CPURenderer(threads: 1).render(source, through: plan)
    for y in 0..<2 {
      for x in 0..<3 {
        #expect(Int(made.row(y, of: 1, as: UInt8.self)[x]) == 40 * y + 10 + 4 * x + 1)
        #expect(Int(made.row(y, of: 2, as: UInt8.self)[x]) == 40 * y + 10 + 4 * x + 3)
      }
    }
  }

  @Test("unless the matrix, the range or the site of a colour difference is another one")
  func others() throws {
    let size = PixelSize(width: 64, height: 48)
    let own = Self.encoding
    let others = [
      YCbCrEncoding(matrix: .bt709, range: .limited, siting: .left),
      YCbCrEncoding(matrix: .bt601, range: .full, siting: .left),
      YCbCrEncoding(matrix: .bt601, range: .limited, siting: .center),
      YCbCrEncoding(matrix: .bt601, range: .limited, siting: .topLeft),
    ]
    for other in others {
      #expect(try !plan(size, .i420, own, to: .i420, other).copiesSamples, "\(other)")
    }
    // Rows of 4:2:2 have no site below one another.
    #expect(try plan(size, .yuyv422, own, to: .i422, others[3]).copiesSamples)
    #expect(try plan(size, .yuyv422, own, to: .i420, others[3]).copiesSamples)
    #expect(try !plan(size, .i420, own, to: .i422, own).copiesSamples)
    #expect(try !plan(size, .i420, own, to: .i420, own, [Exposure(stops: 0.1)]).copiesSamples)
    #expect(try !plan(size, .i420, own, to: .i420, own, [Flip(.horizontal)]).copiesSamples)
    #expect(try !plan(size, .i420, own, to: .rgba8, own).copiesSamples)
  }
}
