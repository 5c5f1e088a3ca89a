import FrameCore

extension Parameter {
  /// The kind of a parameter, with everything that a control for it needs.
  public enum Kind: Sendable, Hashable {
    case number(Number)
    /// One of a few values.
    case choice(Choice)
    /// The path of a file.
    case file(File)
    /// A part of the picture.
    case rectangle(Rectangle)
    /// A list of points, such as those of a curve.
    case points(Points)
    /// Where a group acts.
    case mask
    /// Any other short text.
    case text(Text)
  }

  /// A value and its display name.
  public struct Option: Sendable, Hashable, Codable {
    /// The value in recipes: `adobe-rgb`.
    public let value: String
    /// The display name: `Adobe RGB`.
    public let title: String

    public init(_ value: String, title: String) { (self.value, self.title) = (value, title) }
  }

  /// How a slider's position maps to the value.
  public enum Scale: String, Sendable, Hashable, Codable {
    case linear
    /// Linear in 1 / value: equal slider distances of a temperature are equal steps in mired, which look alike.
    case reciprocal
  }

  /// A number in a range.
  public struct Number: Sendable, Hashable {
    /// The values accepted.
    public let range: ClosedRange<Double>
    /// The values that a slider offers: within `range`, and narrower if its ends are seldom wanted.
    public let slider: ClosedRange<Double>
    /// The step between values, for arrow keys and for rounding slider positions. Not enforced.
    public let step: Double
    /// The value of an omitted parameter.
    public let neutral: Double
    /// The value at which a slider rests, and to which it snaps; usually the neutral value.
    public let detent: Double
    public let unit: ParameterUnit
    public let scale: Scale

    /// - Parameters:
    /// - slider: nil means `range`.
    /// - step: nil means 1, 2 or 5 times a power of ten, at most a hundredth of `slider`.
    /// - detent: nil means `neutral`.
    public init(
      in range: ClosedRange<Double>, slider: ClosedRange<Double>? = nil, step: Double? = nil, neutral: Double,
      detent: Double? = nil, unit: ParameterUnit = .none, scale: Scale = .linear
    ) {
      let slider = slider ?? range
      (self.range, self.slider, self.unit, self.scale) = (range, slider, unit, scale)
      (self.neutral, self.detent) = (neutral, detent ?? neutral)
      self.step = step ?? Self.step(for: (slider.upperBound - slider.lowerBound) / 100)
    }

    private static func step(for most: Double) -> Double {
      guard most > 0, most.isFinite else { return 1 }
      var power = 1.0
      while power > most { power /= 10 }
      while power * 10 <= most { power *= 10 }
      return ([5, 2].map { $0 * power }.first { $0 <= most }) ?? power
    }

    /// `-5…5 EV`
    var syntax: String { Axis(in: range, step: step, unit: unit).syntax }
  }

  /// One of a few values.
  public struct Choice: Sendable, Hashable {
    /// At least one, in the order of a menu.
    public let options: [Option]
    /// The value of an omitted parameter, if there is one.
    public let neutral: String?
    private let otherNames: [String: String]
    private let hint: String?

    init<Value: ParameterChoice>(_ type: Value.Type, neutral: Value?) {
      options = type.allCases.map { Option($0.parameterText, title: $0.title) }
      self.neutral = neutral?.parameterText
      otherNames = Dictionary(
        type.allCases.flatMap { value in value.otherNames.map { ($0, value.parameterText) } },
        uniquingKeysWith: { first, _ in first })
      hint = type.hint
    }

    /// Returns the value that a text stands for: names match as written, numbers also by value.
    ///
    /// - Throws: `SafelightError` that names the parameter and its choices.
    func checked(_ text: String, label: String) throws -> String {
      if let option = options.first(where: { $0.value == text }) { return option.value }
      if let name = otherNames[text] { return name }
      if let number = Double(text), let option = options.first(where: { Double($0.value) == number }) {
        return option.value
      }
      // Two letters apart, short names are all alike.
      let names = options.map(\.value).filter { $0.count > 3 }
      let all = options.map { option in
        option.title.lowercased() == option.value ? option.value : "\(option.value) (\(option.title))"
      }
      let list = all.dropLast().isEmpty ? all : [all.dropLast().joined(separator: ", "), all[all.count - 1]]
      let give = "give " + list.joined(separator: " or ") + (hint.map { "; " + $0 } ?? "")
      throw SafelightError(
        .invalidValue, "\(label) is “\(NearestName.shortened(text))”, which is not one of its choices",
        remedy: NearestName.match(text, among: names).map { "did you mean “\($0)”? Otherwise \(give)" }
          ?? give)
    }
  }

