import Files
import FrameCore
import Libc
import PhotoIO
import PhotoPipeline
import Sidecars
import Synchronization

/// The names of photos taken in one run, each used once.
///
/// | destination | means |
/// |---|---|
/// | `DIR/`, or a folder that exists | `safelight-DATE-TIME.jpg` in it |
/// | `name.jpg` | this name; further photos get a number |
/// | `name.dng` | the same, for the samples of the sensor |
/// | `DIR/{date}/{index:04}.jpg` | a `NameTemplate`, below the part without fields |
///
/// Those of photos that get a movie end in `.MP.jpg`, as galleries expect it of Motion Photos.
///
/// Nothing is replaced: a name that is taken gets a number, but for a single photo with a name of its own, which is
/// refused before it is taken. Folders are created when the first photo needs them, and again if they are removed.
public final class PhotoNames: Sendable {
  /// The folder that names are below. Empty is the working folder.
  public let folder: String
  public let format: PhotoFileFormat
  /// Whether photos are digital negatives, of whatever `format`.
  public let isDNG: Bool
  private let template: NameTemplate
  private let pathExtension: String
  /// Whether all photos of a run have one name, but for the numbers that keep them apart.
  private let isOneName: Bool
  /// What the name of a second file of each photo ends in; nil if there is none.
  private let companion: String?
  private let state = Mutex(State())

  private struct State {
    var used: Set<PathKey> = []
    /// The first photo's number for which no name is reserved, if all have one name.
    var nextNumber = 1
    /// Names for photos that are still processed, by their numbers.
    var reserved: [Int: (name: String, path: String)] = [:]
  }

  /// How often another program may take a name first.
  private static let mostAttempts = 100
  /// The most photos, before one that is named, that names are reserved for.
  private static let mostReserved = 64

  /// - Parameters:
  ///   - destination: as in the table.
  ///   - format: the format if the destination names none.
  ///   - isDNG: whether photos are digital negatives; a destination with the extension `dng` says so too.
  ///   - isSingle: whether one photo is to be taken.
  ///   - isMotionPhoto: whether photos are JPEGs that get a movie.
  ///   - companion: what the name of a file ends in that comes beside each photo, such as `.mov`: photos take no name
  ///     of which that file is there.
  /// - Throws: `SafelightError`: `.invalidValue` or `.unsupported` if the template is wrong or names a format that is
  ///   not written, `.file` if the file of a single photo exists.
  public init(
    _ destination: String, format: PhotoFileFormat = .jpeg, isDNG: Bool = false, isSingle: Bool = false,
    isMotionPhoto: Bool = false, companion: String? = nil
  ) throws {
    self.companion = companion
    let isFolder =
      destination.isEmpty || destination.hasSuffix("/") || FileContents.kind(of: destination) == .folder
    let (folder, name) = isFolder ? (destination, "{stem}") : Self.split(destination)
    self.folder = Self.withoutSlashes(folder)
    let isNamedDNG = !isFolder && Self.isDNG(name)
    let named = isFolder || isNamedDNG ? nil : try Self.format(of: name, in: destination)
    self.format = named ?? format
    self.isDNG = isNamedDNG || isDNG
    if isDNG, let named {
      throw SafelightError(
        .invalidValue, "\(destination) is the name of a \(named.name) file, and DNGs are to be written",
        remedy: "give a name with .dng")
    }
    if named != nil || isNamedDNG, let dot = name.lastIndex(of: ".") {
      // As it is written: `.JPG` stays.
      pathExtension = (isMotionPhoto ? Self.motionMark : "") + name[dot...]
      let stem = name[..<dot]
      let isMarked = isMotionPhoto && stem.hasSuffix(Self.motionMark)
      template = try NameTemplate(stem.dropLast(isMarked ? Self.motionMark.count : 0) + "{ext}")
    } else {
      pathExtension =
        (isMotionPhoto ? Self.motionMark : "") + Self.usualExtension(format, isDNG: isDNG)
      template = try NameTemplate(name)
    }
    let names = try [1, 2].map { [template, pathExtension] in
      try template.name(NameTemplate.Values(stem: "\($0)", pathExtension: pathExtension, index: $0))
    }
    isOneName = names[0] == names[1]
    let path = Self.path(names[0], in: self.folder)
    guard !isFolder, !name.contains("{"), isSingle else { return }
    let taken = [path] + (companion.map { [path[..<Self.stemEnd(of: path)] + $0] } ?? [])
    if let existing = taken.first(where: { FileContents.kind(of: $0) != .missing }) {
      throw SafelightError(
        .file, "\(existing) already exists, and photos replace nothing",
        remedy: "give another name, or a folder")
    }
  }

  private static func usualExtension(_ format: PhotoFileFormat, isDNG: Bool) -> String {
    isDNG ? ".dng" : "." + (format.pathExtensions.first ?? format.rawValue)
  }

  /// What stands before the extension of Motion Photos.
  private static let motionMark = ".MP"

  /// Where the stem of a name ends: before its extension, and before the mark of a Motion Photo.
  static func stemEnd(of path: String) -> String.Index {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
    guard dot < path.endIndex, path[name..<dot].hasSuffix(motionMark) else { return dot }
    let end = path.index(dot, offsetBy: -motionMark.count)
    return end > name ? end : dot
  }

  /// Creates the folder, so that one that cannot be created is known before the first photo.
  ///
  /// - Throws: `SafelightError` if it cannot be created.
  public func makeFolder() throws {
    if !folder.isEmpty { try Folder.makeWithParents(folder) }
  }

