import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// Samples 8-bit pictures tile by tile into planes: copies the tile's part of each plane to memory that stays in
/// the cache, extends its edges, and samples the output's pixels from there.
///
/// In camera formats, luma and chroma are sampled with the same kernel, each at its own resolution, and then go
/// through the matrix. In opaque RGBA, each channel is a plane.
struct PlanarSampler: Sendable {
  /// A tile of the output whose samples are in the scratch.
  struct Tile {
    let columns: Range<Int>
    let rows: Range<Int>
  }

  private enum Samples: Sendable {
    case camera(CameraChannels, sl_ycbcr_matrix)
    case rgba
  }

  private let samples: Samples
  private let size: PixelSize
  /// The planes of luma and of both chroma channels; for RGBA all are alike.
  private let luma, chroma: SampledPlane
  /// Whether the second and third planes exist.
  let hasChroma: Bool
  /// From output pixels to input pixels, for the coverage of pixels outside the picture.
  private let toPixels: AffineMap
  /// Whether pixels may lie outside the picture and the output needs their transparency.
  let hasAlpha: Bool

  /// A sampler of camera samples.
  ///
  /// - Parameter geometry: nil if every pixel stays in place.
  /// - Returns: nil for RGBA.
  init?(_ stage: YCbCrStage, size: PixelSize, geometry: Geometry?) {
    guard let channels = CameraChannels(stage.format) else { return nil }
    let (stepX, stepY) = (stage.chroma.stepX, stage.chroma.stepY)
    self.init(
      .camera(channels, Self.matrix(stage)), size: size, geometry: geometry, hasChroma: channels.hasChroma,
      luma: SampledPlane(SampleGrid(lumaOf: stage, geometry), width: size.width, height: size.height),
      chroma: SampledPlane(
        SampleGrid(chromaOf: stage, geometry), width: (size.width + stepX - 1) / stepX,
        height: (size.height + stepY - 1) / stepY))
  }

  /// A sampler of opaque 8-bit RGBA.
  init(rgbaOf size: PixelSize, geometry: Geometry) {
    let plane = SampledPlane(SampleGrid(geometry), width: size.width, height: size.height)
    self.init(.rgba, size: size, geometry: geometry, hasChroma: true, luma: plane, chroma: plane)
  }

  private init(
    _ samples: Samples, size: PixelSize, geometry: Geometry?, hasChroma: Bool, luma: SampledPlane,
    chroma: SampledPlane
  ) {
    self.samples = samples
    self.size = size
    self.hasChroma = hasChroma
    hasAlpha = geometry?.outside == .transparent
    toPixels = (geometry?.map ?? .identity).then(.translation(-0.5, -0.5))
    (self.luma, self.chroma) = (luma, chroma)
  }

  /// The matrix in the kernel's format, from samples at 64 per level.
  private static func matrix(_ stage: YCbCrStage) -> sl_ycbcr_matrix {
    let codes = stage.encoding.codes
    let toRGB = stage.encoding.toRGB
    let scale = Matrix3x3.diagonal(
      SIMD3(1 / codes.lumaSpan, 1 / codes.chromaSpan, 1 / codes.chromaSpan) / 64)
    var (m, offset) = (
      toRGB * scale,
      -(toRGB
        * SIMD3(
          codes.black / codes.lumaSpan, codes.neutral / codes.chromaSpan, codes.neutral / codes.chromaSpan))
    )
    if stage.format == .gray8 {
      let gain = 1 / (64 * codes.lumaSpan)
      m = Matrix3x3(rows: SIMD3(gain, 0, 0), SIMD3(gain, 0, 0), SIMD3(gain, 0, 0))
      offset = SIMD3(repeating: -codes.black / codes.lumaSpan)
    }
    func f(_ row: Int, _ column: Int) -> Float { Float(m[row, column]) }
    return sl_ycbcr_matrix(
      matrix: (f(0, 0), f(0, 1), f(0, 2), f(1, 0), f(1, 1), f(1, 2), f(2, 0), f(2, 1), f(2, 2)),
      offset: (Float(offset.x), Float(offset.y), Float(offset.z)))
  }

  // MARK: Tiles