  /// The path of a file.
  public struct File: Sendable, Hashable {
    /// The extensions of such files, in lower case and without the dot: `cube`. At least one.
    public let extensions: [String]

    public init(extensions: [String]) { self.extensions = extensions }

    /// `FILE.cube`; `FILE` where there are more than three extensions.
    var syntax: String {
      extensions.count > 3 ? "FILE" : extensions.map { "FILE." + $0 }.joined(separator: "|")
    }
  }

  /// One of the two axes of a rectangle or of points.
  public struct Axis: Sendable, Hashable {
    /// The values accepted; if they depend on the picture, all that are possible.
    public let range: ClosedRange<Double>
    public let step: Double
    public let unit: ParameterUnit

    public init(in range: ClosedRange<Double>, step: Double, unit: ParameterUnit = .none) {
      (self.range, self.step, self.unit) = (range, step, unit)
    }

    /// `0…1`
    var syntax: String {
      "\(PlainNumber.text(range.lowerBound))…\(PlainNumber.text(range.upperBound))"
        + (unit == .none ? "" : " \(unit.rawValue)")
    }
  }

  /// A part of the picture: a rectangle, `X,Y,WIDTH,HEIGHT`, or proportions, `W:H`, of which the largest fitting
  /// one is meant.
  public struct Rectangle: Sendable, Hashable {
    /// From the left edge of the picture as it reaches the filter.
    public let x: Axis
    /// From its top edge.
    public let y: Axis
    /// Proportions to offer by name; others are accepted too.
    public let aspectRatios: [Option]
    /// The syntax of values, for help.
    public let syntax: String
    /// The text that stands for the whole picture.
    public let neutral: String?
  }

  /// A list of points in the plane.
  public struct Points: Sendable, Hashable {
    public let x: Axis
    public let y: Axis
    /// The number of points allowed.
    public let count: ClosedRange<Int>
    /// The points of an omitted parameter.
    public let neutral: [SIMD2<Double>]
    /// For a curve that never falls: the least distance of x from point to point, while y never gets smaller; nil
    /// for points in any order.
    public let curveStep: Double?

    public init(
      x: Axis, y: Axis, count: ClosedRange<Int>, neutral: [SIMD2<Double>], curveStep: Double? = nil
    ) {
      (self.x, self.y, self.count, self.neutral) = (x, y, count, neutral)
      self.curveStep = curveStep
    }
  }

  /// Any other short text.
  public struct Text: Sendable, Hashable {
    /// The syntax of values, for help: `EDGE|WxH|N%`.
    public let syntax: String
    /// Values to offer by name; others are accepted too.
    public let suggestions: [Option]
    /// The value of an omitted parameter, if there is one.
    public let neutral: String?
  }
}

extension Parameter.Kind {
  /// The syntax of values, for help: `-5…5 EV`, `h|v`, `FILE.cube`.
  public var syntax: String {
    switch self {
    case .number(let number): number.syntax
    case .choice(let choice): choice.options.map(\.value).joined(separator: "|")
    case .file(let file): file.syntax
    case .rectangle(let rectangle): rectangle.syntax
    case .points: "X,Y X,Y …"
    case .mask: Mask.syntax
    case .text(let text): text.syntax
    }
  }

  /// The value of an omitted parameter; nil if there is none, as for files.
  public var neutral: ParameterValue? {
    switch self {
    case .number(let number): .number(number.neutral)
    case .choice(let choice): choice.neutral.map { .text($0) }
    case .file: nil
    // Everywhere.
    case .mask: .text("")
    case .rectangle(let rectangle): rectangle.neutral.map { .text($0) }
    case .points(let points): .points(points.neutral)
    case .text(let text): text.neutral.map { .text($0) }
    }
  }
}
