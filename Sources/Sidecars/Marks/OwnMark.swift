import Files
import FrameCore
import Libc
import PhotoIO

extension XMPMark {
  /// What a photo says itself: its XMP, or else the rating in its EXIF. Damage there is no reason to refuse a mark.
  init(ofPhoto path: String) {
    self.init()
    guard Self.mayBe(in: path), let metadata = try? PhotoHeader.read(path).metadata else { return }
    if let packet = metadata.xmp, let properties = try? XMPProperties(packet: packet, file: path) {
      self.init(properties)
    }
    rating = rating ?? metadata.rating
  }

  /// Whether a photo may say something: most say nothing, and their headers need not be read, which for camera raws
  /// takes a while. Only for JPEG and camera raws, whose metadata are at the beginning.
  private static func mayBe(in path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: headBytes, alignment: 16) { buffer in
      let count = retryingInterrupted { pread(file, buffer.baseAddress, buffer.count, 0) }
      guard count > 4 else { return false }
      let head = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      guard head.starts(with: [0xFF, 0xD8, 0xFF]) || MarkFiles.isRaw(path) else { return true }
      return signs.contains { contains($0, head) }
    }
  }

  private static func contains(_ sign: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var place = 0
    while place + sign.count <= bytes.count,
      let hit = memchr(base + place, Int32(sign[0]), bytes.count - sign.count + 1 - place)
    {
      if memcmp(hit, sign, sign.count) == 0 { return true }
      place = UnsafeRawPointer(hit) - base + 1
    }
    return false
  }

  /// An EXIF block and an XMP packet, of up to 64 KiB each in JPEG.
  private static let headBytes = 1 << 17

  /// The names of the properties, and EXIF's field Rating (0x4746, one number of 16 bits) in both byte orders.
  private static let signs: [[UInt8]] =
    ["Rating", "Label", "xmpDM"].map { Array($0.utf8) } + [
      [0x46, 0x47, 3, 0, 1, 0, 0, 0], [0x47, 0x46, 0, 3, 0, 0, 0, 1],
    ]
}
