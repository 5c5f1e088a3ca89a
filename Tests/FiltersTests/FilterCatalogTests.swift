import FilterGraph
import Filters
import Foundation
import Testing

/// The catalog against the sources, so that no filter is forgotten.
@Suite("Filter catalog")
struct FilterCatalogTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/Filters")

  /// The names of all types that the sources declare as filters, by file.
  static func declared() throws -> [(file: String, type: String)] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.flatMap
    { path in
      let file = folder.appending(path: path)
      let text = try String(contentsOf: file, encoding: .utf8)
      return text.matches(of: /(?m)^public struct (\w+): (?:.*\b)?Filter\b/).map {
        (file.lastPathComponent, String($0.output.1))
      }
    }
  }

  @Test("Every filter in Sources/Filters is in the catalog, once, in a file of its name")
  func complete() throws {
    let declared = try Self.declared()
    #expect(declared.count >= 10)
    #expect(declared.map(\.type).sorted() == FilterCatalog.all.map { "\($0)" }.sorted())
    for filter in declared { #expect(filter.file == filter.type + ".swift") }
  }

  @Test("The catalog is in the order of plans")
  func order() {
    let phases = FilterCatalog.all.map { $0.phase }
    #expect(phases == phases.sorted())
  }

  @Test("Filters have names of their own, in kebab case, and say what they do")
  func names() {
    let names = FilterCatalog.all.map { $0.id.name }
    #expect(Set(names).count == names.count)
    for filter in FilterCatalog.all {
      #expect(filter.id.name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
      #expect(!filter.summary.isEmpty && !filter.summary.hasSuffix("."))
    }
  }

  @Test("Flags are unique among all filters, and parameters within a filter")
  func flags() {
    let parameters = FilterCatalog.all.flatMap { $0.parameters }
    let flags = parameters.compactMap(\.flag)
    #expect(Set(flags).count == flags.count)
    for flag in flags { #expect(flag.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(flag)") }
    for parameter in parameters {
      #expect(!parameter.help.isEmpty && !parameter.syntax.isEmpty, "\(parameter.name)")
    }
    for filter in FilterCatalog.all {
      let names = ["filter"] + filter.parameters.map(\.name)
      #expect(Set(names).count == names.count, "\(filter.id)")
    }
  }

  @Test(
    "A filter as made is neutral, valid, and appends nothing or an identity",
    arguments: 0..<FilterCatalog.all.count)
  func neutral(index: Int) throws {
    let filter = FilterCatalog.all[index].init()
    try filter.validate()
    for parameter in type(of: filter).parameters {
      if case .file = parameter.kind { continue }
      #expect(parameter.isNeutral(in: filter), "\(type(of: filter).id) \(parameter.name)")
    }
    for stage in try filter.lowered().stages {
      guard case .geometry(let geometry) = stage else {
        Issue.record("\(type(of: filter).id) appends \(stage)")
        continue
      }
      #expect(geometry.isIdentity)
    }
  }

  @Test(
    "The ends of every range are accepted, and what lies beyond is not",
    arguments: 0..<FilterCatalog.all.count)
  func ranges(index: Int) throws {
    func check<F: Filter>(_ type: F.Type) throws {
      for parameter in type.parameters {
        guard case .number(let number) = parameter.kind else { continue }
        let range = number.range
        var filter = type.init()
        for end in [range.lowerBound, range.upperBound] {
          try parameter.set(.number(end), in: &filter)
          #expect(parameter.value(in: filter) == .number(end))
        }
        let before = parameter.value(in: filter)
        for beyond in [range.lowerBound.nextDown, range.upperBound.nextUp, .nan, .infinity] {
          #expect(throws: (any Error).self, "\(type.id) \(parameter.name) \(beyond)") {
            try parameter.set(.number(beyond), in: &filter)
          }
        }
        #expect(parameter.value(in: filter) == before)
      }
    }
    try check(FilterCatalog.all[index])
  }
}
