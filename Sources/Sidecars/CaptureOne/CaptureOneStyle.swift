import FrameCore

/// The settings of a style (`.costyle`) or a preset (`.copreset`) of Capture One.
///
///     <SL Engine="1300"><E K="Exposure" V="0.35" /><E K="GradationCurve" V="0,0;1,1" /></SL>
///
/// Source: files written by Capture One 9…23; there is no description by its makers.
struct CaptureOneStyle {
  private(set) var values: [String: String] = [:]
  /// Whether it has layers, with adjustments of their own.
  private(set) var hasLayers = false
  let file: String

  private static let limits = XMLLimits(bytes: 4 << 20, remedy: "save the style without its layers")

  init(_ bytes: [UInt8], file: String) throws {
    self.file = file
    let root = try XMLElement(parsing: bytes, file: file, limits: Self.limits)
    guard root.name.local == "SL" else {
      throw SafelightError(
        .corruptData, "\(file) is XML, but no style of Capture One", remedy: "save the style again")
    }
    let (key, value) = (XMLName("", "K"), XMLName("", "V"))
    for child in root.children {
      guard child.name.local == "E" else {
        hasLayers = hasLayers || !child.children.isEmpty
        continue
      }
      guard let name = child[key], !name.isEmpty else {
        throw SafelightError(
          .corruptData, "\(file) has a setting without a name", remedy: "save the style again")
      }
      guard values.updateValue(child[value] ?? "", forKey: name) == nil else {
        throw SafelightError(
          .corruptData, "\(file) has the setting “\(NearestName.shortened(name))” twice",
          remedy: "save the style again")
      }
    }
    guard !values.isEmpty else {
      throw SafelightError(
        .corruptData, "\(file) holds no settings of Capture One", remedy: "save the style again")
    }
  }

  /// Returns a number; nil if there is none.
  ///
  /// - Throws: `SafelightError` that names the setting if it is no number, or outside `range`.
  func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let text = values[name], !text.isEmpty else { return nil }
    guard let number = AdobeSettings.number(text), range.contains(number) else {
      throw wrong(
        name, "it is a number in \(PlainNumber.text(range.lowerBound))…\(PlainNumber.text(range.upperBound))")
    }
    return number
  }

  /// Returns the numbers between semicolons; nil if there are none.
  func numbers(_ name: String, count: Int) throws -> [Double]? {
    guard let text = values[name], !text.isEmpty else { return nil }
    let numbers = text.split(separator: ";").compactMap { AdobeSettings.number(String($0)) }
    guard numbers.count == count, numbers.allSatisfy({ abs($0) < 1000 }) else {
      throw wrong(name, "it is \(count) numbers between semicolons")
    }
    return numbers
  }

  /// Returns the points of a curve; nil if there is none.
  func points(_ name: String) throws -> [SIMD2<Double>]? {
    guard let text = values[name], !text.isEmpty else { return nil }
    return try text.split(separator: ";").map { point in
      let numbers = point.split(separator: ",").compactMap { AdobeSettings.number(String($0)) }
      guard numbers.count == 2, (0...1).contains(numbers[0]), (0...1).contains(numbers[1]) else {
        throw wrong(name, "a point is two numbers in 0…1")
      }
      return SIMD2(numbers[0], numbers[1])
    }
  }

  private func wrong(_ name: String, _ remedy: String) -> SafelightError {
    SafelightError(
      .corruptData, "\(file): \(name) is “\(NearestName.shortened(values[name] ?? ""))”", remedy: remedy)
  }
}
