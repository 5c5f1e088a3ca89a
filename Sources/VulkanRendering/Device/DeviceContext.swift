import FrameCore
import Synchronization
import VulkanCompute

/// An open device with its compiled kernels, its lanes, and the pictures imported into it.
final class DeviceContext: Sendable {
  let device: DeviceHandle
  let lanes: LanePool
  /// The maximum bytes of device memory to use; nil leaves that to the driver.
  private let memoryLimit: Int?

  private struct Kernels {
    var compiled: [ShaderVariant: DeviceKernel] = [:]
    /// The cache's contents on disk.
    var cache: [UInt8]
  }
  private let kernels: Mutex<Kernels>
  private let cacheFile: PipelineCacheFile?
  private let imports = Mutex<[WeakImport]>([])

  private struct WeakImport: @unchecked Sendable {
    weak var memory: ImportedMemory?
  }

  /// The number of kernels kept: dragging a slider needs the same ones again and again.
  private static let kernelLimit = 128

  init(
    _ device: VulkanDevice, memoryLimit: Int?, cacheFile: PipelineCacheFile?, copiesAlways: Bool
  ) throws {
    let cache = cacheFile?.read() ?? []
    self.device = try DeviceHandle(device, cache: cache, copiesAlways: copiesAlways)
    lanes = try LanePool(self.device)
    self.memoryLimit = memoryLimit
    self.cacheFile = cacheFile
    kernels = Mutex(Kernels(cache: cache))
  }

  deinit {
    imports.withLock { list in
      for entry in list { entry.memory?.release() }
    }
  }

  // MARK: Kernels

  /// Returns the kernels of `variants`, compiling those that are missing.
  func kernels(_ variants: [ShaderVariant]) throws -> [DeviceKernel] {
    try kernels.withLock { kernels in
      var isNew = false
      let found = try variants.map { variant in
        if let kernel = kernels.compiled[variant] { return kernel }
        isNew = true
        let kernel = try DeviceKernel(device, variant)
        if kernels.compiled.count >= Self.kernelLimit { kernels.compiled.removeAll() }
        kernels.compiled[variant] = kernel
        return kernel
      }
      if isNew, let cacheFile {
        let cache = device.pipelineCache
        if cache != kernels.cache {
          cacheFile.write(cache)
          kernels.cache = cache
        }
      }
      return found
    }
  }

  // MARK: Memory

  /// The bytes that frames may take, including memory that lanes hold.
  var frameBudget: Int {
    let held = lanes.heldBytes
    guard let memoryLimit else { return (device.availableBytes + held) / 4 * 3 }
    return max(memoryLimit - (device.allocatedBytes - held), memoryLimit / 8)
  }

  /// Makes a buffer that kernels read, containing `words`.
  func makeTables(_ words: [UInt32]) throws -> DeviceBuffer {
    let bytes = max(4, 4 * words.count)
    let staged = try DeviceBuffer(device, bytes: bytes, VC_MEMORY_UPLOAD)
    let contents = try staged.contents()
    words.withUnsafeBytes { words in
      if let base = words.baseAddress { contents.copyMemory(from: base, byteCount: words.count) }
    }
    staged.flush(bytes)
    guard !device.isUnified else { return staged }
    let tables = try DeviceBuffer(device, bytes: bytes, VC_MEMORY_DEVICE)
    let recording = try Recording(device, timestamps: 0)
    try recording.begin()
    recording.copy(staged, to: tables, bytes: bytes)
    try recording.submit()
    try recording.wait()
    return tables
  }

  /// Returns the input picture imported into the device; nil if it must be copied.
  func imported(_ picture: PixelBuffer) -> ImportedPicture? { imported(picture, picture.size) }

  /// Returns the memory of the picture's first pixels, `size` of them, imported for writing.
  ///
  /// A device copy must not touch memory between the picture's rows that others may change at the same time. And
  /// nobody makes what a device writes to a dma-buf visible to the processor.
  ///
  /// - Returns: nil if the pixels must be copied.
  func importedOutput(_ picture: PixelBuffer, _ size: PixelSize) -> ImportedPicture? {
    guard picture.ownsRowGaps, picture.dmaBuf == nil else { return nil }
    return imported(picture, size)
  }

  private func imported(_ picture: PixelBuffer, _ size: PixelSize) -> ImportedPicture? {
    guard device.limits.import_alignment > 0 || (device.limits.imports_dma_buf != 0 && picture.dmaBuf != nil)
    else { return nil }
    let owner = ObjectIdentifier(self)
    if let known = picture.attachment(of: owner) as? ImportedMemory { return known.picture(picture, size) }
    let memory = ImportedMemory(device)
    picture.attach(memory, of: owner)
    imports.withLock { list in
      list.removeAll { $0.memory == nil }
      list.append(WeakImport(memory: memory))
    }
    return memory.picture(picture, size)
  }
}
