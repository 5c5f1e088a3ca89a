/// Kinds of evidence, without the allocations of a `Set`: the frame loop collects them.
struct HorizonKinds: OptionSet {
  let rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }

  init(_ kind: Horizon.Kind) {
    switch kind {
    case .verticals: rawValue = 1
    case .horizontals: rawValue = 2
    case .boundary: rawValue = 4
    case .gravity: rawValue = 8
    }
  }

  /// The equivalent set, made once for each combination.
  var set: Set<Horizon.Kind> { Self.sets[rawValue & 15] }

  private static let sets: [Set<Horizon.Kind>] = (0..<16).map { value in
    Set(Horizon.Kind.allCases.filter { HorizonKinds(rawValue: value).contains(HorizonKinds($0)) })
  }
}
