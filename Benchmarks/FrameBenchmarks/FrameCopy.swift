import Benchmark
import FrameCore
import Glibc

/// The cost of copying one 3840×2160 RGBA8 frame (31.6 MiB): the unit for the kernels' times.
func frameCopyBenchmarks() {
  let size = PixelSize(width: 3840, height: 2160)

  Benchmark("memcpy 3840×2160 RGBA8, one call") { benchmark in
    let (source, target) = try makeFrames(size)
    let bytes = source.planes[0].rowBytes * source.planes[0].rows
    benchmark.startMeasurement()
    memcpy(target.planes[0].base, source.planes[0].base, bytes)
    benchmark.stopMeasurement()
    blackHole(target)
  }

  Benchmark("row copies 3840×2160 RGBA8") { benchmark in
    let (source, target) = try makeFrames(size)
    benchmark.startMeasurement()
    for y in 0..<size.height {
      _ = target.row(y, as: UInt8.self).update(fromContentsOf: source.row(y, as: UInt8.self))
    }
    benchmark.stopMeasurement()
    blackHole(target)
  }
}

/// Two frames that were written to: a page that was never touched would be mapped during the copy, which is not
/// to be measured.
private func makeFrames(_ size: PixelSize) throws -> (source: PixelBuffer, target: PixelBuffer) {
  let source = try PixelBuffer(size: size, format: .rgba8)
  let target = try PixelBuffer(size: size, format: .rgba8)
  for buffer in [source, target] {
    for y in 0..<size.height { buffer.row(y, as: UInt8.self).update(repeating: UInt8(truncatingIfNeeded: y)) }
  }
  return (source, target)
}
