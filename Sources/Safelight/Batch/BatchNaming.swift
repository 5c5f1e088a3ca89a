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
    case edit(overwrite: Bool)
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
        stem: stem, pathExtension: pathExtension(for: photo.path), preset: preset, index: index,
        date: facts?.date, camera: facts?.camera, size: size))
    return FolderListing.path(name, in: photo.folder)
  }

  /// The name without folders and extension, and the extension with its dot.
  private static func split(_ path: String) -> (stem: String, pathExtension: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }

  /// What becomes of each photo.
  ///
  /// - Parameters:
  ///   - names: what each photo's result is to be called, or why it cannot be named.
  ///   - folder: the output folder.
  ///   - known: the names that a run before gave to the same inputs, which are kept.
  func plan(
    _ photos: [BatchInputs.Photo], names: [Result<String, SafelightError>], in folder: String,
    known: [String: String]
  ) -> [Item] {
    let originals = Set(photos.compactMap { FileIdentity($0.path) })
    var taken: [String: String] = [:]
    for (input, output) in known { taken[output] = input }
    var items: [Item] = []
    for (number, photo) in photos.enumerated() {
      let index = number + 1
      var item = Item(photo: photo, index: index, output: "", decision: .edit(overwrite: false))
      if let reason = photo.passedOver {
        item.decision = .skip(reason)
        items.append(item)
        continue
      }
      switch names[number] {
      case .failure(let error): item.decision = .fail(error)
      case .success(let name):
        if let given = known[photo.path] {
          item.output = given
          // It is this batch's own, whole or not.
          item.decision = .edit(overwrite: true)
        } else {
          (item.output, item.decision) = decide(name, photo, in: folder, taken, originals)
          if case .edit = item.decision { taken[item.output] = photo.path }
        }
      }
      items.append(item)
    }
    return items
  }

  private func decide(
    _ name: String, _ photo: BatchInputs.Photo, in folder: String, _ taken: [String: String],
    _ originals: Set<FileIdentity>
  ) -> (String, Decision) {
    func occupant(_ name: String) -> FileIdentity? { FileIdentity(FolderListing.path(name, in: folder)) }
    if conflict == .rename {
      for number in 1... {
        let candidate = number == 1 ? name : Self.numbered(name, number)
        if taken[candidate] == nil, occupant(candidate) == nil { return (candidate, .edit(overwrite: false)) }
      }
    }
    if let other = taken[name] {
      return (
        name,
        .fail(
          SafelightError(
            .invalidValue, "\(photo.path) and \(other) would both become \(name)",
            remedy: "use --name with {index}, or --on-conflict rename"))
      )
    }
    guard let found = occupant(name) else { return (name, .edit(overwrite: false)) }
    guard !originals.contains(found) else {
      return (
        name,
        .fail(
          SafelightError(
            .invalidValue, "The result of \(photo.path) would replace an original, \(name)",
            remedy: "write to another folder, or use another --name"))
      )
    }
    switch conflict {
    case .overwrite: return (name, .edit(overwrite: true))
    case .skip: return (name, .skip("\(name) exists already"))
    case .fail, .rename:
      return (
        name,
        .fail(
          SafelightError(
            .file, "\(name) exists already", remedy: "choose with --on-conflict skip, overwrite or rename"))
      )
    }
  }

  private static func numbered(_ name: String, _ number: Int) -> String {
    guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return "\(name)-\(number)" }
    return "\(name[..<dot])-\(number)\(name[dot...])"
  }
}
