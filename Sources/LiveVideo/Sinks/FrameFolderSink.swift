import Files
import FrameCore
import PhotoIO
import Synchronization
import Libc

/// Writes each picture to a file of its own: `frame-000001.jpg`, `frame-000002.jpg` …
///
/// A file appears under its name only when it is complete. The folder is created if it does not exist. Frames of
/// an earlier run are kept: numbers continue after the highest one there, as a camera's do.
public final class FrameFolderSink: AnnouncingSink, @unchecked Sendable {
  public let name: String
  public let folder: String
  /// The number of the next file; valid after `open`.
  public private(set) var nextNumber = 1

  private let format: PhotoFileFormat
  private let quality: Int
  private let said = Mutex<String?>(nil)

  private static let prefix = "frame-"

  /// - Parameters:
  ///   - format: JPEG or PNG.
  ///   - quality: the JPEG quality, 1…100.
  /// - Throws: `SafelightError(.unsupported)` for other formats.
  public init(folder: String, format: PhotoFileFormat = .jpeg, quality: Int = 92) throws {
    guard format == .jpeg || format == .png else {
      throw SafelightError(
        .unsupported, "Frames are not written as \(format.name)", remedy: "use JPEG or PNG")
    }
    self.folder = folder
    self.format = format
    self.quality = quality
    name = SinkSpecification.frames(folder: folder, format: format).description
  }

  /// Where numbering continues, once that is known; nil in a folder without frames.
  public var announcement: String? { said.withLock { $0 } }

  public func open(_ format: SinkFormat) throws {
    try Folder.make(folder)
    let highest = try highestNumber()
    nextNumber = highest + 1
    if highest > 0 {
      let next = fileName(nextNumber)
      said.withLock { $0 = "\(folder) holds frames up to number \(highest); these go on with \(next)" }
    }
  }

  public func write(_ frame: RenderedFrame) throws {
    let writer = try PhotoWriter(
      to: "\(folder)/\(fileName(nextNumber))", format: format, size: frame.picture.size, quality: quality,
      tags: frame.picture.tags)
    try writer.write(frame.picture)
    // Flushing to disk after each frame would take longer than the frame itself.
    try writer.finish(durable: false)
    nextNumber += 1
  }

  public func close() {}

  private func fileName(_ number: Int) -> String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, 6 - digits.utf8.count))
    return "\(Self.prefix)\(zeros)\(digits).\(format == .jpeg ? "jpg" : "png")"
  }

  /// The highest number of the frames in the folder, of either format; 0 if there are none.
  private func highestNumber() throws -> Int {
    guard let entries = opendir(folder) else {
      throw SafelightError(
        .file, "Cannot read the folder \(folder): \(errorText(errno))",
        remedy: "choose another folder or change its permissions")
    }
    defer { closedir(entries) }
    var highest = 0
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasPrefix(Self.prefix), let dot = name.lastIndex(of: ".") else { continue }
      let digits = name[name.index(name.startIndex, offsetBy: Self.prefix.count)..<dot]
      // Longer numbers are not from this sink, and would leave no room for the next.
      guard digits.utf8.count <= 15, digits.utf8.allSatisfy({ (48...57).contains($0) }),
        let number = Int(digits)
      else { continue }
      highest = max(highest, number)
    }
    return highest
  }
}
