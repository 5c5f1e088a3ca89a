import FilterGraph
import FrameCore
import PixelKernels

/// A plan's sharpening in the CPU's form: renders the pixels of a tile and of its halo, then adds to each what sets it
/// off from those around it.
///
/// Tiles overlap by their halos, and what is rendered for one is rendered again for the next: that stays in the cache,
/// where a picture in between would go through memory.
final class SharpenedTiles: @unchecked Sendable {
  /// The plan of the picture that is sharpened, in RGBA of 16 bits or of floats.
  let inner: CompiledPlan
  /// The largest tile for which a tile of the inner plan has the halo too.
  let tile: PixelSize
  private let size: PixelSize
  private let halo: Int
  private let masks: [Mask]
  private let weights: UnsafeMutablePointer<Float>
  private let luma: UnsafeMutablePointer<Float>
  private let inBetween, output: PixelFormat
  private let dithers: Bool
  /// Whether windows weight pixels by their alpha.
  private let hasAlpha: Bool
  private let hasMasking: Bool
  /// Whether the sum goes from 16 bits to 8 without floats.
  private let isDirect: Bool

  private struct Mask {
    let window: sl_window
    let unsharp: sl_unsharp
    var isMasked: Bool { unsharp.mask_scale > 0 }
  }

  init(_ plan: Plan, _ sharpening: Sharpening, inner: CompiledPlan) {
    self.inner = inner
    size = plan.outputSize
    halo = sharpening.halo
    inBetween = plan.formatInBetween
    output = plan.output.colorFormat
    dithers = plan.dithers
    isDirect = inBetween == .rgba16 && output == .rgba8 && !dithers
    hasAlpha = plan.hasTransparency
    hasMasking = sharpening.masks.contains { $0.edges != nil }
    // Whole groups of luma and colour differences.
    tile = PixelSize(
      width: (TileScratch.width - 2 * halo) & ~1, height: (TileScratch.height - 2 * halo) & ~1)

    luma = .allocate(capacity: 3)
    for channel in 0..<3 { luma[channel] = Float(sharpening.luma[channel]) }
    weights = .allocate(capacity: sharpening.masks.reduce(0) { $0 + $1.reach + 1 })
    var next = weights
    masks = sharpening.masks.map { mask in
      let values = mask.weights
      for (index, weight) in values.enumerated() { next[index] = Float(weight) }
      defer { next += values.count }
      let edges = mask.edges
      return Mask(
        window: sl_window(weights: next, radius: Int32(mask.reach)),
        unsharp: sl_unsharp(
          gain: Float(mask.amount), dark_gain: Float(mask.amount * UnsharpMask.darkPart),
          inverse_limit: Float(1 / mask.limit), mask_begin: Float(edges?.begin ?? 0),
          mask_scale: edges.map { Float(1 / ($0.end - $0.begin)) } ?? 0))
    }
  }

  deinit {
    weights.deallocate()
    luma.deallocate()
  }

  // MARK: Tiles

  /// Renders a tile of the output: `columns` and `rows` of it.
  ///
  /// - Parameters:
  ///   - target: where row y goes, in RGBA.
  ///   - finish: called once row y is there.
  func renderTile(
    _ source: PixelBuffer, columns: Range<Int>, rows: Range<Int>, scratch: TileScratch,
    target: (_ y: Int) -> UnsafeMutableRawPointer, finish: (_ y: Int) -> Void
  ) {
    let work = Work(
      columns: columns, rows: rows, halo: halo, size: size, pixelBytes: inBetween.rgbaBytes,
      planes: 1 + (hasMasking ? 1 : 0) + (hasAlpha ? 1 : 0))
    let memory = scratch.neighbours(work.bytes)
    inner.renderRows(
      source, columns: work.allColumns, rows: work.allRows, scratch: scratch,
      target: { work.pixels(memory, $0) }, finish: { _ in })
    for y in work.allRows { takeLuma(y, work, memory, scratch) }
    work.added(memory, rows.lowerBound).update(repeating: 0, count: rows.count * Work.stride)
    for mask in masks { add(mask, work, memory) }
    scratch.meter?.pointee.lap(.neighbours)
    let count = columns.count
    for y in rows {
      let pixels =
        work.pixels(memory, y) + (columns.lowerBound - work.allColumns.lowerBound) * work.pixelBytes
      let added = work.added(memory, y)
      if isDirect {
        sl_add_to_rgba16(
          added, pixels.assumingMemoryBound(to: UInt16.self), target(y).assumingMemoryBound(to: UInt8.self),
          count)
      } else {
        add(added, to: pixels, into: target(y), x: columns.lowerBound, y: y, count: count, scratch)
      }
      scratch.meter?.pointee.lap(.store)
      finish(y)
    }
  }

