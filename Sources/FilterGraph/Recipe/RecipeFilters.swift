/// Every visitor of a recipe uses these, because they also reach the filters that other filters hold.
extension Recipe {
  /// All filters, each followed by those that it holds.
  public var allFilters: [any Filter] { filters.flatMap(\.withNested) }

  /// The masks of its groups.
  public var masks: [Mask] {
    allFilters.flatMap { filter in
      type(of: filter).parameters.compactMap { parameter in
        if case .mask = parameter.kind, case .mask(let mask) = parameter.value(in: filter) {
          mask
        } else {
          nil
        }
      }
    }
  }

  /// Throws if the masks together have more points than a recipe may have.
  func checkPoints() throws {
    let count = masks.reduce(0) { $0 + $1.pointCount }
    guard count <= Mask.pointLimit else { throw Mask.tooManyPoints(count) }
  }

  /// Returns this recipe with each filter replaced by the result of `transform`. Held filters are transformed
  /// before their holder, which is passed with them already replaced.
  public func mapFilters(_ transform: (any Filter) throws -> any Filter) rethrows -> Recipe {
    var mapped = self
    mapped.filters = try filters.map { try $0.mapped(transform) }
    return mapped
  }

  /// A file that a parameter names.
  public struct NamedFile: Sendable, Hashable {
    /// The name as the parameter has it: relative to the recipe's folder, absolute, or one of `ShippedFiles`.
    public let name: String
    /// The position of the filter from 1: `[3]` is the recipe's third, `[3, 1]` the first one held by it.
    public let filterNumber: [Int]
    public let filter: FilterID
    /// The parameter's name: `file`.
    public let parameter: String
  }

  /// Every file that parameters name, in any filter, found by `Parameter.Kind.file`. Empty names are omitted. A
  /// table made in memory is included if it has a name.
  public var files: [NamedFile] {
    func files(of filters: [any Filter], in place: [Int]) -> [NamedFile] {
      filters.enumerated().flatMap { index, filter in
        let number = place + [index + 1]
        let own = type(of: filter).parameters.compactMap { parameter in
          parameter.fileName(in: filter).map {
            NamedFile(
              name: $0, filterNumber: number, filter: type(of: filter).id, parameter: parameter.name)
          }
        }
        return own + files(of: filter.nestedFilters, in: number)
      }
    }
    return files(of: filters, in: [])
  }

  /// Returns this recipe with all its files renamed. Contents that filters have loaded are kept.
  public func mapFiles(_ rename: (_ name: String) throws -> String) rethrows -> Recipe {
    try mapFilters { try $0.mapFiles(rename) }
  }

  /// Returns this recipe with its files loaded, each only once.
  ///
  /// - Throws: what `Filter.loadFiles` throws.
  public func loadingFiles(from files: FilterFiles) throws -> Recipe {
    try mapFilters { filter in
      var loaded = filter
      try loaded.loadFiles(from: files)
      return loaded
    }
  }
}

extension Filter {
  /// This filter, followed by all that it holds.
  fileprivate var withNested: [any Filter] { [self] + nestedFilters.flatMap(\.withNested) }

  /// Transforms the filters that this one holds, then this one.
  fileprivate func mapped(_ transform: (any Filter) throws -> any Filter) rethrows -> any Filter {
    let nested = nestedFilters
    guard !nested.isEmpty else { return try transform(self) }
    var copy = self
    copy.nestedFilters = try nested.map { try $0.mapped(transform) }
    return try transform(copy)
  }

  /// Returns this filter with the files of its own parameters renamed, but not those of filters that it holds.
  package func mapFiles(_ rename: (_ name: String) throws -> String) rethrows -> any Filter {
    var renamed: any Filter = self
    for parameter in Self.parameters {
      guard let name = parameter.fileName(in: self) else { continue }
      parameter.renameFile(in: &renamed, to: try rename(name))
    }
    return renamed
  }
}
