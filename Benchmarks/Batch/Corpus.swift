import BenchmarkSupport
import Glibc
import Safelight

/// The photos that all contenders edit, made from seeds so that everyone can reproduce them.
struct Corpus {
  struct Entry {
    var size: PixelSize
    var quality: Int
    var isSubsampled: Bool
    var isProgressive: Bool
    var grain: Int
    var seed: UInt64
    /// The seed of the picture that it is cut from.
    var plate: UInt64
    var name: String
  }

  let folder: String
  let photos: [String]
  let megapixels: Double
  let bytes: Int
  /// A description of its contents.
  let description: String

  /// The usual sizes of cameras: 8, 10, 12, 16, 18, 20 and 24 megapixels.
  private static let sizes = [
    (3264, 2448), (3872, 2592), (4000, 3000), (4032, 3024), (4608, 3456), (4928, 3264), (5184, 3456),
    (5472, 3648), (6000, 4000),
  ]

  /// Photo `index` of every corpus; a smaller corpus is the beginning of a larger one.
  static func entry(_ index: Int) -> Entry {
    var random = SplitMix64(seed: UInt64(index) &* 7919 &+ 5)
    let (long, short) = sizes[index % sizes.count]
    let isPortrait = Int.random(in: 0..<4, using: &random) == 0
    let isSubsampled = Int.random(in: 0..<3, using: &random) > 0
    let quality = [80, 85, 90, 92, 95][Int.random(in: 0..<5, using: &random)]
    // For files of 3…10 MB: photos of higher quality get less grain.
    let grain = (quality >= 92 ? 12 : 20) + Int.random(in: 0...8, using: &random)
    return Entry(
      size: isPortrait ? PixelSize(width: short, height: long) : PixelSize(width: long, height: short),
      quality: quality, isSubsampled: isSubsampled, isProgressive: index % 20 == 7, grain: grain,
      seed: random.next(), plate: UInt64(index / 50) + 1, name: "photo-\(index).jpg")
  }

  /// Uses the photos in `folder`, and makes those that are missing.
  init(_ count: Int, in folder: String) async throws {
    self.folder = folder
    if mkdir(folder, 0o777) != 0, errno != EEXIST {
      throw SafelightError(.file, "\(folder) cannot be made: \(String(cString: strerror(errno)))")
    }
    let entries = (0..<count).map(Self.entry)
    let missing = entries.filter { access("\(folder)/\($0.name)", R_OK) != 0 }
    if !missing.isEmpty { try await Self.make(missing, in: folder) }
    photos = entries.map { "\(folder)/\($0.name)" }
    megapixels = entries.reduce(0) { $0 + Double($1.size.pixelCount) / 1e6 }
    bytes = photos.reduce(0) { $0 + fileSize($1) }
    let (subsampled, progressive) = (
      entries.count(where: \.isSubsampled), entries.count(where: \.isProgressive)
    )
    let lengths = photos.map { Double(fileSize($0)) / 1e6 }.sorted()
    description =
      "\(count) JPEGs of 8…24 Mpx, \(fixed(megapixels, 0)) Mpx and \(fixed(Double(bytes) / 1e6, 0)) MB in all, "
      + "\(fixed(lengths[0], 1))…\(fixed(lengths[count - 1], 1)) MB each (median \(fixed(lengths[count / 2], 1))), "
      + "quality 80…95; \(subsampled) of them 4:2:0 and \(count - subsampled) 4:4:4, \(progressive) progressive"
  }

  private static func make(_ entries: [Entry], in folder: String) async throws {
    let workers = processorCount
    for plate in Set(entries.map(\.plate)).sorted() {
      let painter = try PhotoPainter(seed: plate)
      let chunk = entries.filter { $0.plate == plate }
      progress("making \(chunk.count) of \(entries.count) photos")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<workers {
          group.addTask {
            for (index, entry) in chunk.enumerated() where index % workers == worker {
              try write(entry, painter, to: "\(folder)/\(entry.name)")
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  private static func write(_ entry: Entry, _ painter: PhotoPainter, to path: String) throws {
    let picture = try painter.photo(
      PhotoPainter.Look(size: entry.size, grain: entry.grain, seed: entry.seed))
    let baseline = entry.isProgressive ? path + ".baseline.jpg" : path
    let writer = try PhotoWriter(
      to: baseline, size: entry.size, quality: entry.quality,
      chroma: entry.isSubsampled ? .yuv420 : .yuv444, overwrite: true)
    try writer.write(picture)
    try writer.finish(durable: false)
    guard entry.isProgressive else { return }
    defer { unlink(baseline) }
    let commands = [["jpegtran", "-progressive", "-copy", "all", "-outfile", path, baseline]]
    guard try ProcessGroup.run(commands).isSuccess else {
      throw SafelightError(
        .unsupported, "jpegtran made no progressive JPEG of \(baseline)",
        remedy: "install libjpeg-turbo's programs")
    }
  }
}
