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
/// Nothing is replaced. Numbers go on after those of earlier runs, so that the names of a run stay together; other names
/// that are taken get a number, but for a single movie with a name of its own, which is refused.
public final class MovieNames: Sendable {
  public let container: MovieContainer
  /// The folder that names are below. Empty is the working folder.
  public let folder: String
  private let template: NameTemplate
  private let pathExtension: String
  /// Whether names get the number of their file.
  private let isNumbered: Bool
  private let fields: Fields
  /// The number of the next file; nil before the first one.
  private let next = Mutex<Int?>(nil)

  private static let mostAttempts = 10_000

  /// What the fields of a template stand for, besides the size, the date and the number. Nil stands for what
  /// `NameTemplate` says, and for `safelight-DATE-TIME` as the stem.
  public struct Fields: Sendable {
    /// The name of the source's file, without its extension.
    public var stem: String?
    /// The name of the look.
    public var preset: String?
    /// The camera's model.
    public var camera: String?

    public init() {}
  }

  /// - Parameters:
  ///   - container: for a folder.
  ///   - isSegmented: whether every file has a number.
  /// - Throws: `SafelightError`: `.unsupported` for names of other files, `.invalidValue` if the template is wrong,
  ///   `.exists` if the file of a single movie exists.
  public init(
    _ destination: String, container: MovieContainer = .mp4, isSegmented: Bool = false,
    fields: Fields = Fields()
  ) throws {
    text = destination
    self.fields = fields
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
  /// - Parameter size: of the pictures.
  /// - Throws: `SafelightError` if the folder is missing or not writable; errors of `make`.
  func place<File>(size: PixelSize? = nil, _ make: (String) throws -> File) throws -> (path: String, File) {
    let values = values(size)
    let hasIndex = isNumbered || template.aroundIndex(values) != nil
    var base = try takeName(values)
    if let slash = base.lastIndex(of: "/"), slash != base.startIndex {
      try Folder.makeWithParents(String(base[..<slash]))
    }
    for attempt in 1...Self.mostAttempts {
      let path = (attempt == 1 || hasIndex ? base : "\(base)-\(attempt)") + pathExtension
      do {
        return (path, try make(path))
      } catch let error as SafelightError where error.code == .exists {
        if hasIndex { base = try takeName(values) }
      }
    }
    throw SafelightError(
      .exists, "All names for movies like \(base)\(pathExtension) are taken", remedy: "give another folder")
  }

  /// Returns the next path, without its extension.
  private func takeName(_ values: NameTemplate.Values) throws -> String {
    try next.withLock { next in
      let number = try next ?? (lastNumber(values) + 1)
      next = number + 1
      return try name(number, values)
    }
  }

  /// The highest number of the files that are there; 0 without one.
  private func lastNumber(_ values: NameTemplate.Values) throws -> Int {
    let around: (before: String, after: String)
    if isNumbered {
      around = (try template.name(values) + "-", "")
    } else if let parts = template.aroundIndex(values) {
      around = parts
    } else {
      return 0
    }
    let before = inFolder(around.before)
    let slash = before.lastIndex(of: "/")
    let start = before[(slash.map { before.index(after: $0) } ?? before.startIndex)...]
    // Where each number has a folder of its own, the number in its name counts.
    let isFolder = around.after.contains("/")
    let end = isFolder ? String(around.after.prefix { $0 != "/" }) : around.after + pathExtension
    let folder = slash.map { before[...$0] } ?? "."
    let names = (try? FolderListing.names(in: String(folder)).names) ?? []
    return names.compactMap { name -> Int? in
      guard name.utf8.count > start.utf8.count + end.utf8.count, name.hasPrefix(start), name.hasSuffix(end)
      else { return nil }
      let digits = name.dropFirst(start.count).dropLast(end.count)
      return digits.count <= 15 && digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
    }.max() ?? 0
  }

  /// As it was given.
  let text: String

  private func values(_ size: PixelSize?) -> NameTemplate.Values {
    let date = CaptureFacts.Date(at: .now)
    // `place` appends the extension, after a number that a taken name gets.
    return NameTemplate.Values(
      stem: fields.stem ?? date.map { "safelight-\($0.fileName)" } ?? "safelight", pathExtension: "",
      preset: fields.preset, date: date, camera: fields.camera, size: size)
  }

  /// The path without its extension.
  private func name(_ number: Int, _ values: NameTemplate.Values) throws -> String {
    var values = values
    values.index = number
    var name = try template.name(values)
    if isNumbered { name += "-" + String(repeating: "0", count: max(0, 3 - "\(number)".count)) + "\(number)" }
    return inFolder(name)
  }

  private func inFolder(_ name: String) -> String {
    folder.isEmpty || folder == "/" ? folder + name : folder + "/" + name
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
