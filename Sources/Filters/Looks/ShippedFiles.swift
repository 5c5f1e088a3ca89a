import FilterGraph
import FrameCore
import LookLibrary

/// The files of `presets/`, embedded in the program, under names that work in every recipe and on the command
/// line: `safelight:luts/noir.cube`.
public enum ShippedFiles {
  /// The prefix of their names. A file on disk whose name begins with it is reached as `./safelight:…`.
  public static let prefix = "safelight:"

  /// The names of the shipped tables, in alphabetical order.
  public static var tables: [String] {
    paths.filter { $0.hasPrefix("luts/") }.sorted().map { prefix + $0 }
  }

  /// - Parameter name: including the prefix.
  /// - Throws: `SafelightError` that suggests the nearest table if nothing of this name is shipped.
  public static func contents(_ name: String) throws -> [UInt8] {
    guard name.hasPrefix(prefix), let bytes = contents(ofPath: String(name.dropFirst(prefix.count))) else {
      throw NearestName.error(unknown: "shipped file", name, among: tables)
    }
    return bytes
  }

  /// Returns the contents of a shipped file or of any other.
  ///
  /// - Parameter read: reads a file that is not shipped.
  package static func contents(_ name: String, else read: (_ path: String) throws -> [UInt8]) throws
    -> [UInt8]
  {
    name.hasPrefix(prefix) ? try contents(name) : try read(name)
  }

  /// Returns the bytes of a file by its path in `presets/`; nil if there is none.
  static func contents(ofPath path: String) -> [UInt8]? {
    guard var file = files.first(where: { String(cString: $0.path) == path }) else { return nil }
    let length = safelight_embedded_file_length(&file)
    return [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
      safelight_read_embedded_file(&file, bytes.baseAddress)
      count = length
    }
  }

  /// The paths of all files in `presets/`.
  static var paths: [String] { files.map { String(cString: $0.path) } }

  private static var files: UnsafeBufferPointer<safelight_embedded_file> {
    var count = 0
    return UnsafeBufferPointer(start: safelight_look_library(&count), count: count)
  }
}
