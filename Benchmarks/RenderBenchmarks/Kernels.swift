import Benchmark
import Safelight

/// Every kind of kernel on 1920×1080 pixels, one thread, for each instruction set of this processor and each format.
func kernelBenchmarks() {
  for set in CPURenderer.availableInstructionSets {
    for (work, filters) in kernels {
      for format in work.formats {
        Benchmark(
          "\(work.name), \(format.rawValue), \(set.rawValue), 1920×1080",
          configuration: kernelConfiguration
        ) { benchmark in
          try CPURenderer.limitInstructionSet(to: set)
          defer { try? CPURenderer.limitInstructionSet(to: nil) }
          let output: PixelFormat = format.isRGBA ? format : .rgba8
          let rendering = try Rendering(filters(), on: Pictures.fullHD(format), threads: 1, format: output)
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

/// Short, since there are many.
private let kernelConfiguration = Benchmark.Configuration(
  metrics: [.wallClock], timeUnits: .microseconds, warmupIterations: 1, maxDuration: .milliseconds(300),
  maxIterations: 50)

private let rgba: [PixelFormat] = [.rgba8, .rgba16, .rgbaF32]
private let camera: [PixelFormat] = [.yuyv422, .nv12, .i420]

/// A name, the formats that go in, and filters that lower to one stage. Pictures of 8 bit take a baked table or tables for
/// each channel where others run the stages as they are.
private let kernels:
  [(work: (name: String, formats: [PixelFormat]), filters: @Sendable () throws -> [any Filter])] = [
    (("33³ table", rgba + [.yuyv422]), { [try table(33)] }),
    (("65³ table", rgba + [.yuyv422]), { [try table(65)] }),
    (("curve for all channels", rgba), { [Exposure(stops: 0.3)] }),
    (("contrast", rgba), { [Contrast(10)] }),
    (("saturation in OKLab", [.rgba16, .rgbaF32]), { [Saturation(15)] }),
    (("tone", [.rgba16, .rgbaF32]), { [Tone(highlights: -40, shadows: 30)] }),
    (("turn by 2°", rgba + camera), { [Straighten(2)] }),
    (("quarter turn", rgba), { [Rotate(.clockwise)] }),
    (("reduction to 800 pixels", rgba + [.yuyv422]), { [Resize(longEdge: 800)] }),
    (("to RGBA", camera), { [] }),
  ]

/// A table of `nodes` nodes an edge, sampled from a shipped one.
private func table(_ nodes: Int) throws -> LUT {
  let name = ShippedFiles.prefix + "luts/teal-orange.cube"
  let shipped = try ColorLUT(cube: ShippedFiles.contents(name), name: name)
  let colors = (0..<nodes * nodes * nodes).map { index in
    let place = SIMD3(index % nodes, index / nodes % nodes, index / (nodes * nodes))
    return SIMD3<Float>(shipped.evaluate(SIMD3<Double>(place) / Double(nodes - 1)))
  }
  return LUT(ColorLUT(cube: try LUT3D(size: nodes, nodes: colors)), name: "\(nodes).cube")
}

/// From RGBA to what cameras and streams take.
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
