import Benchmark
import Safelight
import Glibc

/// The cost of preparing a stored 24-megapixel photo for analyses, compared with libjpeg-turbo's own program
/// only decoding it at that size, and with decoding it at full size.
func photoSampleBenchmarks() {
  Benchmark.defaultConfiguration.metrics = [.wallClock, .cpuTotal]
  Benchmark.defaultConfiguration.maxIterations = 20

  Benchmark("sample of a 24 Mpx JPEG, with its proxy") { benchmark in
    let file = try photo.get()
    benchmark.startMeasurement()
    blackHole(try PhotoSample(contentsOf: file))
    benchmark.stopMeasurement()
  }

  Benchmark("whole decoding of the 24 Mpx JPEG") { benchmark in
    let file = try photo.get()
    benchmark.startMeasurement()
    blackHole(try Photo(contentsOf: file))
    benchmark.stopMeasurement()
  }

  Benchmark("djpeg -scale 1/4 of the 24 Mpx JPEG, its process included") { benchmark in
    let file = try photo.get()
    benchmark.startMeasurement()
    let status = run(["djpeg", "-scale", "1/4", "-outfile", "/dev/null", file])
    benchmark.stopMeasurement()
    if status != 0 { benchmark.error("djpeg ended with status \(status); is it installed?") }
  }
}

/// Returns the exit status of a program.
private func run(_ arguments: [String]) -> Int32 {
  var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  var child = pid_t()
  let failure = posix_spawnp(&child, arguments[0], nil, nil, &pointers, environ)
  guard failure == 0 else { return failure }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  return (status >> 8) & 0xff
}

/// The scene at 6000×4000 as a camera stores it, 4:2:0, in the temporary folder; written once per process.
private let photo = Result {
  let path = "/tmp/safelight-analysis-\(getpid()).jpg"
  let picture = try SyntheticScene(size: PixelSize(width: 6000, height: 4000)).render()
  let writer = try PhotoWriter(to: path, size: picture.size, quality: 92, chroma: .yuv420, overwrite: true)
  try writer.write(picture)
  try writer.finish()
  atexit { unlink("/tmp/safelight-analysis-\(getpid()).jpg") }
  return path
}
