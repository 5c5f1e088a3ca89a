import Files
import FilterGraph
import Filters
import FrameCore
import Libc

extension PresetFolder {
  /// What became of a preset that was to be kept.
  public enum Keeping: String, Sendable, Codable {
    case new
    /// There was the same one.
    case unchanged
    /// There was another one of this name.
    case replaced
  }

  /// Keeps a look whole, with its masks, and copies of its tables.
  ///
  /// - Parameters:
  ///   - look: its files named relative to the working directory.
  ///   - name: the display name.
  ///   - id: the name on command lines; nil derives it from the display name.
  ///   - overwrite: whether a different preset of the same id is replaced.
  /// - Throws: `SafelightError` as `save(_:as:)`; `.exists` if there is a different preset of this id. Nothing is
  ///   written then.
  func keep(
    _ look: Recipe, as name: String, id: String? = nil, overwrite: Bool = false
  ) throws -> (preset: Preset, keeping: Keeping) {
    let id = try usableID(for: id ?? name)
    var kept = look
    (kept.name, kept.filters) = (name, kept.filters.filter { !type(of: $0).phase.isGeometry })
    var tables: [(name: String, bytes: [UInt8])] = []
    kept = try kept.mapFiles { file in
      guard !file.hasPrefix(ShippedFiles.prefix) else { return file }
      let bytes = try FileContents.read(file)
      // Edits name the table too: another one under the same name must not change them.
      let ending = file.split(separator: ".").last.map { $0.lowercased() } ?? LUT.fileExtension
      let copy = "\(id)-\(try FileFingerprint(of: bytes).hash.prefix(8)).\(ending)"
      tables.append((copy, bytes))
      return copy
    }
    let json = Array(kept.json().utf8)
    let path = file(id)
    var keeping = Keeping.new
    if FileContents.kind(of: path) == .file {
      let same = (try? FileContents.read(path, .fileOrPipe, atMost: Recipe.sizeLimit)) == json
      guard same || overwrite else { throw Self.taken(name, id) }
      keeping = same ? .unchanged : .replaced
    }
    if keeping != .unchanged {
      for table in tables { try write(table.bytes, to: FolderListing.path(table.name, in: self.path)) }
      try write(json, to: path, overwrite: keeping == .replaced)
    }
    return (try preset(id), keeping)
  }

  private static func taken(_ name: String, _ id: String) -> SafelightError {
    SafelightError(
      .exists, "There is another preset of your own named \(id)",
      remedy: "give --overwrite to replace it, or rename it first")
  }

  /// Gives a preset another name; edits that use it keep their look, since they have its filters.
  ///
  /// At every moment there is the preset, under the one name or the other.
  ///
  /// - Parameters:
  ///   - id: of the preset.
  ///   - name: the new display name.
  /// - Returns: the preset under its new name.
  /// - Throws: `SafelightError` if there is no such preset, if the name cannot be used, or if there is one of this name.
  @discardableResult
  public func rename(_ id: String, to name: String) throws -> Preset {
    guard ids.contains(id) else { throw NearestName.error(unknown: "preset of your own", id, among: ids) }
    let next = try usableID(for: name)
    let (old, new) = (file(id), file(next))
    guard next == id || FileContents.kind(of: new) == .missing else { throw Self.taken(name, next) }
    // Its tables, whose names are relative to the folder, stay.
    var recipe = try Recipe(contentsOf: old)
    recipe.name = name
    try write(Array(recipe.json().utf8), to: old)
    guard next != id else { return try preset(id) }
    // Unlike rename(2), this replaces none that has come since.
    guard link(old, new) == 0 else {
      throw SafelightError(
        .file, "Cannot rename \(old) to \(new): \(errorText(errno))", remedy: "check the folder's permissions"
      )
    }
    guard unlink(old) == 0 else {
      throw SafelightError(
        .file, "Cannot remove \(old), a copy of \(new): \(errorText(errno))", remedy: "remove it yourself")
    }
    return try preset(next)
  }

  /// Returns a display name that can be used, as near to a name as possible; nil if there is none.
  ///
  /// Slashes become hyphens, and what is too long is cut.
  static func usableName(_ name: String) -> String? {
    let plain = name.replacing("/", with: "-")
    let short = String(plain.prefix(longestName))
    return id(for: short) == nil ? nil : short
  }
}
