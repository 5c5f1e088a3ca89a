import Foundation
import LibraryTestSupport

@testable import Sidecars

/// The files of `Tests/Fuzz/looks`.
enum LookSeeds {
  static let folder = packageFolder + "/Tests/Fuzz/looks"
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { !$0.hasSuffix(".md") }.sorted()

  static func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
  }

  static func look(_ name: String) throws -> ImportedLook { try ImportedLook(bytes(name), file: name) }
}

extension ImportedSettings {
  func texts(_ list: KeyPath<ImportedSettings, [Setting]>) -> [String] { self[keyPath: list].map(\.text) }
}
