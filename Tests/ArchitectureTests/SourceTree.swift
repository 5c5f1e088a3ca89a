import Foundation
import Testing

/// The repository as files: what the architecture tests read.
struct SourceTree {
  struct File {
    /// Relative to the repository.
    var path: String
    /// The module that the file belongs to.
    var module: String
    var text: String

    var isSwift: Bool { path.hasSuffix(".swift") }
  }

  /// The folder that holds Package.swift.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Names of the folders in Sources: one for each module, but for `presets`.
  static func sourceFolders() throws -> Set<String> {
    let folders = try FileManager.default.contentsOfDirectory(
      at: root.appendingPathComponent("Sources"), includingPropertiesForKeys: [.isDirectoryKey])
    return Set(
      try folders.filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
        .map(\.lastPathComponent))
  }

  /// Every Swift, C and C++ file of every module.
  static func sources() throws -> [File] {
    try sourceFolders().sorted().flatMap { try files(in: "Sources/\($0)", module: $0) }
      + files(in: "presets", module: "LookLibrary") + files(in: "studio", module: "StudioPage")
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  private static func files(in folder: String, module: String) throws -> [File] {
    let extensions: Set<String> = ["swift", "c", "cc", "cpp", "h", "hpp", "inc"]
    let url = root.appendingPathComponent(folder)
    let found = try #require(FileManager.default.enumerator(atPath: url.path), "no folder \(folder)")
    return try found.compactMap { $0 as? String }.sorted()
      .filter { extensions.contains(($0 as NSString).pathExtension) }
      .map { File(path: "\(folder)/\($0)", module: module, text: try text(of: "\(folder)/\($0)")) }
  }
}

/// What Package.swift declares, read from its text: running the package manager within its own tests would wait
/// for the lock that the test run holds.
struct PackageManifest {
  struct Target {
    var name: String
    /// Every quoted name in its list of dependencies, products included.
    var dependencies: Set<String>
    var isTest: Bool
  }

  var targets: [Target]

  init(_ text: String) {
    let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      .joined(separator: "\n")
    let openings = code.matches(
      of: /\.(target|executableTarget|systemLibrary|testTarget)\(\s*name:\s*"(\w+)"/)
    targets = openings.enumerated().map { index, opening in
      let end = index + 1 < openings.count ? openings[index + 1].range.lowerBound : code.endIndex
      let body = code[opening.range.upperBound..<end]
      let list = body.firstMatch(of: /dependencies:\s*\[([^\]]*)\]/)?.1 ?? ""
      // The package of a product is not a dependency of the target itself.
      let names = list.replacing(/package:\s*"[^"]*"/, with: "").matches(of: /"([^"]+)"/).map { String($0.1) }
      return Target(
        name: String(opening.2), dependencies: Set(names), isTest: opening.1 == "testTarget")
    }
  }
}
