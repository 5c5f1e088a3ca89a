import Foundation
import LookLibrary
import Testing

/// The embedded table against the folder that it was made from.
@Suite struct LookLibraryTests {
  /// `presets/`, found from this file.
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "presets")

  /// Every file that is embedded, and the size that it takes there.
  private static let embedded: [(path: String, bytes: Data, embeddedSize: Int)] = {
    var count = 0
    return UnsafeBufferPointer(start: safelight_look_library(&count), count: count).map { file in
      var file = file
      var bytes = Data(count: safelight_embedded_file_length(&file))
      bytes.withUnsafeMutableBytes {
        safelight_read_embedded_file(&file, $0.bindMemory(to: UInt8.self).baseAddress)
      }
      return (String(cString: file.path), bytes, file.embedded_length)
    }
  }()

  private static func paths(in subfolder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: subfolder).path)
      .map { "\(subfolder)/\($0)" }
  }

  @Test("Every file of looks/ and luts/ is embedded, and nothing else, sorted by path")
  func embedsEveryFile() throws {
    let expected = try (Self.paths(in: "looks") + Self.paths(in: "luts")).sorted()
    #expect(Self.embedded.map(\.path) == expected)
    #expect(expected.count >= 20)
  }

  @Test("Embedded bytes are the files' bytes")
  func embedsExactBytes() throws {
    for file in Self.embedded {
      let bytes = try Data(contentsOf: Self.folder.appending(path: file.path))
      #expect(file.bytes == bytes, "\(file.path): run presets/pack_luts.py if it has changed")
    }
  }

  @Test("LUTs are embedded in less than a tenth of their size")
  func packsLUTs() {
    for file in Self.embedded where file.path.hasPrefix("luts/") {
      #expect(file.embeddedSize < file.bytes.count / 10, "\(file.path)")
    }
  }

  @Test("Each recipe is of format 1 and has a name, and the recipes use exactly the LUTs of the table")
  func recipesFindTheirLUTs() throws {
    let luts = Set(Self.embedded.map(\.path).filter { $0.hasPrefix("luts/") })
    var used: Set<String> = []
    for file in Self.embedded where file.path.hasPrefix("looks/") {
      let recipe = try #require(try JSONSerialization.jsonObject(with: file.bytes) as? [String: Any])
      #expect(recipe["safelight"] as? Int == 1, "\(file.path)")
      #expect((recipe["name"] as? String)?.isEmpty == false, "\(file.path)")
      let filters = try #require(recipe["filters"] as? [[String: Any]])
      for case let lut as String in filters.map({ $0["file"] as Any }) {
        used.insert(String(lut.dropFirst("../".count)))
      }
    }
    #expect(used == luts)
  }
}
