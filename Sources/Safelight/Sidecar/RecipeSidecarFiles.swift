import FilterGraph
import Filters
import FrameCore
import PhotoIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension RecipeSidecar {
  /// Reads the sidecar of a photo.
  ///
  /// - Returns: nil where there is none.
  /// - Throws: `SafelightError` that names the file where it cannot be read or is not sound.
  public static func read(forPhoto photo: String) throws -> RecipeSidecar? {
    let path = path(forPhoto: photo)
    var status = stat()
    guard stat(path, &status) == 0 else {
      // Also a link that leads nowhere is there, and must not be taken for no edit.
      guard errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG, lstat(path, &status) != 0 else {
        throw SafelightError(
          .file, "Cannot read \(path): \(String(cString: strerror(errno)))", remedy: "check the path")
      }
      return nil
    }
    // A pipe would keep the reader waiting.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SafelightError(
        .file, "Cannot read \(path): it is not a file", remedy: "move away what stands there")
    }
    return try RecipeSidecar(json: FileContents.read(path, atMost: sizeLimit, onlyRegular: true), file: path)
  }

  /// Whether a photo has a sidecar, sound or not.
  public static func exists(forPhoto photo: String) -> Bool {
    var status = stat()
    return lstat(path(forPhoto: photo), &status) == 0
  }

  /// Reads the sidecar of a photo that is to have one.
  ///
  /// - Throws: `SafelightError(.file)` that says how to make one where there is none.
  public static func require(forPhoto photo: String) throws -> RecipeSidecar {
    if let sidecar = try read(forPhoto: photo) { return sidecar }
    guard FileContents.kind(of: photo) != .missing else {
      throw SafelightError(
        .file, "Cannot read \(photo): there is no such file", remedy: "check the spelling")
    }
    throw noEdit(photo)
  }

  static func noEdit(_ photo: String) -> SafelightError {
    SafelightError(.file, "\(photo) has no edit", remedy: "make one with “safelight recipe set”")
  }

  /// Writes the sidecar of a photo; it appears whole, and durable, or not at all.
  public func write(forPhoto photo: String) throws {
    try FileContents.write(Array(json().utf8), to: Self.path(forPhoto: photo), overwrite: true)
  }

  /// Removes the sidecar of a photo, with its history.
  public static func remove(forPhoto photo: String) throws {
    let path = path(forPhoto: photo)
    guard unlink(path) == 0 else {
      throw SafelightError(
        .file, "Cannot remove \(path): \(String(cString: strerror(errno)))", remedy: "check its permissions")
    }
  }

  /// Whether a photo is the one that the edit was made for; reads the whole file, unless its size tells already.
  public func isMade(forPhoto path: String) throws -> Bool {
    var status = stat()
    if stat(path, &status) == 0, Int(status.st_size) != photo.bytes { return false }
    return try FileFingerprint(contentsOf: path) == photo
  }

  /// The error where a photo is another one than the edit was made for.
  static func changedPhoto(_ photo: String) -> SafelightError {
    SafelightError(
      .invalidValue, "\(photo) has changed since its edit was made",
      remedy:
        "look whether the edit still fits and give --accept-changed, or make it anew with “safelight recipe set”"
    )
  }

  /// The files of tables that the edit of a photo names.
  public static func tables(ofPhoto photo: String) throws -> [String] {
    let recipe = try read(forPhoto: photo)?.recipe ?? Recipe()
    return recipe.locatingTables(besideRecipe: path(forPhoto: photo)).filters.compactMap { filter in
      guard let lut = filter as? LUT, !lut.file.isEmpty, !lut.file.hasPrefix(ShippedFiles.prefix) else {
        return nil
      }
      return lut.file
    }
  }

  /// Identifies the edit of a photo, as `Recipe.fingerprint` does; tables are told by the bytes of their files, which are
  /// not looked into.
  ///
  /// - Parameters:
  ///   - acceptChanged: as for `recipe(forPhoto:acceptChanged:)`.
  ///   - options: what else decides the result.
  public static func fingerprint(forPhoto photo: String, acceptChanged: Bool, options: [String]) throws
    -> String
  {
    let sidecar = try require(forPhoto: photo)
    guard let recipe = sidecar.recipe else { throw noEdit(photo) }
    guard try acceptChanged || sidecar.isMade(forPhoto: photo) else { throw changedPhoto(photo) }
    let tables = try tables(ofPhoto: photo).map { try FileFingerprint(contentsOf: $0).hash }
    return try recipe.fingerprint(options: options + tables)
  }

  /// The edit of a photo, ready to be rendered.
  ///
  /// - Parameter acceptChanged: whether it may be that of another photo, or of one that has changed since.
  /// - Throws: `SafelightError` where there is no edit, where it is not the photo's and that is not accepted, and where a
  ///   table cannot be read.
  public static func recipe(forPhoto photo: String, acceptChanged: Bool = false) throws -> Recipe {
    let sidecar = try require(forPhoto: photo)
    guard let recipe = sidecar.recipe else { throw noEdit(photo) }
    guard try acceptChanged || sidecar.isMade(forPhoto: photo) else { throw changedPhoto(photo) }
    return try recipe.loadingTables(besidePhoto: photo)
  }
}

