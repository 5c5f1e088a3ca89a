import Files
import FrameCore

/// What is known of the photos of a folder, kept in a file of that folder, so that only new and changed photos are read.
public struct SimilarityIndex: Sendable, Hashable {
  /// What tells whether a file was changed: a copy of the folder keeps all of it.
  struct Stamp: Sendable, Hashable {
    var bytes: Int
    var seconds: Int
    var nanoseconds: Int

    /// Nil if there is no such file.
    init?(_ path: String) {
      guard let version = FileVersion(path) else { return nil }
      (bytes, seconds, nanoseconds) = (version.length, version.seconds, version.nanoseconds)
    }

    init(bytes: Int, seconds: Int, nanoseconds: Int) {
      (self.bytes, self.seconds, self.nanoseconds) = (bytes, seconds, nanoseconds)
    }
  }

  struct Entry: Sendable, Hashable {
    var stamp: Stamp
    var signature: PhotoSignature
  }

  /// The name of the file within the folder.
  public static let fileName = ".safelight-similar"

  /// By the path of the photo from the folder on.
  var entries: [String: Entry] = [:]
  public var count: Int { entries.count }

  public init() {}

  /// Returns what is known of a photo, unless it was changed since.
  func signature(_ name: String, _ stamp: Stamp) -> PhotoSignature? {
    entries[name].flatMap { $0.stamp == stamp ? $0.signature : nil }
  }

  // MARK: The file

  /// An index of a million photos has 400 MB.
  private static let mostBytes = 2 << 30

  /// Reads the index of a folder; an empty one if there is none.
  ///
  /// - Throws: `SafelightError(.file)` if it cannot be read, `.corruptData` if it is no index of this version.
  public static func read(in folder: String) throws -> SimilarityIndex {
    let path = FolderListing.path(fileName, in: folder)
    guard FileContents.kind(of: path) != .missing else { return SimilarityIndex() }
    return try decode(FileContents.read(path, .regularFile, atMost: mostBytes), path: path)
  }

  /// Replaces the index of a folder; an older one stays until the new one is whole.
  ///
  /// - Throws: `SafelightError` if the folder cannot be written.
  public func write(in folder: String) throws {
    let file = try OutputFile(
      path: FolderListing.path(Self.fileName, in: folder), overwrite: true, followsLinks: false)
    try file.write(encoded())
    try file.commit(durable: false)
  }
}
