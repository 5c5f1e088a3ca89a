/// A text file that appears whole or not at all, such as a recipe.
public struct TextFile {
  private let file: OutputFile
  /// What of the file that is replaced could not be kept, one sentence each.
  public var warnings: [String] { file.warnings }

  /// Makes sure that the file can be written; what stands there is replaced only by `commit`.
  ///
  /// - Throws: `SafelightError(.file)` where the folder is missing or may not be written, or where `path` is a folder or
  ///   not a regular file; `.exists` where a file is there although `overwrite` is false.
  public init(to path: String, overwrite: Bool = false) throws {
    file = try OutputFile(path: path, overwrite: overwrite)
  }

  /// Writes the whole file under a temporary name, as UTF-8, down to the disk: what can fail, a full disk above all,
  /// fails here. To be called once.
  public func write(_ text: String) throws {
    try file.write(Array(text.utf8))
    try file.sync()
  }

  /// As `write`, of a text that comes piece by piece as UTF-8: `body` is called once, with what writes a piece.
  public func writePieces(_ body: (_ write: (_ piece: [UInt8]) throws -> Void) throws -> Void) throws {
    try body { try file.write($0) }
    try file.sync()
  }

  /// Gives the written file its name.
  public func commit() throws { try file.commit() }
}
