import Files
import FrameCore
import Synchronization

/// A photo file that is opened once, for its header and for its pixels. All readers read this file, even if its path
/// leads to another one by then.
///
/// Until the pixels are read, at most 512 KiB of the file are in memory.
public final class PhotoFile: Sendable {
  /// The path by which the file was opened.
  public let path: String
  public let header: PhotoHeader
  private let file: InputFile
  /// Whether pixels can be decoded at a reduced size.
  private let isScalable: Bool
  /// The reader that read the header, until it is used.
  private let first: Mutex<PhotoReader?>

  /// Opens a photo file and reads its header.
  ///
  /// - Throws: as `PhotoHeader.read`.
  public init(_ path: String) throws {
    self.path = path
    file = try InputFile(path: path)
    let reader = try PhotoReader(file, headerOnly: true)
    header = PhotoHeader(reader)
    isScalable = reader.fileFormat == .jpeg || reader.isCameraRaw
    let isUsual = file.bytesInMemory <= OpenedPhoto.usualHeader
    first = Mutex(isUsual ? reader : nil)
    // The header was beyond what is kept in memory.
    if !isUsual { file.releaseContents() }
  }

  /// Whether the file has not been modified since it was opened.
  ///
  /// - Throws: `SafelightError(.file)` if the system does not say.
  package var isUnchanged: Bool { get throws { try file.isUnchanged } }

  /// Returns a reader at the first row. The one before must be released.
  ///
  /// - Parameter longEdge: allows the photo to be read smaller, as for `PhotoReader`.
  /// - Throws: as `PhotoReader.init`, and `.file` if the file was modified since it was opened.
  package func reader(scaledToLongEdge longEdge: Int? = nil) throws -> sending PhotoReader {
    if let longEdge, canBeScaled(toLongEdge: longEdge) {
      return try PhotoReader(file, headerOnly: false, scaledToLongEdge: max(longEdge, 1))
    }
    if let reader = takeFirst() { return reader }
    let reader = try PhotoReader(file, headerOnly: false)
    guard PhotoHeader(reader) == header else { throw file.changedError }
    return reader
  }

  /// Whether its pixels can be decoded smaller, in less time, and still have this edge.
  package func canBeScaled(toLongEdge longEdge: Int) -> Bool {
    isScalable && header.size.longEdge / 2 >= longEdge
  }

  private func takeFirst() -> sending PhotoReader? {
    first.withLock { reader in
      let taken = reader
      reader = nil
      return taken
    }
  }

  /// Returns the fingerprint of the whole file.
  package func fingerprint() throws -> FileFingerprint {
    try FileFingerprint(of: file.descriptor, path: path)
  }

  /// The length of the file when it was opened, in bytes.
  package var byteCount: Int { file.byteCount }
}
