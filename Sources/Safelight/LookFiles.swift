import FilterGraph
import Filters
import FrameCore

extension Recipe {
  /// Reads a recipe; files that it names are looked up beside it, or in the program as `ShippedFiles` says.
  public init(contentsOf path: String) throws {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    try self.init(json: FileContents.read(path), file: path, catalog: FilterCatalog.all) { name in
      try FileContents.read(
        name.hasPrefix("/") || name.hasPrefix(ShippedFiles.prefix) || folder.isEmpty && !path.hasPrefix("/")
          ? name : folder + "/" + name)
    }
  }
}

extension LUT {
  /// Reads a table from a `.cube` file.
  public init(contentsOf path: String, strength: Float = 100, encoding: Encoding = .sRGB) throws {
    self.init()
    (file, self.strength, self.encoding) = (path, strength, encoding)
    try loadFiles(with: FileContents.read)
  }
}
