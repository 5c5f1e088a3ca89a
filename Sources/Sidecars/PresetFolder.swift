import ColorScience
import FilterGraph
import Filters
import Files
import FrameCore
import Libc
import Synchronization

/// One's own presets: recipes in a folder, which work by their names wherever the shipped ones do.
///
///     let own = PresetFolder(path: "/home/ana/.config/safelight/presets")
///     try own.save(recipe, as: "Harbour Dusk")   // harbour-dusk.json
///     let look = try own.preset("harbour-dusk")
public struct PresetFolder: Sendable, Hashable {
  public let path: String

  public init(path: String) { self.path = path }

  /// `$XDG_CONFIG_HOME/safelight/presets`, else `~/.config/safelight/presets`; nil if neither variable holds an
  /// absolute path.
  ///
  /// Source: XDG Base Directory Specification 0.8, which requires relative paths to be ignored.
  public static var standard: PresetFolder? {
    func folder(_ variable: String) -> String? {
      getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return (folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }).map {
      PresetFolder(path: $0 + "/safelight/presets")
    }
  }

  /// The longest name of a preset, in characters.
  public static let longestName = 64

  /// Returns the name on command lines for a display name: `Harbour Dusk` is `harbour-dusk`; nil if it has no letter
  /// or digit, a slash as paths have, or more than `longestName` characters.
  public static func id(for name: String) -> String? {
    guard !name.contains("/") else { return nil }
    var id = ""
    for character in name.lowercased() {
      if character.isLetter || character.isNumber {
        id.append(character)
      } else if !id.isEmpty, !id.hasSuffix("-"), character != "'", character != "’" {
        id += "-"
      }
    }
    if id.hasSuffix("-") { id.removeLast() }
    return id.isEmpty || name.count > longestName ? nil : id
  }

  /// The ids of the presets in the folder, in alphabetical order; none if there is no such folder.
  public var ids: [String] {
    let names = (try? FolderListing.names(in: path).names) ?? []
    return names.compactMap { name in
      guard name.hasSuffix(Self.suffix) else { return nil }
      let id = String(name.dropLast(Self.suffix.count))
      // The name of a shipped preset means that one.
      return Self.id(for: id) == id && PresetLibrary.id(named: id) == nil ? id : nil
    }.sorted()
  }

  /// Returns the id of a preset in the folder for a name in any case, with spaces in place of hyphens; nil if there is
  /// none.
  public func id(named name: String) -> String? {
    guard let id = Self.id(for: name), PresetLibrary.id(named: id) == nil,
      FileContents.kind(of: file(id)) == .file
    else { return nil }
    return id
  }

  /// Returns a preset, its tables loaded. It is read again once one of its files has changed.
  ///
  /// - Parameter files: files read earlier are not read again.
  /// - Throws: `SafelightError` that names the file if it cannot be read or is no recipe.
  public func preset(_ id: String, in files: FileSnapshot = FileSnapshot()) throws -> Preset {
    let file = file(id)
    if let known = Self.read.withLock({ $0[file] }), known.isCurrent {
      // Whatever reads through the snapshot later is to find the same.
      _ = try files.read(file)
      return known.preset
    }
    let version = FileVersion(file)
    let preset = Preset(own: id, try Recipe(contentsOf: file, in: files).locatingFiles(besideRecipe: file))
    // A snapshot may have read the file before it changed.
    if try files.read(file) == FileContents.read(file) {
      Self.read.withLock { $0[file] = Known(preset, file: file, version) }
    }
    return preset
  }

  /// Presets that were read, by their files: a table takes 6 ms and more, too long for each step of a slider.
  private static let read = Mutex<[String: Known]>([:])

  private struct Known: Sendable {
    let preset: Preset
    private let versions: [String: FileVersion?]

    /// - Parameter version: of the file, from before it was read.
    init(_ preset: Preset, file: String, _ version: FileVersion?) {
      self.preset = preset
      var versions = [file: version]
      for table in preset.recipe.files where !table.name.hasPrefix(ShippedFiles.prefix) {
        versions[table.name] = FileVersion(table.name)
      }
      self.versions = versions
    }

    var isCurrent: Bool { versions.allSatisfy { FileVersion($0.key) == $0.value } }
  }

