import FrameCore
import Libc
import Synchronization

/// Memory for copies of frames, at most `limit` bytes of it; each copy's is used again once nobody refers to it.
///
/// Belongs to the capture thread. Copies have memory of their own because a driver with few buffers would lose
/// frames while others are kept.
struct PhotoFrameStore {
  let limit: Int
  private var buffers: [PixelBuffer] = []
  private var encoded: [EncodedPicture] = []
  /// Copies of an earlier format, or of an earlier stream, that photos still refer to.
  private var retired: [(buffer: PixelBuffer?, picture: EncodedPicture?, bytes: Int)] = []
  /// The bytes of all of them.
  private(set) var bytes = 0

  init(limit: Int) { self.limit = limit }

  /// Whether only one frame like this one fits.
  func holdsOne(_ frame: Frame) -> Bool { 2 * size(of: frame) > limit }

  private func size(of frame: Frame) -> Int {
    if let mosaic = frame.mosaic { return mosaic.samples.bytes.count }
    if let encoded = frame.encoded { return Self.capacity(for: encoded.bytes.count) }
    return Self.size(of: frame.buffer)
  }

  /// The bytes of a copy of the picture.
  private static func size(of picture: PixelBuffer) -> Int {
    picture.format.planes.reduce(0) { sum, plane in
      let row = (plane.rowBytes(width: picture.width) + 63) / 64 * 64
      return sum + row * plane.rows(height: picture.height)
    }
  }

  /// JPEGs of a stream differ in length; with some room to spare, their memory fits the next ones too.
  private static func capacity(for count: Int) -> Int { (count + count / 4 + 65_535) / 65_536 * 65_536 }

  /// Returns a copy of the frame; nil if all memory is in use.
  ///
  /// - Throws: `SafelightError` if the system has no memory.
  mutating func copy(_ frame: Frame) throws -> PhotoFrame.Content? {
    if !retired.isEmpty { dropRetired() }
    if let mosaic = frame.mosaic {
      let bytes = mosaic.samples.bytes
      guard let copy = takeEncoded(bytes.count, capacity: bytes.count) else { return nil }
      copy.fill(with: bytes)
      return .bayer(try mosaic.moved(to: copy))
    }
    if let picture = frame.encoded {
      let count = picture.bytes.count
      guard let copy = takeEncoded(count, capacity: Self.capacity(for: count)) else { return nil }
      copy.fill(with: picture.bytes)
      return .jpeg(copy)
    }
    guard let copy = try takeBuffer(like: frame) else { return nil }
    Self.copy(frame.buffer, to: copy)
    return .samples(copy)
  }

  /// - Parameter capacity: of new memory.
  private mutating func takeEncoded(_ count: Int, capacity: Int) -> EncodedPicture? {
    if !buffers.isEmpty { release() }
    for index in encoded.indices where encoded[index].capacity >= count {
      guard EncodedPicture.isUnshared(&encoded[index]) else { continue }
      atomicMemoryFence(ordering: .acquiring)
      return encoded[index]
    }
    // Those that are too small make room.
    var index = 0
    while bytes + capacity > limit, index < encoded.count {
      if EncodedPicture.isUnshared(&encoded[index]) {
        bytes -= encoded[index].capacity
        encoded.remove(at: index)
      } else {
        index += 1
      }
    }
    guard bytes + capacity <= limit || bytes == 0 else { return nil }
    let picture = EncodedPicture(capacity: capacity)
    encoded.append(picture)
    bytes += capacity
    return picture
  }

  private mutating func takeBuffer(like frame: Frame) throws -> PixelBuffer? {
    let source = frame.buffer
    if !encoded.isEmpty { release() }
    if let first = buffers.first, first.size != source.size || first.format != source.format { release() }
    for index in buffers.indices {
      guard PixelBuffer.isUnshared(&buffers[index]) else { continue }
      atomicMemoryFence(ordering: .acquiring)
      // The tags may have become known after the first frame.
      if buffers[index].tags != source.tags || buffers[index].alpha != source.alpha {
        buffers[index] = buffers[index].retagged(source.tags, alpha: source.alpha)
      }
      return buffers[index]
    }
    let size = size(of: frame)
    guard bytes + size <= limit || bytes == 0 else { return nil }
    let buffer = try PixelBuffer(
      size: source.size, format: source.format, tags: source.tags, alpha: source.alpha)
    buffers.append(buffer)
    bytes += size
    return buffer
  }

  /// Gives up all memory that nobody refers to; the rest follows once it is released.
  mutating func release() {
    retired += buffers.map { ($0, nil, Self.size(of: $0)) } + encoded.map { (nil, $0, $0.capacity) }
    buffers = []
    encoded = []
    dropRetired()
  }

  private mutating func dropRetired() {
    for index in retired.indices.reversed() {
      let isUnused: Bool
      if var buffer = retired[index].buffer {
        retired[index].buffer = nil
        isUnused = PixelBuffer.isUnshared(&buffer)
        retired[index].buffer = buffer
      } else if var picture = retired[index].picture {
        retired[index].picture = nil
        isUnused = EncodedPicture.isUnshared(&picture)
        retired[index].picture = picture
      } else {
        isUnused = true
      }
      if isUnused { bytes -= retired.remove(at: index).bytes }
    }
  }

  private static func copy(_ source: PixelBuffer, to target: PixelBuffer) {
    var plane = 0
    while plane < source.planes.count {
      let (from, to) = (source.planes[plane], target.planes[plane])
      let bytes = source.format.planes[plane].rowBytes(width: source.width)
      var row = 0
      while row < from.rows {
        memcpy(to.base + row * to.rowBytes, from.base + row * from.rowBytes, bytes)
        row += 1
      }
      plane += 1
    }
  }
}
