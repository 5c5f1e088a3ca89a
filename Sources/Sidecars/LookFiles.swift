import Files
import FilterGraph
import Filters
import FrameCore
import Libc

extension Recipe {
  /// Larger files are no recipes, bytes.
  public static let sizeLimit = 4 << 20

  /// Reads a recipe; files that it names are looked up beside it, or in the program as `ShippedFiles` says.
  ///
  /// - Parameters:
  ///   - path: of a file or a pipe. Files that a recipe from a pipe names are looked up in the working directory.
  ///   - files: what was read before is not read again; the rest is remembered there.
  ///   - catalog: the filters that the recipe may name; add your own to those that ship.
  /// - Throws: `SafelightError` that names the file and the place in it; `.tooLarge` beyond `sizeLimit`.
  public init(
    contentsOf path: String, in files: FileSnapshot = FileSnapshot(),
    catalog: FilterCatalog = .standard
  ) throws {
    let json = try files.read(path, atMost: Self.sizeLimit)
    func location(of name: String) -> String { Self.location(of: name, besideRecipe: path) }
    try self.init(
      json: json, file: path, catalog: catalog, size: { files.size(of: location(of: $0)) },
      read: { try ShippedFiles.contents(location(of: $0), else: files.readRegular) })
  }

  /// Where a file lies that the recipe at `path` names.
  private static func location(of name: String, besideRecipe path: String) -> String {
    guard !isPipe(path) else { return name }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let isComplete =
      name.hasPrefix("/") || name.hasPrefix(ShippedFiles.prefix) || folder.isEmpty && !path.hasPrefix("/")
    return isComplete ? name : folder + "/" + name
  }

  /// Whether nothing lies beside a recipe: what comes through a pipe, or through a descriptor, such as the /dev/fd/63 of a
  /// shell's `<(…)`.
  private static func isPipe(_ path: String) -> Bool {
    let folders = path.split(separator: "/").dropLast()
    guard path != FileContents.standardInput, !path.hasPrefix("/dev/fd/"),
      !(path.hasPrefix("/proc/") && folders.last == "fd")
    else { return true }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// This recipe, read from `path`, with its files named as seen from the working directory.
  public func locatingFiles(besideRecipe path: String) -> Recipe {
    mapFiles { Self.location(of: $0, besideRecipe: path) }
  }

  /// This recipe with its files named by their absolute paths, so that its JSON works wherever it is saved.
  ///
  /// Files must be named as seen from the working directory, as `locatingFiles(besideRecipe:)` names those of a recipe
  /// that was read from a file; one that is not found keeps its name.
  public var namingFilesAbsolutely: Recipe {
    mapFiles { name in
      guard !name.hasPrefix(ShippedFiles.prefix), let path = realpath(name, nil) else { return name }
      defer { free(path) }
      return String(cString: path)
    }
  }
}

extension LUT {
  /// Reads a table from a `.cube` file.
  public init(contentsOf path: String, strength: Float = 100, encoding: Encoding = .sRGB) throws {
    self.init()
    (file, self.strength, self.encoding) = (path, strength, encoding)
    try loadFiles(from: FilterFiles { try ShippedFiles.contents($0) { try FileContents.read($0) } })
  }
}
