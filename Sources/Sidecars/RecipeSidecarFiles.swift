import ColorScience
import Files
import FilterGraph
import Filters
import FrameCore
import Libc
import PhotoIO

extension RecipeSidecar {
  /// Reads the sidecar of a photo.
  ///
  /// - Parameter catalog: the filters that its recipes may use; add your own to the standard ones.
  /// - Returns: nil if there is none.
  /// - Throws: `SafelightError` naming the file if it cannot be read or is invalid.
  public static func read(forPhoto photo: String, catalog: FilterCatalog = .standard) throws -> RecipeSidecar?
  {
    try contents(forPhoto: photo).map {
      try RecipeSidecar(json: $0, file: path(forPhoto: photo), catalog: catalog)
    }
  }

  /// Returns the bytes of a photo's sidecar; nil if there is none.
  static func contents(forPhoto photo: String) throws -> [UInt8]? {
    let path = path(forPhoto: photo)
    var status = stat()
    guard stat(path, &status) == 0 else {
      // A dangling link exists too, and must not be taken for a missing edit.
      guard errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG, lstat(path, &status) != 0 else {
        throw SafelightError(
          .file, "Cannot read \(path): \(errorText(errno))", remedy: "check the path")
      }
      return nil
    }
    // Reading from a pipe could block.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SafelightError(
        .file, "Cannot read \(path): it is not a file", remedy: "move it away")
    }
    return try FileContents.read(path, .regularFile, atMost: sizeLimit)
  }

  /// Whether a photo has a sidecar, valid or not.
  public static func exists(forPhoto photo: String) -> Bool {
    var status = stat()
    return lstat(path(forPhoto: photo), &status) == 0
  }

  /// Reads the sidecar of a photo that must have one.
  ///
  /// - Throws: `SafelightError(.file)` explaining how to make one if there is none.
  public static func require(
    forPhoto photo: String, catalog: FilterCatalog = .standard
  ) throws -> RecipeSidecar {
    try required(read(forPhoto: photo, catalog: catalog), forPhoto: photo)
  }

  /// - Throws: `SafelightError(.file)` explaining how to make a sidecar if it is nil.
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

  /// Whether the edit was made for this photo. Reads the whole file unless its size already differs.
  package func isMade(forPhoto path: String) throws -> Bool {
    var status = stat()
    if stat(path, &status) == 0, Int(status.st_size) != photo.bytes { return false }
    return try FileFingerprint(contentsOf: path) == photo
  }

  /// Whether the edit was made for this photo, as `isMade(forPhoto:)` says.
  func isMade(for photo: PhotoFile) throws -> Bool {
    guard photo.byteCount == self.photo.bytes else { return false }
    return try photo.fingerprint() == self.photo
  }

  /// Returns the error for a photo other than the one that the edit was made for.
  static func changedPhoto(_ photo: String) -> SafelightError {
    SafelightError(
      .invalidValue, "\(photo) has changed since its edit was made",
      remedy:
        "check that the edit still fits and give --accept-changed, or make it again with “safelight recipe set”"
    )
  }

  /// Returns the files that a photo's edit names, relative to the working directory, except those that ship with
  /// Safelight.
  public static func files(ofPhoto photo: String, catalog: FilterCatalog = .standard) throws -> [String] {
    let recipe = try read(forPhoto: photo, catalog: catalog)?.recipe ?? Recipe()
    return recipe.locatingFiles(besideRecipe: path(forPhoto: photo)).files.map(\.name).filter {
      !$0.hasPrefix(ShippedFiles.prefix)
    }
  }

  /// Returns a hash that identifies a photo's edit, like `Recipe.fingerprint`; files it names are hashed by their
  /// bytes without being parsed.
  ///
  /// - Parameters:
  ///   - acceptChanged: as for `recipe(forPhoto:acceptChanged:catalog:)`.
  ///   - options: whatever else determines the result.
  package static func fingerprint(
    forPhoto photo: String, acceptChanged: Bool, options: [String], catalog: FilterCatalog = .standard
  ) throws -> String {
    try unloadedRecipe(forPhoto: photo, acceptChanged: acceptChanged, catalog: catalog)
      .locatingFiles(besideRecipe: path(forPhoto: photo)).fingerprint(options: options)
  }

  /// Returns the edit of a photo, ready for rendering.
  ///
  /// - Parameters:
  ///   - acceptChanged: whether the edit may be for another photo, or one that has changed since.
  ///   - catalog: the filters that it may use.
  /// - Throws: `SafelightError` if there is no edit, if it was made for another photo and that is not accepted, or
  ///   if a file that it names cannot be read.
  public static func recipe(
    forPhoto photo: String, acceptChanged: Bool = false, catalog: FilterCatalog = .standard
  ) throws -> Recipe {
    try unloadedRecipe(forPhoto: photo, acceptChanged: acceptChanged, catalog: catalog)
      .loadingFiles(besidePhoto: photo)
  }

  /// Returns the edit of a photo that is open, as `recipe(forPhoto:acceptChanged:catalog:)` does.
  public static func recipe(
    for photo: PhotoFile, acceptChanged: Bool = false, catalog: FilterCatalog = .standard
  ) throws -> Recipe {
    try unloadedRecipe(forPhoto: photo.path, acceptChanged: acceptChanged, catalog: catalog) {
      try $0.isMade(for: photo)
    }.loadingFiles(besidePhoto: photo.path)
  }

  /// Returns the edit of a photo as stored in its sidecar.
  private static func unloadedRecipe(
    forPhoto photo: String, acceptChanged: Bool, catalog: FilterCatalog
  ) throws -> Recipe {
    try unloadedRecipe(forPhoto: photo, acceptChanged: acceptChanged, catalog: catalog) {
      try $0.isMade(forPhoto: photo)
    }
  }

  private static func unloadedRecipe(
    forPhoto photo: String, acceptChanged: Bool, catalog: FilterCatalog,
    isMade: (RecipeSidecar) throws -> Bool
  ) throws -> Recipe {
    let sidecar = try require(forPhoto: photo, catalog: catalog)
    guard let recipe = sidecar.recipe else { throw noEdit(photo) }
    guard try acceptChanged || isMade(sidecar) else { throw changedPhoto(photo) }
    return recipe
  }
}

extension Recipe {
  /// Returns the sidecar's recipe with its files loaded and their names relative to the working directory.
  package func loadingFiles(besidePhoto photo: String) throws -> Recipe {
    let path = RecipeSidecar.path(forPhoto: photo)
    do {
      return try locatingFiles(besideRecipe: path).loadingFiles(
        from: FilterFiles(size: FileContents.size(of:), pictures: TablePicture.decode) {
          try ShippedFiles.contents($0, else: FileContents.readRegular)
        })
    } catch let error as SafelightError {
      throw SafelightError(error.code, "\(path): \(error.problem)", remedy: error.remedy)
    }
  }

  /// Returns this recipe with file names as in the photo's sidecar: relative to the photo's folder if the files
  /// are in it or below, otherwise absolute.
  ///
  /// The recipe's own file names are relative to the working directory.
  package func namingFiles(besidePhoto photo: String) -> Recipe {
    let named = namingFilesAbsolutely
    guard let resolved = realpath(FolderListing.parent(of: photo), nil) else { return named }
    defer { free(resolved) }
    let folder = String(cString: resolved)
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return named.mapFiles { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
  }
}
