import FrameCore
import Synchronization
import VulkanCompute

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A picture whose memory a device reaches.
final class ImportedPicture: Sendable {
  let buffer: DeviceBuffer
  /// In that buffer.
  let layout: DeviceLayout
  /// The part of the buffer that the picture lies in.
  let offset: Int
  let bytes: Int
  /// As in a buffer that begins with that part.
  let copiedLayout: DeviceLayout
  private let planes: [PixelBuffer.Plane]

  /// - Returns: nil where kernels cannot address the samples.
  init?(_ picture: PixelBuffer, in buffer: DeviceBuffer, at base: UnsafeMutableRawPointer) {
    let rows = picture.rowsInMemory
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
      size: picture.size, format: picture.format, columns: 0..<picture.width, rows: 0..<picture.height,
      planes: zip(offsets, picture.planes).map { DeviceLayout.Plane(offset: $0, rowBytes: $1.rowBytes) })
    // Copies are of whole words, too.
    offset = first
    bytes = min(buffer.bytes - first, (end - first + 3) / 4 * 4)
    var copied = layout
    for index in copied.planes.indices { copied.planes[index].offset -= first }
    copiedLayout = copied
  }

  /// Whether `picture` lies where this one does, in the same form.
  func isOf(_ picture: PixelBuffer) -> Bool {
    guard picture.size == layout.size, picture.format == layout.format else { return false }
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

/// The memory of pictures, imported into a device from its second use on and as long as both are there.
///
/// Importing pins pages and costs more than copying a frame once; what comes again is worth it.
final class ImportedMemory: MemoryAttachment, @unchecked Sendable {
  private struct State {
    var isFirstUse = true
    var device: DeviceHandle?
    var buffer: DeviceBuffer?
    var base: UnsafeMutableRawPointer?
    /// Views of the memory that were asked for.
    var pictures: [ImportedPicture] = []
  }
  private let state: Mutex<State>
  /// Views that are remembered.
  private static let views = 4

  init(_ device: DeviceHandle) { state = Mutex(State(device: device)) }

  var isSpent: Bool { state.withLock { $0.device == nil } }

  /// Whether the device reaches it at present.
  var isImported: Bool { state.withLock { $0.buffer != nil } }

  /// Gives the memory back, since its device goes.
  func release() { state.withLock { $0 = State(isFirstUse: false) } }

  /// The picture in the device's terms; nil where it has to be copied.
  func picture(_ picture: PixelBuffer) -> ImportedPicture? {
    state.withLock { state in
      guard !state.isFirstUse else {
        state.isFirstUse = false
        return nil
      }
      var index = 0
      while index < state.pictures.count {
        if state.pictures[index].isOf(picture) { return state.pictures[index] }
        index += 1
      }
      return Self.makeView(of: picture, &state)
    }
  }

  private static func makeView(of picture: PixelBuffer, _ state: inout State) -> ImportedPicture? {
    if state.buffer == nil {
      guard let device = state.device else { return nil }
      guard let (buffer, base) = importMemory(of: picture, into: device) else {
        // Never again.
        state = State(isFirstUse: false)
        return nil
      }
      (state.buffer, state.base) = (buffer, base)
    }
    guard let buffer = state.buffer, let base = state.base,
      let view = ImportedPicture(picture, in: buffer, at: base)
    else { return nil }
    if state.pictures.count >= views { state.pictures.removeFirst() }
    state.pictures.append(view)
    return view
  }

  private static func importMemory(
    of picture: PixelBuffer, into device: DeviceHandle
  ) -> (DeviceBuffer, UnsafeMutableRawPointer)? {
    if let dmaBuf = picture.dmaBuf, device.limits.imports_dma_buf != 0, dmaBuf.bytes <= device.bufferBytes,
      let buffer = try? DeviceBuffer(device, importing: dmaBuf.descriptor, bytes: dmaBuf.bytes)
    {
      return (buffer, dmaBuf.base)
    }
    let alignment = Int(clamping: device.limits.import_alignment)
    let memory = picture.memory
    // The pages about the memory are mapped as a whole; larger units may not be.
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
