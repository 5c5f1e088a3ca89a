import Files
import FilterGraph
import Filters
import FrameCore
import PhotoIO
import Libc

extension RecipeSidecar {
  /// Reads the sidecar of a photo.
  ///
  /// - Parameter catalog: the filters that its recipes may name; add your own to those that ship.
  /// - Returns: nil where there is none.
  /// - Throws: `SafelightError` that names the file where it cannot be read or is not sound.
  public static func read(forPhoto photo: String, catalog: FilterCatalog = .standard) throws -> RecipeSidecar?
  {
    try contents(forPhoto: photo).map {
      try RecipeSidecar(json: $0, file: path(forPhoto: photo), catalog: catalog)
    }
  }

  /// The bytes of a photo's sidecar; nil where there is none.
  static func contents(forPhoto photo: String) throws -> [UInt8]? {
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
    return try FileContents.read(path, .regularFile, atMost: sizeLimit)
  }

  /// Whether a photo has a sidecar, sound or not.
  public static func exists(forPhoto photo: String) -> Bool {
    var status = stat()
    return lstat(path(forPhoto: photo), &status) == 0
  }

  /// Reads the sidecar of a photo that is to have one.
  ///
  /// - Throws: `SafelightError(.file)` that says how to make one where there is none.
  public static func require(
    forPhoto photo: String, catalog: FilterCatalog = .standard
  ) throws -> RecipeSidecar {
    try required(read(forPhoto: photo, catalog: catalog), forPhoto: photo)
  }

  /// - Throws: `SafelightError(.file)` that says how to make a sidecar where it is nil.
  static func required(_ sidecar: RecipeSidecar?, forPhoto photo: String) throws -> RecipeSidecar {
    if let sidecar { return sidecar }
    guard FileContents.kind(of: photo) != .missing else {
      throw SafelightError(
        .file, "Cannot read \(photo): there is no such file", remedy: "check the spelling")
    }
    throw noEdit(photo)
  }

  static func noEdit(_ photo: String) -> SafelightError {
    SafelightError(.file, "\(photo) has no edit", remedy: "make one with “safelight recipe set”")
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

  /// The files that the edit of a photo names, as seen from the working directory, but for those that ship.
  public static func files(ofPhoto photo: String, catalog: FilterCatalog = .standard) throws -> [String] {
    let recipe = try read(forPhoto: photo, catalog: catalog)?.recipe ?? Recipe()
    return recipe.locatingFiles(besideRecipe: path(forPhoto: photo)).files.map(\.name).filter {
      !$0.hasPrefix(ShippedFiles.prefix)
    }
  }

  /// Identifies the edit of a photo, as `Recipe.fingerprint` does; files that it names are told by their bytes, which are
  /// not looked into.
  ///
  /// - Parameters:
  ///   - acceptChanged: as for `recipe(forPhoto:acceptChanged:catalog:)`.
  ///   - options: what else decides the result.
  public static func fingerprint(
    forPhoto photo: String, acceptChanged: Bool, options: [String], catalog: FilterCatalog = .standard
  ) throws -> String {
    try unloadedRecipe(forPhoto: photo, acceptChanged: acceptChanged, catalog: catalog)
      .locatingFiles(besideRecipe: path(forPhoto: photo)).fingerprint(options: options)
  }

  /// The edit of a photo, ready to be rendered.
  ///
  /// - Parameters:
  ///   - acceptChanged: whether it may be that of another photo, or of one that has changed since.
  ///   - catalog: the filters that it may name.
  /// - Throws: `SafelightError` where there is no edit, where it is not the photo's and that is not accepted, and where a
  ///   file that it names cannot be read.
  public static func recipe(
    forPhoto photo: String, acceptChanged: Bool = false, catalog: FilterCatalog = .standard
  ) throws -> Recipe {
    try unloadedRecipe(forPhoto: photo, acceptChanged: acceptChanged, catalog: catalog)
      .loadingFiles(besidePhoto: photo)
  }

  /// The edit of a photo as its sidecar has it.
  private static func unloadedRecipe(
    forPhoto photo: String, acceptChanged: Bool, catalog: FilterCatalog
  ) throws -> Recipe {
    let sidecar = try require(forPhoto: photo, catalog: catalog)
    guard let recipe = sidecar.recipe else { throw noEdit(photo) }
    guard try acceptChanged || sidecar.isMade(forPhoto: photo) else { throw changedPhoto(photo) }
    return recipe
  }
}

extension Recipe {
  /// The recipe of a sidecar with its files loaded, and named as seen from the working directory.
  public func loadingFiles(besidePhoto photo: String) throws -> Recipe {
    let path = RecipeSidecar.path(forPhoto: photo)
    do {
      return try locatingFiles(besideRecipe: path).loadingFiles(
        from: FilterFiles(size: FileContents.size(of:), FileContents.readRegular))
    } catch let error as SafelightError {
      throw SafelightError(error.code, "\(path): \(error.problem)", remedy: error.remedy)
    }
  }

  /// Only the filters that change colours.
  public var colorOnly: Recipe {
    Recipe(order: order, filters: filters.filter { !type(of: $0).phase.isGeometry })
  }

  /// This recipe with its files named as the sidecar of a photo names them: relative to the photo's folder where they
  /// are in it, or below, and absolutely elsewhere.
  ///
  /// The recipe names them as seen from the working directory.
  public func namingFiles(besidePhoto photo: String) -> Recipe {
    let named = namingFilesAbsolutely
    guard let resolved = realpath(FolderListing.parent(of: photo), nil) else { return named }
    defer { free(resolved) }
    let folder = String(cString: resolved)
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return named.mapFiles { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
  }
}
