import Filters
import PhotoPipeline
import Files
import FilterGraph
import FrameCore
import PhotoIO
import Libc

/// Every modification of a sidecar goes through `change`, so that programs changing an edit at the same time take
/// turns and none overwrites another's changes.
extension RecipeSidecar {
  /// Reads a photo's sidecar and writes the changed one, while no other program does the same.
  ///
  /// A program that does not use the lock, such as a text editor, may write meanwhile: if the file has changed by
  /// then, everything is repeated with its new contents.
  ///
  /// - Parameters:
  ///   - catalog: the filters that its recipes may use; add your own to the standard ones.
  ///   - warn: called with a sentence for each attribute of the previous file that could not be kept, such as its
  ///     owner.
  ///   - body: receives the sidecar, or nil if there is none, and returns the new one; nil removes it. It may be
  ///     called again.
  /// - Returns: the new sidecar.
  /// - Throws: `SafelightError`, with nothing changed, if the sidecar cannot be read or written, or if another
  ///   program holds it for a minute; also whatever `body` throws.
  @discardableResult
  public static func change(
    forPhoto photo: String, catalog: FilterCatalog = .standard,
    warn: (_ sentence: String) -> Void = { _ in },
    _ body: (RecipeSidecar?) throws -> RecipeSidecar?
  ) throws -> RecipeSidecar? {
    let lock = try SidecarLock(forPhoto: photo)
    defer { withExtendedLifetime(lock) {} }
    let path = path(forPhoto: photo)
    for _ in 0..<mostAttempts {
      let before = try contents(forPhoto: photo)
      let changed = try body(before.map { try RecipeSidecar(json: $0, file: path, catalog: catalog) })
      let file = try changed.map { changed in
        let file = try OutputFile(path: path, overwrite: true)
        try file.write(Array(changed.json().utf8))
        return file
      }
      guard try contents(forPhoto: photo) == before else { continue }
      if let file {
        try file.commit()
        file.warnings.forEach(warn)
      } else if before != nil {
        try remove(path)
      }
      return changed
    }
    throw SafelightError(
      .file, "Cannot change the edit of \(photo): another program keeps writing \(path)",
      remedy: "end that program, or try again")
  }

  private static let mostAttempts = 20

  private static func remove(_ path: String) throws {
    guard unlink(path) == 0 else {
      throw SafelightError(
        .file, "Cannot remove \(path): \(errorText(errno))", remedy: "check its permissions")
    }
  }

  /// Makes a recipe the edit of a photo; the one it replaces is added to the history.
  ///
  /// - Parameters:
  ///   - recipe: a recipe with its files loaded and their names relative to the working directory.
  ///   - source: the file that it was copied or imported from.
  ///   - catalog: as for `change(forPhoto:catalog:warn:_:)`, like `warn`.
  /// - Throws: `SafelightError`, with nothing changed, if the recipe does not fit the photo (for example, a crop
  ///   that extends beyond it), if it could not be read again because a filter is not in the catalog or a file
  ///   does not exist, or if the existing sidecar cannot be read.
  @discardableResult
  public static func save(
    _ recipe: Recipe, forPhoto photo: String, _ action: Action, source: String? = nil,
    catalog: FilterCatalog = .standard, warn: (_ sentence: String) -> Void = { _ in }
  ) throws -> RecipeSidecar {
    try save(forPhoto: photo, source: source, catalog: catalog, warn: warn) { _ in (recipe, action) }
  }

