import FilterGraph
import Filters
import FrameCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whole files that people write by hand: recipes and tables.
public enum FileContents {
  /// Larger files are refused: a 256³ table takes about 450 MB as text.
  static let limit = 512 << 20

  /// - Throws: `SafelightError(.file)` that says why the file cannot be read.
  public static func read(_ path: String) throws -> [UInt8] {
    func failure(_ remedy: String) -> SafelightError {
      SafelightError(.file, "Cannot read \(path): \(String(cString: strerror(errno)))", remedy: remedy)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw failure(errno == EACCES ? "allow reading it (chmod +r)" : "check the path")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("check the path") }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw SafelightError(.file, "\(path) is a folder", remedy: "name a file in it")
    }
    guard status.st_size <= limit else {
      throw SafelightError(
        .tooLarge, "\(path) is larger than \(limit >> 20) MiB", remedy: "give a smaller file")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: max(65_536, Int(status.st_size) + 1))
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("check the disk") }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= limit else {
        throw SafelightError(
          .tooLarge, "\(path) is larger than \(limit >> 20) MiB", remedy: "give a smaller file")
      }
    }
  }

  /// Whether both paths lead to the same existing file.
  public static func areSame(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Makes a folder where there is none; its parent must exist.
  public static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw SafelightError(
      .file, "Cannot make the folder \(path): \(String(cString: strerror(errno)))",
      remedy: "choose another place")
  }
}

extension Recipe {
  /// Reads a recipe; files that it names are looked up beside it.
  public init(contentsOf path: String) throws {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    try self.init(json: FileContents.read(path), file: path, catalog: FilterCatalog.all) { name in
      try FileContents.read(
        name.hasPrefix("/") || folder.isEmpty && !path.hasPrefix("/") ? name : folder + "/" + name)
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

/// read(2); a method named `read` hides it above.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
