import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// A separable downsampling: a horizontal pass over each source row, then a vertical one.
final class CompiledDownsample: @unchecked Sendable {
  let outputSize: PixelSize
  let outputFormat: PixelFormat
  private let inputSize: PixelSize
  private let alpha: AlphaMode
  /// Converts camera samples to RGB before the downsampling.
  private let camera: PlanarSampler?
  /// The sample type of the rows that are downsampled; for cameras, after the matrix.
  private let sample: sl_sample
  private let decode: KernelStages
  /// Decoding as tables, for opaque 8-bit sources.
  private let decodeTables: ChannelTables?
  private let encode: KernelStages
  private let columns: Taps
  private let rows: Taps
  private let rowAxis: DownsamplingAxis
  /// The largest number of source rows that one output row is averaged from.
  let mostRows: Int

  /// The weights of every output sample along one axis, as the kernels read them.
  private struct Taps {
    let list: [sl_taps]
    let weights: [Float]

    init(_ taps: DownsamplingTaps) {
      list = taps.spans.map {
        sl_taps(first: Int32($0.first), count: Int32($0.count), weights: $0.weights)
      }
      weights = taps.weights
    }
  }

  init(_ downsample: Downsample, input: PlanInput, camera: PlanarSampler?, outputFormat: PixelFormat) {
    self.outputSize = downsample.outputSize
    self.outputFormat = outputFormat
    inputSize = downsample.inputSize
    alpha = input.alpha
    self.camera = camera
    sample = camera == nil ? input.format.kernelSample : SL_U16
    let decoding = downsample.linearLight.map { [Stage.curve(.decode($0))] } ?? []
    decode = KernelStages(decoding)
    decodeTables =
      input.format == .rgba8 && input.alpha == .opaque ? ChannelTables(decoding: decoding) : nil
    encode = KernelStages(downsample.linearLight.map { [.curve(.encode($0))] } ?? [])
    columns = Taps(downsample.columnTaps)
    rows = Taps(downsample.rowTaps)
    rowAxis = downsample.rowAxis
    mostRows = rows.list.reduce(0) { max($0, Int($1.count)) }
  }

  private static let bandHeight = 32
  /// The number of pieces that can be downsampled in parallel.
  var bands: Int { (outputSize.height + Self.bandHeight - 1) / Self.bandHeight }

  /// The source rows that the given output rows are averaged from.
  func sourceRows(for rows: Range<Int>) -> Range<Int> { rowAxis.samples(of: rows) }

  /// Downsamples to the rows of one band.
  func runBand(_ index: Int, of source: PixelBuffer, into output: PixelBuffer, scratch: TileScratch) {
    let band = index * Self.bandHeight..<min((index + 1) * Self.bandHeight, outputSize.height)
    let needed = sourceRows(for: band)
    let memory = rowMemory(in: scratch, keeping: needed.count)
    let step = Int(SL_DOWNSAMPLE_ROWS)
    for y in stride(from: needed.lowerBound, to: needed.upperBound, by: step) {
      let count = min(step, needed.upperBound - y)
      horizontal(source, rows: y..<y + count, numbered: y, memory, scratch: scratch)
    }
    for y in band { vertical(y, memory, into: output) }
    scratch.meter?.pointee.lap(.vertical)
  }

  /// Horizontally downsampled rows of float RGBA, each stored at its number modulo their count.
  struct HorizontalRows {
    fileprivate let base: UnsafeMutablePointer<Float>
    fileprivate let count: Int
    fileprivate let rowFloats: Int

    /// The address of a source row after the horizontal pass.
    fileprivate func row(_ y: Int) -> UnsafeMutablePointer<Float> { base + rowFloats * (y % count) }
  }

  /// The number of floats that `horizontalRows(_:at:)` needs.
  func floats(ofHorizontalRows count: Int) -> Int { 4 * outputSize.width * count }

  func horizontalRows(_ count: Int, at base: UnsafeMutablePointer<Float>) -> HorizontalRows {
    HorizontalRows(base: base, count: count, rowFloats: 4 * outputSize.width)
  }

  /// The parts of a thread's slab.
  struct RowMemory {
    /// Source rows side by side, as `sl_downsample_horizontal` reads them.
    fileprivate let block: UnsafeMutablePointer<Float>
    /// Four planes, each as wide as the wider of source and output.
    fileprivate let planes: UnsafeMutablePointer<Float>
    /// One row of float RGBA of that width.
    fileprivate let wideRow: UnsafeMutablePointer<Float>
    fileprivate let horizontal: HorizontalRows
    /// The addresses of the rows to be averaged.
    fileprivate let addresses: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// The addresses of a block's source rows, and of the rows that the horizontal pass makes of them.
    fileprivate let sources: UnsafeMutablePointer<UnsafePointer<UInt8>?>
    fileprivate let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// A camera row as RGBA16.
    fileprivate let cameraRow: UnsafeMutableRawPointer
  }

