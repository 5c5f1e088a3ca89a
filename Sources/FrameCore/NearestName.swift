/// Guesses the name meant by a mistyped one.
package enum NearestName {
  /// Longer names are not compared, and errors shorten them.
  private static let longest = 60

  /// Returns the candidate with the fewest edits from `name`, if they number at most a third of its letters, or
  /// two.
  package static func match(_ name: String, among candidates: [String]) -> String? {
    guard name.count <= longest else { return nil }
    let best = candidates.map { ($0, distance(name.lowercased(), $0.lowercased())) }.min { $0.1 < $1.1 }
    guard let best, best.1 <= max(2, best.0.count / 3) else { return nil }
    return best.0
  }

  /// Returns the name as errors show it.
  package static func shortened(_ name: String) -> String {
    name.count > longest ? name.prefix(longest) + "…" : name
  }

  /// Returns an error for an unknown name that suggests the nearest known one and lists them all.
  package static func error(unknown what: String, _ name: String, among candidates: [String])
    -> SafelightError
  {
    let known = candidates.joined(separator: ", ")
    return SafelightError(
      .invalidValue, "Unknown \(what) “\(shortened(name))”",
      remedy: match(name, among: candidates).map { "did you mean “\($0)”? Known: \(known)" }
        ?? "known: \(known)")
  }

  /// The Levenshtein distance with swaps of neighbours counted as one edit (optimal string alignment).
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { rows[i][0] = i }
    for j in 0...b.count { rows[0][j] = j }
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    for i in 1...a.count {
      for j in 1...b.count {
        let substitution = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, substitution)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
        }
      }
    }
    return rows[a.count][b.count]
  }
}
