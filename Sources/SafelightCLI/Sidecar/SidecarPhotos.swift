import ArgumentParser
import Safelight

/// The photos named for a command on sidecars.
struct SidecarPhotos: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Photos, folders, patterns, or - for a list on standard input", valueName: "photo"),
    completion: .file())
  var photos: [String]

  func each(edited: Bool = false, _ body: (String) throws -> Void) throws {
    try Self.each(of: photos, edited: edited, body)
  }

  /// The names, in which sidecars, which a shell's `*` also finds, stand for their photos, and XMP beside named photos
  /// is passed over.
  static func photoNames(_ names: [String]) -> [String] {
    let given = Set(names)
    let stems = Set(names.filter { !MarkFiles.isMarkFile($0) }.flatMap { [$0, MarkFiles.stem($0)] })
    return names.compactMap { name in
      if MarkFiles.isMarkFile(name), stems.contains(MarkFiles.stem(name)) { return nil }
      guard name.hasSuffix(RecipeSidecar.suffix) else { return name }
      let photo = String(name.dropLast(RecipeSidecar.suffix.count))
      return given.contains(photo) ? nil : photo
    }
  }

  /// Calls `body` for each photo; a failure does not stop the others.
  ///
  /// - Parameters:
  ///   - names: as the user gave them.
  ///   - edited: whether photos without a sidecar are skipped in folders.
  /// - Throws: `SafelightError` if there are no photos, `ExitCode(1)` if some failed.
  static func each(of names: [String], edited: Bool = false, _ body: (String) throws -> Void) throws {
    let inputs = try BatchInputs(arguments: photoNames(names), recursive: false, output: nil)
    let photos = inputs.photos.filter { photo in
      !edited || photo.isNamed || RecipeSidecar.exists(forPhoto: photo.path)
    }
    guard !photos.isEmpty else {
      for problem in inputs.problems.dropFirst() { Output.note("Error: \(problem)") }
      throw inputs.problems.first
        ?? (inputs.photos.isEmpty
          ? SafelightError(
            .file, "There are no photos among the inputs", remedy: "name photos or folders that contain some"
          )
          : SafelightError(
            .file, "None of the photos has an edit", remedy: "make one with “safelight recipe set”"
          ))
    }
    for note in inputs.notes { Output.warning(note) }
    var problems = inputs.problems
    for photo in photos {
      do {
        try body(photo.path)
      } catch let error as SafelightError {
        // With many photos, an error must name its photo.
        problems.append(
          error.problem.contains(photo.path)
            ? error : SafelightError(error.code, "\(photo.path): \(error.problem)", remedy: error.remedy))
      }
    }
    for problem in problems { Output.note("Error: \(problem)") }
    if !problems.isEmpty { throw ExitCode(1) }
  }
}
