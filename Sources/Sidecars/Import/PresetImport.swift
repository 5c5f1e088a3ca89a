import Files
import FilterGraph
import Filters
import FrameCore

/// Imports looks of other programs, and recipes, as presets of one's own.
///
///     var importing = PresetImport(into: .standard)
///     for file in try PresetImport.files(of: ["presets/"]) { print(try importing.add(file).preset) }
public struct PresetImport: Sendable {
  public let folder: PresetFolder
  /// Whether different presets of the same names are replaced, other than those that were imported before.
  public var overwrite: Bool
  /// The ids of those.
  private var imported: Set<String> = []

  public init(into folder: PresetFolder, overwrite: Bool = false) {
    (self.folder, self.overwrite) = (folder, overwrite)
  }

  /// Imports a file.
  ///
  /// - Parameters:
  ///   - path: of a file that `ImportedLook` reads.
  ///   - name: the display name; nil takes that in the file. On command lines, + and - in it are “plus” and “minus”, and
  ///     one that is taken by a different preset gets its group put before it.
  /// - Throws: `SafelightError` that names the file; nothing is kept then.
  @discardableResult
  public mutating func add(_ path: String, as name: String? = nil) throws -> PresetImportReport {
    let look = try ImportedLook(contentsOf: path)
    var notes: [String] = []
    var wanted = name ?? look.name
    if name == nil, PresetFolder.id(for: wanted) == nil {
      guard let usable = PresetFolder.usableName(wanted) else {
        throw SafelightError(
          .invalidValue, "\(path): “\(NearestName.shortened(wanted))” cannot name a preset",
          remedy: "give another one with --name")
      }
      notes.append(
        "“\(wanted)” is kept as “\(usable)”: names have no “/” and at most \(PresetFolder.longestName) characters"
      )
      wanted = usable
    }
    do {
      let (preset, keeping) = try keep(look, as: wanted, isGiven: name != nil)
      imported.insert(preset.id)
      return PresetImportReport(
        file: path, program: look.program, preset: preset.id, name: preset.name,
        path: folder.file(preset.id), keeping: keeping, exact: look.settings.exact,
        approximate: look.settings.approximate, ignored: look.settings.ignored, notes: notes)
    } catch let error as SafelightError {
      let remedy = error.code == .invalidValue && name == nil ? "give another one with --name" : error.remedy
      throw error.problem.contains(path)
        ? error : SafelightError(error.code, "\(path): \(error.problem)", remedy: remedy)
    }
  }

  private func keep(
    _ look: ImportedLook, as name: String, isGiven: Bool
  ) throws -> (preset: Preset, keeping: PresetFolder.Keeping) {
    var ids = [Self.spelled(name)]
    if !isGiven, !look.group.isEmpty { ids.append("\(look.group) \(Self.spelled(name))") }
    var refused: SafelightError?
    for id in ids.compactMap(PresetFolder.id) {
      do {
        return try folder.keep(look.recipe, as: name, id: id, overwrite: overwrite && !imported.contains(id))
      } catch let error as SafelightError where error.code == .exists || PresetLibrary.id(named: id) != nil {
        refused = refused ?? error
      }
    }
    if let refused { throw refused }
    return try folder.keep(look.recipe, as: name, overwrite: overwrite)
  }

  /// `Portra 160 ++` as `Portra 160 plus plus`: looks of a series differ by nothing else. A dash between words is none of
  /// these: `Soft - Warm` stays.
  static func spelled(_ name: String) -> String {
    let words = name.replacing("+", with: " plus ").split(separator: " ")
    func isDash(_ word: Substring) -> Bool { word.allSatisfy { $0 == "-" } }
    let last = words.lastIndex { !isDash($0) && $0 != "plus" } ?? -1
    let spelled = words.enumerated().map { index, word in
      index > last && isDash(word) ? word.map { _ in "minus" }.joined(separator: " ") : String(word)
    }
    let text = spelled.joined(separator: " ")
    return text.count > PresetFolder.longestName ? name : text
  }

  /// The most files in folders.
  public static let fileLimit = 10_000
  private static let depthLimit = 16

  /// Returns the files that paths name: folders stand for all files in them and in their folders that may hold looks,
  /// in natural order.
  ///
  /// - Throws: `SafelightError` if a path does not exist, a folder cannot be read, or there are more than `fileLimit`.
  public static func files(of paths: [String]) throws -> [String] {
    var files: [String] = []
    var seen: Set<FileIdentity> = []
    for path in paths {
      switch FileContents.kind(of: path) {
      case .folder: try list(path, depth: 1, into: &files, &seen)
      case .file: files.append(path)
      default:
        throw SafelightError(.file, "Cannot read \(path): there is no such file", remedy: "check its name")
      }
    }
    guard !files.isEmpty else {
      throw SafelightError(
        .file, "There are no looks among the inputs",
        remedy: "name folders with "
          + ImportedLook.fileExtensions.sorted().map { "." + $0 }.joined(separator: ", "))
    }
    return files
  }

  /// Whether a JSON file names the key that every recipe has: folders hold other ones too.
  private static func isRecipe(_ path: String) -> Bool {
    let bytes = (try? FileContents.read(path, .fileOrPipe, atMost: Recipe.sizeLimit)) ?? []
    return String(decoding: bytes, as: UTF8.self).contains("\"safelight\"")
  }

  private static func list(
    _ folder: String, depth: Int, into files: inout [String], _ seen: inout Set<FileIdentity>
  ) throws {
    // Links may lead in circles.
    guard depth <= depthLimit, let identity = FileIdentity(folder), seen.insert(identity).inserted else {
      return
    }
    for name in try FolderListing.names(in: folder).names {
      let path = FolderListing.path(name, in: folder)
      let ending = name.contains(".") ? name.split(separator: ".").last?.lowercased() ?? "" : ""
      switch FileContents.kind(of: path) {
      case .folder: try list(path, depth: depth + 1, into: &files, &seen)
      case .file where ImportedLook.fileExtensions.contains(ending) && !name.hasSuffix(RecipeSidecar.suffix):
        if ending != "json" || isRecipe(path) { files.append(path) }
      default: break
      }
      guard files.count <= fileLimit else {
        throw SafelightError(
          .tooLarge, "\(folder) and the folders before it hold more than \(fileLimit) looks",
          remedy: "import its folders one by one")
      }
    }
  }
}

/// A look that was imported; `safelight presets import --json` prints a list of these.
public struct PresetImportReport: JSONReport, Hashable {
  /// The path of the file, as it was given or found.
  public var file: String
  public var program: ImportedLook.Program
  /// The preset's name on command lines.
  public var preset: String
  /// Its display name.
  public var name: String
  /// The path of its recipe.
  public var path: String
  public var keeping: PresetFolder.Keeping
  /// Settings that mean the same here.
  public var exact: [ImportedSettings.Setting]
  /// Settings that are used with Safelight's own curves and scales.
  public var approximate: [ImportedSettings.Setting]
  /// Settings that are not used, with the reasons.
  public var ignored: [ImportedSettings.Setting]
  /// What else is to be told.
  public var notes: [String]

  /// The three lists together.
  public var settings: ImportedSettings {
    var settings = ImportedSettings()
    (settings.exact, settings.approximate, settings.ignored) = (exact, approximate, ignored)
    return settings
  }
}
