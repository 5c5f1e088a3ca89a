import Capture
import FoundationEssentials
import FrameCore
import Libc

/// What a deferred photo's manifest says of one frame, whose bytes are in the file of frames: those of all planes, row
/// by row without padding, those of the camera's JPEG, or those of the sensor's mosaic.
struct StoredFrame: Sendable, Hashable, Codable {
  struct Tags: Sendable, Hashable, Codable {
    var primaries: ColorTags.Primaries
    var transfer: ColorTags.Transfer
    var matrix: ColorTags.Matrix
    var range: ColorTags.Range
    var chromaSiting: ColorTags.ChromaSiting
    var iccProfile: Data?
  }

  enum Fields: String, Sendable, Hashable, Codable { case progressive, topFirst, bottomFirst }

  /// As `BayerMosaic`, without its samples.
  struct Mosaic: Sendable, Hashable, Codable {
    var format: BayerFormat
    var rowBytes: Int
    var transfer: ColorTags.Transfer
    var neutral: SIMD3<Double>?
  }

  /// Nil if the bytes are a JPEG or a mosaic.
  var format: PixelFormat?
  /// Nil if the bytes are something else.
  var mosaic: Mosaic?
  var alpha: AlphaMode
  var size: PixelSize
  /// The number of bytes.
  var bytes: Int
  var tags: Tags
  /// In nanoseconds, on the source's clock.
  var time: Int64
  var sequence: UInt64
  var orientation: Orientation
  var sampleWidth: Int
  var sampleHeight: Int
  var fields: Fields

  init(_ frame: PhotoFrame) {
    switch frame.content {
    case .samples(let buffer):
      (format, alpha) = (buffer.format, buffer.alpha)
      bytes = Self.sampleBytes(of: buffer.format, buffer.size)
    case .jpeg(let picture): (format, alpha, bytes) = (nil, .opaque, picture.bytes.count)
    case .bayer(let picture):
      (format, alpha, bytes) = (nil, .opaque, picture.samples.bytes.count)
      mosaic = Mosaic(
        format: picture.format, rowBytes: picture.rowBytes, transfer: picture.transfer,
        neutral: picture.neutral)
    }
    size = frame.size
    let tags = frame.tags
    self.tags = Tags(
      primaries: tags.primaries, transfer: tags.transfer, matrix: tags.matrix, range: tags.range,
      chromaSiting: tags.chromaSiting, iccProfile: tags.iccProfile.map { Data($0.bytes) })
    (time, sequence, orientation) = (frame.time.nanoseconds, frame.sequence, frame.orientation)
    (sampleWidth, sampleHeight) = (frame.sampleAspect.width, frame.sampleAspect.height)
    fields =
      switch frame.fieldOrder {
      case .progressive: .progressive
      case .topFirst: .topFirst
      case .bottomFirst: .bottomFirst
      }
  }

  /// The bytes of samples without padding.
  private static func sampleBytes(of format: PixelFormat, _ size: PixelSize) -> Int {
    format.planes.reduce(0) { $0 + $1.rowBytes(width: size.width) * $1.rows(height: size.height) }
  }

  /// Whether a frame can be like this.
  var isSensible: Bool {
    guard (try? PixelBuffer.validate(size)) != nil, (1...1 << 16).contains(sampleWidth),
      (1...1 << 16).contains(sampleHeight)
    else { return false }
    if let mosaic, !mosaic.isSensible(size, bytes: bytes) { return false }
    guard let format else { return (1...1 << 30).contains(bytes) }
    guard mosaic == nil else { return false }
    return bytes == Self.sampleBytes(of: format, size)
  }

  // MARK: Bytes

  /// Passes the bytes of a frame to `write`, in pieces.
  static func write(_ frame: PhotoFrame, _ write: (UnsafeRawBufferPointer) throws -> Void) throws {
    switch frame.content {
    case .jpeg(let picture): try write(picture.bytes)
    case .bayer(let mosaic): try write(mosaic.samples.bytes)
    case .samples(let buffer): try self.write(buffer, write)
    }
  }

  private static func write(_ buffer: PixelBuffer, _ write: (UnsafeRawBufferPointer) throws -> Void) throws {
    for (plane, shape) in zip(buffer.planes, buffer.format.planes) {
      let count = shape.rowBytes(width: buffer.width)
      guard plane.rowBytes != count else {
        try write(UnsafeRawBufferPointer(start: plane.base, count: count * plane.rows))
        continue
      }
      for row in 0..<plane.rows { try write(UnsafeRawBufferPointer(start: plane.row(row), count: count)) }
    }
  }

  /// Makes the frame again.
  ///
  /// - Parameter bytes: as many as `bytes` says.
  /// - Throws: `SafelightError(.noMemory)`.
  func frame(_ bytes: UnsafeRawBufferPointer) throws -> PhotoFrame {
    let tags = ColorTags(
      primaries: tags.primaries, transfer: tags.transfer, matrix: tags.matrix, range: tags.range,
      chromaSiting: tags.chromaSiting, iccProfile: tags.iccProfile.map { ICCProfileData(Array($0)) })
    return PhotoFrame(
      content: try content(bytes, tags), size: size, tags: tags, time: Timestamp(nanoseconds: time),
      sequence: sequence, orientation: orientation,
      sampleAspect: SampleAspect(width: sampleWidth, height: sampleHeight),
      fieldOrder: fields == .progressive ? .progressive : fields == .topFirst ? .topFirst : .bottomFirst)
  }

  private func content(_ bytes: UnsafeRawBufferPointer, _ tags: ColorTags) throws -> PhotoFrame.Content {
    if let mosaic {
      return .bayer(
        try BayerMosaic(
          EncodedPicture(copying: bytes), size: size, format: mosaic.format, rowBytes: mosaic.rowBytes,
          transfer: mosaic.transfer, neutral: mosaic.neutral))
    }
    guard let format else { return .jpeg(EncodedPicture(copying: bytes)) }
    let buffer = try PixelBuffer(size: size, format: format, tags: tags, alpha: alpha)
    guard let base = bytes.baseAddress else { return .samples(buffer) }
    var place = 0
    for (plane, shape) in zip(buffer.planes, format.planes) {
      let count = shape.rowBytes(width: size.width)
      for row in 0..<plane.rows {
        memcpy(plane.row(row), base + place, count)
        place += count
      }
    }
    return .samples(buffer)
  }
}

extension StoredFrame.Mosaic {
  /// Whether a sensor's frame of `size` can be like this.
  fileprivate func isSensible(_ size: PixelSize, bytes: Int) -> Bool {
    let row = format.rowBytes(width: size.width)
    guard size.width >= 2, size.height >= 2, (row...Int(Int32.max)).contains(rowBytes),
      (1...1 << 30).contains(bytes), bytes >= (size.height - 1) * rowBytes + row
    else { return false }
    guard let neutral else { return true }
    return (0..<3).allSatisfy { (1e-6...1).contains(neutral[$0]) }
  }
}
