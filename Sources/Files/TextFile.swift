/// A text file that appears whole or not at all, such as a recipe.
public struct TextFile {
  private let file: OutputFile
  /// The attributes of the replaced file that could not be kept, one sentence each.
  public var warnings: [String] { file.warnings }

  /// Checks that the file can be written; only `commit` replaces an existing one.
  ///
  /// - Throws: `SafelightError(.file)` if the folder is missing or not writable, or if `path` is a folder or not a
  ///   regular file; `.exists` if the file exists and `overwrite` is false.
  public init(to path: String, overwrite: Bool = false) throws {
    file = try OutputFile(path: path, overwrite: overwrite)
  }

  /// Writes the whole file as UTF-8 under a temporary name and flushes it to the disk: errors, above all a full
  /// disk, occur here. Call once.
  public func write(_ text: String) throws {
    try file.write(Array(text.utf8))
    try file.sync()
  }

  /// As `write`, for text in pieces of UTF-8: `body` is called once, with a function that writes a piece.
  package func writePieces(_ body: (_ write: (_ piece: [UInt8]) throws -> Void) throws -> Void) throws {
    try body { try file.write($0) }
    try file.sync()
  }

  /// Gives the written file its name.
  public func commit() throws { try file.commit() }
}
