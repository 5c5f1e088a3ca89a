import FrameCore
import Synchronization
import VulkanCompute
import Libc

/// A picture whose memory a device can access.
final class ImportedPicture: Sendable {
  let buffer: DeviceBuffer
  /// The layout within that buffer.
  let layout: DeviceLayout
  /// The part of the buffer that contains the picture.
  let offset: Int
  let bytes: Int
  /// The layout in a buffer that begins with that part.
  let copiedLayout: DeviceLayout
  private let planes: [PixelBuffer.Plane]

  /// - Parameter size: the size of the part of the picture to use, from the first pixel on.
  /// - Returns: nil if kernels cannot address the samples.
  init?(_ picture: PixelBuffer, _ size: PixelSize, in buffer: DeviceBuffer, at base: UnsafeMutableRawPointer)
  {
    let rows = picture.rowsInMemory(of: size)
    let first = rows.lowerBound - base
    let end = rows.upperBound - base
    guard first >= 0, end <= buffer.bytes else { return nil }
    let offsets = picture.planes.map { $0.base - base }
    guard offsets.allSatisfy({ $0 % 4 == 0 }), picture.planes.allSatisfy({ $0.rowBytes % 4 == 0 }) else {
      return nil
    }
    self.buffer = buffer
    planes = picture.planes
    layout = DeviceLayout(
      size: size, format: picture.format, columns: 0..<size.width, rows: 0..<size.height,
      planes: zip(offsets, picture.planes).map { DeviceLayout.Plane(offset: $0, rowBytes: $1.rowBytes) })
    // Copies are of whole words, too.
    offset = first
    bytes = min(buffer.bytes - first, (end - first + 3) / 4 * 4)
    var copied = layout
    for index in copied.planes.indices { copied.planes[index].offset -= first }
    copiedLayout = copied
  }

  /// Whether these are the pixels of `picture`, in the same format.
  func isOf(_ picture: PixelBuffer, _ size: PixelSize) -> Bool {
    guard size == layout.size, picture.format == layout.format else { return false }
    var index = 0
    while index < planes.count {
      guard picture.planes[index].base == planes[index].base,
        picture.planes[index].rowBytes == planes[index].rowBytes
      else { return false }
      index += 1
    }
    return true
  }
}

/// The memory of pictures, imported into a device on its second use and for as long as both exist.
///
/// Importing pins pages and costs more than copying a frame once, so it pays only for memory used again.
final class ImportedMemory: MemoryAttachment, @unchecked Sendable {
  private struct State {
    var isFirstUse = true
    var device: DeviceHandle?
    var buffer: DeviceBuffer?
    var base: UnsafeMutableRawPointer?
    /// The views requested so far.
    var pictures: [ImportedPicture] = []
  }
  private let state: Mutex<State>
  /// The number of views kept.
  private static let views = 4

  /// Whether a device sees what the processor wrote into a dma-buf.
  ///
  /// Some camera drivers fill their buffers with the processor (`vb2-vmalloc`, used by uvcvideo), and nobody
  /// flushes the caches for a device whose driver does not know who wrote. On x86, devices snoop the caches.
  static let readsDMABufs: Bool = {
    #if arch(x86_64) || arch(i386)
      true
    #else
      false
    #endif
  }()

  init(_ device: DeviceHandle) { state = Mutex(State(device: device)) }

  var isSpent: Bool { state.withLock { $0.device == nil } }

  /// Whether the memory is currently imported.
  var isImported: Bool { state.withLock { $0.buffer != nil } }

  /// Releases the memory because its device is closing.
  func release() { state.withLock { $0 = State(isFirstUse: false) } }

  /// Returns a device view of the picture's first pixels, `size` of them; nil if they must be copied.
  func picture(_ picture: PixelBuffer, _ size: PixelSize) -> ImportedPicture? {
    state.withLock { state in
      guard !state.isFirstUse else {
        state.isFirstUse = false
        return nil
      }
      var index = 0
      while index < state.pictures.count {
        if state.pictures[index].isOf(picture, size) { return state.pictures[index] }
        index += 1
      }
      return Self.makeView(of: picture, size, &state)
    }
  }

  private static func makeView(
    of picture: PixelBuffer, _ size: PixelSize, _ state: inout State
  ) -> ImportedPicture? {
    if state.buffer == nil {
      guard let device = state.device else { return nil }
      guard let (buffer, base) = importMemory(of: picture, into: device) else {
        // Does not try again.
        state = State(isFirstUse: false)
        return nil
      }
      (state.buffer, state.base) = (buffer, base)
    }
    guard let buffer = state.buffer, let base = state.base,
      let view = ImportedPicture(picture, size, in: buffer, at: base)
    else { return nil }
    if state.pictures.count >= views { state.pictures.removeFirst() }
    state.pictures.append(view)
    return view
  }

  private static func importMemory(
    of picture: PixelBuffer, into device: DeviceHandle
  ) -> (DeviceBuffer, UnsafeMutableRawPointer)? {
    guard picture.dmaBuf == nil || readsDMABufs else { return nil }
    if let dmaBuf = picture.dmaBuf, device.limits.imports_dma_buf != 0, dmaBuf.bytes <= device.bufferBytes,
      let buffer = try? DeviceBuffer(device, importing: dmaBuf.descriptor, bytes: dmaBuf.bytes)
    {
      return (buffer, dmaBuf.base)
    }
    let alignment = Int(clamping: device.limits.import_alignment)
    let memory = picture.memory
    // The pages around the memory are mapped as a whole; larger units may not be.
    guard alignment > 0, alignment <= sysconf(Int32(_SC_PAGESIZE)) else { return nil }
    let address = UInt(bitPattern: memory.lowerBound)
    let before = Int(address % UInt(alignment))
    let base = memory.lowerBound - before
    let bytes = (memory.upperBound - base + alignment - 1) / alignment * alignment
    guard bytes <= device.bufferBytes else { return nil }
    guard let buffer = try? DeviceBuffer(device, importing: base, bytes: bytes) else { return nil }
    return (buffer, base)
  }
}

extension PixelBuffer {
  /// The memory range of the rows of the first `size` pixels, over all planes.
  fileprivate func rowsInMemory(of size: PixelSize) -> Range<UnsafeMutableRawPointer> {
    var (first, last) = (planes[0].base, planes[0].base)
    for (plane, shape) in zip(planes, format.planes) {
      let rows = shape.rows(height: size.height)
      let end = plane.base + (rows - 1) * plane.rowBytes + shape.rowBytes(width: size.width)
      (first, last) = (min(first, plane.base), max(last, end))
    }
    return first..<last
  }

  /// Whether the gaps between the picture's rows belong to it, and not to a larger picture.
  var ownsRowGaps: Bool {
    if hasPadding { return true }
    let shapes = format.planes
    var index = 0
    while index < planes.count {
      if planes[index].rowBytes != shapes[index].rowBytes(width: width) { return false }
      index += 1
    }
    return true
  }
}
