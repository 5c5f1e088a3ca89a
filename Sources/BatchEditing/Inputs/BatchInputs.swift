import Files
import FrameCore
import PhotoIO
import Libc

/// The photos that a batch is to edit, found from what the user named.
public struct BatchInputs: Sendable {
  /// One photo.
  public struct Photo: Sendable, Hashable {
    public var path: String
    /// The folders between the folder that was named and the photo, with slashes between; empty where there are none.
    public var folder: String
    /// Whether it was named itself, not only a folder or a pattern that it belongs to.
    public var isNamed: Bool
    /// The number that it had in an earlier run, which is being repeated.
    public var index: Int?
    /// Why it is not edited, as `passOver` says; nil where it is.
    public fileprivate(set) var passedOver: String?

    public init(path: String, folder: String = "", isNamed: Bool = true, index: Int? = nil) {
      (self.path, self.folder, self.isNamed, self.index) = (path, folder, isNamed, index)
    }

    /// The path from the root, without symbolic links to its folder: the same however the photo was named.
    var origin: String {
      let parent = FolderListing.parent(of: path)
      guard let name = path.split(separator: "/").last, let real = realpath(parent, nil) else { return path }
      defer { free(real) }
      return FolderListing.path(String(name), in: String(cString: real))
    }
  }

  /// In the order in which they were named, in natural order within folders; none twice.
  public private(set) var photos: [Photo] = []
  /// Names and folders that could not be used, and why.
  public private(set) var problems: [SafelightError] = []
  /// What was left out on purpose, one sentence each.
  public private(set) var notes: [String] = []

  private var seen: Set<FileIdentity> = []
  private let isRecursive: Bool
  private let output: FileIdentity?

  /// - Parameters:
  ///   - names: files, folders, or patterns of glob(7). A file is taken whatever its ending; in folders only pictures
  ///     are, told by their endings.
  ///   - recursive: whether folders in folders are looked into. Folders that were seen, as through a symbolic link to
  ///     one above, are not looked into again.
  ///   - output: a folder that is never looked into unless it was named itself: results are no inputs.
  public init(_ names: [String], recursive: Bool, output: String? = nil) {
    isRecursive = recursive
    self.output = output.flatMap(FileIdentity.init)
    for name in names { add(name) }
  }

  /// Photos that are known already, in their order; those that are gone are problems.
  public init(_ photos: [Photo]) {
    (isRecursive, output) = (false, nil)
    for photo in photos {
      if let identity = FileIdentity(photo.path) {
        add(photo, identity)
      } else {
        addMissing(photo.path, errno)
      }
    }
  }

  /// Adds what cannot be used and was found elsewhere.
  public mutating func add(problem: SafelightError) { problems.append(problem) }

  private mutating func add(_ name: String) {
    guard !name.isEmpty else {
      problems.append(SafelightError(.invalidValue, "The name of a photo is empty", remedy: "leave it out"))
      return
    }
    if let identity = FileIdentity(name) {
      if identity.isFolder {
        addFolder(name, identity, below: "")
      } else {
        add(Photo(path: name), identity)
      }
      return
    }
    let code = errno
    let found = Self.matches(name)
    guard found.isEmpty else {
      for path in found.sorted(by: naturallyPrecedes) {
        guard let identity = FileIdentity(path) else {
          path.contains("\u{FFFD}")
            ? problems.append(FolderListing.unreadableName(path)) : addMissing(path, errno)
          continue
        }
        if identity.isFolder {
          addFolder(path, identity, below: "")
        } else {
          add(Photo(path: path, isNamed: false), identity)
        }
      }
      return
    }
    addMissing(name, code)
  }

  private mutating func addMissing(_ name: String, _ code: Int32) {
    problems.append(
      code == ENOENT || code == ENOTDIR
        ? SafelightError(.file, "Cannot read \(name): there is no such file", remedy: "check the spelling")
        : SafelightError(
          .file, "Cannot read \(name): \(String(cString: strerror(code)))", remedy: "check the path"))
  }

  private mutating func add(_ photo: Photo, _ identity: FileIdentity) {
    guard seen.insert(identity).inserted else {
      notes.append("\(photo.path) was named before and counts once")
      return
    }
    photos.append(photo)
  }

  private mutating func addFolder(_ path: String, _ identity: FileIdentity, below: String) {
    guard seen.insert(identity).inserted else { return }
    let names: (names: [String], unreadable: [String])
    do {
      names = try FolderListing.names(in: path)
    } catch {
      if let error = error as? SafelightError { problems.append(error) }
      return
    }
    for name in names.unreadable where Self.isPicture(name) {
      problems.append(FolderListing.unreadableName(FolderListing.path(name, in: path)))
    }
    var folders: [(String, FileIdentity)] = []
    for name in names.names {
      let child = FolderListing.path(name, in: path)
      guard let identity = FileIdentity(child) else {
        let code = errno
        if Self.isPicture(name) {
          problems.append(
            SafelightError(
              .file, "Cannot read \(child): \(String(cString: strerror(code)))",
              remedy: "check where the link leads"))
        }
        continue
      }
      if identity.isFolder {
        if identity != output { folders.append((name, identity)) }
      } else if Self.isPicture(name) {
        add(Photo(path: child, folder: below, isNamed: false), identity)
      }
    }
    guard isRecursive else { return }
    for (name, identity) in folders {
      addFolder(FolderListing.path(name, in: path), identity, below: FolderListing.path(name, in: below))
    }
  }

  /// Leaves out photos on purpose: they count as skipped.
  ///
  /// - Parameter reason: one for a photo that is not to be edited, else nil.
  public mutating func passOver(_ reason: (Photo) -> String?) {
    for index in photos.indices { photos[index].passedOver = reason(photos[index]) }
  }

  static func isPicture(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return PhotoFileFormat.readablePathExtensions.contains(name[name.index(after: dot)...].lowercased())
  }

  private static func matches(_ pattern: String) -> [String] {
    guard pattern.contains(where: { "*?[".contains($0) }) else { return [] }
    return ImageSequenceFiles.matches(pattern)
  }

  /// Names that a list holds and that are no UTF-8, made readable.
  public static func unreadableNames(inList bytes: [UInt8]) -> [String] {
    lines(bytes).filter { String(validating: $0, as: UTF8.self) == nil }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let separator: UInt8 = bytes.contains(0) ? 0 : 10
    return bytes.split(separator: separator).map { line in
      // Lists from Windows end their lines with CR LF.
      separator == 10 && line.last == 13 ? line.dropLast() : line
    }
  }

  /// The names in a list that a program wrote: NUL-separated where it holds a NUL, else one a line. Those that are no
  /// UTF-8 are left to `unreadableNames`.
  public static func names(inList bytes: [UInt8]) -> [String] {
    lines(bytes).compactMap { String(validating: $0, as: UTF8.self) }.filter { !$0.isEmpty }
  }
}
