import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// A separable reduction: each source row is narrowed once, then rows are averaged.
final class CompiledShrink: @unchecked Sendable {
  let outputSize: PixelSize
  let outputFormat: PixelFormat
  private let inputSize: PixelSize
  private let alpha: AlphaMode
  /// What camera samples become RGB with, ahead of the reduction.
  private let camera: CameraSampler?
  /// Of the rows that are reduced, those of a camera after its matrix.
  private let sample: sl_sample
  private let decode: KernelStages
  /// Decoding as tables, for opaque 8-bit sources.
  private let decodeTables: ChannelTables?
  private let encode: KernelStages
  private let columns: Taps
  private let rows: Taps

  /// Weights of every output sample along one axis.
  private struct Taps {
    var list: [sl_taps] = []
    var weights: [Float] = []

    init(count: Int, start: Double, scale: Double, limit: Int) {
      let stretch = max(scale, 1)
      let radius = KaiserSinc.radius * stretch
      for i in 0..<count {
        let center = start + (Double(i) + 0.5) * scale
        let first = max(0, Int((center - radius - 0.5).rounded(.up)))
        let last = min(limit - 1, Int((center + radius - 0.5).rounded(.down)))
        var taps = (first...max(first, last)).map { KaiserSinc.weight((Double($0) + 0.5 - center) / stretch) }
        let sum = taps.reduce(0, +)
        if sum == 0 { taps = taps.map { _ in 1 / Double(taps.count) } } else { taps = taps.map { $0 / sum } }
        list.append(sl_taps(first: Int32(first), count: Int32(taps.count), weights: weights.count))
        weights += taps.map(Float.init)
      }
    }
  }

  init(_ shrink: Shrink, input: PlanInput, camera: CameraSampler?, outputFormat: PixelFormat) {
    self.outputSize = shrink.outputSize
    self.outputFormat = outputFormat
    inputSize = shrink.inputSize
    alpha = input.alpha
    self.camera = camera
    sample = camera == nil ? input.format.kernelSample : SL_U16
    let decoding = shrink.linearLight.map { [Stage.curve(.decode($0))] } ?? []
    decode = KernelStages(decoding)
    decodeTables =
      input.format == .rgba8 && input.alpha == .opaque ? ChannelTables(decoding: decoding) : nil
    encode = KernelStages(shrink.linearLight.map { [.curve(.encode($0))] } ?? [])
    columns = Taps(
      count: shrink.outputSize.width, start: shrink.x, scale: shrink.factors.x, limit: shrink.inputSize.width)
    rows = Taps(
      count: shrink.outputSize.height, start: shrink.y, scale: shrink.factors.y,
      limit: shrink.inputSize.height)
  }

  private static let bandHeight = 32
  /// Pieces that can be reduced one beside the other.
  var bands: Int { (outputSize.height + Self.bandHeight - 1) / Self.bandHeight }

  /// Reduces to the rows of one band.
  func runBand(_ index: Int, of source: PixelBuffer, into output: PixelBuffer, scratch: TileScratch) {
    let band = index * Self.bandHeight..<min((index + 1) * Self.bandHeight, outputSize.height)
    var (top, bottom, mostRows) = (Int.max, 0, 0)
    for y in band {
      let taps = rows.list[y]
      top = min(top, Int(taps.first))
      bottom = max(bottom, Int(taps.first + taps.count))
      mostRows = max(mostRows, Int(taps.count))
    }
    let (inWidth, outWidth) = (inputSize.width, outputSize.width)
    let premultiplies: Int32 = alpha == .straight ? 1 : 0

    // One slab: four planes, a row of RGBA, the narrowed rows, the addresses of those that are averaged, and a row
    // of a camera's RGBA16.
    let planeCount = max(inWidth, outWidth)
    let floats = 4 * planeCount + 4 * planeCount + 4 * outWidth * (bottom - top)
    let addressOffset = floats * MemoryLayout<Float>.stride
    let cameraOffset = addressOffset + mostRows * MemoryLayout<UnsafePointer<Float>?>.stride
    let slab = scratch.slab(cameraOffset + (camera == nil ? 0 : 8 * inWidth))
    let planes = slab.bindMemory(to: Float.self, capacity: floats)
    let wideRow = planes + 4 * planeCount
    let narrow = wideRow + 4 * planeCount
    let addresses = (slab + addressOffset).bindMemory(to: UnsafePointer<Float>?.self, capacity: mostRows)
    func plane(_ index: Int, _ width: Int) -> UnsafeMutablePointer<Float> { planes + index * width }

    for y in top..<bottom {
      let row: UnsafeRawPointer
      if let camera {
        convert(source, y, with: camera, into: slab + cameraOffset, scratch: scratch)
        row = UnsafeRawPointer(slab + cameraOffset)
      } else {
        row = UnsafeRawPointer(source.planes[0].row(y))
      }
      if let decodeTables {
        sl_apply_tables(row, sample, decodeTables.entries, wideRow, SL_F32, inWidth)
      } else {
        let (r, g, b) = (plane(0, inWidth), plane(1, inWidth), plane(2, inWidth))
        sl_unpack(row, sample, r, g, b, inWidth)
        decode.run(r, g, b, count: inWidth)
        sl_interleave(r, g, b, row, sample, premultiplies, wideRow, inWidth)
      }
      sl_shrink_row(wideRow, columns.list, columns.weights, narrow + 4 * outWidth * (y - top), outWidth)
    }
    for y in band {
      let taps = rows.list[y]
      for k in 0..<Int(taps.count) {
        addresses[k] = UnsafePointer(narrow + 4 * outWidth * (Int(taps.first) - top + k))
      }
      rows.weights.withUnsafeBufferPointer { weights in
        guard let base = weights.baseAddress else { return }
        sl_blend_rows(addresses, base + taps.weights, Int(taps.count), wideRow, 4 * outWidth)
      }
      let (r, g, b, a) = (plane(0, outWidth), plane(1, outWidth), plane(2, outWidth), plane(3, outWidth))
      sl_deinterleave(wideRow, premultiplies, r, g, b, a, outWidth)
      encode.run(r, g, b, count: outWidth)
      // Alpha comes from the row; what the filter overshot is clipped there too.
      if premultiplies != 0 {
        for i in 0..<outWidth { wideRow[4 * i + 3] = a[i] }
      }
      sl_pack(
        r, g, b, wideRow, SL_F32, nil, output.planes[0].row(y), outputFormat.kernelSample, outWidth)
    }
  }

  /// A row of a camera's picture as RGBA16.
  private func convert(
    _ source: PixelBuffer, _ y: Int, with camera: CameraSampler, into row: UnsafeMutableRawPointer,
    scratch: TileScratch
  ) {
    for left in stride(from: 0, to: inputSize.width, by: TileScratch.width) {
      let tile = camera.load(
        source, columns: left..<min(left + TileScratch.width, inputSize.width), rows: y..<y + 1,
        scratch: scratch)
      camera.sampleRow(y, of: tile, size: inputSize, scratch: scratch)
      sl_interleave_rgba16(
        scratch.red, scratch.green, scratch.blue, nil,
        (row + 8 * left).assumingMemoryBound(to: UInt16.self), tile.columns.count)
    }
  }
}
