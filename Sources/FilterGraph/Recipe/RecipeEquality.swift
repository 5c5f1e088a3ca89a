extension Filter {
  /// Whether `other` is a filter of the same type with the same values.
  public func isEqual(to other: any Filter) -> Bool { (other as? Self) == self }
}

/// Recipes are equal where they have the same name, description and order and the same filters one by one: by type and by
/// values, tables that were loaded among them.
extension Recipe: Equatable {
  public static func == (a: Recipe, b: Recipe) -> Bool {
    a.name == b.name && a.description == b.description && a.order == b.order
      && a.filters.count == b.filters.count && zip(a.filters, b.filters).allSatisfy { $0.isEqual(to: $1) }
  }
}
