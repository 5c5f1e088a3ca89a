import ColorScience
import FrameCore

/// The files that the filters of one recipe name. Each table is parsed once and shared by all filters that
/// name it, and all files together have a limit, so that what a recipe takes in memory follows from the files
/// beside it and not from how often it names them.
public final class FilterFiles {
  /// Bytes of all files together that are read for one recipe.
  public static let sizeLimit = 512 << 20

  private let load: (String) throws -> [UInt8]
  private let size: (String) -> Int?
  private let limit: Int
  private var sizes: [String: Int] = [:]
  private var tables: [String: ColorLUT] = [:]

  /// - Parameters:
  ///   - size: bytes of the file that a recipe calls by this name, where that can be told without reading it;
  ///     what is too large is not read then.
  ///   - load: reads that file.
  public convenience init(
    size: @escaping (String) -> Int? = { _ in nil }, _ load: @escaping (String) throws -> [UInt8]
  ) {
    self.init(atMost: Self.sizeLimit, size: size, load)
  }

  init(
    atMost limit: Int, size: @escaping (String) -> Int? = { _ in nil },
    _ load: @escaping (String) throws -> [UInt8]
  ) {
    (self.limit, self.size, self.load) = (limit, size, load)
  }

  /// The bytes of a file, read anew at each call.
  ///
  /// - Throws: what reading it throws; `SafelightError(.tooLarge)` where the files of the recipe are larger together than
  ///   `sizeLimit`, before the file is read where its size is known.
  public func read(_ name: String) throws -> [UInt8] {
    if let bytes = size(name) { try count(bytes, of: name) }
    let bytes = try load(name)
    try count(bytes.count, of: name)
    return bytes
  }

  private func count(_ bytes: Int, of name: String) throws {
    // A sparse file may claim so many bytes that their sum overflows.
    sizes[name] = min(bytes, 1 << 50)
    let total = sizes.values.reduce(0, +)
    guard total <= limit else {
      throw SafelightError(
        .tooLarge, "The files that the recipe names have \(total) bytes together, more than \(limit)",
        remedy: "use fewer or smaller tables")
    }
  }

  /// The table in a `.cube` file; filters that name the same file share its values.
  ///
  /// - Throws: as `read`, and as `ColorLUT.init(cube:name:)`.
  public func table(_ name: String) throws -> ColorLUT {
    if let known = tables[name] { return known }
    let table = try ColorLUT(cube: read(name), name: name)
    tables[name] = table
    return table
  }
}
