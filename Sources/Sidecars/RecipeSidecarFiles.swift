import Files
import FilterGraph
import Filters
import FrameCore
import PhotoIO
import Libc

extension RecipeSidecar {
  /// Reads the sidecar of a photo.
  ///
  /// - Returns: nil where there is none.
  /// - Throws: `SafelightError` that names the file where it cannot be read or is not sound.
  public static func read(forPhoto photo: String) throws -> RecipeSidecar? {
    try contents(forPhoto: photo).map { try RecipeSidecar(json: $0, file: path(forPhoto: photo)) }
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
  public static func require(forPhoto photo: String) throws -> RecipeSidecar {
    try required(read(forPhoto: photo), forPhoto: photo)
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

extension Recipe {
  /// The recipe of a sidecar with its tables read, and named as seen from the working directory.
  public func loadingTables(besidePhoto photo: String) throws -> Recipe {
    let path = RecipeSidecar.path(forPhoto: photo)
    var loaded = locatingTables(besideRecipe: path)
    let files = FilterFiles(size: FileContents.size(of:), FileContents.readRegular)
    loaded.filters = try loaded.filters.map { filter in
      var filter = filter
      do {
        try filter.loadFiles(from: files)
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
