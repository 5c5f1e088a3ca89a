import Libc

/// The evidence from lines and cues for each roll of the camera, as maps over rolls from −45° to 45°.
struct RollVotes {
  /// The resolution of the rolls, in degrees.
  static let step = 0.5
  static let rolls = 181

  enum Map: Int, CaseIterable {
    /// The length of the lines that would be upright, each within its own deviation.
    case upright
    /// The same, if lines may lean by a degree or two, as trees do.
    case leaning
    /// The length of the lines that would be level and run across the view.
    case level
    /// The same, if lines may slope by a degree or two, as shores do.
    case sloping
    /// The pencil of upright lines, weighted by how far its lines extend over the picture: something that fills
    /// one corner may be a sheet of paper.
    case verticals
    /// The pencils of level lines; likewise.
    case horizontals
    /// The straight boundary between light and dark.
    case boundary
    /// The same, regardless of the boundary's weight.
    case line
    /// How consistently light and dark are separated along any line of that slope.
    case steps
  }

  /// One map after another.
  private(set) var values = [Double](repeating: 0, count: Map.allCases.count * rolls)
  /// The length of all lines, in halves of the long edge.
  private(set) var totalLength = 0.0

  /// The convergences of upright lines to try: −0.6…0.6.
  private static let convergenceStep = 0.03
  private static let convergences = 41
  private var uprightByConvergence = [Double](repeating: 0, count: convergences * rolls)
  private var leaningByConvergence = [Double](repeating: 0, count: convergences * rolls)

  /// How far nearly upright or level lines lean or slope, in radians.
  private static let sway = 1.2 * Double.pi / 180
  /// No line counts for more than this length, in halves of the long edge.
  private static let longest = 1.2

  static func degrees(of index: Int) -> Double { Double(index) * step - 45 }

  func value(_ map: Map, _ index: Int) -> Double { values[map.rawValue * Self.rolls + index] }

  // MARK: Lines

  /// Starts over with the votes of the lines themselves.
  mutating func count(_ lines: [ImageLine]) {
    Self.clear(&values)
    Self.clear(&uprightByConvergence)
    Self.clear(&leaningByConvergence)
    totalLength = 0
    for line in lines {
      totalLength += line.length
      let weight = min(line.length, Self.longest)
      if abs(line.direction.x) > 0.6 { countLevel(line, weight) }
      if abs(line.direction.y) > 0.6 { countUpright(line, weight) }
    }
    Self.collect(uprightByConvergence, into: &values, from: Map.upright.rawValue * Self.rolls)
    Self.collect(leaningByConvergence, into: &values, from: Map.leaning.rawValue * Self.rolls)
  }

  private static func clear(_ map: inout [Double]) {
    map.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
  }

  /// For each roll, collects the votes of the convergence with the most; strong convergence is penalized.
  private static func collect(_ byConvergence: [Double], into map: inout [Double], from start: Int) {
    for row in 0..<convergences {
      let part = convergence(row) / 0.3
      let worth = 1 / (1 + 0.15 * part * part)
      for index in 0..<rolls {
        map[start + index] = max(map[start + index], byConvergence[row * rolls + index] * worth)
      }
    }
  }

  private static func convergence(_ row: Int) -> Double { Double(row - convergences / 2) * convergenceStep }

  private mutating func countLevel(_ line: ImageLine, _ weight: Double) {
    let way = line.direction.x < 0 ? -line.direction : line.direction
    let roll = -atan2(way.y, way.x)
    let swaying = (line.deviation * line.deviation + Self.sway * Self.sway).squareRoot()
    Self.add(weight, at: roll, deviation: line.deviation, to: &values, from: Map.level.rawValue * Self.rolls)
    Self.add(weight, at: roll, deviation: swaying, to: &values, from: Map.sloping.rawValue * Self.rolls)
  }

  private mutating func countUpright(_ line: ImageLine, _ weight: Double) {
    let way = line.direction.y > 0 ? -line.direction : line.direction
    let roll = atan2(-way.y, way.x) - .pi / 2
    let swaying = (line.deviation * line.deviation + Self.sway * Self.sway).squareRoot()
    let lever = cross(way, line.middle)
    for row in 0..<Self.convergences {
      // A line of a pencil runs along heading(roll + 90°) − convergence · middle.
      let bent = Self.convergence(row) * lever
      guard abs(bent) < 0.7 else { continue }
      let at = roll - asin(bent)
      Self.add(weight, at: at, deviation: line.deviation, to: &uprightByConvergence, from: row * Self.rolls)
      Self.add(weight, at: at, deviation: swaying, to: &leaningByConvergence, from: row * Self.rolls)
    }
  }

  /// Adds a parabola that ends three deviations to either side.
  private static func add(
    _ weight: Double, at roll: Double, deviation: Double, to map: inout [Double], from start: Int
  ) {
    let center = (roll * 180 / .pi + 45) / step
    let reach = 3 * deviation * 180 / .pi / step
    let first = max(Int((center - reach).rounded(.up)), 0)
    let last = min(Int((center + reach).rounded(.down)), rolls - 1)
    guard first <= last else { return }
    let narrow = 1 / reach
    map.withUnsafeMutableBufferPointer { map in
      for index in first...last {
        let part = (Double(index) - center) * narrow
        map[start + index] += weight * (1 - part * part)
      }
    }
  }

  // MARK: Cues

  /// Adds the votes of a cue.
  mutating func add(_ cue: RollCue, offset: HorizonOffset) {
    let map: Map
    switch cue.kind {
    case .verticals: map = .verticals
    case .horizontals: map = .horizontals
    case .boundary: map = .boundary
    case .gravity: return
    }
    let (angle, deviation) = RollEstimate.roll(of: cue, offset: offset)
    let center = angle * 180 / .pi
    let spread = max(deviation * 180 / .pi, 0.35)
    let reach = cue.pencil.map { min($0.extent / Self.wide, 1) } ?? 1
    let height = cue.strength * reach / (1 + spread * spread / 4)
    let start = map.rawValue * Self.rolls
    for index in 0..<Self.rolls {
      let part = (Self.degrees(of: index) - center) / spread
      let bell = exp(-0.5 * part * part)
      values[start + index] += height * bell
      if cue.kind == .boundary { values[Map.line.rawValue * Self.rolls + index] += bell }
    }
  }

  /// The extent of lines distributed over the whole picture.
  private static let wide = 0.6

  /// Sets `steps` from the best score of each slope that the boundary search tried.
  mutating func setSteps(_ profile: UnsafeBufferPointer<Float>, degreesApart: Double) {
    let middle = Double(profile.count / 2)
    let start = Map.steps.rawValue * Self.rolls
    for index in 0..<Self.rolls {
      // Boundaries that fall to the right have rolls below 0.
      let at = min(max(middle - Self.degrees(of: index) / degreesApart, 0), Double(profile.count - 1))
      let lower = min(Int(at), profile.count - 2)
      let part = at - Double(lower)
      let (before, after) = (Double(profile[lower]), Double(profile[lower + 1]))
      values[start + index] = before + (after - before) * part
    }
  }
}
