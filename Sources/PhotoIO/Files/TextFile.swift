/// A text file that appears whole or not at all, such as a recipe.
public struct TextFile {
  private let file: OutputFile

  /// Makes sure that the file can be written; what stands there is replaced only by `write`.
  ///
  /// - Throws: `SafelightError(.file)` where the folder is missing or may not be written, or where `path` is a folder or
  ///   not a regular file, or exists although `overwrite` is false.
  public init(to path: String, overwrite: Bool = true) throws {
    file = try OutputFile(path: path, overwrite: overwrite)
  }

  /// Writes the whole file, as UTF-8. To be called once.
  public func write(_ text: String) throws {
    try file.write(Array(text.utf8))
    try file.commit()
  }
}
