import Benchmark
import Safelight
import Glibc

/// The cost of live analyses per 1080p frame, on one thread, compared with a copy of the frame.
func frameAnalysisBenchmarks() {
  let size = PixelSize(width: 1920, height: 1080)

  for format in [PixelFormat.yuyv422, .nv12, .rgba8] {
    Benchmark("memcpy of a 1080p \(format.rawValue) frame") { benchmark in
      let source = try frame(size, format)
      let copy = try PixelBuffer(size: size, format: format)
      copyAll(source, copy)
      benchmark.startMeasurement()
      copyAll(source, copy)
      benchmark.stopMeasurement()
      blackHole(copy)
    }

    Benchmark("proxy of a 1080p \(format.rawValue) frame") { benchmark in
      let source = try frame(size, format)
      let proxy = AnalysisProxy()
      for _ in 0..<3 { try proxy.update(from: source) }
      benchmark.startMeasurement()
      try proxy.update(from: source)
      benchmark.stopMeasurement()
      blackHole(proxy)
    }
  }

  measureAnalysis("histogram") { proxy, tools in tools.histogram.update(from: proxy) }
  measureAnalysis("clipping") { proxy, _ in blackHole(Clipping(proxy)) }
  measureAnalysis("sharpness and noise") { proxy, tools in blackHole(tools.sharpness.measure(proxy)) }
  measureAnalysis("horizon") { proxy, tools in blackHole(tools.horizon.detect(in: proxy)) }
  measureAnalysis("document") { proxy, tools in blackHole(tools.documents.detections(in: proxy)) }
  measureAnalysis("points followed") { proxy, tools in tools.track.update(from: proxy, at: .now) }

  Benchmark("everything for a 1080p yuyv422 frame, the proxy included") { benchmark in
    let source = try frame(size, .yuyv422)
    let proxy = AnalysisProxy()
    let tools = Tools()
    func analyze() throws {
      try proxy.update(from: source)
      tools.histogram.update(from: proxy)
      blackHole(ToneStatistics(tools.histogram))
      blackHole(Clipping(proxy))
      blackHole(tools.sharpness.measure(proxy))
      blackHole(tools.horizon.detect(in: proxy))
    }
    for _ in 0..<3 { try analyze() }
    benchmark.startMeasurement()
    try analyze()
    benchmark.stopMeasurement()
  }

  func measureAnalysis(_ name: String, _ analyze: @escaping @Sendable (AnalysisProxy, Tools) -> Void) {
    Benchmark("\(name) of a proxy") { benchmark in
      let proxy = AnalysisProxy()
      try proxy.update(from: try frame(size, .yuyv422))
      let tools = Tools()
      for _ in 0..<3 { analyze(proxy, tools) }
      benchmark.startMeasurement()
      analyze(proxy, tools)
      benchmark.stopMeasurement()
    }
  }
}

private func copyAll(_ source: PixelBuffer, _ target: PixelBuffer) {
  for (from, to) in zip(source.planes, target.planes) {
    memcpy(to.base, from.base, from.rowBytes * from.rows)
  }
}

/// State whose memory is kept from frame to frame.
private final class Tools {
  var histogram = Histogram()
  let sharpness = SharpnessMeter()
  let horizon = HorizonDetector()
  let documents = DocumentDetector()
  let track = MotionTrack()
}

/// The synthetic scene as a camera sends it; if YCbCr, in BT.601 with limited range.
private func frame(_ size: PixelSize, _ format: PixelFormat) throws -> PixelBuffer {
  let scene = try scene.get()
  guard format.isYCbCr else { return scene }
  let tags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)
  let frame = try PixelBuffer(size: size, format: format, tags: tags)
  try PixelConverter().convert(scene, into: frame)
  return frame
}

private let scene = Result { try SyntheticScene(size: PixelSize(width: 1920, height: 1080)).render() }
