/// The meaning of the fourth channel of an RGBA picture.
public enum AlphaMode: String, Sendable, Hashable, Codable {
  /// Every pixel is fully opaque; the channel holds full scale.
  case opaque
  /// Colour is not multiplied by alpha (PNG's and TIFF's unassociated alpha).
  case straight
}

/// A rectangle of pixels in memory, with the meaning of its samples.
///
/// A buffer is written by one producer and is read-only once shared; it has no lock. Rows start at multiples of
/// `PixelBuffer.alignment` bytes, and `PixelBuffer.tailBytes` readable bytes follow the last plane, so kernels may
/// load whole vectors at the end of the last row.
public final class PixelBuffer: @unchecked Sendable {
  /// Alignment of planes and rows, in bytes: one AVX-512 vector, one cache line.
  public static let alignment = 64
  /// The number of bytes after the last plane that may be read (never written).
  public static let tailBytes = 128
  /// The longest edge accepted, in pixels. Larger pictures are rejected before memory is allocated.
  public static let maximumEdge = 65_535
  /// The largest picture accepted, in pixels: 1.2 gigapixels.
  public static let maximumPixelCount = 1_200_000_000

  /// One plane of samples.
  public struct Plane: @unchecked Sendable {
    /// The first byte of the first row.
    public let base: UnsafeMutableRawPointer
    /// The number of bytes from one row to the next; a multiple of `alignment`.
    public let rowBytes: Int
    public let rows: Int

    /// Returns the first byte of row `y`.
    public func row(_ y: Int) -> UnsafeMutableRawPointer {
      precondition(y >= 0 && y < rows, "row \(y) of a plane with \(rows) rows")
      return base + y * rowBytes
    }
  }

  public let size: PixelSize
  public let format: PixelFormat
  public let tags: ColorTags
  public let alpha: AlphaMode
  /// The planes of the format, in its order.
  public let planes: [Plane]
  /// Whether rows are aligned and `tailBytes` follow the last plane; false for wrapped memory.
  public let hasPadding: Bool

  public var width: Int { size.width }
  public var height: Int { size.height }

  private(set) var storage: PixelStorage

  /// Whether `buffer` is the only reference to its object and, across bands and retagged views, to its memory.
  package static func isUnshared(_ buffer: inout PixelBuffer) -> Bool {
    isKnownUniquelyReferenced(&buffer) && isKnownUniquelyReferenced(&buffer.storage)
  }

  /// Allocates a buffer; its samples are undefined until written.
  ///
  /// - Throws: `SafelightError` if the size is not positive or exceeds `maximumEdge` or `maximumPixelCount`, or if
  ///   memory is exhausted.
  public convenience init(
    size: PixelSize, format: PixelFormat, tags: ColorTags = .sRGB, alpha: AlphaMode = .opaque
  ) throws {
    let layout = try PixelLayout(size: size, format: format)
    self.init(layout: layout, storage: try PixelStorage(bytes: layout.bytes), tags: tags, alpha: alpha)
  }

  init(layout: PixelLayout, storage: PixelStorage, tags: ColorTags, alpha: AlphaMode) {
    self.size = layout.size
    self.format = layout.format
    self.tags = tags
    self.alpha = alpha
    self.storage = storage
    hasPadding = true
    planes = layout.planes.map {
      Plane(base: storage.base + $0.offset, rowBytes: $0.rowBytes, rows: $0.rows)
    }
  }

  /// Returns the same memory under other tags: for pictures whose meaning is learned after decoding.
  public func retagged(_ tags: ColorTags, alpha: AlphaMode? = nil) -> PixelBuffer {
    PixelBuffer(retagging: self, tags: tags, alpha: alpha ?? self.alpha)
  }

  private init(retagging other: PixelBuffer, tags: ColorTags, alpha: AlphaMode) {
    size = other.size
    format = other.format
    planes = other.planes
    storage = other.storage
    hasPadding = other.hasPadding
    self.tags = tags
    self.alpha = alpha
  }

  private init(
    wrapped planes: [Plane], size: PixelSize, format: PixelFormat, tags: ColorTags, storage: PixelStorage
  ) {
    self.size = size
    self.format = format
    self.tags = tags
    self.planes = planes
    self.storage = storage
    alpha = .opaque
    hasPadding = false
  }

  fileprivate init(columns: Range<Int>, rows: Range<Int>, of other: PixelBuffer) {
    size = PixelSize(width: columns.count, height: rows.count)
    format = other.format
    tags = other.tags
    alpha = other.alpha
    storage = other.storage
    hasPadding = other.hasPadding
    let (plane, shape) = (other.planes[0], other.format.planes[0])
    let offset = columns.lowerBound / shape.columnsPerGroup * shape.bytesPerGroup
    planes = [Plane(base: plane.row(rows.lowerBound) + offset, rowBytes: plane.rowBytes, rows: rows.count)]
  }

  private init(part other: PixelBuffer, x: Int, y: Int, of picture: PixelSize) {
    size = picture
    format = other.format
    tags = other.tags
    alpha = other.alpha
    storage = other.storage
    hasPadding = other.hasPadding
    planes = zip(other.planes, format.planes).map { plane, shape in
      let offset = y / shape.rowsPerGroup * plane.rowBytes + x / shape.columnsPerGroup * shape.bytesPerGroup
      return Plane(
        base: plane.base - offset, rowBytes: plane.rowBytes, rows: shape.rows(height: picture.height))
    }
  }