extension RecipeSidecar {
  /// Makes a recipe the edit of a photo; what it replaces goes into the history.
  ///
  /// - Parameters:
  ///   - recipe: with its tables loaded, and named as seen from the working directory.
  ///   - source: the file that it was copied or imported from.
  /// - Throws: `SafelightError`, and nothing is changed, where the recipe does not fit the photo, such as a crop that
  ///   reaches outside it, or the sidecar that is there cannot be read.
  @discardableResult
  public static func save(
    _ recipe: Recipe, forPhoto photo: String, _ action: Action, source: String? = nil
  ) throws -> RecipeSidecar {
    let input = try PhotoHeader.read(photo).planInput
    _ = try Plan(
      recipe, input: input, output: PlanOutput(format: input.format, space: input.space), optimized: false)
    let fingerprint = try FileFingerprint(contentsOf: photo)
    var sidecar = try read(forPhoto: photo) ?? RecipeSidecar(recipe: nil, photo: fingerprint)
    sidecar.replaceRecipe(
      with: recipe.namingTables(besidePhoto: photo), for: fingerprint, action, source: source)
    try sidecar.write(forPhoto: photo)
    return sidecar
  }

  /// Takes the edit of a photo away, and keeps its history.
  public static func clear(forPhoto photo: String) throws {
    var sidecar = try require(forPhoto: photo)
    guard sidecar.recipe != nil else { throw noEdit(photo) }
    sidecar.replaceRecipe(with: nil, .cleared)
    try sidecar.write(forPhoto: photo)
  }

  /// Takes the last change of a photo's edit back; with the first one the sidecar goes.
  ///
  /// - Returns: the sidecar as it is now; nil where it is gone.
  public static func undo(forPhoto photo: String) throws -> RecipeSidecar? {
    var sidecar = try require(forPhoto: photo)
    do {
      try sidecar.undo()
    } catch let error as SafelightError {
      throw SafelightError(error.code, "\(photo): \(error.problem)", remedy: error.remedy)
    }
    guard sidecar.recipe != nil || !sidecar.history.isEmpty else {
      try remove(forPhoto: photo)
      return nil
    }
    try sidecar.write(forPhoto: photo)
    return sidecar
  }
}

extension Recipe {
  /// The recipe of a sidecar with its tables read, and named as seen from the working directory.
  public func loadingTables(besidePhoto photo: String) throws -> Recipe {
    let path = RecipeSidecar.path(forPhoto: photo)
    var loaded = locatingTables(besideRecipe: path)
    loaded.filters = try loaded.filters.map { filter in
      var filter = filter
      do {
        try filter.loadFiles(with: FileContents.readRegular)
      } catch let error as SafelightError {
        throw SafelightError(error.code, "\(path): \(error.problem)", remedy: error.remedy)
      }
      return filter
    }
    return loaded
  }

  /// Only the filters that change colours.
  public var colorOnly: Recipe {
    Recipe(order: order, filters: filters.filter { !type(of: $0).phase.isGeometry })
  }

  /// This recipe with its tables named as the sidecar of a photo names them: relative to the photo's folder where they
  /// are in it, or below, and absolutely elsewhere.
  ///
  /// The recipe names them as seen from the working directory.
  public func namingTables(besidePhoto photo: String) -> Recipe {
    guard let resolved = realpath(FolderListing.parent(of: photo), nil) else { return namingTablesAbsolutely }
    defer { free(resolved) }
    let folder = String(cString: resolved)
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    var named = namingTablesAbsolutely
    named.filters = named.filters.map { filter in
      guard var lut = filter as? LUT, lut.file.hasPrefix(prefix) else { return filter }
      lut.file = String(lut.file.dropFirst(prefix.count))
      return lut
    }
    return named
  }
}
