import Files
import FrameCore
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
/// Nothing is replaced: a name that is taken gets a number, but for a single photo with a name of its own, which is
/// refused before it is taken.
public final class PhotoNames: Sendable {
  /// The folder that names are below; it is created. Empty is the working folder.
  public let folder: String
  public let format: PhotoFileFormat
  /// Whether photos are digital negatives, of whatever `format`.
  public let isDNG: Bool
  private let template: NameTemplate
  private let pathExtension: String
  private let taken = Mutex<Set<PathKey>>([])

  /// - Parameters:
  ///   - destination: as in the table.
  ///   - format: the format if the destination names none.
  ///   - isDNG: whether photos are digital negatives; a destination with the extension `dng` says so too.
  ///   - isSingle: whether one photo is to be taken.
  /// - Throws: `SafelightError` if the template is wrong, the folder cannot be created, or the file of a single photo
  ///   exists.
  public init(
    _ destination: String, format: PhotoFileFormat = .jpeg, isDNG: Bool = false, isSingle: Bool = false
  )
    throws
  {
    let isFolder =
      destination.isEmpty || destination.hasSuffix("/") || FileContents.kind(of: destination) == .folder
    let (folder, name) = isFolder ? (destination, "{stem}") : Self.split(destination)
    self.folder = Self.withoutSlashes(folder)
    let named = isFolder ? nil : try? PhotoFileFormat(forWritingTo: name)
    self.format = named ?? format
    let isNamedDNG = !isFolder && Self.isDNG(name)
    self.isDNG = isNamedDNG || isDNG
    if isDNG, let named {
      throw SafelightError(
        .invalidValue, "\(destination) is the name of a \(named.name) file, and DNGs are to be written",
        remedy: "give a name with .dng")
    }
    if named != nil || isNamedDNG, let dot = name.lastIndex(of: ".") {
      // As it is written: `.JPG` stays.
      pathExtension = String(name[dot...])
      template = try NameTemplate(name[..<dot] + "{ext}")
    } else {
      pathExtension = isDNG ? ".dng" : "." + (format.pathExtensions.first ?? format.rawValue)
      template = try NameTemplate(name)
    }
    if !self.folder.isEmpty { try Folder.makeWithParents(self.folder) }
    let isFixed = !isFolder && !name.contains("{")
    if isFixed, isSingle, FileContents.kind(of: destination) != .missing {
      throw SafelightError(
        .file, "\(destination) already exists, and photos replace nothing",
        remedy: "give another name, or a folder")
    }
  }

  /// Whether a name has the extension `dng`, in any case.
  public static func isDNG(_ name: String) -> Bool { name.lowercased().hasSuffix(".dng") }

  /// The folder without slashes at its end, but for `/` itself.
  private static func withoutSlashes(_ folder: String) -> String {
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
  /// - Throws: `SafelightError` if the template leads out of the folder, or a folder in it cannot be created.
  func name(
    _ number: Int, at date: CaptureFacts.Date?, camera: String? = nil, preset: String? = nil,
    size: PixelSize? = nil
  ) throws -> String {
    let name = try template.name(
      NameTemplate.Values(
        stem: date.map { "safelight-\($0.stem)" } ?? "safelight", pathExtension: pathExtension,
        preset: preset, index: number, date: date, camera: camera, size: size))
    let path = folder.isEmpty || folder == "/" ? folder + name : folder + "/" + name
    if name.contains("/"), let slash = path.lastIndex(of: "/") {
      try Folder.makeWithParents(String(path[..<slash]))
    }
    return path
  }

  /// Calls `write` with the path, or with a number added if it is taken, until another program does not take it first.
  func placing<Value>(_ path: String, _ write: (String) throws -> Value) throws -> Value {
    while true {
      do {
        return try write(unused(path))
      } catch let error as SafelightError where error.code == .exists {
        continue
      }
    }
  }

  /// Returns the path, with a number if it is taken, and takes it. An edit left beside a photo that is gone takes its
  /// name too: it would become the new photo's.
  func unused(_ path: String) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
    func isThere(_ path: String) -> Bool {
      FileContents.kind(of: path) != .missing || RecipeSidecar.exists(forPhoto: path)
    }
    return taken.withLock { taken in
      var (candidate, number) = (path, 1)
      while taken.contains(PathKey(candidate)) || isThere(candidate) {
        number += 1
        candidate = "\(path[..<dot])-\(number)\(path[dot...])"
      }
      taken.insert(PathKey(candidate))
      return candidate
    }
  }
}