  /// Returns this buffer as part of a larger picture, with its first pixel at (x, y).
  ///
  /// Nothing is copied. Only the pixels in this buffer may be read or written.
  ///
  /// - Precondition: x and y are multiples of the group size of every plane.
  package func asPart(of picture: PixelSize, x: Int = 0, y: Int) -> PixelBuffer {
    precondition(x >= 0 && y >= 0, "a part outside of the picture")
    precondition(
      format.planes.allSatisfy { x % $0.columnsPerGroup == 0 && y % $0.rowsPerGroup == 0 }, "half a group")
    return PixelBuffer(part: self, x: x, y: y, of: picture)
  }

  /// Returns a typed view of row `y` of plane `plane`: its samples without padding.
  public func row<Sample>(_ y: Int, of plane: Int = 0, as type: Sample.Type = Sample.self)
    -> UnsafeMutableBufferPointer<Sample>
  {
    let bytes = format.planes[plane].rowBytes(width: width)
    let count = bytes / MemoryLayout<Sample>.stride
    return UnsafeMutableBufferPointer(
      start: planes[plane].row(y).bindMemory(to: Sample.self, capacity: count), count: count)
  }

  /// Throws for sizes that are empty or exceed `maximumEdge` or `maximumPixelCount`.
  public static func validate(_ size: PixelSize) throws {
    guard size.width > 0, size.height > 0 else {
      throw SafelightError(.invalidValue, "The picture is empty (\(size))")
    }
    guard size.longEdge <= maximumEdge, size.pixelCount <= maximumPixelCount else {
      throw SafelightError(
        .tooLarge,
        "The picture is too large (\(size)): at most \(maximumEdge) pixels per edge and "
          + "\(maximumPixelCount / 1_000_000) megapixels are accepted")
    }
  }
}

extension PixelBuffer {
  /// Wraps a picture in memory with another owner, such as a driver. Nothing is copied.
  ///
  /// Planes and rows may lie at any distance. Only kernels that read no byte past the end of the last row may
  /// receive such a buffer; see `hasPadding`.
  ///
  /// - Parameters:
  ///   - planes: the start of each plane of `format`, and the bytes from one row to the next.
  ///   - dmaBuf: the dma-buf that contains all planes, if there is one.
  ///   - release: called once, on any thread, when the last reference to the buffer is released.
  /// - Throws: `SafelightError` if the size is rejected, or if a plane is missing or narrower than the picture.
  public convenience init(
    wrapping planes: [(base: UnsafeMutableRawPointer, rowBytes: Int)], size: PixelSize, format: PixelFormat,
    tags: ColorTags, dmaBuf: DMABuf? = nil, release: @escaping @Sendable () -> Void
  ) throws {
    try Self.validate(size)
    let shapes = format.planes
    guard shapes.count == planes.count else {
      throw SafelightError(
        .invalidValue, "\(planes.count) planes were given for \(format.rawValue), which has \(shapes.count)")
    }
    for (plane, shape) in zip(planes, shapes) where plane.rowBytes < shape.rowBytes(width: size.width) {
      throw SafelightError(
        .invalidValue,
        "Rows of \(plane.rowBytes) bytes do not hold \(size.width) pixels of \(format.rawValue)")
    }
    self.init(
      wrapped: zip(planes, shapes).map {
        Plane(base: $0.base, rowBytes: $0.rowBytes, rows: $1.rows(height: size.height))
      },
      size: size, format: format, tags: tags,
      storage: PixelStorage(adopting: planes[0].base, bytes: 0, dmaBuf: dmaBuf) { _, _ in release() })
  }
}

/// The positions of a picture's planes within one allocation.
struct PixelLayout: Hashable {
  struct Plane: Hashable {
    var offset: Int
    var rowBytes: Int
    var rows: Int
  }

  let size: PixelSize
  let format: PixelFormat
  let planes: [Plane]
  let bytes: Int

  init(size: PixelSize, format: PixelFormat) throws {
    try PixelBuffer.validate(size)
    var offset = 0
    var planes: [Plane] = []
    for plane in format.planes {
      let align = PixelBuffer.alignment
      let rowBytes = (plane.rowBytes(width: size.width) + align - 1) / align * align
      let rows = plane.rows(height: size.height)
      planes.append(Plane(offset: offset, rowBytes: rowBytes, rows: rows))
      offset += rowBytes * rows
    }
    self.size = size
    self.format = format
    self.planes = planes
    self.bytes = offset + PixelBuffer.tailBytes
  }
}

extension PixelBuffer {
  /// Returns some rows of a single-plane buffer as a buffer on the same memory.
  ///
  /// - Precondition: `rows` is not empty and lies inside the buffer.
  public func band(rows: Range<Int>) -> PixelBuffer {
    precondition(planes.count == 1 && !rows.isEmpty && rows.lowerBound >= 0 && rows.upperBound <= height)
    return PixelBuffer(columns: 0..<width, rows: rows, of: self)
  }

  /// Returns a rectangle of a single-plane buffer as a buffer on the same memory, whose rows need not be aligned.
  ///
  /// - Precondition: the rectangle is not empty, lies inside the buffer, and begins with a whole group.
  package func view(columns: Range<Int>, rows: Range<Int>) -> PixelBuffer {
    precondition(planes.count == 1 && !rows.isEmpty && rows.lowerBound >= 0 && rows.upperBound <= height)
    precondition(!columns.isEmpty && columns.lowerBound >= 0 && columns.upperBound <= width)
    precondition(columns.lowerBound % format.planes[0].columnsPerGroup == 0, "half a group")
    return PixelBuffer(columns: columns, rows: rows, of: self)
  }
}
