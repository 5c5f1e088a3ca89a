import Files
import FrameCore
import Libc
import MovieIO
import PhotoIO
import PhotoPipeline
import Synchronization

/// The names of the files of a run, each used once.
///
/// | destination | means |
/// |---|---|
/// | `clip.mp4` | this name; further recordings are `clip-2.mp4` …, segments `clip-001.mp4` … |
/// | `DIR/`, or a folder that exists | `safelight-DATE-TIME.mp4` in it |
/// | `DIR/{date}/{index:04}.mp4` | a `NameTemplate`, below the part without fields |
///
/// Nothing is replaced: a name that is taken gets a number, but for a single movie with a name of its own, which is
/// refused.
public final class MovieNames: Sendable {
  public let container: MovieContainer
  /// The folder that names are below. Empty is the working folder.
  public let folder: String
  private let template: NameTemplate
  private let pathExtension: String
  /// Whether names get the number of their file.
  private let isNumbered: Bool
  private let next = Mutex(1)

  private static let mostAttempts = 10_000

  /// - Parameters:
  ///   - container: for a folder.
  ///   - isSegmented: whether every file has a number.
  /// - Throws: `SafelightError`: `.unsupported` for names of other files, `.invalidValue` if the template is wrong,
  ///   `.exists` if the file of a single movie exists.
  public init(_ destination: String, container: MovieContainer = .mp4, isSegmented: Bool = false) throws {
    text = destination
    guard !destination.isEmpty else {
      throw SafelightError(
        .invalidValue, "The name of the movie is empty", remedy: "give one, such as clip.mp4")
    }
    if destination.hasSuffix("/") || FileContents.kind(of: destination) == .folder {
      (folder, self.container) = (Self.withoutSlashes(destination), container)
      (template, pathExtension) = (try NameTemplate("{stem}"), "." + container.rawValue)
      isNumbered = isSegmented
      return
    }
    let plain = destination.prefix { $0 != "{" }
    let slash = plain.lastIndex(of: "/")
    let name = slash.map { destination[destination.index(after: $0)...] } ?? destination[...]
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      let named = MovieContainer(pathExtension: String(name[name.index(after: dot)...]))
    else {
      throw SafelightError(
        .unsupported, "\(destination) is not the name of a movie that is written",
        remedy: "end it in .mp4, .mov or .mkv")
    }
    folder = slash.map { Self.withoutSlashes(String(destination[...$0])) } ?? ""
    self.container = named
    pathExtension = String(name[dot...])
    template = try NameTemplate(String(name[..<dot]))
    isNumbered = isSegmented && !name.contains("{index")
    if !isSegmented, !name.contains("{"), FileContents.kind(of: destination) != .missing {
      throw SafelightError(
        .exists, "\(destination) already exists, and movies replace nothing",
        remedy: "give another name, or a folder")
    }
  }

  private static func withoutSlashes(_ folder: String) -> String {
    var folder = folder[...]
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return String(folder)
  }

  /// Creates the folder, so that one that cannot be created is known before the first picture.
  ///
  /// - Throws: `SafelightError` if it cannot be created.
  public func makeFolder() throws {
    if !folder.isEmpty { try Folder.makeWithParents(folder) }
  }

  /// - Throws: `SafelightError(.noSpace)` if the disk has less room than a recording leaves free.
  public func checkRoom(_ freeBytes: Int64) throws {
    guard let free = Folder.freeSpace(at: folder.isEmpty ? "." : folder), free < freeBytes else { return }
    throw SafelightError(
      .noSpace, "The disk has \(free / 1_000_000) MB free, and recordings leave \(freeBytes / 1_000_000) MB",
      remedy: "make room, or record to another disk")
  }

  /// Calls `make` with the name of the next file, and with further names as long as something has that name.
  ///
  /// - Throws: `SafelightError` if the folder is missing or not writable; errors of `make`.
  func place<File>(camera: String? = nil, _ make: (String) throws -> File) throws -> (path: String, File) {
    let number = next.withLock { number in
      defer { number += 1 }
      return number
    }
    let base = try name(number, camera)
    if let slash = base.lastIndex(of: "/"), slash != base.startIndex {
      try Folder.makeWithParents(String(base[..<slash]))
    }
    for attempt in 1...Self.mostAttempts {
      let path = (attempt == 1 ? base : "\(base)-\(attempt)") + pathExtension
      do {
        return (path, try make(path))
      } catch let error as SafelightError where error.code == .exists {
        continue
      }
    }
    throw SafelightError(
      .exists, "All names for movies like \(base)\(pathExtension) are taken", remedy: "give another folder")
  }

  /// As it was given.
  let text: String

  /// The path without its extension.
  private func name(_ number: Int, _ camera: String?) throws -> String {
    let date = CaptureFacts.Date(at: .now)
    let stem = date.map { "safelight-\($0.fileName)" } ?? "safelight"
    var name = try template.name(
      NameTemplate.Values(
        // `place` appends it, after a number that a taken name gets.
        stem: stem, pathExtension: "", preset: nil, index: number, date: date, camera: camera,
        size: nil))
    if isNumbered { name += "-" + String(repeating: "0", count: max(0, 3 - "\(number)".count)) + "\(number)" }
    return folder.isEmpty || folder == "/" ? folder + name : folder + "/" + name
  }
}

extension MovieContainer {
  /// The container that an extension names, in any case; nil for others.
  public init?(pathExtension: String) {
    switch pathExtension.lowercased() {
    case "mp4", "m4v": self = .mp4
    case "mov", "qt": self = .mov
    case "mkv": self = .mkv
    default: return nil
    }
  }
}
