import Benchmark
import Safelight
import Glibc

/// From file to file: a 12-megapixel JPEG with exposure, white balance, contrast, a table, straighten and crop,
/// compared with only decoding and encoding it, one after the other.
func editBenchmarks() {
  Benchmark("decode, then encode a 12 Mpx JPEG, no edit") { benchmark in
    let file = try photo.get()
    benchmark.startMeasurement()
    let picture = try Photo(contentsOf: file)
    try picture.write(to: file + ".copy.jpg", overwrite: true)
    benchmark.stopMeasurement()
    unlink(file + ".copy.jpg")
  }

  Benchmark("edit a 12 Mpx JPEG, file to file") { benchmark in
    let file = try photo.get()
    let table = try PresetLibrary.preset("teal-orange").recipe.filters.filter { $0 is LUT }
    let recipe = Recipe(
      filters: [
        Exposure(stops: 0.3), WhiteBalance(temperature: 6900), Contrast(10), Straighten(2),
        Crop(.proportions(width: 4, height: 5)),
      ] + table)
    var export = PhotoExport()
    export.overwrite = true
    benchmark.startMeasurement()
    blackHole(try export.runBlocking(file, through: recipe, to: file + ".edited.jpg"))
    benchmark.stopMeasurement()
    unlink(file + ".edited.jpg")
  }
}

/// One photo after another on one thread, as in each job of a batch: only the first one bakes the table.
func batchBenchmarks() {
  Benchmark("a 12 Mpx JPEG of a batch, to 2048 pixels, 1 thread") { benchmark in
    let file = try photo.get()
    let look = try PresetLibrary.preset("teal-orange").recipe
    let recipe = look.then(Recipe(filters: [Exposure(stops: 0.3), Straighten(2), Resize(longEdge: 2048)]))
    let editor = LocalBatchEditor(LocalBatchEditor.Settings(export: PhotoExport()) { _ in recipe })
    func edit() throws {
      blackHole(try editor.open(file).edit(to: file + ".batch.jpg", overwrite: true))
    }
    try edit()
    benchmark.startMeasurement()
    try edit()
    benchmark.stopMeasurement()
    unlink(file + ".batch.jpg")
  }
}

/// The scene as a JPEG in the temporary folder, written once per process.
private let photo = Result {
  let path = "/tmp/safelight-benchmark-\(getpid()).jpg"
  let picture = try Pictures.twelveMegapixels.get()
  let writer = try PhotoWriter(to: path, size: picture.size, overwrite: true)
  try writer.write(picture)
  try writer.finish()
  atexit { unlink("/tmp/safelight-benchmark-\(getpid()).jpg") }
  return path
}
