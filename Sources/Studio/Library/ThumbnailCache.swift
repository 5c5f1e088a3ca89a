import Libc
import Safelight
import Synchronization

/// Small pictures on the disk, so that a folder that was looked at before is there at once.
///
/// Each is a file of its own, named by everything that it shows: the photo's path, size and time of change, its edit and
/// the size of the picture. So nothing has to be found out of date. Several programs may use the folder at once: files
/// appear whole, and one that is damaged is ignored. Those used longest ago are removed.
final class ThumbnailCache: Sendable {
  struct Picture: Sendable {
    let width, height: Int
    let jpeg: [UInt8]
  }

  private let folder: String?
  private let limit: Int
  /// Bytes written since the folder was last made smaller; all of them at first.
  private let written = Atomic(Int.max)

  /// Changes when thumbnails look different.
  private static let version = 1
  private static let magic = Array("SLTN".utf8)

  /// - Parameters:
  ///   - folder: nil keeps nothing.
  ///   - limit: the most bytes that are kept, about.
  init(
    folder: String? = CacheFolder.path.map { FolderListing.path("thumbnails", in: $0) },
    limit: Int = 512 << 20
  ) {
    (self.folder, self.limit) = (folder, limit)
  }

  /// The name of a picture; nil if the photo is gone.
  ///
  /// - Throws: `SafelightError` if the photo's edit cannot be read.
  func key(_ photo: String, edge: Int) throws -> String? {
    var status = stat()
    guard stat(photo, &status) == 0 else { return nil }
    let edit =
      StoredEdit.isThere(forPhoto: photo)
      ? try RecipeSidecar.fingerprint(forPhoto: photo, acceptChanged: true, options: []) : ""
    let text =
      "\(Self.version) \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec) \(status.st_ino) \(edge) \(edit) \(SafelightVersion.current) \(photo)"
    return try FileFingerprint(of: Array(text.utf8)).hash
  }

  /// Returns a picture; nil if there is none, or a damaged one.
  func read(_ key: String) -> Picture? {
    guard let path = path(of: key), FileContents.kind(of: path) == .file,
      let bytes = try? FileContents.read(path, .regularFile, atMost: Self.mostBytes), bytes.count > 10,
      bytes.starts(with: Self.magic)
    else { return nil }
    func number(_ index: Int) -> Int { Int(bytes[index]) | Int(bytes[index + 1]) << 8 }
    let (width, height, jpeg) = (number(4), number(6), Array(bytes[8...]))
    guard width > 0, height > 0, jpeg.starts(with: [0xFF, 0xD8]), jpeg.suffix(2) == [0xFF, 0xD9] else {
      return nil
    }
    // Used: it is among the last to go.
    utimensat(AT_FDCWD, path, nil, 0)
    return Picture(width: width, height: height, jpeg: jpeg)
  }

  /// Keeps a picture. A disk that is full, or a folder that cannot be written, only costs time later.
  func write(_ picture: Picture, as key: String) {
    guard let folder, let path = path(of: key) else { return }
    func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
    let bytes = Self.magic + number(picture.width) + number(picture.height) + picture.jpeg
    do {
      try Folder.makeWithParents(FolderListing.parent(of: path), permissions: CacheFolder.permissions)
      let file = try OutputFile(path: path, overwrite: true)
      try file.write(bytes)
      try file.commit(durable: false)
    } catch {
      return
    }
    let count = written.load(ordering: .relaxed)
    let sum = count == .max ? .max : count + bytes.count
    written.store(sum, ordering: .relaxed)
    if sum > limit / 8 {
      written.store(0, ordering: .relaxed)
      Self.trim(folder, to: limit)
    }
  }

  private static let mostBytes = 4 << 20

  private func path(of key: String) -> String? {
    // A folder with tens of thousands of files is slow on some systems.
    folder.map { FolderListing.path("\(key.prefix(2))/\(key.dropFirst(2))", in: $0) }
  }

  /// Removes the files used longest ago until the rest is well within a limit.
  private static func trim(_ folder: String, to limit: Int) {
    var files: [(path: String, bytes: Int, used: Int)] = []
    for part in (try? FolderListing.names(in: folder).names) ?? [] {
      let below = FolderListing.path(part, in: folder)
      for name in (try? FolderListing.names(in: below).names) ?? [] {
        let path = FolderListing.path(name, in: below)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
        files.append((path, Int(status.st_size), Int(status.st_mtim.tv_sec)))
      }
    }
    var total = files.reduce(0) { $0 + $1.bytes }
    guard total > limit else { return }
    for file in files.sorted(by: { $0.used < $1.used }) where total > limit / 5 * 4 {
      unlink(file.path)
      total -= file.bytes
    }
  }
}
