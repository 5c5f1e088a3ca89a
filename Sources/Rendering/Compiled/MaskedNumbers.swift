import ColorScience
import FilterGraph

extension NumericStage {
  /// Groups of stages under masks: `MaskedGroup`.
  package struct MaskedNumbers: Sendable {
    package let groups: [Group]
    /// Whether a mask looks at colours.
    package var measuresColors: Bool { groups.contains(where: \.measuresColors) }
    /// Three rows of three each: from linear RGB to LMS, and from the cube roots of LMS to OKLab.
    package let toLMS, labFromRoots: [Float]
    /// How the fields of groups compare the light of colours.
    package let brightness = BrightnessNumbers(.identity)
    /// Where the numbers of the grid are that all their fields share; nil if there are none.
    package let layout: FieldGridLayout?

    init(_ groups: [MaskedGroup]) {
      let layout = groups.measuredField.map(FieldGridLayout.init)
      self.layout = layout
      self.groups = groups.map { Group($0, layout) }
      toLMS = NumericStage.floats(OKLab.lmsFromXYZ * ColorSpace.linearRec2020.toXYZ)
      labFromRoots = NumericStage.floats(OKLab.labFromLMS)
    }

    package struct Group: Sendable {
      package let steps: [MaskStep]
      package let opacity: Float
      package let fields: [FieldNumbers]
      package let stages: [NumericStage]

      init(_ group: MaskedGroup, _ layout: FieldGridLayout?) {
        fields = group.fields.map { FieldNumbers($0, [.linear], sharing: layout) }
        steps = group.mask.steps.map { MaskStep($0, shapes: group.mask.shapes) }
        opacity = Float(group.opacity)
        stages = group.stages.flatMap(NumericStage.forms)
      }

      package var measuresColors: Bool {
        steps.contains { $0.kind == .luminance || $0.kind == .color }
      }
    }
  }

  /// A step of a mask in the kernels' numbers: `sl_mask_step`.
  package struct MaskStep: Sendable {
    /// As numbered in `ColorStages.h` and `shaders/masked.glsl`.
    package enum Kind: UInt32, Sendable {
      case constant, linear, radial, shape, luminance, color, invert, intersect, add, subtract
    }

    package let kind: Kind
    /// Two rows of three. In double precision: places in large pictures are differences of large numbers.
    package private(set) var map = [Double](repeating: 0, count: 6)
    package private(set) var low: Float = 0
    package private(set) var high: Float = 0
    package private(set) var scale: Float = 0
    package private(set) var shape: MaskShape?

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
