import ColorScience
import FrameCore
import Libc

/// A mask as a short program in postfix order: each step pushes a value of 0…1, or combines those on top of the stack.
///
/// All numbers are in pixels of the picture where the mask is in a plan.
public struct MaskProgram: Sendable, Hashable {
  public enum Step: Sendable, Hashable {
    case constant(Double)
    /// S(clip(a·x + b·y + c)), S(w) = 3w² − 2w³, (x, y) the pixel's centre.
    case linear(a: Double, b: Double, c: Double)
    /// 1 − S(clip((r − inner) / (1 − inner))), r = |map(x, y)|.
    case radial(map: AffineMap, inner: Double)
    /// Coverage of a shape of the program, linear between its nodes, nearest outside.
    case shape(Int, toGrid: AffineMap)
    /// 0 below low − soft, 1 in low…high, 0 above high + soft, linear in between; of OKLab L. `soft` is positive.
    case luminance(low: Double, high: Double, soft: Double)
    /// 1 − S(clip((d − inner) / (outer − inner))), d the distance from (a, b) in OKLab.
    case color(a: Double, b: Double, inner: Double, outer: Double)
    /// (g − 1) / (most − 1), clipped to 0…1, g = 1 / (1 + v₁r² + v₂r⁴ + v₃r⁶), r = |map(x, y)|, v the terms; 1 where the
    /// divisor is not positive: what `LensProfile` brightens.
    case lensLight(map: AffineMap, terms: SIMD3<Double>, most: Double)
    /// That of a guide of the program: its mask along the edges of the picture.
    case edges(Int)
    /// 1 − x.
    case invert
    /// x · y.
    case intersect
    /// 1 − (1 − x)(1 − y).
    case add
    /// x · (1 − y), y on top.
    case subtract

    /// By how much the stack grows.
    package var growth: Int {
      switch self {
      case .constant, .linear, .radial, .shape, .luminance, .color, .lensLight, .edges: 1
      case .invert: 0
      case .intersect, .add, .subtract: -1
      }
    }

    /// The values that it takes from the stack.
    package var operands: Int {
      switch self {
      case .constant, .linear, .radial, .shape, .luminance, .color, .lensLight, .edges: 0
      case .invert: 1
      case .intersect, .add, .subtract: 2
      }
    }

    /// Whether the value depends on the colour that reaches the first group.
    package var readsColor: Bool {
      switch self {
      case .luminance, .color, .edges: true
      case .constant, .linear, .radial, .shape, .lensLight, .invert, .intersect, .add, .subtract: false
      }
    }
  }

  /// At least one, which leave one value.
  public internal(set) var steps: [Step]
  /// The rasters of `shape` steps.
  public internal(set) var shapes: [MaskShape]
  /// Those of `edges` steps.
  public internal(set) var guides: [MaskGuide]

  /// The most values on the stack; masks that need more are refused.
  public static let deepest = 16

  package init(_ steps: [Step], shapes: [MaskShape] = [], guides: [MaskGuide] = []) {
    (self.steps, self.shapes, self.guides) = (steps, shapes, guides)
  }

  /// The most values on the stack at once.
  package var depth: Int {
    var (depth, most) = (0, 0)
    for step in steps {
      depth += step.growth
      most = max(most, depth)
    }
    return most
  }

  /// Whether the mask depends on the colour that reaches the first group.
  package var readsColor: Bool { steps.contains(where: \.readsColor) }

  /// Whether it is the light of a lens.
  package var isLensLight: Bool { steps.contains { if case .lensLight = $0 { true } else { false } } }

  /// Returns the mask's value, 0…1; 0 where a number is NaN.
  ///
  /// - Parameters:
  ///   - place: the pixel's centre, in pixels from the top left corner.
  ///   - color: linear RGB of `PlanBuilder.workingSpace`, as it reaches the first group.
  ///   - edges: what guides give there, in their order; missing ones are 0.
  public func value(
    at place: (x: Double, y: Double), of color: SIMD3<Double>, edges: [Double] = []
  ) -> Double {
    let lab = readsColor ? OKLab.fromXYZ(PlanBuilder.workingSpace.toXYZ * color) : .zero
    var stack: [Double] = []
    for step in steps {
      guard stack.count >= step.operands else { return 0 }
      let top = step.operands > 0 ? stack.removeLast() : 0
      let below = step.operands > 1 ? stack.removeLast() : 0
      if case .edges(let index) = step {
        stack.append(edges.indices.contains(index) ? edges[index] : 0)
      } else {
        stack.append(value(of: step, top, below, at: place, lab: lab))
      }
    }
    let value = stack.last ?? 0
    return value.isNaN ? 0 : value
  }

