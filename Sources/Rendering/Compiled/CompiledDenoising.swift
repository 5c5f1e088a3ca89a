import FilterGraph
import FrameCore
import PixelKernels

/// Noise reduction in tiles. A tile is made of its pixels and those around it alone, and blocks lie on even columns and
/// every second or fourth row of the picture, so every cut into tiles gives the same samples.
final class CompiledDenoising: @unchecked Sendable {
  let outputFormat: PixelFormat
  private let size: PixelSize
  /// Converts camera samples to RGB before the noise reduction.
  private let camera: PlanarSampler?
  private let input: sl_sample
  private let strengths: [Float]
  private let deviations: [Float]
  private let tables: NoiseTables

  init(_ denoising: Denoising, input: PlanInput, camera: PlanarSampler?, outputFormat: PixelFormat) {
    self.outputFormat = outputFormat
    size = input.size
    self.camera = camera
    self.input = camera == nil ? input.format.kernelSample : SL_U16
    strengths = (0..<3).map { Float(denoising.strengths[$0]) }
    deviations = (0..<3).map { Float(denoising.deviations[$0]) }
    tables = NoiseTables(denoising.noise)
  }

  /// A multiple of what a thread converts at a time; the pixels around it are about a quarter as many.
  private static let tile = PixelSize(width: 512, height: 192)
  /// Both passes lose this much on each side; at least `Denoising.reach`.
  private static let halo = 2 * Int(SL_DENOISE_MARGIN)

  private var tilesAcross: Int { (size.width + Self.tile.width - 1) / Self.tile.width }
  /// The number of pieces that can be made in parallel.
  var tiles: Int { tilesAcross * ((size.height + Self.tile.height - 1) / Self.tile.height) }

  /// Returns the tiles that have pixels of a region.
  func tiles(of region: Region) -> [Int] {
    func numbers(_ range: Range<Int>, _ length: Int) -> Range<Int> {
      range.lowerBound / length..<(range.upperBound - 1) / length + 1
    }
    let columns = numbers(region.columns, Self.tile.width)
    return numbers(region.rows, Self.tile.height).flatMap { row in columns.map { row * tilesAcross + $0 } }
  }

  /// A tile with its surroundings, in a thread's slab. Its column 0 is an even column of the picture, and
  /// its row 0 a fourth one.
  struct Window {
    /// The tile in the picture.
    let columns, rows: Range<Int>
    /// The place of the window's first pixel in the picture, which may be outside.
    let left, top: Int
    let width, height: Int
    /// Three noisy planes, their results and what guides the second pass.
    fileprivate let planes: Planes
    /// The noisy planes and their results, for kernels.
    fileprivate let noisy, smooth: UnsafeMutablePointer<sl_paired_plane>
    fileprivate let red, green, blue: UnsafeMutablePointer<Float>
    fileprivate let opaque: UnsafeMutableRawPointer
    fileprivate let kernel: UnsafeMutableRawPointer
    var pairs: Int { width / 2 }
  }

  /// Planes behind each other in memory.
  fileprivate struct Planes {
    let base: UnsafeMutablePointer<Float>
    /// The floats between rows, and between the even and the odd columns of a plane.
    let stride, half: Int

    subscript(number: Int) -> Plane {
      let even = base + 2 * number * half
      return Plane(even: even, odd: even + half, stride: stride)
    }
  }

  fileprivate struct Plane {
    let even, odd: UnsafeMutablePointer<Float>
    let stride: Int

    func half(_ column: Int) -> UnsafeMutablePointer<Float> { column & 1 == 0 ? even : odd }

    /// For kernels: without this many rows and columns at each border.
    func paired(without margin: Int = 0) -> sl_paired_plane {
      let first = margin * stride + margin / 2
      return sl_paired_plane(halves: (even + first, odd + first), stride: stride)
    }
  }

  /// Removes the noise of one tile.
  func runTile(_ index: Int, of source: PixelBuffer, into output: PixelBuffer, scratch: TileScratch) {
    let left = index % tilesAcross * Self.tile.width
    let top = index / tilesAcross * Self.tile.height
    let window = window(
      columns: left..<min(left + Self.tile.width, size.width),
      rows: top..<min(top + Self.tile.height, size.height), scratch: scratch)
    withTables { tables in
      load(source, window, tables, scratch)
      for plane in 0..<3 { mirror(window.planes[plane], window) }
      for plane in 0..<3 where strengths[plane] != 0 { denoise(plane, window) }
      store(window, tables, source, into: output)
    }
    scratch.meter?.pointee.lap(.load)
  }

