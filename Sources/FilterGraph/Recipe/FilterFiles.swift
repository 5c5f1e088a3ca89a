import ColorScience
import FrameCore

/// The files named by the filters of one recipe. Each table is parsed once and shared by all filters that name it.
/// A limit applies to all files together, so the memory that a recipe takes depends on its files, not on how often
/// it names them.
public final class FilterFiles {
  /// The most bytes read for one recipe, all files together.
  public static let sizeLimit = 512 << 20

  /// Decodes a picture that holds a table, from its bytes; the name is for errors.
  public typealias PictureDecoder = (_ bytes: [UInt8], _ name: String) throws -> TablePicture

  private let load: (String) throws -> [UInt8]
  private let decode: PictureDecoder?
  private let size: (String) -> Int?
  private let limit: Int
  private var sizes: [String: Int] = [:]
  private var tables: [String: ColorLUT] = [:]

  /// - Parameters:
  /// - size: returns the size in bytes of the file with this name, if known without reading it; a file that is too
  ///   large is then not read.
  /// - pictures: decodes pictures that hold tables; nil refuses them.
  /// - load: reads that file.
  public convenience init(
    size: @escaping (String) -> Int? = { _ in nil }, pictures: PictureDecoder? = nil,
    _ load: @escaping (String) throws -> [UInt8]
  ) {
    self.init(atMost: Self.sizeLimit, size: size, pictures: pictures, load)
  }

  init(
    atMost limit: Int, size: @escaping (String) -> Int? = { _ in nil }, pictures: PictureDecoder? = nil,
    _ load: @escaping (String) throws -> [UInt8]
  ) {
    (self.limit, self.size, self.decode, self.load) = (limit, size, pictures, load)
  }

  /// Returns the bytes of a file, read anew at each call.
  ///
  /// - Throws: what reading the file throws; `SafelightError(.tooLarge)` if the files of the recipe together
  ///   exceed `sizeLimit`, before reading if the size is known.
  public func read(_ name: String) throws -> [UInt8] {
    if let bytes = size(name) { try count(bytes, of: name) }
    let bytes = try load(name)
    try count(bytes.count, of: name)
    return bytes
  }

  private func count(_ bytes: Int, of name: String) throws {
    // A sparse file may claim a size at which the sum would overflow.
    sizes[name] = min(bytes, 1 << 50)
    let total = sizes.values.reduce(0, +)
    guard total <= limit else {
      throw SafelightError(
        .tooLarge, "The files that the recipe names have \(total) bytes together, more than \(limit)",
        remedy: "use fewer or smaller tables")
    }
  }

  /// Returns the table in a file; filters that name the same file share its values.
  ///
  /// - Throws: as `read`, and as `ColorLUT.init(file:name:)`.
  public func table(_ name: String) throws -> ColorLUT {
    if let known = tables[name] { return known }
    let bytes = try read(name)
    let table: ColorLUT
    if try TableFileKind(bytes, name: name) == .picture {
      guard let decode else {
        throw SafelightError(
          .unsupported, "\(name) is a picture, and pictures are not read here",
          remedy: "save the table as .cube or .clf")
      }
      table = try ColorLUT(hald: try decode(bytes, name), name: name)
    } else {
      table = try ColorLUT(file: bytes, name: name)
    }
    tables[name] = table
    return table
  }
}