  /// Returns the value of a step that reads a place alone, or that others combine.
  func value(
    of step: Step, _ top: Double = 0, _ below: Double = 0, at place: (x: Double, y: Double),
    lab: SIMD3<Double> = .zero
  ) -> Double {
    switch step {
    case .constant(let value): return value
    case .linear(let a, let b, let c): return ToneCurve.smoothStep(0, 1, a * place.x + b * place.y + c)
    case .radial(let map, let inner):
      let (u, v) = map.apply(place.x, place.y)
      return 1 - ToneCurve.smoothStep(inner, 1, (u * u + v * v).squareRoot())
    case .shape(let index, let toGrid):
      let (x, y) = toGrid.apply(place.x, place.y)
      return shapes.indices.contains(index) ? shapes[index].coverage(at: x, y) : 0
    case .luminance(let low, let high, let soft):
      return min(max(min((lab.x - low) / soft, (high - lab.x) / soft) + 1, 0), 1)
    case .color(let a, let b, let inner, let outer):
      let (u, v) = (lab.y - a, lab.z - b)
      return 1 - ToneCurve.smoothStep(inner, outer, (u * u + v * v).squareRoot())
    case .lensLight(let map, let terms, let most):
      let (u, v) = map.apply(place.x, place.y)
      let s = u * u + v * v
      let recorded = 1 + s * (terms.x + s * (terms.y + s * terms.z))
      return recorded > 0 ? min(max((1 / recorded - 1) / (most - 1), 0), 1) : 1
    // `value(at:of:edges:)` has them.
    case .edges: return 0
    case .invert: return 1 - top
    case .intersect: return below * top
    case .add: return 1 - (1 - below) * (1 - top)
    case .subtract: return below * (1 - top)
    }
  }

  /// The same mask ahead of which a resample now comes.
  func behind(_ map: AffineMap) -> MaskProgram {
    var moved = self
    moved.steps = steps.map { step in
      switch step {
      case .linear(let a, let b, let c):
        let joined = map.then(AffineMap(a: a, b: b, c: c, d: 0, e: 0, f: 0))
        return .linear(a: joined.a, b: joined.b, c: joined.c)
      case .radial(let own, let inner): return .radial(map: map.then(own), inner: inner)
      case .shape(let index, let toGrid): return .shape(index, toGrid: map.then(toGrid))
      case .lensLight(let own, let terms, let most):
        return .lensLight(map: map.then(own), terms: terms, most: most)
      case .constant, .luminance, .color, .edges, .invert, .intersect, .add, .subtract: return step
      }
    }
    return moved
  }

  var hasFiniteNumbers: Bool {
    steps.allSatisfy { step in
      switch step {
      case .constant(let value): value.isFinite
      case .linear(let a, let b, let c): [a, b, c].allSatisfy(\.isFinite)
      case .radial(let map, let inner): map.isFinite && inner.isFinite
      case .shape(let index, let toGrid): shapes.indices.contains(index) && toGrid.isFinite
      case .luminance(let low, let high, let soft): [low, high, soft].allSatisfy(\.isFinite) && soft > 0
      case .color(let a, let b, let inner, let outer): [a, b, inner, outer].allSatisfy(\.isFinite)
      case .lensLight(let map, let terms, let most):
        map.isFinite && [terms.x, terms.y, terms.z, most].allSatisfy(\.isFinite) && most > 1
      case .edges(let index): guides.indices.contains(index) && guides[index].radius.isFinite
      case .invert, .intersect, .add, .subtract: true
      }
    }
  }
}

extension MaskProgram {
  /// The kinds of the steps, in the order in which they are combined: `linear & luminance`.
  var text: String {
    var stack: [(text: String, isList: Bool)] = []
    for step in steps {
      guard stack.count >= step.operands else { return "" }
      let top = step.operands > 0 ? stack.removeLast() : ("", false)
      let below = step.operands > 1 ? stack.removeLast() : ("", false)
      func inner(_ part: (text: String, isList: Bool)) -> String {
        part.isList ? "(\(part.text))" : part.text
      }
      switch step {
      case .constant(let value): stack.append((PlainNumber.fixed(value, 2), false))
      case .linear: stack.append(("linear", false))
      case .radial: stack.append(("radial", false))
      case .shape(let index, _):
        stack.append((shapes.indices.contains(index) ? "shape \(shapes[index].size)" : "shape", false))
      case .edges(let index):
        stack.append(
          (guides.indices.contains(index) ? "edges on \(guides[index].shape.size)" : "edges", false))
      case .luminance: stack.append(("luminance", false))
      case .color: stack.append(("color", false))
      case .lensLight: stack.append(("lens", false))
      case .invert: stack.append(("not \(inner(top))", false))
      case .intersect: stack.append(("\(inner(below)) & \(inner(top))", true))
      case .add: stack.append(("\(inner(below)) + \(inner(top))", true))
      case .subtract: stack.append(("\(inner(below)) - \(inner(top))", true))
      }
    }
    return stack.last?.text ?? ""
  }
}
