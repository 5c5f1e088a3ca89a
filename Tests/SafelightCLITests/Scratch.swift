import FoundationEssentials
import Safelight

/// A folder of its own for one test, removed with it.
final class Scratch {
  let path: String
  /// The user's folder of caches for programs that run here, beside the folder. Not there until one writes to it.
  var caches: String { path + "-caches" }

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "safelight-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit { for folder in [path, caches] { try? FileManager.default.removeItem(atPath: folder) } }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: self(name)))
  }
  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }
  func read(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: self(name)))) }

  /// A file of `Tests/Fuzz/jpeg`, put here under another name.
  func copy(fuzz name: String, to copy: String) throws {
    try write(Array(Data(contentsOf: URL(filePath: "\(Program.package)/Tests/Fuzz/jpeg/\(name)"))), to: copy)
  }

  /// Everything in the folder, hidden files too.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  func photo(_ name: String) throws -> Photo { try Photo(contentsOf: self(name)) }

  /// Writes a picture without loss where the format allows it.
  func save(_ buffer: PixelBuffer, as name: String, metadata: PhotoMetadata = PhotoMetadata()) throws {
    let bits = buffer.format == .rgba16 ? 16 : 8
    let writer = try PhotoWriter(
      to: self(name), size: buffer.size, bitsPerSample: bits, quality: 100, tags: buffer.tags,
      metadata: metadata, alpha: buffer.alpha)
    try writer.write(buffer)
    try writer.finish()
  }
}

/// A smooth picture: red rises to the right, green downwards, blue falls along both.
func gradient(
  _ width: Int, _ height: Int, format: PixelFormat = .rgba8, alpha: AlphaMode = .opaque,
  tags: ColorTags = .sRGB
) throws -> PixelBuffer {
  try picture(width, height, format: format, alpha: alpha, tags: tags) { x, y in
    let red = x * 65_535 / max(width - 1, 1)
    let green = y * 65_535 / max(height - 1, 1)
    return [red, green, 65_535 - (red + green) / 2, alpha == .straight ? 65_535 - red / 2 : 65_535]
  }
}

/// A picture whose samples, 0…65535, are computed for each place.
func picture(
  _ width: Int, _ height: Int, format: PixelFormat = .rgba8, alpha: AlphaMode = .opaque,
  tags: ColorTags = .sRGB, _ samples: (_ x: Int, _ y: Int) -> [Int]
) throws -> PixelBuffer {
  let buffer = try PixelBuffer(
    size: PixelSize(width: width, height: height), format: format, tags: tags, alpha: alpha)
  for y in 0..<height {
    for x in 0..<width {
      for (channel, sample) in samples(x, y).enumerated() {
        if format == .rgba8 {
          buffer.row(y, as: UInt8.self)[4 * x + channel] = UInt8(sample >> 8)
        } else {
          buffer.row(y, as: UInt16.self)[4 * x + channel] = UInt16(sample)
        }
      }
    }
  }
  return buffer
}

/// The R G B A samples of one pixel, of 8 or 16 bits.
func pixel(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
  withExtendedLifetime(buffer) {
    (4 * x..<4 * x + 4).map {
      buffer.format == .rgba8
        ? Int(buffer.row(y, as: UInt8.self)[$0]) : Int(buffer.row(y, as: UInt16.self)[$0])
    }
  }
}

/// The largest difference of two pictures' samples; nil where their sizes or formats differ.
func largestDifference(_ a: PixelBuffer, _ b: PixelBuffer) -> Int? {
  guard a.size == b.size, a.format == b.format else { return nil }
  var largest = 0
  for y in 0..<a.height {
    for x in 0..<a.width {
      for (one, other) in zip(pixel(a, x, y), pixel(b, x, y)) { largest = max(largest, abs(one - other)) }
    }
  }
  return largest
}