  private func withTables(_ body: (UnsafePointer<sl_noise_tables>) -> Void) {
    tables.forward.withUnsafeBufferPointer { forward in
      tables.backward.withUnsafeBufferPointer { backward in
        var tables = sl_noise_tables(
          forward: forward.baseAddress, backward: backward.baseAddress, highest: tables.highest)
        body(&tables)
      }
    }
  }

  /// The floats beyond the end of a row that kernels read or write.
  private static let slack = 32

  private func window(columns: Range<Int>, rows: Range<Int>, scratch: TileScratch) -> Window {
    let width = (columns.count + 1) / 2 * 2 + 2 * Self.halo
    // Blocks begin on every fourth row at least.
    let height = (rows.count + 3) / 4 * 4 + 2 * Self.halo
    // Every tile gets memory for the largest, so that it is allocated once.
    let most = PixelSize(width: Self.tile.width + 2 * Self.halo, height: Self.tile.height + 2 * Self.halo)
    let stride = sl_denoise_stride(most.width / 2)
    let half = stride * most.height + Self.slack
    let row = most.width + Self.slack
    let planeBytes = 14 * half * MemoryLayout<Float>.stride
    let rowBytes = 3 * row * MemoryLayout<Float>.stride
    let structBytes = 6 * MemoryLayout<sl_paired_plane>.stride
    let kernelBytes = sl_denoise_scratch_bytes(most.width / 2, most.height)
    func aligned(_ bytes: Int) -> Int { (bytes + 63) / 64 * 64 }
    let kernelOffset = aligned(planeBytes)
    let rowOffset = kernelOffset + aligned(kernelBytes)
    let structOffset = rowOffset + aligned(rowBytes)
    let opaqueOffset = structOffset + aligned(structBytes)
    let slab = scratch.slab(opaqueOffset + 4 * most.width)
    let floats = slab.bindMemory(to: Float.self, capacity: 14 * half)
    let planes = Planes(base: floats, stride: stride, half: half)
    let paired = (slab + structOffset).bindMemory(to: sl_paired_plane.self, capacity: 6)
    for number in 0..<6 { paired[number] = planes[number].paired() }
    let opaque = slab + opaqueOffset
    opaque.initializeMemory(as: UInt8.self, repeating: 255, count: 4 * most.width)
    let rowFloats = (slab + rowOffset).bindMemory(to: Float.self, capacity: 3 * row)
    return Window(
      columns: columns, rows: rows, left: columns.lowerBound - Self.halo, top: rows.lowerBound - Self.halo,
      width: width, height: height, planes: planes, noisy: paired, smooth: paired + 3, red: rowFloats,
      green: rowFloats + row, blue: rowFloats + 2 * row, opaque: opaque, kernel: slab + kernelOffset)
  }

  // MARK: Steps

  /// Fills the part of a window that is in the picture.
  private func load(
    _ source: PixelBuffer, _ window: Window, _ tables: UnsafePointer<sl_noise_tables>, _ scratch: TileScratch
  ) {
    let columns = max(window.left, 0)..<min(window.left + window.width, size.width)
    let rows = max(window.top, 0)..<min(window.top + window.height, size.height)
    guard let camera else {
      let pixelBytes = source.format.rgbaBytes
      for y in rows {
        let samples = UnsafeRawPointer(source.planes[0].row(y) + columns.lowerBound * pixelBytes)
        sl_unpack(samples, input, window.red, window.green, window.blue, columns.count)
        put(window, columns, y, tables)
      }
      return
    }
    for top in stride(from: rows.lowerBound, to: rows.upperBound, by: TileScratch.height) {
      for left in stride(from: columns.lowerBound, to: columns.upperBound, by: TileScratch.width) {
        let part = left..<min(left + TileScratch.width, columns.upperBound)
        let tile = camera.load(
          source, columns: part, rows: top..<min(top + TileScratch.height, rows.upperBound), scratch: scratch)
        for y in tile.rows {
          camera.makeRow(y, of: tile, scratch: scratch)
          sl_interleave_rgba16(
            scratch.red, scratch.green, scratch.blue, nil, scratch.row.assumingMemoryBound(to: UInt16.self),
            part.count)
          sl_unpack(scratch.row, SL_U16, window.red, window.green, window.blue, part.count)
          put(window, part, y, tables)
        }
      }
    }
  }

