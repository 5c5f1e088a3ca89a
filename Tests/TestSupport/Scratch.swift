import FoundationEssentials

/// A folder of its own for one test, removed with it.
package final class Scratch {
  package let path: String
  /// The user's folder of caches for programs that run here, beside the folder. Not there until one writes to it.
  package var caches: String { path + "-caches" }

  package init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "safelight-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit { for folder in [path, caches] { try? FileManager.default.removeItem(atPath: folder) } }

  package func callAsFunction(_ name: String) -> String { path + "/" + name }

  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: self(name)))
    return self(name)
  }
  package func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }
  package func read(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(filePath: self(name))))
  }
  package func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
  }

  /// Everything in the folder, hidden files too.
  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// The description of the error that `body` throws, or nil.
package func message(of body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return String(describing: error)
  }
}