  /// The format that the extension of a name states; nil if there is none, or if a field makes it.
  ///
  /// - Throws: `SafelightError` if it is none that is written.
  private static func format(of name: String, in destination: String) throws -> PhotoFileFormat? {
    let last = name.lastIndex(of: "/").map { name[name.index(after: $0)...] } ?? name[...]
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return nil }
    let letters = last[last.index(after: dot)...]
    guard (1...5).contains(letters.utf8.count), letters.first?.isLetter == true,
      letters.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return nil }
    return try PhotoFileFormat(forWritingTo: destination)
  }

  /// Whether a name has the extension `dng`, in any case.
  public static func isDNG(_ name: String) -> Bool { name.lowercased().hasSuffix(".dng") }

  /// The folder without slashes at its end, but for `/` itself.
  static func withoutSlashes(_ folder: String) -> String {
    var folder = folder[...]
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return String(folder)
  }

  /// The folder before the first field, and the rest.
  private static func split(_ destination: String) -> (folder: String, name: String) {
    let plain = destination.prefix { $0 != "{" }
    guard let slash = plain.lastIndex(of: "/") else { return ("", destination) }
    let name = destination[destination.index(after: slash)...]
    return (slash == plain.startIndex ? "/" : String(destination[..<slash]), String(name))
  }

  /// Whether names depend on the size of the photo.
  var needsSize: Bool { template.needsSize }

  /// Returns the path for a photo, which may be taken.
  ///
  /// - Parameters:
  ///   - number: the photo's number in its run, from 1.
  ///   - date: when it was captured; nil if the clock is not set.
  ///   - exposure: its position in a bracket, from 0: added to the name as a number from 1, unless the name has
  ///     another one; nil for other photos.
  /// - Throws: `SafelightError` if the template leads out of the folder, or a folder in it cannot be created.
  func name(
    _ number: Int, at date: CaptureFacts.Date?, camera: String? = nil, preset: String? = nil,
    size: PixelSize? = nil, exposure: Int? = nil
  ) throws -> String {
    let name = try template.name(
      NameTemplate.Values(
        stem: date.map { "safelight-\($0.fileName)" } ?? "safelight", pathExtension: pathExtension,
        preset: preset, index: number, date: date, camera: camera, size: size))
    let path = Self.path(name, in: folder)
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try Folder.makeWithParents(String(path[..<slash]))
    }
    guard let exposure, !template.text.contains("{index") else { return path }
    return Self.numbered(path, exposure + 1)
  }

  /// `a.jpg` becomes `a-2.jpg`, and `a.MP.jpg` `a-2.MP.jpg`.
  static func numbered(_ path: String, _ number: Int) -> String {
    let end = stemEnd(of: path)
    return "\(path[..<end])-\(number)\(path[end...])"
  }

  private static func path(_ name: String, in folder: String) -> String {
    folder.isEmpty || folder == "/" ? folder + name : folder + "/" + name
  }

  /// Calls `write` with the path, or with a number added if it is taken, until another program does not take it first.
  ///
  /// - Parameter number: the photo's number in its run, which the order of names follows; nil for files beside a photo.
  func placing<Value>(_ path: String, of number: Int? = nil, _ write: (String) throws -> Value) throws
    -> Value
  {
    for _ in 1..<Self.mostAttempts {
      do {
        return try write(unused(path, of: number))
      } catch let error as SafelightError where error.code == .exists {
        continue
      }
    }
    return try write(unused(path, of: number))
  }

  /// Returns the path, with a number if it is used, and counts it as used. An edit left beside a photo that is gone takes its
  /// name too: it would become the new photo's.
  ///
  /// If all photos have one name, earlier ones that are not named yet get the names before this one: photos
  /// of a burst are processed at the same time.
  func unused(_ path: String, of number: Int? = nil) -> String {
    state.withLock { state in
      guard let number, isOneName else { return use(path, &state.used) }
      if let own = state.reserved.removeValue(forKey: number), own.name == path, !isThere(own.path) {
        return own.path
      }
      for earlier in max(state.nextNumber, number - Self.mostReserved)..<max(state.nextNumber, number) {
        state.reserved[earlier] = (path, use(path, &state.used))
      }
      state.nextNumber = max(state.nextNumber, number + 1)
      return use(path, &state.used)
    }
  }

  /// Gives back a path that `unused` returned, and that was not used.
  func giveBack(_ path: String) { state.withLock { _ = $0.used.remove(PathKey(path)) } }

  private func isThere(_ path: String) -> Bool {
    // A link to nothing is in the way too.
    func exists(_ path: String) -> Bool {
      var facts = stat()
      return lstat(path, &facts) == 0
    }
    if let companion, exists(path[..<Self.stemEnd(of: path)] + companion) { return true }
    return exists(path) || RecipeSidecar.exists(forPhoto: path)
  }

  private func use(_ path: String, _ used: inout Set<PathKey>) -> String {
    let path = Self.numbered(path) { used.contains(PathKey($0)) || isThere($0) }
    used.insert(PathKey(path))
    return path
  }

  /// Returns the path, with the first number that is not taken if it is: `a.jpg`, `a-2.jpg` …
  static func numbered(_ path: String, isTaken: (String) -> Bool) -> String {
    var (candidate, number) = (path, 1)
    while isTaken(candidate) {
      number += 1
      candidate = numbered(path, number)
    }
    return candidate
  }
}
