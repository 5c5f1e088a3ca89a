/// When a picture was taken, as exactly as its camera tells.
struct Moment: Sendable, Hashable {
  /// In microseconds since the year 1.
  var time: Int64
  var hasSubSeconds: Bool

  /// Whether pictures may be of one moment: a version may have lost its time, or the fraction of its second.
  static func canBeOne(_ a: Moment?, _ b: Moment?) -> Bool {
    guard let a, let b else { return true }
    return a.hasSubSeconds && b.hasSubSeconds ? a.time == b.time : a.second == b.second
  }

  private var second: Int64 { time / 1_000_000 }
}

/// Sets of pictures that are joined, and never split. Source: Tarjan, “Efficiency of a good but not linear set union
/// algorithm”, 1975.
struct DisjointSets {
  private var parents: [Int]
  /// Of the pictures that stand for their sets: the most exact moment that one of the set has.
  private var moments: [Moment?]

  /// - Parameter moments: of the pictures; nil for those that say nothing.
  init(moments: [Moment?]) {
    parents = Array(moments.indices)
    self.moments = moments
  }

  private mutating func root(_ element: Int) -> Int {
    var element = element
    while parents[element] != element {
      parents[element] = parents[parents[element]]
      element = parents[element]
    }
    return element
  }

  /// Joins the sets of two pictures, unless these are of different moments. The lowest number stands for a set.
  mutating func join(_ a: Int, _ b: Int) {
    let (first, second) = (root(a), root(b))
    let (low, high) = (min(first, second), max(first, second))
    guard low != high, Moment.canBeOne(moments[low], moments[high]) else { return }
    parents[high] = low
    if moments[low]?.hasSubSeconds != true { moments[low] = moments[high] ?? moments[low] }
  }

  /// All sets, each in ascending order, in the order of their first numbers.
  var sets: [[Int]] {
    mutating get {
      var sets: [Int: [Int]] = [:]
      for element in parents.indices { sets[root(element), default: []].append(element) }
      return sets.keys.sorted().compactMap { sets[$0] }
    }
  }
}