  private func add(
    _ added: UnsafePointer<Float>, to pixels: UnsafeRawPointer, into target: UnsafeMutableRawPointer, x: Int,
    y: Int, count: Int, _ scratch: TileScratch
  ) {
    sl_unpack(pixels, inBetween.kernelSample, scratch.r, scratch.g, scratch.b, count)
    sl_add_to_rgb(added, scratch.r, scratch.g, scratch.b, count)
    if dithers {
      for i in 0..<count { scratch.dither[i] = Dither.threshold(x: x + i, y: y) }
    }
    sl_pack(
      scratch.r, scratch.g, scratch.b, pixels, inBetween.kernelSample,
      dithers ? UnsafePointer(scratch.dither) : nil, target, output.kernelSample, count)
  }

  /// Makes the luma of a row with its halo and, if they are needed, its squares and alpha.
  private func takeLuma(_ y: Int, _ work: Work, _ memory: UnsafeMutableRawPointer, _ scratch: TileScratch) {
    let count = work.allColumns.count
    let first = work.allColumns.lowerBound - (work.columns.lowerBound - halo)
    let pixels = work.pixels(memory, y)
    let row = work.plane(memory, Work.luma, y)
    if inBetween == .rgba16 {
      sl_luma_rgba16(luma, pixels.assumingMemoryBound(to: UInt16.self), row + first, count)
    } else {
      sl_unpack(pixels, inBetween.kernelSample, scratch.r, scratch.g, scratch.b, count)
      sl_luma(luma, scratch.r, scratch.g, scratch.b, row + first, count)
    }
    let squares = work.plane(memory, Work.squares, y)
    if hasMasking { for x in first..<first + count { squares[x] = row[x] * row[x] } }
    if hasAlpha {
      let alpha = work.plane(memory, hasMasking ? 2 : 1, y)
      for x in 0..<count {
        let weight = Self.alpha(pixels, inBetween, x)
        alpha[first + x] = weight
        // Kept for the difference, while its row becomes that of the window.
        row[first + x] *= weight
        if hasMasking { squares[first + x] *= weight }
      }
    }
    for plane in 0..<work.planes { work.extend(work.plane(memory, plane, y), first, count) }
  }

  private static func alpha(_ pixels: UnsafeMutableRawPointer, _ format: PixelFormat, _ x: Int) -> Float {
    let value =
      format == .rgba16
      ? Float(pixels.load(fromByteOffset: 8 * x + 6, as: UInt16.self)) / 65_535
      : pixels.load(fromByteOffset: 16 * x + 12, as: Float.self)
    return value > 0 ? min(value, 1) : 0
  }

  /// Adds what one Gaussian makes of the tile.
  private func add(_ mask: Mask, _ work: Work, _ memory: UnsafeMutableRawPointer) {
    let count = work.columns.count
    let reach = Int(mask.window.radius)
    let (squares, alpha) = (mask.isMasked ? Work.squares : nil, hasAlpha ? (hasMasking ? 2 : 1) : nil)
    withUnsafePointer(to: mask.window) { window in
      withUnsafePointer(to: mask.unsharp) { unsharp in
        func isUsed(_ plane: Int) -> Bool { plane == Work.luma || plane == squares || plane == alpha }
        for y in work.allRows {
          for plane in 0..<work.planes where isUsed(plane) {
            sl_blur_row(
              window, work.plane(memory, plane, y) + halo, work.blurred(memory, plane, y), count)
          }
        }
        let rows = work.rowPointers(memory)
        for y in work.rows {
          for plane in 0..<work.planes where isUsed(plane) {
            for offset in -reach...reach {
              let row = min(max(y + offset, 0), size.height - 1)
              rows[reach + offset] = UnsafePointer(work.blurred(memory, plane, row))
            }
            sl_blur_column(window, rows, work.window(memory, plane), count)
          }
          var own = work.plane(memory, Work.luma, y) + halo
          if let alpha {
            // Luma was multiplied with alpha.
            let plain = work.window(memory, work.planes)
            let weights = work.plane(memory, alpha, y) + halo
            for x in 0..<count { plain[x] = weights[x] > 0 ? own[x] / weights[x] : 0 }
            own = plain
          }
          sl_unsharp_row(
            unsharp, own, work.window(memory, Work.luma),
            squares.map { UnsafePointer(work.window(memory, $0)) },
            alpha.map { UnsafePointer(work.window(memory, $0)) }, work.added(memory, y), count)
        }
      }
    }
  }
}

