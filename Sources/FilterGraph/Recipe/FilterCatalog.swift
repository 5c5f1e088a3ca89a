import FrameCore

/// The filters that a recipe file may name. `FilterCatalog.standard` has those that ship; a program adds its own:
///
///     let catalog = try FilterCatalog.standard.adding(Glow.self)
///     let recipe = try Recipe(contentsOf: "evening.json", catalog: catalog)
public struct FilterCatalog: Sendable {
  /// In the order of lists and help; no two have the same id.
  public let filters: [any Filter.Type]

  /// - Throws: `SafelightError` if two filters have the same id, if two parameters of a filter have the same name,
  ///   or if a parameter contradicts itself, such as with a slider that exceeds its range.
  public init(_ filters: [any Filter.Type]) throws {
    for (index, filter) in filters.enumerated() {
      guard !filters[..<index].contains(where: { $0.id == filter.id }) else {
        throw SafelightError(
          .invalidValue, "Two filters of the catalog are called “\(filter.id)”",
          remedy: "give each an id of its own")
      }
      let names =
        filter.parameters.map(\.name) + ["filter"] + (filter.holdsFilters ? [Recipe.nestedFiltersKey] : [])
      guard Set(names).count == names.count else {
        throw SafelightError(
          .invalidValue,
          "The filter “\(filter.id)” has two parameters of one name, or one that is called “filter”",
          remedy: "give each a name of its own")
      }
      for parameter in filter.parameters {
        guard let fault = parameter.fault else { continue }
        throw SafelightError(
          .invalidValue, "The parameter “\(parameter.name)” of the filter “\(filter.id)” \(fault)",
          remedy: "change its declaration")
      }
    }
    self.filters = filters
  }

  /// Creates a catalog of filters whose ids are known to differ.
  package init(checked filters: [any Filter.Type]) { self.filters = filters }

  /// Returns this catalog with more filters appended.
  ///
  /// - Throws: as `init(_:)`.
  public func adding(_ more: any Filter.Type...) throws -> FilterCatalog { try FilterCatalog(filters + more) }

  /// The filter with this id; nil if there is none.
  public subscript(id: String) -> (any Filter.Type)? { filters.first { $0.id.name == id } }
}