  /// Keeps the look of a recipe: all of it but what moves pixels and what masks confine to a part of one photo.
  ///
  /// - Parameters:
  ///   - recipe: with its files loaded and their names relative to the working directory.
  ///   - name: the display name.
  /// - Returns: the preset, which replaces one of the same id.
  /// - Throws: `SafelightError` if the name cannot be used or ships with Safelight, if the recipe has no look, or if
  ///   the file cannot be written.
  @discardableResult
  public func save(_ recipe: Recipe, as name: String) throws -> Preset {
    let id = try usableID(for: name)
    var look = recipe.colorOnly.namingFilesAbsolutely
    look.filters.removeAll { $0 is Group }
    guard !look.filters.isEmpty else {
      throw SafelightError(
        .invalidValue, "There is no look to keep: the edit only moves pixels, or only works in masks",
        remedy: "change a colour or the light first")
    }
    (look.name, look.description, look.labels) = (name, "", recipe.labels)
    try write(Array(look.json().utf8), to: file(id))
    return try preset(id)
  }

  /// Keeps a table as a preset.
  ///
  /// - Parameters:
  ///   - table: the bytes of a file that `LUT` reads, other than a picture.
  ///   - fileExtension: that of the file, without the dot.
  ///   - encoding: of the samples that it expects.
  /// - Throws: as `save(_:as:)`, and if the table is damaged.
  @discardableResult
  public func save(
    table: [UInt8], as name: String, fileExtension: String = LUT.fileExtension,
    encoding: LUT.Encoding = .sRGB
  ) throws -> Preset {
    let id = try usableID(for: name)
    // What cannot be read is not kept.
    _ =
      try fileExtension == LUT.fileExtension
      ? ColorLUT(cube: table, name: name) : ColorLUT(file: table, name: "\(name).\(fileExtension)")
    var lut = LUT()
    // Edits name the table too: another one under the same name must not change them.
    let hash = try FileFingerprint(of: table).hash.prefix(8)
    (lut.file, lut.encoding) = ("\(id)-\(hash).\(fileExtension)", encoding)
    var look = Recipe(filters: [lut])
    look.name = name
    try write(table, to: FolderListing.path(lut.file, in: path))
    try write(Array(look.json().utf8), to: file(id))
    return try preset(id)
  }

  /// Removes a preset. A table that was kept with it stays, since edits that have the look name it.
  ///
  /// - Throws: `SafelightError` if there is none of this id, or if it cannot be removed.
  public func remove(_ id: String) throws {
    guard ids.contains(id) else {
      throw NearestName.error(unknown: "preset of your own", id, among: ids)
    }
    guard unlink(file(id)) == 0 else {
      throw SafelightError(
        .file, "Cannot remove \(file(id)): \(errorText(errno))", remedy: "check its permissions")
    }
  }

  private static let suffix = ".json"

  func file(_ id: String) -> String { FolderListing.path(id + Self.suffix, in: path) }

  func usableID(for name: String) throws -> String {
    guard let id = Self.id(for: name) else {
      throw SafelightError(
        .invalidValue, "“\(name)” cannot name a preset",
        remedy:
          "give a name with a letter or a digit and without “/”, of at most \(Self.longestName) characters")
    }
    guard PresetLibrary.id(named: id) == nil else {
      throw SafelightError(
        .invalidValue, "\(id) is a preset that ships with Safelight", remedy: "choose another name")
    }
    return id
  }

  func write(_ bytes: [UInt8], to file: String, overwrite: Bool = true) throws {
    try Folder.makeWithParents(path)
    let output = try OutputFile(path: file, overwrite: overwrite)
    try output.write(bytes)
    try output.commit()
  }
}

extension PresetLibrary {
  /// Returns a shipped preset or one's own.
  ///
  /// - Parameters:
  ///   - name: as for `id(named:)`.
  ///   - own: where one's own are.
  ///   - files: files read earlier are not read again.
  /// - Throws: `SafelightError` that suggests the nearest preset if there is none of this name, or that names the file
  ///   of one's own if it cannot be read.
  public static func preset(
    _ name: String, own: PresetFolder?, in files: FileSnapshot = FileSnapshot()
  ) throws -> Preset {
    if id(named: name) == nil, let own, let id = own.id(named: name) { return try own.preset(id, in: files) }
    do {
      return try preset(name)
    } catch {
      guard id(named: name) == nil else { throw error }
      throw unknown(name, own: own?.ids ?? [])
    }
  }
}