/// The memory of one tile and its halo: where each row of each plane is.
private struct Work {
  /// Planes of floats.
  static let luma = 0
  static let squares = 1
  /// Floats from one row to the next: the widest tile with its halo, and what vectors touch beyond it.
  static let stride = TileScratch.width + 64

  let columns, rows: Range<Int>
  /// With the halo, as far as the picture goes.
  let allColumns, allRows: Range<Int>
  let halo: Int
  let pixelBytes: Int
  let planes: Int

  init(
    columns: Range<Int>, rows: Range<Int>, halo: Int, size: PixelSize, pixelBytes: Int, planes: Int
  ) {
    (self.columns, self.rows, self.halo, self.pixelBytes, self.planes) = (
      columns, rows, halo, pixelBytes, planes
    )
    allColumns = max(0, columns.lowerBound - halo)..<min(size.width, columns.upperBound + halo)
    allRows = max(0, rows.lowerBound - halo)..<min(size.height, rows.upperBound + halo)
  }

  private static let rowBytes = stride * MemoryLayout<Float>.stride
  private static let planeBytes = TileScratch.height * rowBytes
  private static let pointerBytes = TileScratch.height * MemoryLayout<UnsafePointer<Float>?>.stride
  private var pixelsBytes: Int { TileScratch.height * TileScratch.width * pixelBytes }

  /// The same for every tile of a plan, so that memory grows once.
  var bytes: Int {
    pixelsBytes + (2 * planes + 1) * Self.planeBytes + (planes + 1) * Self.rowBytes + Self.pointerBytes
  }

  func pixels(_ memory: UnsafeMutableRawPointer, _ y: Int) -> UnsafeMutableRawPointer {
    memory + (y - allRows.lowerBound) * TileScratch.width * pixelBytes
  }

  private func row(_ memory: UnsafeMutableRawPointer, _ plane: Int, _ row: Int) -> UnsafeMutablePointer<Float>
  {
    (memory + pixelsBytes + plane * Self.planeBytes + row * Self.rowBytes).assumingMemoryBound(to: Float.self)
  }

  /// A row of a plane, which begins `halo` columns before the tile.
  func plane(_ memory: UnsafeMutableRawPointer, _ plane: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    row(memory, plane, y - allRows.lowerBound)
  }

  /// The same row blurred along itself; it begins with the tile.
  func blurred(_ memory: UnsafeMutableRawPointer, _ plane: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    row(memory, planes + plane, y - allRows.lowerBound)
  }

  /// What is added to a row of the tile.
  func added(_ memory: UnsafeMutableRawPointer, _ y: Int) -> UnsafeMutablePointer<Float> {
    row(memory, 2 * planes, y - rows.lowerBound)
  }

  /// A row for the result of a window on a plane; one more follows those of the planes.
  func window(_ memory: UnsafeMutableRawPointer, _ plane: Int) -> UnsafeMutablePointer<Float> {
    row(memory, 2 * planes + 1, plane)
  }

  func rowPointers(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UnsafePointer<Float>?> {
    (memory + bytes - Self.pointerBytes).assumingMemoryBound(to: UnsafePointer<Float>?.self)
  }

  /// Repeats the first and the last of `count` samples of a row, which begin at `first`, as far as windows read.
  func extend(_ row: UnsafeMutablePointer<Float>, _ first: Int, _ count: Int) {
    for x in 0..<first { row[x] = row[first] }
    let (end, last) = (columns.count + 2 * halo, first + count)
    if last < end { for x in last..<end { row[x] = row[last - 1] } }
  }
}
