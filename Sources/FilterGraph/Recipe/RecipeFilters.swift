/// Every visitor of a recipe goes through these: they reach the filters that other filters hold as well.
extension Recipe {
  /// All filters, those that others hold right behind them.
  public var allFilters: [any Filter] { filters.flatMap(\.withNested) }

  /// This recipe with each filter replaced by what `transform` makes of it. Filters that another one holds come before it,
  /// so `transform` gets that one with what has become of them.
  public func mapFilters(_ transform: (any Filter) throws -> any Filter) rethrows -> Recipe {
    var mapped = self
    mapped.filters = try filters.map { try $0.mapped(transform) }
    return mapped
  }

  /// A file that a parameter names.
  public struct NamedFile: Sendable, Hashable {
    /// The name as the parameter has it, which may be relative to the recipe's folder, or one of `ShippedFiles`.
    public let name: String
    /// The place of the filter from 1 on: `[3]` is the recipe's third, `[3, 1]` the first one that it holds.
    public let filterNumber: [Int]
    public let filter: FilterID
    /// The parameter's name: `file`.
    public let parameter: String
  }

  /// Every file that parameters name, whatever the filter; known by `Parameter.Kind.file`. Parameters that hold no name are
  /// left out. A table that was made in memory is here too where it has a name.
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

  /// This recipe with all its files renamed. What filters have loaded from them stays.
  public func mapFiles(_ rename: (_ name: String) throws -> String) rethrows -> Recipe {
    try mapFilters { try $0.mapFiles(rename) }
  }

  /// This recipe with its files loaded, those that several filters name only once.
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
  /// This filter, and all that it holds.
  fileprivate var withNested: [any Filter] { [self] + nestedFilters.flatMap(\.withNested) }

  /// What `transform` makes of this filter, once it has been through all that this one holds.
  fileprivate func mapped(_ transform: (any Filter) throws -> any Filter) rethrows -> any Filter {
    let nested = nestedFilters
    guard !nested.isEmpty else { return try transform(self) }
    var copy = self
    copy.nestedFilters = try nested.map { try $0.mapped(transform) }
    return try transform(copy)
  }

  /// This filter with the files that its own parameters name renamed, but not those of filters that it holds.
  package func mapFiles(_ rename: (_ name: String) throws -> String) rethrows -> any Filter {
    var renamed: any Filter = self
    for parameter in Self.parameters {
      guard let name = parameter.fileName(in: self) else { continue }
      parameter.renameFile(in: &renamed, to: try rename(name))
    }
    return renamed
  }
}
