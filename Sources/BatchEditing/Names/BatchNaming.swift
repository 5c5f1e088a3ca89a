import Files
import FrameCore
import PhotoIO

/// What happens where a result's name is taken.
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

/// Decides, before anything is written, which photo goes where.
public struct BatchNaming: Sendable {
  public var template: NameTemplate
  /// Nil keeps the format of each photo.
  public var format: PhotoFileFormat?
  /// What `{preset}` stands for.
  public var preset: String?
  /// What it stands for where photos have edits of their own; nil in place of a name takes `preset`.
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
    /// From 1 on, among all photos of the batch.
    var index: Int
    /// Relative to the output folder.
    var output: String
    var decision: Decision
    /// Identifies the rules that named it.
    var rules = ""
  }

  /// The extension of a result, with its dot.
  func pathExtension(for input: String) -> String {
    let (_, own) = Self.split(input)
    if let format {
      let isSame = PhotoFileFormat(pathExtension: String(own.dropFirst())) == format
      return isSame ? own : "." + (format.pathExtensions.first ?? format.rawValue)
    }
    // Formats that are read and not written (here), and files whose names do not say what they are, become JPEG.
    return PhotoFileFormat(pathExtension: String(own.dropFirst()))?.isWritable ?? false ? own : ".jpg"
  }

  /// The name of a photo's result relative to the output folder.
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

  /// The name without folders and extension, and the extension with its dot.
  private static func split(_ path: String) -> (stem: String, pathExtension: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }

  private static let separator = "\u{1F}"

  /// Identifies these rules, but for the presets of single photos.
  private var identity: String {
    [template.text, format?.rawValue ?? "keep", preset ?? ""].joined(separator: Self.separator)
  }

  /// Whether names tell the presets of single photos.
  private var tellsPresetOfPhoto: Bool { presetOfPhoto != nil && template.needsPreset }

  /// Identifies the rules that name a photo: a name that others gave is none of theirs. Where the name tells the
  /// preset of the photo, that is one of them: under another preset the photo gets another name.
  func rules(of path: String) -> String {
    guard tellsPresetOfPhoto else { return identity }
    return identity + Self.separator + (presetOfPhoto?(path) ?? "")
  }

  /// Whether `rules(of:)` gives this identifier, whichever the photo is.
  func identifies(_ rules: String) -> Bool {
    guard tellsPresetOfPhoto else { return PathKey(rules) == PathKey(identity) }
    return rules.utf8.starts(with: (identity + Self.separator).utf8)
  }

  static func numbered(_ name: String, _ number: Int) -> String {
    guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return "\(name)-\(number)" }
    return "\(name[..<dot])-\(number)\(name[dot...])"
  }
}