  /// Like `save(_:forPhoto:_:source:catalog:warn:)`, but makes the recipe from the current sidecar, which is
  /// locked meanwhile.
  ///
  /// - Parameter make: receives the sidecar, or nil if there is none. It may be called again.
  @discardableResult
  public static func save(
    forPhoto photo: String, source: String? = nil, catalog: FilterCatalog = .standard,
    warn: (_ sentence: String) -> Void = { _ in },
    making make: (RecipeSidecar?) throws -> (recipe: Recipe, action: Action)
  ) throws -> RecipeSidecar {
    let input = try PhotoHeader.read(photo).planInput
    let fingerprint = try FileFingerprint(contentsOf: photo)
    var saved = RecipeSidecar(recipe: nil, photo: fingerprint)
    try change(forPhoto: photo, catalog: catalog, warn: warn) { before in
      let (recipe, action) = try make(before)
      _ = try Plan(
        recipe, input: input, output: PlanOutput(format: input.format, space: input.space), optimized: false)
      saved = before ?? RecipeSidecar(recipe: nil, photo: fingerprint)
      saved.replaceRecipe(
        with: recipe.namingFiles(besidePhoto: photo), for: fingerprint, action, source: source)
      // Anything that cannot be read again would be lost: filters not in the catalog, and tables without a file.
      let stored = try RecipeSidecar(
        json: Array(saved.json().utf8), file: path(forPhoto: photo), catalog: catalog)
      _ = try stored.recipe?.loadingFiles(besidePhoto: photo)
      return saved
    }
    return saved
  }

  /// Removes the edit of a photo but keeps its history.
  ///
  /// For the parameters, see `change(forPhoto:catalog:warn:_:)`.
  public static func clear(
    forPhoto photo: String, catalog: FilterCatalog = .standard,
    warn: (_ sentence: String) -> Void = { _ in }
  ) throws {
    try change(forPhoto: photo, catalog: catalog, warn: warn) { before in
      var sidecar = try required(before, forPhoto: photo)
      guard sidecar.recipe != nil else { throw noEdit(photo) }
      sidecar.replaceRecipe(with: nil, .cleared)
      return sidecar
    }
  }

  /// Removes the sidecar of a photo, including its history.
  public static func remove(forPhoto photo: String, catalog: FilterCatalog = .standard) throws {
    try change(forPhoto: photo, catalog: catalog) { before in
      _ = try required(before, forPhoto: photo)
      return nil
    }
  }

  /// Undoes the last change of a photo's edit; undoing the first one removes the sidecar.
  ///
  /// For the other parameters, see `change(forPhoto:catalog:warn:_:)`.
  ///
  /// - Parameter keepsUndone: whether a sidecar stays that has nothing but what can be done again.
  /// - Returns: the new sidecar; nil if it was removed.
  @discardableResult
  public static func undo(
    forPhoto photo: String, keepsUndone: Bool = false, catalog: FilterCatalog = .standard,
    warn: (_ sentence: String) -> Void = { _ in }
  ) throws -> RecipeSidecar? {
    try step(forPhoto: photo, catalog: catalog, warn: warn) { sidecar in
      try sidecar.undo()
      return sidecar.recipe == nil && sidecar.history.isEmpty && !keepsUndone ? nil : sidecar
    }
  }

  /// Makes the change of a photo's edit again that was undone last.
  ///
  /// For the parameters, see `change(forPhoto:catalog:warn:_:)`.
  ///
  /// - Throws: `SafelightError(.invalidValue)` if nothing was undone since the last change.
  @discardableResult
  public static func redo(
    forPhoto photo: String, catalog: FilterCatalog = .standard,
    warn: (_ sentence: String) -> Void = { _ in }
  ) throws -> RecipeSidecar? {
    try step(forPhoto: photo, catalog: catalog, warn: warn) { sidecar in
      try sidecar.redo()
      return sidecar
    }
  }

  private static func step(
    forPhoto photo: String, catalog: FilterCatalog, warn: (_ sentence: String) -> Void,
    _ body: (inout RecipeSidecar) throws -> RecipeSidecar?
  ) throws -> RecipeSidecar? {
    try change(forPhoto: photo, catalog: catalog, warn: warn) { before in
      var sidecar = try required(before, forPhoto: photo)
      do {
        return try body(&sidecar)
      } catch let error as SafelightError {
        throw SafelightError(error.code, "\(photo): \(error.problem)", remedy: error.remedy)
      }
    }
  }
}
