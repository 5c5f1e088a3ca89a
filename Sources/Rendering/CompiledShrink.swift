import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// A separable reduction: each source row is narrowed once, then rows are averaged.
final class CompiledShrink: @unchecked Sendable {
  private let shrink: Shrink
  private let alpha: AlphaMode
  private let outputFormat: PixelFormat
  private let decode: KernelStages
  /// Decoding as tables, for 8-bit sources.
  private let decodeTables: ChannelTables
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

  init(_ shrink: Shrink, alpha: AlphaMode, outputFormat: PixelFormat) {
    self.shrink = shrink
    self.alpha = alpha
    self.outputFormat = outputFormat
    decode = KernelStages(shrink.linearLight.map { [.curve(.decode($0))] } ?? [])
    decodeTables = ChannelTables(
      shrink.linearLight.map { [.curve(.decode($0))] } ?? [], input: .rgba8, output: .rgbaF32)
    encode = KernelStages(shrink.linearLight.map { [.curve(.encode($0))] } ?? [])
    columns = Taps(
      count: shrink.outputSize.width, start: shrink.x, scale: shrink.factors.x, limit: shrink.inputSize.width)
    rows = Taps(
      count: shrink.outputSize.height, start: shrink.y, scale: shrink.factors.y,
      limit: shrink.inputSize.height)
  }

  func run(_ source: PixelBuffer, threads: Int?) throws -> PixelBuffer {
    let output = try PixelBuffer(
      size: shrink.outputSize, format: outputFormat, tags: source.tags, alpha: source.alpha)
    let bandHeight = 32
    let bands = (shrink.outputSize.height + bandHeight - 1) / bandHeight
    Parallel.forEach(bands, threads: threads) { band in
      let first = band * bandHeight
      self.runBand(source, rows: first..<min(first + bandHeight, self.shrink.outputSize.height), into: output)
    }
    return output
  }

  private func runBand(_ source: PixelBuffer, rows band: Range<Int>, into output: PixelBuffer) {
    let used = band.map { rows.list[$0] }
    let top = used.map { Int($0.first) }.min() ?? 0
    let bottom = used.map { Int($0.first + $0.count) }.max() ?? 0
    let (inWidth, outWidth) = (source.width, shrink.outputSize.width)
    let sample = source.format.kernelSample
    let premultiplies: Int32 = alpha == .straight ? 1 : 0

    let planes = UnsafeMutablePointer<Float>.allocate(capacity: 4 * max(inWidth, outWidth))
    let wideRow = UnsafeMutablePointer<Float>.allocate(capacity: 4 * inWidth)
    let narrow = UnsafeMutablePointer<Float>.allocate(capacity: 4 * outWidth * (bottom - top))
    defer {
      planes.deallocate()
      wideRow.deallocate()
      narrow.deallocate()
    }
    func plane(_ index: Int, _ width: Int) -> UnsafeMutablePointer<Float> { planes + index * width }

    for y in top..<bottom {
      let row = UnsafeRawPointer(source.planes[0].row(y))
      if source.format == .rgba8, premultiplies == 0 {
        sl_apply_tables(row, sample, decodeTables.entries, wideRow, SL_F32, inWidth)
      } else {
        let (r, g, b) = (plane(0, inWidth), plane(1, inWidth), plane(2, inWidth))
        sl_unpack(row, sample, r, g, b, inWidth)
        decode.run(r, g, b, count: inWidth)
        sl_interleave(r, g, b, row, sample, premultiplies, wideRow, inWidth)
      }
      sl_shrink_row(wideRow, columns.list, columns.weights, narrow + 4 * outWidth * (y - top), outWidth)
    }
    for (index, y) in band.enumerated() {
      let taps = used[index]
      let sources = (0..<Int(taps.count)).map { k -> UnsafePointer<Float>? in
        UnsafePointer(narrow + 4 * outWidth * (Int(taps.first) - top + k))
      }
      rows.weights.withUnsafeBufferPointer { weights in
        guard let base = weights.baseAddress else { return }
        sl_blend_rows(sources, base + taps.weights, sources.count, wideRow, 4 * outWidth)
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
}
