import FilterGraph

/// A filter of somebody else's, which lowers to whatever it is given.
struct CustomFilter: Filter {
  static let id: FilterID = "custom"
  static let phase = FilterPhase.tone
  static let summary = "Appends a stage"
  static let parameters: [Parameter] = []

  var append: @Sendable (inout PlanBuilder) throws -> Void = { _ in }

  init() {}
  init(_ append: @escaping @Sendable (inout PlanBuilder) throws -> Void) { self.append = append }
  func lower(into plan: inout PlanBuilder) throws { try append(&plan) }
  static func == (a: CustomFilter, b: CustomFilter) -> Bool { false }
}
