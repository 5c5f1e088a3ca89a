import ColorScience
import Files
import FilterGraph
import Filters
import FrameCore
import PhotoIO

/// Values for parameters of filters, by the names of the parameters' flags, as on the command line:
///
///     let values: ParameterValues = ["exposure": 0.4, "crop": "16:9", "lut": "film.cube"]
///
/// They are checked when an edit is resolved.
public struct ParameterValues: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// By the parameter's `flag`, without dashes.
  public var values: [String: ParameterValue]

  public init(_ values: [String: ParameterValue] = [:]) { self.values = values }

  public init(dictionaryLiteral elements: (String, ParameterValue)...) {
    values = Dictionary(elements) { _, last in last }
  }

  public var isEmpty: Bool { values.isEmpty }

  /// Whether there is a value for the parameter.
  package func contains(_ parameter: Parameter) -> Bool { parameter.flag.map { values[$0] != nil } ?? false }

  /// Returns the filter with the values that there are for its parameters.
  ///
  /// - Throws: `SafelightError` if a value is out of range or of the wrong kind.
  package func applied(to filter: any Filter) throws -> any Filter {
    func set<F: Filter>(_ filter: F) throws -> any Filter {
      var changed = filter
      for parameter in F.parameters {
        guard let name = parameter.flag, let value = values[name] else { continue }
        try parameter.set(value, in: &changed)
      }
      return changed
    }
    return try set(filter)
  }

  /// Returns the filters that there are values for, in the catalog's order, with their files loaded.
  ///
  /// - Parameters:
  ///   - strength: how much of a filter of the phase `look` is applied, 0…1.
  ///   - files: a cache, so that several edits read each file once.
  /// - Throws: `SafelightError` if no filter has a parameter of a name, and as `applied(to:)`.
  func filters(strength: Double, catalog: FilterCatalog, in files: FileSnapshot) throws -> [any Filter] {
    let names = catalog.filters.flatMap { $0.parameters.compactMap(\.flag) }
    for name in values.keys.sorted() where !names.contains(name) {
      throw NearestName.error(unknown: "parameter", name, among: names)
    }
    return try catalog.filters.compactMap { type in
      guard type.parameters.contains(where: contains) else { return nil }
      var filter = try applied(to: type.init())
      try filter.loadFiles(
        from: FilterFiles(pictures: TablePicture.decode) { try ShippedFiles.contents($0, else: files.read) })
      return type.phase == .look ? filter.scaled(by: strength) : filter
    }
  }
}
