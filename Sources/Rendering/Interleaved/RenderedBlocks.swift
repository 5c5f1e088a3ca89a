import FilterGraph
import FrameCore

/// The blocks that a result is rendered in while its samples are repacked: so small that what is repacked stays in the
/// second-level cache of a processor, unless the plan makes the result much smaller or turns it.
struct RenderedBlocks: Sendable {
  struct Block: Sendable {
    /// What is rendered.
    let result: Region
    /// What it shows of the picture, with all that kernels read.
    let source: Region
  }
  let blocks: [Block]
  /// The memory that any of them needs for the pixels before.
  let sourceSize: PixelSize
  /// As `sourceSize`, for the pixels after.
  let resultSize: PixelSize

  /// The bytes of a block's pixels before and after.
  private static let bytes = 768 << 10
  /// Renderers weight 16 columns together, and a tile has at most 64 rows.
  private static let (columns, rows) = (256, 64)
  /// Rows are cheaper than squares as long as neighbours show little of the same.
  private static let mostRepeated = 1.25

  init(_ plan: Plan) {
    let size = plan.outputSize
    let pixelBytes = plan.input.format.rgbaBytes + plan.output.format.rgbaBytes
    let fitting = Self.bytes / pixelBytes / size.width / 16 * 16
    // Whole pictures are repacked before, row by row.
    let isWhole = plan.readsWholeSource || plan.projected != nil
    let bands = Self.blocks(
      of: plan, PixelSize(width: size.width, height: min(max(fitting, 16), Self.rows)))
    let shown = plan.sourceRegion(
      for: Region(columns: 0..<size.width, rows: 0..<size.height), margin: .processorBesideNothing)
    let repeated =
      isWhole ? 1 : Double(bands.reduce(0) { $0 + $1.source.area }) / Double(shown.area)
    let squares = PixelSize(
      width: Self.columns, height: max(Self.bytes / pixelBytes / Self.columns / 16 * 16, 16))
    let chosen = fitting >= 16 && repeated <= Self.mostRepeated ? bands : Self.blocks(of: plan, squares)
    blocks = chosen
    sourceSize =
      isWhole ? PixelSize(width: 1, height: 1) : Self.largest(chosen.map(\.source))
    resultSize = Self.largest(chosen.map(\.result))
  }

  private static func largest(_ regions: [Region]) -> PixelSize {
    PixelSize(
      width: regions.reduce(1) { max($0, $1.columns.count) },
      height: regions.reduce(1) { max($0, $1.rows.count) })
  }

  private static func blocks(of plan: Plan, _ size: PixelSize) -> [Block] {
    stride(from: 0, to: plan.outputSize.height, by: size.height).flatMap { top in
      stride(from: 0, to: plan.outputSize.width, by: size.width).map { left in
        let result = Region(
          columns: left..<min(left + size.width, plan.outputSize.width),
          rows: top..<min(top + size.height, plan.outputSize.height))
        return Block(
          result: result, source: plan.sourceRegion(for: result, margin: .processorBesideNothing))
      }
    }
  }
}

extension Region {
  fileprivate var area: Int { columns.count * rows.count }
}
