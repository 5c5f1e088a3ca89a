import Libc

/// The skeleton of one letter: the centre lines that a round pen follows.
///
/// Units are cap heights of the skeleton: y runs from 0 at the cap line down to 1 at the baseline, x from 0 at the
/// left edge to `width`. `Lettering` adds the pen's own width, so one alphabet serves every weight.
struct Glyph: Sendable {
  struct Point: Sendable, Equatable {
    var x: Double
    var y: Double
  }

  /// One movement of the pen.
  enum Step: Sendable {
    /// Lifts the pen and puts it down here.
    case at(_ x: Double, _ y: Double)
    /// Draws a straight line to here.
    case line(_ x: Double, _ y: Double)
    /// Draws part of an oval around (`x`, `y`) from one angle to another, in degrees: 0 is right, 90 is down. If
    /// the pen is down elsewhere, it first draws a line to the arc's start.
    case arc(_ x: Double, _ y: Double, _ rx: Double, _ ry: Double, _ from: Double, _ to: Double)
    /// Lifts the pen and draws a whole oval around (`x`, `y`).
    case oval(_ x: Double, _ y: Double, _ rx: Double, _ ry: Double)
  }

  /// The shape of a letter's side: straight sides need the most space, slanted ones the least.
  enum Side: Sendable {
    case stem
    case round
    case open

    /// Cap heights between the skeleton and the edge of the letter's advance.
    var bearing: Double {
      switch self {
      case .stem: 0.205
      case .round: 0.165
      case .open: 0.10
      }
    }
  }

  var width: Double
  var left: Side
  var right: Side
  var steps: [Step]

  init(_ width: Double, _ left: Side, _ right: Side, _ steps: [Step]) {
    self.width = width
    self.left = left
    self.right = right
    self.steps = steps
  }

  /// The skeleton as chains of points; a chain of one point is a dot.
  ///
  /// - Parameter arcSteps: the number of straight pieces per quarter of an oval.
  func chains(arcSteps: Int) -> [[Point]] {
    var chains: [[Point]] = []
    for step in steps {
      switch step {
      case .at(let x, let y):
        chains.append([Point(x: x, y: y)])
      case .line(let x, let y):
        Self.extend(&chains, with: [Point(x: x, y: y)])
      case .arc(let x, let y, let rx, let ry, let from, let to):
        let points = Self.arc(x, y, rx, ry, from: from, to: to, quarter: arcSteps)
        Self.extend(&chains, with: points)
      case .oval(let x, let y, let rx, let ry):
        chains.append(Self.arc(x, y, rx, ry, from: 0, to: 360, quarter: arcSteps))
      }
    }
    return chains
  }

  private static func extend(_ chains: inout [[Point]], with points: [Point]) {
    if chains.isEmpty { chains.append([]) }
    chains[chains.count - 1].append(contentsOf: points)
  }

  private static func arc(
    _ x: Double, _ y: Double, _ rx: Double, _ ry: Double, from: Double, to: Double, quarter steps: Int
  ) -> [Point] {
    let count = max(1, Int((abs(to - from) / 90 * Double(steps)).rounded(.up)))
    return (0...count).map { index in
      let degrees = from + (to - from) * Double(index) / Double(count)
      return Point(x: x + rx * squared(cosine: degrees), y: y + ry * squared(cosine: degrees - 90))
    }
  }

  /// A coordinate of the superellipse |x|^2.2 + |y|^2.2 = 1: an oval with slightly squared shoulders, which keeps
  /// counters open at small sizes, where a true ellipse looks pinched.
  private static func squared(cosine degrees: Double) -> Double {
    let cosine = cos(degrees * .pi / 180)
    // The cosine of a right angle is not quite zero; a power below one would make that visible.
    guard abs(cosine) > 1e-12 else { return 0 }
    let magnitude = pow(abs(cosine), 2 / 2.2)
    return cosine < 0 ? -magnitude : magnitude
  }
}
