import ColorScience
import FrameCore

/// The files that the filters of one recipe name. Each is read once and each table parsed once, however many filters name
/// it, so that what a recipe takes in memory follows from the files beside it and not from how often it names them.
public final class FilterFiles {
  /// Bytes of all files together that are read for one recipe.
  public static let sizeLimit = 512 << 20

  private let load: (String) throws -> [UInt8]
  private let limit: Int
  private var sizes: [String: Int] = [:]
  private var tables: [String: ColorLUT] = [:]

  /// - Parameter load: reads the file that a recipe calls by this name.
  public convenience init(_ load: @escaping (String) throws -> [UInt8]) {
    self.init(atMost: Self.sizeLimit, load)
  }

  init(atMost limit: Int, _ load: @escaping (String) throws -> [UInt8]) {
    (self.limit, self.load) = (limit, load)
  }

  /// The bytes of a file.
  ///
  /// - Throws: what reading it throws; `SafelightError(.tooLarge)` where the files of the recipe are larger together than
  ///   `sizeLimit`.
  public func read(_ name: String) throws -> [UInt8] {
    let bytes = try load(name)
    sizes[name] = bytes.count
    let total = sizes.values.reduce(0, +)
    guard total <= limit else {
      throw SafelightError(
        .tooLarge, "The files that the recipe names have \(total) bytes together, more than \(limit)",
        remedy: "use fewer or smaller tables")
    }
    return bytes
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
