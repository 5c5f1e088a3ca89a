import FilterGraph
import Filters
import FrameCore
import RendererTestSupport
import TestSupport

@testable import Rendering

extension PixelBuffer {
  /// A copy in which every sample outside of a part is another one: NaN of float, else the complement.
  func poisoned(outside region: Region) throws -> PixelBuffer {
    let copy = try PixelBuffer(size: size, format: format, tags: tags, alpha: alpha)
    func isKept(_ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
      region.columns.contains(columns.lowerBound) && region.columns.contains(columns.upperBound - 1)
        && region.rows.contains(rows.lowerBound) && region.rows.contains(rows.upperBound - 1)
    }
    for (index, shape) in format.planes.enumerated() {
      for y in 0..<planes[index].rows {
        let (from, to) = (row(y, of: index, as: UInt8.self), copy.row(y, of: index, as: UInt8.self))
        let rows = y * shape.rowsPerGroup..<min((y + 1) * shape.rowsPerGroup, height)
        for byte in from.indices {
          let group = byte / shape.bytesPerGroup * shape.columnsPerGroup
          var columns = group..<min(group + shape.columnsPerGroup, width)
          // Luma in packed formats: a byte in two is one pixel's.
          let isLuma =
            format == .yuyv422 && byte % 2 == 0 || format == .uyvy422 && byte % 2 == 1
          if isLuma {
            let column = min(byte / 2, width - 1)
            columns = column..<column + 1
          }
          to[byte] = isKept(columns, rows) ? from[byte] : format == .rgbaF32 ? 0xff : ~from[byte]
        }
      }
    }
    return copy
  }
}

/// A plan for a small picture with whatever geometry there is, and a picture of noise for it.
struct RandomPlan: CustomStringConvertible {
  let plan: Plan
  let source: PixelBuffer
  /// Whether pixels may lie outside of the picture; they show nothing of it.
  let opensCorners: Bool

  var description: String { "\(plan)" }

  /// - Returns: nil where the geometry does not fit the picture, such as a crop of nothing.
  init?(
    _ formats: [PixelFormat], edges: ClosedRange<Int>, output: PixelFormat? = nil,
    using random: inout SeededRandom
  )
    throws
  {
    func edge() -> Int { random.next() % 12 == 0 ? 1 : Int.random(in: edges, using: &random) }
    let size = PixelSize(width: edge(), height: edge())
    let format = formats[Int(random.next() % UInt64(formats.count))]
    let alpha: AlphaMode = format.isRGBA && random.next() % 4 == 0 ? .straight : .opaque
    var filters: [any Filter] = []
    func unit() -> Double { Double.random(in: 0...1, using: &random) }
    if random.next() % 3 == 0 {
      filters.append(Rotate(Rotate.Turn.allCases.randomElement(using: &random) ?? .none))
    }
    if random.next() % 3 == 0 { filters.append(Flip(random.next() % 2 == 0 ? .horizontal : .vertical)) }
    opensCorners = random.next() % 4 == 0
    if random.next() % 2 == 0 {
      let limit: Float = random.next() % 2 == 0 ? 45 : 14
      filters.append(
        Straighten(.random(in: -limit...limit, using: &random), corners: opensCorners ? .keep : .crop))
    }
    if random.next() % 2 == 0 {
      filters.append(
        Crop(.proportions(width: 0.3 + 3 * unit(), height: 0.3 + 3 * unit(), x: unit(), y: unit())))
    }
    if random.next() % 2 == 0 { filters.append(Resize(.percent(25 + 200 * unit()))) }
    if random.next() % 4 == 0 { filters.append(Sharpen(100, radius: Float(0.5 + 2.5 * unit()), detail: 80)) }
    let input = PlanInput(
      size: size, format: format, orientation: Orientation.allCases.randomElement(using: &random) ?? .up,
      alpha: alpha)
    let plan = try? Plan(
      Recipe(filters: filters), input: input,
      output: PlanOutput(
        format: output ?? .rgbaF32, interpolation: random.next() % 3 == 0 ? .bilinear : .sharp))
    guard let plan else { return nil }
    self.plan = plan
    source =
      format.isRGBA
      ? try RandomPicture.noise(size, format, alpha: alpha, using: &random)
      : try CameraPictures.noise(size, format, using: &random)
  }

  /// A part of the result: a pixel, some, or all.
  func region(using random: inout SeededRandom) -> Region {
    func part(_ count: Int) -> Range<Int> {
      let first = Int(random.next() % UInt64(count))
      switch random.next() % 3 {
      case 0: return first..<first + 1
      case 1: return first..<Int.random(in: first + 1...count, using: &random)
      default: return 0..<count
      }
    }
    return Region(columns: part(plan.outputSize.width), rows: part(plan.outputSize.height))
  }
}
