import Benchmark
import Safelight

/// Every kind of kernel on 1920×1080 pixels, one thread, for each instruction set of this processor and each format.
func kernelBenchmarks() {
  for set in CPURenderer.availableInstructionSets {
    for kernel in kernels {
      for format in kernel.formats {
        Benchmark(
          "\(kernel.name), \(format.rawValue), \(set.rawValue), 1920×1080",
          configuration: kernelConfiguration
        ) { benchmark in
          try CPURenderer.limitInstructionSet(to: set)
          defer { try? CPURenderer.limitInstructionSet(to: nil) }
          let output: PixelFormat = format.isRGBA ? format : .rgba8
          let rendering = try Rendering(
            kernel.filters(), on: Pictures.fullHD(format), threads: 1,
            output: PlanOutput(format: output, interpolation: kernel.interpolation))
          benchmark.startMeasurement()
          try rendering.run()
          benchmark.stopMeasurement()
          blackHole(rendering.output)
        }
      }
    }
    converterBenchmarks(set)
  }
}

/// Short, because there are many.
private var kernelConfiguration: Benchmark.Configuration {
  Benchmark.Configuration(
    metrics: [.wallClock], timeUnits: .microseconds, warmupIterations: 1, maxDuration: .milliseconds(300),
    maxIterations: 50)
}

private let rgba: [PixelFormat] = [.rgba8, .rgba16, .rgbaF32]
private let camera: [PixelFormat] = [.yuyv422, .nv12, .i420]

/// Filters that lower to one stage. 8-bit pictures use a baked table or tables per channel; others run the
/// stages exactly.
private struct Kernel: Sendable {
  let name: String
  /// The input's pixel format.
  let formats: [PixelFormat]
  var interpolation = Interpolation.sharp
  let filters: @Sendable () throws -> [any Filter]
}

private let kernels = [
  Kernel(name: "33³ table", formats: rgba + [.yuyv422]) { [try table(33)] },
  Kernel(name: "65³ table", formats: rgba + [.yuyv422]) { [try table(65)] },
  Kernel(name: "curve for all channels", formats: rgba) { [Exposure(stops: 0.3)] },
  Kernel(name: "contrast", formats: rgba) { [Contrast(10)] },
  Kernel(name: "saturation in OKLab", formats: [.rgba16, .rgbaF32]) { [Saturation(15)] },
  Kernel(name: "tone", formats: [.rgba16, .rgbaF32]) { [Tone(highlights: -40, shadows: 30)] },
  Kernel(name: "turn by 2°", formats: rgba + camera) { [Straighten(2)] },
  Kernel(name: "turn by 2°, bilinear", formats: rgba + camera, interpolation: .bilinear) { [Straighten(2)] },
  Kernel(name: "turn by 30°", formats: rgba + [.yuyv422]) { [Straighten(30)] },
  Kernel(name: "quarter turn", formats: rgba) { [Rotate(.clockwise)] },
  Kernel(name: "reduction to 800 pixels", formats: rgba + [.yuyv422]) { [Resize(longEdge: 800)] },
  Kernel(name: "to RGBA", formats: camera) { [] },
]

/// A table with `nodes` nodes per edge, sampled from a shipped one.
private func table(_ nodes: Int) throws -> LUT {
  let name = ShippedFiles.prefix + "luts/teal-orange.cube"
  let shipped = try ColorLUT(cube: ShippedFiles.contents(name), name: name)
  let colors = (0..<nodes * nodes * nodes).map { index in
    let place = SIMD3(index % nodes, index / nodes % nodes, index / (nodes * nodes))
    return SIMD3<Float>(shipped.evaluate(SIMD3<Double>(place) / Double(nodes - 1)))
  }
  return LUT(ColorLUT(cube: try LUT3D(size: nodes, nodes: colors)), name: "\(nodes).cube")
}

/// From RGBA to the formats of cameras and streams.
private func converterBenchmarks(_ set: InstructionSet) {
  for format in camera {
    Benchmark(
      "from rgba8 to \(format.rawValue), \(set.rawValue), 1920×1080",
      configuration: kernelConfiguration
    ) { benchmark in
      try CPURenderer.limitInstructionSet(to: set)
      defer { try? CPURenderer.limitInstructionSet(to: nil) }
      let source = try Pictures.fullHD(.rgba8)
      let target = try PixelBuffer(size: source.size, format: format, tags: Pictures.cameraTags)
      let converter = PixelConverter(threads: 1)
      try converter.convert(source, into: target)
      benchmark.startMeasurement()
      try converter.convert(source, into: target)
      benchmark.stopMeasurement()
      blackHole(target)
    }
  }
}