  /// Returns memory for `horizontal` and `vertical`, with horizontally downsampled rows of its own or those of
  /// `shared`. Valid until the slab is requested again.
  func rowMemory(in scratch: TileScratch, keeping horizontalRowCount: Int = 0, shared: HorizontalRows? = nil)
    -> RowMemory
  {
    let widest = max(inputSize.width, outputSize.width)
    let blockFloats = 4 * Int(SL_DOWNSAMPLE_ROWS) * inputSize.width
    let floats = blockFloats + 8 * widest + floats(ofHorizontalRows: horizontalRowCount)
    let addressOffset = floats * MemoryLayout<Float>.stride
    let pointerBytes = MemoryLayout<UnsafePointer<Float>?>.stride
    let sourceOffset = addressOffset + mostRows * pointerBytes
    let targetOffset = sourceOffset + Int(SL_DOWNSAMPLE_ROWS) * pointerBytes
    let cameraOffset = targetOffset + Int(SL_DOWNSAMPLE_ROWS) * pointerBytes
    let slab = scratch.slab(cameraOffset + (camera == nil ? 0 : 8 * inputSize.width))
    let block = slab.bindMemory(to: Float.self, capacity: floats)
    let planes = block + blockFloats
    return RowMemory(
      block: block, planes: planes, wideRow: planes + 4 * widest,
      horizontal: shared ?? horizontalRows(horizontalRowCount, at: planes + 8 * widest),
      addresses: (slab + addressOffset).bindMemory(to: UnsafePointer<Float>?.self, capacity: mostRows),
      sources: (slab + sourceOffset).bindMemory(
        to: UnsafePointer<UInt8>?.self, capacity: Int(SL_DOWNSAMPLE_ROWS)),
      targets: (slab + targetOffset).bindMemory(
        to: UnsafeMutablePointer<Float>?.self, capacity: Int(SL_DOWNSAMPLE_ROWS)),
      cameraRow: slab + cameraOffset)
  }

  /// Downsamples horizontally at most `SL_DOWNSAMPLE_ROWS` rows of `band`; the first is row `number` of the source.
  func horizontal(
    _ band: PixelBuffer, rows: Range<Int>, numbered number: Int, _ memory: RowMemory, scratch: TileScratch
  ) {
    let width = inputSize.width
    if let decodeTables {
      for i in 0..<rows.count {
        let row = UnsafeRawPointer(band.planes[0].row(rows.lowerBound + i))
        memory.sources[i] = row.assumingMemoryBound(to: UInt8.self)
      }
      sl_place_rows_by_tables(
        memory.sources, rows.count, decodeTables.entries.assumingMemoryBound(to: Float.self), memory.block,
        width)
    } else {
      for i in 0..<rows.count {
        let y = rows.lowerBound + i
        let row: UnsafeRawPointer
        if let camera {
          convert(band, y, with: camera, into: memory.cameraRow, scratch: scratch)
          row = UnsafeRawPointer(memory.cameraRow)
        } else {
          row = UnsafeRawPointer(band.planes[0].row(y))
        }
        let (r, g, b) = (memory.planes, memory.planes + width, memory.planes + 2 * width)
        sl_unpack(row, sample, r, g, b, width)
        decode.run(r, g, b, count: width)
        sl_interleave(r, g, b, row, sample, alpha == .straight ? 1 : 0, memory.wideRow, width)
        sl_place_row(memory.wideRow, i, memory.block, width)
      }
    }
    for i in 0..<rows.count { memory.targets[i] = memory.horizontal.row(number + i) }
    sl_downsample_horizontal(
      memory.block, columns.list, columns.weights, memory.targets, rows.count, outputSize.width)
    scratch.meter?.pointee.lap(.horizontal)
  }

  /// The vertical pass into row `y` of the output.
  func vertical(_ y: Int, _ memory: RowMemory, into output: PixelBuffer) {
    let width = outputSize.width
    let premultiplies: Int32 = alpha == .straight ? 1 : 0
    let taps = rows.list[y]
    for k in 0..<Int(taps.count) {
      memory.addresses[k] = UnsafePointer(memory.horizontal.row(Int(taps.first) + k))
    }
    rows.weights.withUnsafeBufferPointer { weights in
      guard let base = weights.baseAddress else { return }
      sl_downsample_vertical(
        memory.addresses, base + taps.weights, Int(taps.count), memory.wideRow, 4 * width)
    }
    let (r, g) = (memory.planes, memory.planes + width)
    let (b, a) = (memory.planes + 2 * width, memory.planes + 3 * width)
    sl_deinterleave(memory.wideRow, premultiplies, r, g, b, a, width)
    encode.run(r, g, b, count: width)
    // Alpha comes from the row, where the filter's overshoot is also clipped.
    if premultiplies != 0 {
      for i in 0..<width { memory.wideRow[4 * i + 3] = a[i] }
    }
    sl_pack(
      r, g, b, memory.wideRow, SL_F32, nil, output.planes[0].row(y), outputFormat.kernelSample, width)
  }

  /// Converts a row of a camera's picture to RGBA16.
  private func convert(
    _ source: PixelBuffer, _ y: Int, with camera: PlanarSampler, into row: UnsafeMutableRawPointer,
    scratch: TileScratch
  ) {
    for left in stride(from: 0, to: inputSize.width, by: TileScratch.width) {
      let tile = camera.load(
        source, columns: left..<min(left + TileScratch.width, inputSize.width), rows: y..<y + 1,
        scratch: scratch)
      camera.makeRow(y, of: tile, scratch: scratch)
      sl_interleave_rgba16(
        scratch.red, scratch.green, scratch.blue, nil,
        (row + 8 * left).assumingMemoryBound(to: UInt16.self), tile.columns.count)
    }
  }
}
