import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// Samples camera pictures tile by tile into planar R'G'B': the tile's part of each plane is copied to memory that
/// stays in the cache, its edges extended, and each output row is sampled from there and goes through the matrix.
///
/// Colour differences are sampled with the kernel of luma, at their own resolution.
struct CameraSampler: Sendable {
  /// From output pixels to the samples of a plane, 0 being the centre of the first one.
  private struct Plane: Sendable {
    let map: AffineMap
    let width, height: Int
    /// The sample that the first output pixel shows, where every pixel shows a sample of its own row as it is.
    let copied: (x: Int, y: Int)?

    init(_ map: AffineMap, width: Int, height: Int) {
      self.map = map
      (self.width, self.height) = (width, height)
      let first = map.apply(0.5, 0.5)
      let isWhole = first.x == first.x.rounded() && first.y == first.y.rounded()
      let steps = (map.a, map.b, map.d, map.e) == (1, 0, 0, 1)
      copied = steps && isWhole ? (Int(first.x), Int(first.y)) : nil
    }

    /// The samples that output pixels show, with the reach of the kernel.
    func window(columns: Range<Int>, rows: Range<Int>) -> Window {
      if let copied {
        return Window(
          x: copied.x + columns.lowerBound, y: copied.y + rows.lowerBound, width: columns.count,
          height: rows.count)
      }
      // Rows are sampled sixteen pixels at a time.
      let last = Double(columns.lowerBound + Self.padded(columns.count)) - 0.5
      let (left, top, bottom) = (
        Double(columns.lowerBound) + 0.5, Double(rows.lowerBound) + 0.5, Double(rows.upperBound) - 0.5
      )
      let corners = (
        map.apply(left, top), map.apply(last, top), map.apply(left, bottom), map.apply(last, bottom)
      )
      func bounds(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> (first: Int, last: Int) {
        // Positions are rounded to a part of a sample before their whole part is taken.
        let rounding = 1.0 / 512
        // Two by two: of more, `min` makes an array.
        let (low, high) = (min(min(a, b), min(c, d)), max(max(a, b), max(c, d)))
        return (Int((low - rounding).rounded(.down)), Int((high + rounding).rounded(.down)))
      }
      let x = bounds(corners.0.x, corners.1.x, corners.2.x, corners.3.x)
      let y = bounds(corners.0.y, corners.1.y, corners.2.y, corners.3.y)
      // Two taps before, three behind; the kernels read one row more.
      return Window(
        x: x.first - 2, y: y.first - 2, width: x.last - x.first + 6, height: y.last - y.first + 7)
    }

    static func padded(_ count: Int) -> Int { (count + 15) & ~15 }

    /// The line of output pixels from (x, y) on, in samples of `window`.
    func line(x: Int, y: Int, in window: Window) -> sl_line {
      let start = map.apply(Double(x) + 0.5, Double(y) + 0.5)
      return sl_line(
        x: Self.fixed(start.x - Double(window.x)), y: Self.fixed(start.y - Double(window.y)),
        dx: Self.fixed(map.a), dy: Self.fixed(map.d))
    }

    static func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }
  }

  /// A rectangle of samples, as copied.
  struct Window {
    var x, y, width, height: Int
    /// With room for what the kernels read ahead.
    var rowBytes: Int { (width + Int(SL_PLANAR_READ_AHEAD) + 63) & ~63 }
  }

  /// Where the samples of a tile were copied to.
  struct Tile {
    let columns: Range<Int>
    let rows: Range<Int>
    fileprivate let luma, chroma: Window
  }

  private let channels: CameraChannels
  private let luma, chroma: Plane
  private let matrix: sl_ycbcr_matrix
  /// Whether pixels may lie outside the picture, and how transparent they are is asked for.
  let hasAlpha: Bool

