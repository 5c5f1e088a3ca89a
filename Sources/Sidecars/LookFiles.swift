import ColorScience
import Files
import FilterGraph
import Filters
import FrameCore
import Libc
import PhotoIO

extension Recipe {
  /// The maximum size of a recipe file in bytes.
  public static let sizeLimit = 4 << 20

  /// Reads a recipe; files it names are looked up relative to its folder, or in the program if `ShippedFiles` has
  /// them.
  ///
  /// - Parameters:
  ///   - path: the path of a file or pipe. Files named by a recipe from a pipe are looked up in the working
  ///     directory.
  ///   - files: files read earlier are not read again; new ones are remembered there.
  ///   - catalog: the filters that the recipe may use; add your own to the standard ones.
  /// - Throws: `SafelightError` naming the file and the place in it; `.tooLarge` beyond `sizeLimit`.
  public init(
    contentsOf path: String, in files: FileSnapshot = FileSnapshot(),
    catalog: FilterCatalog = .standard
  ) throws {
    let json = try files.read(path, atMost: Self.sizeLimit)
    func location(of name: String) -> String { Self.location(of: name, besideRecipe: path) }
    try self.init(
      json: json, file: path, catalog: catalog, size: { files.size(of: location(of: $0)) },
      pictures: TablePicture.decode,
      read: { try ShippedFiles.contents(location(of: $0), else: files.readRegular) })
  }

  /// Returns the location of a file named by the recipe at `path`.
  private static func location(of name: String, besideRecipe path: String) -> String {
    guard !isPipe(path) else { return name }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let isComplete =
      name.hasPrefix("/") || name.hasPrefix(ShippedFiles.prefix) || folder.isEmpty && !path.hasPrefix("/")
    return isComplete ? name : folder + "/" + name
  }

  /// Whether a recipe has no folder: it comes through a pipe or a descriptor, such as the /dev/fd/63 of a shell's
  /// `<(…)`.
  private static func isPipe(_ path: String) -> Bool {
    let folders = path.split(separator: "/").dropLast()
    guard path != FileContents.standardInput, !path.hasPrefix("/dev/fd/"),
      !(path.hasPrefix("/proc/") && folders.last == "fd")
    else { return true }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Returns this recipe, read from `path`, with its file names made relative to the working directory.
  public func locatingFiles(besideRecipe path: String) -> Recipe {
    mapFiles { Self.location(of: $0, besideRecipe: path) }
  }

  /// This recipe with absolute file paths, so that its JSON works wherever it is saved.
  ///
  /// File names must be relative to the working directory, as `locatingFiles(besideRecipe:)` makes those of a
  /// recipe read from a file; a file that is not found keeps its name.
  package var namingFilesAbsolutely: Recipe {
    mapFiles { name in
      guard !name.hasPrefix(ShippedFiles.prefix), let path = realpath(name, nil) else { return name }
      defer { free(path) }
      return String(cString: path)
    }
  }
}

extension LUT {
  /// Reads a table from a file of any format that `LUT` reads.
  public init(
    contentsOf path: String, strength: Float = 100, encoding: Encoding = .sRGB, output: Output = .automatic
  ) throws {
    self.init()
    (file, self.strength, self.encoding, self.output) = (path, strength, encoding, output)
    try loadFiles(
      from: FilterFiles(pictures: TablePicture.decode) {
        try ShippedFiles.contents($0) { try FileContents.read($0) }
      })
  }
}
