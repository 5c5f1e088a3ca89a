import Filters
import PhotoPipeline
import Files
import FilterGraph
import FrameCore
import PhotoIO
import Libc

/// Everything that changes sidecars goes through `change`, so that programs which change one edit at the same time do so
/// one after the other and none takes back what another has done.
extension RecipeSidecar {
  /// Reads the sidecar of a photo, and writes what becomes of it, while no other program does the same.
  ///
  /// A program that asks for no lock, such as an editor of text, may write meanwhile: where the file is another one by then,
  /// everything is done again with what it holds now.
  ///
  /// - Parameters:
  ///   - catalog: the filters that its recipes may name; add your own to those that ship.
  ///   - warn: called with a sentence for each thing that the file could not keep of the one before, such as its owner.
  ///   - body: gets the sidecar, or nil where there is none, and gives what there is to be: nil removes it. May be called
  ///     again.
  /// - Returns: what there is now.
  /// - Throws: `SafelightError`, and nothing is changed, where the sidecar cannot be read or written, or another program
  ///   keeps it for a minute; what `body` throws.
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
        .file, "Cannot remove \(path): \(String(cString: strerror(errno)))", remedy: "check its permissions")
    }
  }

  /// Makes a recipe the edit of a photo; what it replaces goes into the history.
  ///
  /// - Parameters:
  ///   - recipe: with its files loaded, and named as seen from the working directory.
  ///   - source: the file that it was copied or imported from.
  ///   - catalog: as for `change(forPhoto:catalog:warn:_:)`, and the next one.
  /// - Throws: `SafelightError`, and nothing is changed, where the recipe does not fit the photo, such as a crop that
  ///   reaches outside it, where it could not be read again, since it has a filter that is not in the
  ///   catalog or names a file that there is not, or where the sidecar that is there cannot be read.
  @discardableResult
  public static func save(
    _ recipe: Recipe, forPhoto photo: String, _ action: Action, source: String? = nil,
    catalog: FilterCatalog = .standard, warn: (_ sentence: String) -> Void = { _ in }
  ) throws -> RecipeSidecar {
    try save(forPhoto: photo, source: source, catalog: catalog, warn: warn) { _ in (recipe, action) }
  }

  /// As `save(_:forPhoto:_:source:catalog:warn:)`, with a recipe that may be made from what is there, which nobody else changes
  /// meanwhile.
  ///
  /// - Parameter make: gets the sidecar, or nil where there is none. May be called again.
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
      // What could not be read again would be lost: filters that are not in the catalog, and tables that are in no file.
      let stored = try RecipeSidecar(
        json: Array(saved.json().utf8), file: path(forPhoto: photo), catalog: catalog)
      _ = try stored.recipe?.loadingFiles(besidePhoto: photo)
      return saved
    }
    return saved
  }

  /// Takes the edit of a photo away, and keeps its history.
  ///
  /// Both parameters are as for `change(forPhoto:catalog:warn:_:)`.
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

  /// Removes the sidecar of a photo, with its history.
  public static func remove(forPhoto photo: String, catalog: FilterCatalog = .standard) throws {
    try change(forPhoto: photo, catalog: catalog) { before in
      _ = try required(before, forPhoto: photo)
      return nil
    }
  }

  /// Takes the last change of a photo's edit back; with the first one the sidecar goes.
  ///
  /// Both parameters are as for `change(forPhoto:catalog:warn:_:)`.
  ///
  /// - Returns: the sidecar as it is now; nil where it is gone.
  @discardableResult
  public static func undo(
    forPhoto photo: String, catalog: FilterCatalog = .standard,
    warn: (_ sentence: String) -> Void = { _ in }
  ) throws -> RecipeSidecar? {
    try change(forPhoto: photo, catalog: catalog, warn: warn) { before in
      var sidecar = try required(before, forPhoto: photo)
      do {
        try sidecar.undo()
      } catch let error as SafelightError {
        throw SafelightError(error.code, "\(photo): \(error.problem)", remedy: error.remedy)
      }
      return sidecar.recipe == nil && sidecar.history.isEmpty ? nil : sidecar
    }
  }
}
