import Files
import FrameCore
import PhotoIO
import Libc

/// The photos that a batch should edit, found from the names the user gave.
public struct BatchInputs: Sendable {
  /// One photo.
  public struct Photo: Sendable, Hashable {
    public var path: String
    /// The subfolders from the named folder to the photo, separated by slashes; empty if there are none.
    public var folder: String
    /// Whether it was named itself, rather than through a folder or a pattern.
    public var isNamed: Bool
    /// The number that it had in the earlier run that is being repeated.
    public var index: Int?
    /// Why it is not edited; nil if it is.
    public fileprivate(set) var passedOver: String?

    public init(path: String, folder: String = "", isNamed: Bool = true, index: Int? = nil) {
      (self.path, self.folder, self.isNamed, self.index) = (path, folder, isNamed, index)
    }

    /// The absolute path, with symbolic links in its folder resolved: the same however the photo was named.
    var origin: String {
      let parent = FolderListing.parent(of: path)
      guard let name = path.split(separator: "/").last, let real = realpath(parent, nil) else { return path }
      defer { free(real) }
      return FolderListing.path(String(name), in: String(cString: real))
    }
  }

  /// The photos in the order in which they were named, in natural order within folders, without duplicates.
  public private(set) var photos: [Photo] = []
  /// Names and folders that could not be used, and why.
  public private(set) var problems: [SafelightError] = []
  /// What was omitted on purpose, one sentence each.
  public private(set) var notes: [String] = []

  private var seen: Set<FileIdentity> = []
  private let isRecursive: Bool
  private let output: FileIdentity?

  /// - Parameters:
  ///   - names: files, folders, or patterns of glob(7). A named file is taken whatever its extension; in folders
  ///     only pictures are taken, recognized by their extensions.
  ///   - recursive: whether subfolders are searched. A folder that was visited before, such as through a symbolic
  ///     link to a parent, is not searched again.
  ///   - output: a folder that is not searched unless it was named itself: results are not inputs.
  public init(_ names: [String], recursive: Bool, output: String? = nil) {
    isRecursive = recursive
    self.output = output.flatMap(FileIdentity.init)
    for name in names { add(name) }
  }

  /// Creates inputs from known photos, in their order; missing ones become problems.
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

  /// Adds a problem that was found elsewhere.
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
          .file, "Cannot read \(name): \(errorText(code))", remedy: "check the path"))
  }

  private mutating func add(_ photo: Photo, _ identity: FileIdentity) {
    guard seen.insert(identity).inserted else {
      notes.append("\(photo.path) was named more than once and counts once")
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
              .file, "Cannot read \(child): \(errorText(code))",
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

  /// Excludes photos on purpose: they count as skipped.
  ///
  /// - Parameter reason: returns the reason for a photo that should not be edited, else nil.
  package mutating func passOver(_ reason: (Photo) -> String?) {
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

  /// Returns the names in a list that are not valid UTF-8, made readable.
  package static func unreadableNames(inList bytes: [UInt8]) -> [String] {
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

  /// Returns the names in a list that a program wrote: NUL-separated if it contains a NUL, else one per line.
  /// Names that are not UTF-8 are left out.
  public static func names(inList bytes: [UInt8]) -> [String] {
    lines(bytes).compactMap { String(validating: $0, as: UTF8.self) }.filter { !$0.isEmpty }
  }
}
