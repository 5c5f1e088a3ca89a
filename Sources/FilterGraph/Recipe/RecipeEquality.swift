extension Filter {
  /// Whether `other` is a filter of the same type with the same values.
  public func isEqual(to other: any Filter) -> Bool { (other as? Self) == self }
}

/// Recipes are equal if they have the same name, description, labels and order, and pairwise equal filters: the same types
/// and values, including loaded tables.
extension Recipe: Equatable {
  public static func == (a: Recipe, b: Recipe) -> Bool {
    a.name == b.name && a.description == b.description && a.labels == b.labels && a.order == b.order
      && a.filters.count == b.filters.count && zip(a.filters, b.filters).allSatisfy { $0.isEqual(to: $1) }
  }
}
