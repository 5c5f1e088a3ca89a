import Foundation
import LibraryTestSupport
import Safelight
import StudioPage
import Testing

@Suite("The page's files")
struct StudioPageTests {
  /// The files in the program, by their paths in `studio/page`.
  private var embedded: [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for index in 0..<studio_file_count() {
      guard let row = studio_file_at(index)?.pointee else { continue }
      files[String(cString: row.path)] = Array(UnsafeBufferPointer(start: row.bytes, count: row.length))
    }
    return files
  }

  private static let folder = packageFolder + "/studio/page"

  @Test("are all in the program, as they are in the folder; studio/embed.py writes the table")
  func table() throws {
    let found = try #require(FileManager.default.enumerator(atPath: Self.folder)).compactMap { $0 as? String }
    let files = found.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: Self.folder + "/" + path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    let embedded = embedded
    #expect(Set(files).symmetricDifference(embedded.keys).sorted() == [])
    for path in files {
      let bytes = try Array(Data(contentsOf: URL(filePath: Self.folder + "/" + path)))
      let isSame = embedded[path] == bytes
      #expect(isSame, "\(path)")
    }
  }

  @Test("ask no other server for anything, and hold no script or style inside HTML")
  func selfContained() throws {
    for (path, bytes) in embedded {
      let text = String(decoding: bytes, as: UTF8.self)
      for line in text.split(separator: "\n") where line.contains("://") {
        #expect(
          line.contains("http://www.w3.org/") || line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//")
            || line.trimmingPrefix(while: \.isWhitespace).hasPrefix("*") || line.contains("localhost")
            || line.contains("`ws") || line.contains("\"ws") || line.contains("location.host"),
          "\(path): \(line)")
      }
      if path.hasSuffix(".html") { #expect(!text.contains("<style") && !text.contains(" style=")) }
      #expect(
        text.split(separator: "\n", omittingEmptySubsequences: false).count <= 301, "\(path) is too long")
    }
  }
}
