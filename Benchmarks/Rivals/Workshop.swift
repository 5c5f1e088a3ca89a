import BenchmarkSupport
import Glibc
import Safelight

/// The contenders' supplies: pictures in memory and as files, tables, the helper. Made on first use.
final class Workshop {
  /// The folder that everything is written to, removed at the end.
  let folder: String
  /// Safelight's program.
  let program: String
  /// The Python that has rival libraries.
  let python: String
  /// Runs rival libraries; nil if they are not installed.
  let helper: HelperProcess?

  private var painter: PhotoPainter?
  private var pictures: [String: PixelBuffer] = [:]
  private var files: [String: String] = [:]
  private var number = 0

  init(folder: String, program: String, python: String, helper: HelperProcess?) {
    (self.folder, self.program, self.python, self.helper) = (folder, program, python, helper)
  }

  /// Discards pictures and raw files after the works that needed them.
  func forgetPictures() throws {
    pictures = [:]
    for (name, path) in files where name.hasPrefix("raw ") {
      unlink(path)
      files[name] = nil
    }
    try helper?.forgetJobs()
  }

  func nextNumber() -> Int {
    number += 1
    return number
  }

  private func made<Value>(
    _ name: String, in cache: ReferenceWritableKeyPath<Workshop, [String: Value]>, _ make: () throws -> Value
  ) throws -> Value {
    if let value = self[keyPath: cache][name] { return value }
    let value = try make()
    self[keyPath: cache][name] = value
    return value
  }

  // MARK: Pictures

