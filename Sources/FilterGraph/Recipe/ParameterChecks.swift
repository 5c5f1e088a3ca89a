import FrameCore

extension Parameter {
  /// The label in errors: the flag, or the filter and the name.
  private func label(in filter: FilterID) -> String { flag ?? "\(filter).\(name)" }

  /// Returns the value, or throws an error that names the parameter and its range or choices.
  func checked(_ value: ParameterValue, filter: FilterID) throws -> ParameterValue {
    let label = label(in: filter)
    switch kind {
    case .number(let number): return .number(try number.checked(value, label: label))
    case .choice(let choice): return .text(try choice.checked("\(value)", label: label))
    case .points(let points): return .points(try points.checked(value, label: label))
    case .mask: return try Mask.checked(value, label: label)
    // Their types check these texts.
    case .file, .rectangle, .text: return .text("\(value)")
    }
  }

  /// The fault in the declaration itself; nil if there is none.
  var fault: String? {
    guard !title.isEmpty else { return "has no title" }
    switch kind {
    case .number(let number):
      guard number.range.contains(number.slider.lowerBound), number.range.contains(number.slider.upperBound)
      else { return "has a slider that goes beyond its range" }
      guard number.range.contains(number.neutral) else { return "has a neutral value outside its range" }
      guard number.slider.contains(number.detent) else { return "has a detent outside its slider" }
      guard number.scale == .linear || number.slider.lowerBound > 0 else {
        return "has a reciprocal slider that begins at 0 or below"
      }
      return number.step > 0 && number.step.isFinite ? nil : "has no step above 0"
    case .choice(let choice):
      guard !choice.options.isEmpty else { return "has no choices" }
      return Set(choice.options.map(\.value)).count == choice.options.count
        ? nil : "has two choices of one name"
    case .file(let file): return file.extensions.isEmpty ? "names no file extension" : nil
    case .points(let points):
      return (try? points.checked(.points(points.neutral), label: name)) == nil
        ? "has neutral points outside its ranges" : nil
    case .rectangle, .mask, .text: return nil
    }
  }
}

extension Parameter.Number {
  fileprivate func checked(_ value: ParameterValue, label: String) throws -> Double {
    let number: Double
    switch value {
    case .number(let value): number = value
    case .text(let text):
      guard let value = Double(text) else {
        throw SafelightError(
          .invalidValue, "\(label) is “\(text)”, which is not a number", remedy: "write it like 0.5 or -20")
      }
      number = value
    case .points, .mask:
      throw SafelightError(.invalidValue, "\(label) is not a number", remedy: "give a value in \(syntax)")
    }
    guard number.isFinite else {
      throw SafelightError(.invalidValue, "\(label) is not a number", remedy: "give a value in \(syntax)")
    }
    guard range.contains(number) else {
      throw SafelightError(
        .invalidValue, "\(label) is \(PlainNumber.text(number)), outside its range",
        remedy: "give a value in \(syntax)")
    }
    return number
  }
}

extension Parameter.Points {
  fileprivate func checked(_ value: ParameterValue, label: String) throws -> [SIMD2<Double>] {
    let points: [SIMD2<Double>]
    switch value {
    case .points(let value): points = value
    case .text(let text): points = try Self.points(text, label: label)
    case .number, .mask: points = try Self.points("\(value)", label: label)
    }
    guard count.contains(points.count) else {
      throw SafelightError(
        .invalidValue, "\(label) has \(points.count) points",
        remedy: "give \(count.lowerBound)…\(count.upperBound)")
    }
    for point in points {
      // A NaN is in no range.
      guard x.range.contains(point.x), y.range.contains(point.y) else {
        throw SafelightError(
          .invalidValue,
          "\(label) has the point \(ParameterValue.points([point])), which is outside its range",
          remedy: "give x in \(x.syntax) and y in \(y.syntax)")
      }
    }
    try checkCurve(points, label: label)
    return points
  }

  /// Throws if the points are to be those of a curve and it would turn back.
  private func checkCurve(_ points: [SIMD2<Double>], label: String) throws {
    guard let step = curveStep else { return }
    for (last, next) in zip(points, points.dropFirst()) {
      let both = "\(label) has the points \(ParameterValue.points([last, next])), "
      // Decimal fractions are not exact.
      guard next.x - last.x >= step - 1e-9 else {
        throw SafelightError(
          .invalidValue, both + "the second of which is not to the right of the first",
          remedy: "order them from left to right, at least \(PlainNumber.text(step)) apart")
      }
      guard next.y >= last.y else {
        throw SafelightError(
          .invalidValue, both + "between which it falls",
          remedy: "let y stay the same or rise from point to point")
      }
    }
  }

  /// Parses `0,0 0.5,0.6 1,1`.
  private static func points(_ text: String, label: String) throws -> [SIMD2<Double>] {
    try text.split(separator: " ").map { pair in
      let numbers = pair.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else {
        throw SafelightError(
          .invalidValue, "\(label) has “\(pair)”, which is not a point",
          remedy: "write points like 0,0 0.5,0.6 1,1")
      }
      return SIMD2(x, y)
    }
  }
}
