import ColorScience
import FilterGraph

extension NumericStage {
  /// Groups of stages under masks: `MaskedGroup`.
  package struct MaskedNumbers: Sendable {
    package let groups: [Group]
    /// Whether a mask looks at colours.
    package var measuresColors: Bool { groups.contains(where: \.measuresColors) }
    /// Whether one follows edges.
    package var followsEdges: Bool { groups.contains { $0.steps.contains { $0.kind == .edges } } }
    /// Whether a group has local light.
    package var hasFields: Bool { groups.contains { !$0.fields.isEmpty } }
    /// Three rows of three each: from linear RGB to LMS, and from the cube roots of LMS to OKLab.
    package let toLMS, labFromRoots: [Float]
    /// How the fields of groups compare the light of colours.
    package let brightness = BrightnessNumbers(.identity)
    /// Where the numbers of the grid are that all their fields share; nil if there are none.
    package let layout: FieldGridLayout?

    init(_ groups: [MaskedGroup]) {
      let layout = groups.measuredField.map(FieldGridLayout.init)
      self.layout = layout
      var guides = 0
      self.groups = groups.map { group in
        defer { guides += group.mask.guides.count }
        return Group(group, layout, firstGuide: guides)
      }
      toLMS = NumericStage.floats(OKLab.lmsFromXYZ * ColorSpace.linearRec2020.toXYZ)
      labFromRoots = NumericStage.floats(OKLab.labFromLMS)
    }

    package struct Group: Sendable {
      package let steps: [MaskStep]
      package let opacity: Float
      package let fields: [FieldNumbers]
      package let stages: [NumericStage]

      init(_ group: MaskedGroup, _ layout: FieldGridLayout?, firstGuide: Int) {
        fields = group.fields.map { FieldNumbers($0, [.linear], sharing: layout) }
        steps = group.mask.steps.map { step in
          if case .edges(let index) = step, let origin = group.origin, let layout {
            MaskStep(edges: firstGuide + index, toNodes: origin.map(to: layout.fine))
          } else {
            MaskStep(step, shapes: group.mask.shapes)
          }
        }
        opacity = Float(group.opacity)
        stages = group.stages.flatMap(NumericStage.forms)
      }

      package var measuresColors: Bool {
        steps.contains { $0.kind == .luminance || $0.kind == .color }
      }
    }
  }

  /// Gains under masks: `FieldMask`.
  package struct GainNumbers: Sendable {
    /// Without fields and stages.
    package let groups: [MaskedNumbers.Group]
    /// One for each group, where its mask and opacity are 1.
    package let gains: [Float]
    /// The encoding of the samples whose light is changed; nil for linear light.
    package let encoding: (decode: ParametricCurve, encode: ParametricCurve)?

    init(_ masks: [FieldMask], _ encoding: [TransferFunction]) {
      groups = masks.map {
        MaskedNumbers.Group(
          MaskedGroup(mask: $0.mask, opacity: $0.opacity, stages: []), nil, firstGuide: 0)
      }
      gains = masks.map { Float($0.full) }
      self.encoding = NumericStage.curves(of: encoding)
    }
  }

  /// A step of a mask in the kernels' numbers: `sl_mask_step`.
  package struct MaskStep: Sendable {
    /// As numbered in `ColorStages.h` and `shaders/masked.glsl`.
    package enum Kind: UInt32, Sendable {
      case constant, linear, radial, shape, luminance, color, edges, invert, intersect, add, subtract, lens
    }

    package let kind: Kind
    /// Two rows of three. In double precision: places in large pictures are differences of large numbers.
    package private(set) var map = [Double](repeating: 0, count: 6)
    package private(set) var low: Float = 0
    package private(set) var high: Float = 0
    package private(set) var scale: Float = 0
    package private(set) var part: Float = 0
    package private(set) var shape: MaskShape?
    /// Of one that follows edges, which of the grid's it is.
    package private(set) var guide = 0

    init(edges guide: Int, toNodes map: AffineMap) {
      kind = .edges
      self.map = [map.a, map.b, map.c, map.d, map.e, map.f]
      self.guide = guide
    }

    init(_ step: MaskProgram.Step, shapes: [MaskShape]) {
      switch step {
      case .constant(let value):
        kind = .constant
        low = Float(value)
      case .linear(let a, let b, let c):
        kind = .linear
        map = [a, b, c, 0, 0, 0]
      case .radial(let toCircle, let inner):
        kind = .radial
        map = [toCircle.a, toCircle.b, toCircle.c, toCircle.d, toCircle.e, toCircle.f]
        (low, scale) = (Float(inner), Self.slope(from: inner, to: 1))
      case .shape(let index, let toGrid):
        kind = .shape
        map = [toGrid.a, toGrid.b, toGrid.c, toGrid.d, toGrid.e, toGrid.f]
        shape = shapes[index]
      case .luminance(let from, let to, let soft):
        kind = .luminance
        (low, high, scale) = (Float(from), Float(to), Self.slope(from: 0, to: soft))
      case .color(let a, let b, let inner, let outer):
        kind = .color
        map = [a, b, 0, 0, 0, 0]
        (low, scale) = (Float(inner), Self.slope(from: inner, to: outer))
      case .lensLight(let toLens, let terms, let most):
        kind = .lens
        map = [toLens.a, toLens.b, toLens.c, toLens.d, toLens.e, toLens.f]
        (low, high, scale) = (Float(terms.x), Float(terms.y), Float(terms.z))
        part = Float(1 / (most - 1))
      // With a picture it is another initializer's; without one there are no edges.
      case .edges: kind = .constant
      case .invert: kind = .invert
      case .intersect: kind = .intersect
      case .add: kind = .add
      case .subtract: kind = .subtract
      }
    }

    /// An edge without width is as steep as numbers allow.
    private static func slope(from inner: Double, to outer: Double) -> Float {
      Float(1 / max(outer - inner, 1e-9))
    }
  }
}