  /// - Parameter geometry: nil where every pixel stays in its place.
  /// - Returns: nil for RGBA.
  init?(_ stage: YCbCrStage, size: PixelSize, geometry: Geometry?) {
    guard let channels = CameraChannels(stage.format) else { return nil }
    self.channels = channels
    hasAlpha = geometry?.outside == .transparent
    let toLuma = (geometry?.map ?? .identity).then(.translation(-0.5, -0.5))
    luma = Plane(toLuma, width: size.width, height: size.height)
    let place = stage.chroma
    chroma = Plane(
      toLuma.then(.translation(-place.offsetX, -place.offsetY))
        .then(.scale(1 / Double(place.stepX), 1 / Double(place.stepY))),
      width: (size.width + place.stepX - 1) / place.stepX,
      height: (size.height + place.stepY - 1) / place.stepY)
    matrix = Self.matrix(stage)
  }

  /// The matrix in the kernel's terms: from samples at 64 a level.
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

  /// Copies what the output pixels of `columns` and `rows` show; at most a tile of them.
  func load(_ source: PixelBuffer, columns: Range<Int>, rows: Range<Int>, scratch: TileScratch) -> Tile {
    let tile = Tile(
      columns: columns, rows: rows, luma: luma.window(columns: columns, rows: rows),
      chroma: chroma.window(columns: columns, rows: rows))
    copy(channels.luma, of: source, luma, tile.luma, to: scratch.windows[0])
    if channels.hasChroma {
      copy(channels.cb, of: source, chroma, tile.chroma, to: scratch.windows[1])
      copy(channels.cr, of: source, chroma, tile.chroma, to: scratch.windows[2])
    }
    scratch.meter?.pointee.lap(.load)
    return tile
  }

  private func copy(
    _ channel: CameraChannels.Channel, of source: PixelBuffer, _ plane: Plane, _ window: Window,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    precondition(window.rowBytes * window.height <= TileScratch.windowBytes, "a tile's source is too large")
    let memory = source.planes[channel.plane]
    var samples = sl_samples(
      base: UnsafePointer(memory.base.assumingMemoryBound(to: UInt8.self)), row_bytes: memory.rowBytes,
      width: Int32(plane.width), height: Int32(plane.height), step: Int32(channel.step),
      channel: Int32(channel.offset))
    sl_copy_window(
      &samples, Int32(window.x), Int32(window.y), Int32(window.width), Int32(window.height), target,
      window.rowBytes)
  }

  /// Samples one row of a tile into the scratch's planar R'G'B', and its alpha where there is one.
  func sampleRow(_ y: Int, of tile: Tile, size: PixelSize, scratch: TileScratch) {
    let count = tile.columns.count
    sample(luma, y: y, tile, tile.luma, first: 0, planes: 1, scratch)
    if channels.hasChroma { sample(chroma, y: y, tile, tile.chroma, first: 1, planes: 2, scratch) }
    scratch.meter?.pointee.lap(.geometry)
    let sums = scratch.sums
    var matrix = matrix
    sl_ycbcr_to_rgb(
      &matrix, sums[0], sums[channels.hasChroma ? 1 : 0], sums[channels.hasChroma ? 2 : 0], scratch.red,
      scratch.green, scratch.blue, count)
    scratch.meter?.pointee.lap(.ycbcr)
    guard hasAlpha else { return }
    var line = luma.line(x: tile.columns.lowerBound, y: y, in: Window(x: 0, y: 0, width: 0, height: 0))
    sl_coverage(&line, Int32(size.width), Int32(size.height), scratch.alpha, count)
    scratch.meter?.pointee.lap(.geometry)
  }

  private func sample(
    _ plane: Plane, y: Int, _ tile: Tile, _ window: Window, first: Int, planes: Int, _ scratch: TileScratch
  ) {
    if plane.copied != nil {
      let row = (y - tile.rows.lowerBound) * window.rowBytes
      for index in first..<first + planes {
        sl_widen_samples(scratch.windows[index] + row, scratch.sums[index], tile.columns.count)
      }
      return
    }
    var line = plane.line(x: tile.columns.lowerBound, y: y, in: window)
    // The kernels read the windows through pointers to constant samples.
    scratch.windows.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 3) { windows in
      sl_resample_planes(
        windows + first, planes, window.rowBytes, &line, scratch.sums + first,
        Plane.padded(tile.columns.count))
    }
  }
}