  /// Stores samples of row `y`; `columns` begin at an even place of the window.
  private func put(
    _ window: Window, _ columns: Range<Int>, _ y: Int, _ tables: UnsafePointer<sl_noise_tables>
  ) {
    sl_denoise_put(
      window.red, window.green, window.blue, tables, window.noisy, y - window.top,
      (columns.lowerBound - window.left) / 2, (columns.count + 1) / 2)
  }

  /// Fills the part of a plane outside the picture with the nearest samples inside, mirrored.
  private func mirror(_ samples: Plane, _ window: Window) {
    let columns = max(-window.left, 0)..<min(window.width, size.width - window.left)
    let rows = max(-window.top, 0)..<min(window.height, size.height - window.top)
    for outside in [0..<columns.lowerBound, columns.upperBound..<window.width] {
      for column in outside {
        let inside = Self.mirrored(column + window.left, in: size.width) - window.left
        let (from, to) = (samples.half(inside) + inside / 2, samples.half(column) + column / 2)
        for y in rows { to[y * samples.stride] = from[y * samples.stride] }
      }
    }
    for y in 0..<window.height where !rows.contains(y) {
      // The rows that only fill up the last blocks may be mirrored ones of rows ahead of the window; they reach no sample
      // of the tile.
      let inside = max(Self.mirrored(y + window.top, in: size.height) - window.top, 0)
      for parity in 0..<2 {
        let half = samples.half(parity)
        (half + y * samples.stride).update(from: half + inside * samples.stride, count: window.pairs)
      }
    }
  }

  /// The place inside 0..<count that is shown at `place` where a line is mirrored at both ends.
  static func mirrored(_ place: Int, in count: Int) -> Int {
    let turn = ((place % (2 * count)) + 2 * count) % (2 * count)
    return turn < count ? turn : 2 * count - 1 - turn
  }

  /// Both passes over one plane of a window.
  private func denoise(_ plane: Int, _ window: Window) {
    let margin = Int(SL_DENOISE_MARGIN)
    let (samples, first, second) = (window.planes[plane], window.planes[6], window.planes[3 + plane])
    var (noisy, guide, result) = (samples.paired(), first.paired(), second.paired(without: margin))
    let (treatment, deviation) = (Denoising.treatments[plane], deviations[plane])
    sl_denoise_plane(
      &noisy, nil, &guide, window.pairs, window.height, treatment.rowStep,
      Float(treatment.threshold) * deviation, window.kernel)
    // Outside the picture the guide is the mirrored one: blocks do not lie alike on both sides of an edge.
    mirror(first, window)
    (noisy, guide) = (samples.paired(without: margin), first.paired(without: margin))
    sl_denoise_plane(
      &noisy, &guide, &result, window.pairs - margin, window.height - 2 * margin, treatment.rowStep,
      Float(treatment.weakening) * deviation, window.kernel)
  }

  private func store(
    _ window: Window, _ tables: UnsafePointer<sl_noise_tables>, _ source: PixelBuffer,
    into output: PixelBuffer
  ) {
    let count = window.columns.count
    for y in window.rows {
      sl_denoise_take(
        window.noisy, window.smooth, strengths, tables, y - window.top, Self.halo / 2, (count + 1) / 2,
        window.red, window.green, window.blue)
      let target = output.planes[0].row(y) + window.columns.lowerBound * outputFormat.rgbaBytes
      guard camera == nil else {
        sl_pack(
          window.red, window.green, window.blue, window.opaque, SL_U8, nil, target,
          outputFormat.kernelSample, count)
        continue
      }
      let samples = source.planes[0].row(y) + window.columns.lowerBound * source.format.rgbaBytes
      if input == SL_F32 { keepUnusable(samples.assumingMemoryBound(to: Float.self), window, count) }
      sl_pack(
        window.red, window.green, window.blue, samples, input, nil, target, outputFormat.kernelSample, count)
    }
  }

  /// Puts samples back that are no picture: NaN, and those far outside 0…1.
  private func keepUnusable(_ samples: UnsafePointer<Float>, _ window: Window, _ count: Int) {
    let usable = Float(Denoising.usableSamples.lowerBound)...Float(Denoising.usableSamples.upperBound)
    for (channel, row) in [window.red, window.green, window.blue].enumerated() {
      for x in 0..<count where !usable.contains(samples[4 * x + channel]) {
        row[x] = samples[4 * x + channel]
      }
    }
  }
}
