import PhotoPipeline
import Files
import FrameCore
import PhotoIO

/// What to do if a result's name is taken.
public enum BatchConflict: String, Sendable, Hashable, CaseIterable, Codable {
  /// The photo is not edited, and the file stays.
  case skip
  /// The file is replaced.
  case overwrite
  /// The result gets a number: `harbour-2.jpg`.
  case rename
  /// The photo counts as failed.
  case fail
}

/// Decides the name of each result before anything is written.
public struct BatchNaming: Sendable {
  public var template: NameTemplate
  /// Nil keeps the format of each photo.
  public var format: PhotoFileFormat?
  /// The value of `{preset}`.
  public var preset: String?
  /// The value of `{preset}` if photos have individual edits; `preset` if it returns nil.
  public var presetOfPhoto: (@Sendable (_ path: String) -> String?)?
  public var conflict: BatchConflict

  public init(
    template: NameTemplate, format: PhotoFileFormat? = nil, preset: String? = nil,
    conflict: BatchConflict = .fail
  ) {
    self.template = template
    self.format = format
    self.preset = preset
    self.conflict = conflict
  }

  enum Decision: Sendable, Hashable {
    case edit
    case skip(String)
    case fail(SafelightError)
  }

  struct Item: Sendable, Hashable {
    var photo: BatchInputs.Photo
    /// The number among all photos of the batch, from 1.
    var index: Int
    /// The path relative to the output folder.
    var output: String
    var decision: Decision
    /// Identifies the rules that named it.
    var rules = ""
  }

  /// Returns the extension of a result, including the dot.
  func pathExtension(for input: String) -> String {
    let (_, own) = Self.split(input)
    if let format {
      let isSame = PhotoFileFormat(pathExtension: String(own.dropFirst())) == format
      return isSame ? own : "." + (format.pathExtensions.first ?? format.rawValue)
    }
    // Formats that can be read but not written (here), and files whose names do not indicate a format, become
    // JPEG.
    return PhotoFileFormat(pathExtension: String(own.dropFirst()))?.isWritable ?? false ? own : ".jpg"
  }

  /// Returns the name of a photo's result relative to the output folder.
  func output(
    for photo: BatchInputs.Photo, index: Int, facts: CaptureFacts? = nil, size: PixelSize? = nil
  ) throws -> String {
    let (stem, _) = Self.split(photo.path)
    let name = try template.name(
      NameTemplate.Values(
        stem: stem, pathExtension: pathExtension(for: photo.path),
        preset: presetOfPhoto?(photo.path) ?? preset, index: index,
        date: facts?.date, camera: facts?.camera, size: size))
    return FolderListing.path(name, in: photo.folder)
  }

  /// Returns the name without folders and extension, and the extension including the dot.
  static func split(_ path: String) -> (stem: String, pathExtension: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }

  private static let separator = "\u{1F}"

  /// Identifies these rules, except for the presets of individual photos.
  private var identity: String {
    [template.text, format?.rawValue ?? "keep", preset ?? ""].joined(separator: Self.separator)
  }

  /// Whether names contain the presets of individual photos.
  private var tellsPresetOfPhoto: Bool { presetOfPhoto != nil && template.needsPreset }

  /// Returns an identifier of the rules that name a photo: names from other rules are not reused. If the name
  /// contains the photo's own preset, the identifier does too: under another preset the photo gets another name.
  func rules(of path: String) -> String {
    guard tellsPresetOfPhoto else { return identity }
    return identity + Self.separator + (presetOfPhoto?(path) ?? "")
  }

  /// Whether `rules(of:)` can return this identifier for some photo.
  func identifies(_ rules: String) -> Bool {
    guard tellsPresetOfPhoto else { return PathKey(rules) == PathKey(identity) }
    return rules.utf8.starts(with: (identity + Self.separator).utf8)
  }

  static func numbered(_ name: String, _ number: Int) -> String {
    guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return "\(name)-\(number)" }
    return "\(name[..<dot])-\(number)\(name[dot...])"
  }
}