  /// Samples the output pixels of `columns` and `rows`, at most one tile, into the scratch's sums.
  func load(_ source: PixelBuffer, columns: Range<Int>, rows: Range<Int>, scratch: TileScratch) -> Tile {
    let tile = Tile(columns: columns, rows: rows)
    if case .camera(_, let matrix) = samples { scratch.matrix.pointee = matrix }
    let first = luma.window(columns: columns, rows: rows)
    let second = chroma.window(columns: columns, rows: rows)
    copy(source, first, second, scratch)
    scratch.meter?.pointee.lap(.load)
    defer { scratch.meter?.pointee.lap(.geometry) }
    if case .rgba = samples {
      sample(tile, luma, first, planes: 0..<3, scratch)
    } else if hasChroma, luma.sharesRows(with: chroma) {
      prepare(tile, luma, first, planes: 0..<1, scratch)
      prepare(tile, chroma, second, planes: 1..<3, scratch)
      sampleInTwoPasses(tile, luma, first, planes: 0..<3, scratch)
    } else {
      sample(tile, luma, first, planes: 0..<1, scratch)
      if hasChroma { sample(tile, chroma, second, planes: 1..<3, scratch) }
    }
    return tile
  }

  private func sample(
    _ tile: Tile, _ plane: SampledPlane, _ window: SampledPlane.Window, planes: Range<Int>,
    _ scratch: TileScratch
  ) {
    let (columns, rows) = (tile.columns, tile.rows)
    if plane.copied != nil {
      for index in planes {
        for row in 0..<rows.count {
          sl_widen_samples(
            scratch.windows[index] + row * window.rowBytes, scratch.sums(index, row: row), columns.count)
        }
      }
    } else if plane.order == .direct {
      for row in 0..<rows.count {
        var line = plane.line(x: columns.lowerBound, y: rows.lowerBound + row, in: window)
        for index in planes { scratch.rows[index] = scratch.sums(index, row: row) }
        // The kernels read the windows through pointers to constant samples.
        scratch.windows.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 3) { windows in
          sl_resample_planes(
            windows + planes.lowerBound, planes.count, window.rowBytes, plane.kernel, &line,
            scratch.rows + planes.lowerBound, SampledPlane.padded(columns.count))
        }
      }
    } else {
      prepare(tile, plane, window, planes: planes, scratch)
      sampleInTwoPasses(tile, plane, window, planes: planes, scratch)
    }
  }

  private func prepare(
    _ tile: Tile, _ plane: SampledPlane, _ window: SampledPlane.Window, planes: Range<Int>,
    _ scratch: TileScratch
  ) {
    let axes = plane.axes(x: tile.columns.lowerBound, y: tile.rows.lowerBound, in: window)
    for index in planes {
      scratch.planes[index] = sl_plane(
        window: scratch.windows[index], row_bytes: window.rowBytes, x: axes.x,
        dst: scratch.sums(index, row: 0), dst_stride: TileScratch.width)
    }
  }

  private func sampleInTwoPasses(
    _ tile: Tile, _ plane: SampledPlane, _ window: SampledPlane.Window, planes: Range<Int>,
    _ scratch: TileScratch
  ) {
    var y = plane.axes(x: tile.columns.lowerBound, y: tile.rows.lowerBound, in: window).y
    sl_resample_in_two_passes(
      scratch.planes + planes.lowerBound, planes.count, plane.kernel, &y, scratch.laneTables,
      scratch.firstPass, SampledPlane.padded(tile.columns.count), tile.rows.count)
  }

  // MARK: Windows

  private func copy(
    _ source: PixelBuffer, _ first: SampledPlane.Window, _ second: SampledPlane.Window, _ scratch: TileScratch
  ) {
    precondition(
      max(first.rowBytes * first.height, second.rowBytes * second.height) <= TileScratch.windowBytes,
      "a tile's source is too large")
    switch samples {
    case .rgba: copyColours(source, first, scratch)
    case .camera(let channels, _):
      copy(channels.luma, of: source, luma, first, to: scratch.windows[0], scratch)
      guard hasChroma else { return }
      copy(channels.cb, of: source, chroma, second, to: scratch.windows[1], scratch)
      copy(channels.cr, of: source, chroma, second, to: scratch.windows[2], scratch)
    }
  }

  private func copyColours(_ source: PixelBuffer, _ window: SampledPlane.Window, _ scratch: TileScratch) {
    let memory = source.planes[0]
    let base = UnsafePointer(memory.base.assumingMemoryBound(to: UInt8.self))
    let isTurned = luma.order == .columnsFirst
    let stored = isTurned ? window.turned : window
    for plane in 0..<3 { scratch.targets[plane] = isTurned ? scratch.turning[plane] : scratch.windows[plane] }
    sl_copy_colours(
      base, memory.rowBytes, Int32(size.width), Int32(size.height), Int32(stored.x), Int32(stored.y),
      Int32(stored.width), Int32(stored.height), scratch.targets, stored.rowBytes)
    guard isTurned else { return }
    for plane in 0..<3 { turn(scratch.turning[plane], stored, to: scratch.windows[plane], window) }
  }

  private func copy(
    _ channel: CameraChannels.Channel, of source: PixelBuffer, _ plane: SampledPlane,
    _ window: SampledPlane.Window, to target: UnsafeMutablePointer<UInt8>, _ scratch: TileScratch
  ) {
    let memory = source.planes[channel.plane]
    var samples = sl_samples(
      base: UnsafePointer(memory.base.assumingMemoryBound(to: UInt8.self)), row_bytes: memory.rowBytes,
      width: Int32(plane.width), height: Int32(plane.height), step: Int32(channel.step),
      channel: Int32(channel.offset))
    let isTurned = plane.order == .columnsFirst
    let stored = isTurned ? window.turned : window
    sl_copy_window(
      &samples, Int32(stored.x), Int32(stored.y), Int32(stored.width), Int32(stored.height),
      isTurned ? scratch.turning[0] : target, stored.rowBytes)
    if isTurned { turn(scratch.turning[0], stored, to: target, window) }
  }

  /// Transposes a copied rectangle.
  private func turn(
    _ stored: UnsafeMutablePointer<UInt8>, _ from: SampledPlane.Window,
    to target: UnsafeMutablePointer<UInt8>,
    _ window: SampledPlane.Window
  ) {
    precondition(from.rowBytes * from.height <= TileScratch.windowBytes, "a tile's source is too large")
    sl_transpose_samples(
      stored, from.rowBytes, from.width, from.height, target, window.rowBytes)
  }

  // MARK: Rows

  /// Makes planar R'G'B' of one row of the loaded tile, and its alpha if the output needs it.
  func makeRow(_ y: Int, of tile: Tile, scratch: TileScratch) {
    let count = tile.columns.count
    let row = y - tile.rows.lowerBound
    let (first, second, third) = (
      scratch.sums(0, row: row), scratch.sums(1, row: row), scratch.sums(2, row: row)
    )
    switch samples {
    case .rgba:
      sl_scale_sums(first, scratch.red, count)
      sl_scale_sums(second, scratch.green, count)
      sl_scale_sums(third, scratch.blue, count)
    case .camera:
      sl_ycbcr_to_rgb(
        scratch.matrix, first, hasChroma ? second : first, hasChroma ? third : first, scratch.red,
        scratch.green, scratch.blue, count)
    }
    scratch.meter?.pointee.lap(isCamera ? .ycbcr : .geometry)
    guard hasAlpha else { return }
    let start = toPixels.apply(Double(tile.columns.lowerBound) + 0.5, Double(y) + 0.5)
    var line = sl_line(
      x: fixedPoint(start.x), y: fixedPoint(start.y), dx: fixedPoint(toPixels.a), dy: fixedPoint(toPixels.d))
    sl_coverage(&line, Int32(size.width), Int32(size.height), scratch.alpha, count)
    scratch.meter?.pointee.lap(.geometry)
  }

  var isCamera: Bool {
    if case .camera = samples { true } else { false }
  }

  /// Whether rows of the tile are RGBA8 without further conversion.
  var isColour: Bool {
    if case .rgba = samples { !hasAlpha } else { false }
  }

  /// Stores one row of the loaded tile as RGBA8. Requires `isColour`.
  func packRow(_ y: Int, of tile: Tile, scratch: TileScratch, to target: UnsafeMutablePointer<UInt8>) {
    for plane in 0..<3 { scratch.rows[plane] = scratch.sums(plane, row: y - tile.rows.lowerBound) }
    scratch.rows.withMemoryRebound(to: UnsafePointer<Int16>?.self, capacity: 3) {
      sl_pack_sums($0, target, tile.columns.count)
    }
    scratch.meter?.pointee.lap(.store)
  }
}