  static let ultraHD = PixelSize(width: 3840, height: 2160)
  static let fullHD = PixelSize(width: 1920, height: 1080)
  /// The same as FFmpeg's `bt601` with limited range.
  static let cameraTags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)

  /// A photo-like picture of a given size, the same in every run: 8 bit, and deeper formats with the same
  /// colours.
  func picture(_ size: PixelSize, _ format: PixelFormat = .rgba8) throws -> PixelBuffer {
    try made("\(size) \(format.rawValue)", in: \.pictures) {
      guard format != .rgba8 else {
        let painter = try self.painter ?? PhotoPainter(seed: 1)
        self.painter = painter
        return try painter.photo(PhotoPainter.Look(size: size, grain: 20, seed: 7))
      }
      let picture = try picture(size)
      let result = try PixelBuffer(size: size, format: format, tags: format.isRGBA ? .sRGB : Self.cameraTags)
      guard format.isRGBA else {
        try PixelConverter().convert(picture, into: result)
        return result
      }
      for y in 0..<size.height {
        let from = picture.row(y, as: UInt8.self)
        if format == .rgba16 {
          let to = result.row(y, as: UInt16.self)
          for x in 0..<from.count { to[x] = UInt16(from[x]) * 257 }
        } else {
          let to = result.row(y, as: Float.self)
          for x in 0..<from.count { to[x] = Float(from[x]) / 255 }
        }
      }
      return result
    }
  }

  /// `picture` as a file of raw rows without padding, one plane after another.
  func rawFile(_ size: PixelSize, _ format: PixelFormat = .rgba8) throws -> String {
    try made("raw \(size) \(format.rawValue)", in: \.files) {
      let picture = try picture(size, format)
      let path = "\(folder)/\(size.width)x\(size.height).\(format.rawValue)"
      guard let file = fopen(path, "w") else {
        throw SafelightError(.file, "\(path) cannot be written: \(String(cString: strerror(errno)))")
      }
      for (plane, shape) in zip(picture.planes, format.planes) {
        for y in 0..<plane.rows { fwrite(plane.row(y), 1, shape.rowBytes(width: size.width), file) }
      }
      guard fclose(file) == 0 else {
        throw SafelightError(
          .noSpace, "\(path) could not be written to the end", remedy: "make room in \(folder)")
      }
      return path
    }
  }

  /// A photo as a JPEG of quality 90, 4:2:0, as cameras make them.
  func photo(_ size: PixelSize) throws -> String {
    try made("photo \(size)", in: \.files) {
      // Larger than what can be painted: the same picture repeated side by side.
      let tile = PixelSize(width: min(size.width, 6000), height: min(size.height, 4500))
      let picture = try picture(tile)
      let path = "\(folder)/\(size.width)x\(size.height).jpg"
      let writer = try PhotoWriter(to: path, size: size, quality: 90, chroma: .yuv420, overwrite: true)
      let band = try PixelBuffer(size: PixelSize(width: size.width, height: 500), format: .rgba8)
      for top in stride(from: 0, to: size.height, by: 500) {
        let rows = min(500, size.height - top)
        for y in 0..<rows {
          let (from, to) = (picture.row((top + y) % tile.height, as: UInt8.self), band.row(y, as: UInt8.self))
          for x in stride(from: 0, to: to.count, by: from.count) {
            for byte in x..<min(to.count, x + from.count) { to[byte] = from[byte - x] }
          }
        }
        try writer.write(band.band(rows: 0..<rows))
      }
      try writer.finish(durable: false)
      return path
    }
  }

  // MARK: Tables

  /// The shipped table “teal-orange” as a file: 33³ unchanged, other sizes sampled from it.
  func table(_ nodes: Int = 33) throws -> String {
    try made("table \(nodes)", in: \.files) {
      let path = "\(folder)/table-\(nodes).cube"
      let bytes = try ShippedFiles.contents(ShippedFiles.prefix + "luts/teal-orange.cube")
      guard nodes != 33 else {
        try FileContents.write(bytes, to: path, overwrite: true)
        return path
      }
      let table = try ColorLUT(cube: bytes, name: "teal-orange.cube")
      var text = "LUT_3D_SIZE \(nodes)\n"
      for index in 0..<nodes * nodes * nodes {
        let place = SIMD3(index % nodes, index / nodes % nodes, index / (nodes * nodes))
        let color = table.evaluate(SIMD3<Double>(place) / Double(nodes - 1))
        text += "\(fixed(color.x, 7)) \(fixed(color.y, 7)) \(fixed(color.z, 7))\n"
      }
      try FileContents.write(Array(text.utf8), to: path, overwrite: true)
      return path
    }
  }

  func lut(_ nodes: Int = 33) throws -> LUT {
    let path = try table(nodes)
    return LUT(try ColorLUT(cube: FileContents.read(path), name: path), name: "table-\(nodes).cube")
  }

  /// The 33³ table as a Hald image of level 8 for ImageMagick: 512 × 512 pixels with 64³ colours, red varying
  /// fastest.
  func hald() throws -> String {
    try made("hald", in: \.files) {
      let table = try lut().table
      let picture = try PixelBuffer(size: PixelSize(width: 512, height: 512), format: .rgba16)
      for index in 0..<64 * 64 * 64 {
        let place = SIMD3(index % 64, index / 64 % 64, index / 4096)
        let color = table?.evaluate(SIMD3<Double>(place) / 63) ?? .zero
        let row = picture.row(index / 512, as: UInt16.self)
        for channel in 0..<3 {
          row[4 * (index % 512) + channel] = UInt16(max(0, min(65_535, color[channel] * 65_535)).rounded())
        }
        row[4 * (index % 512) + 3] = 65_535
      }
      let path = folder + "/hald.png"
      let writer = try PhotoWriter(to: path, size: picture.size, bitsPerSample: 16, overwrite: true)
      try writer.write(picture)
      try writer.finish(durable: false)
      return path
    }
  }

  /// The effect of per-channel filters on each 8-bit value: 256 times R, G, B, A.
  func channelTables(_ filters: [any Filter]) throws -> String {
    let ramp = try PixelBuffer(size: PixelSize(width: 256, height: 1), format: .rgba8)
    let row = ramp.row(0, as: UInt8.self)
    for index in 0..<256 {
      for channel in 0..<4 { row[4 * index + channel] = channel < 3 ? UInt8(index) : 255 }
    }
    let renderer = CPURenderer(threads: 1)
    let result = try renderer.render(
      ramp,
      through: renderer.plan(
        Recipe(filters: filters), input: PlanInput(size: ramp.size), output: PlanOutput()))
    var bytes = Array(result.row(0, as: UInt8.self))
    for index in 0..<256 { bytes[4 * index + 3] = UInt8(index) }
    let path = "\(folder)/channels-\(nextNumber()).raw"
    try FileContents.write(bytes, to: path, overwrite: true)
    return path
  }

  /// A script or profile for a rival.
  func textFile(_ name: String, _ text: String) throws -> String {
    try made("text \(name)", in: \.files) {
      let path = folder + "/" + name
      try FileContents.write(Array(text.utf8), to: path, overwrite: true)
      return path
    }
  }
}
