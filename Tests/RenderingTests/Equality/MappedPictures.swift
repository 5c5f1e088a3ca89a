import FrameCore
import RendererTestSupport
import Testing
import Libc

extension CameraPictures {
  /// A copy whose planes end where memory ends: reading on is a fault.
  static func atEndOfMapping(_ source: PixelBuffer) throws -> PixelBuffer {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    var mappings: [(UnsafeMutableRawPointer, Int)] = []
    var planes: [(base: UnsafeMutableRawPointer, rowBytes: Int)] = []
    for (index, shape) in source.format.planes.enumerated() {
      let rowBytes = shape.rowBytes(width: source.width)
      let bytes = rowBytes * shape.rows(height: source.height)
      let length = (bytes + page - 1) / page * page
      let mapping = try #require(
        mmap(nil, length + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
      mprotect(mapping + length, page, PROT_NONE)
      let base = mapping + length - bytes
      for y in 0..<shape.rows(height: source.height) {
        memcpy(base + y * rowBytes, source.planes[index].row(y), rowBytes)
      }
      mappings.append((mapping, length + page))
      planes.append((base, rowBytes))
    }
    let mapped = Mappings(mappings)
    return try PixelBuffer(
      wrapping: planes, size: source.size, format: source.format, tags: source.tags,
      release: { mapped.unmap() })
  }

  private final class Mappings: @unchecked Sendable {
    private let list: [(UnsafeMutableRawPointer, Int)]
    init(_ list: [(UnsafeMutableRawPointer, Int)]) { self.list = list }
    func unmap() { for (base, length) in list { munmap(base, length) } }
  }
}
