import ArgumentParser
import Safelight

/// The layout of a before/after picture.
enum ComparisonLayout: String, ExpressibleByArgument, CaseIterable {
  case split, side, wipe, difference
}

extension PhotoExport.ComparisonOptions.Geometry: ExpressibleByArgument {}

/// The options for a before/after picture, shared by all commands that write photos.
struct ComparisonOptionGroup: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a before/after picture instead: split by a vertical line, side by side, wipe along a diagonal, or the difference",
      valueName: "layout"))
  var compare: ComparisonLayout?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Position of the split, from the left (0…1; default: 0.5)", valueName: "position"))
  var split: Double?

  @Flag(
    inversion: .prefixedNo,
    help: "Whether a before/after picture is labelled ORIGINAL and EDITED (default: --labels)")
  var labels: Bool?

  @Option(
    help: ArgumentHelp(
      "Whether the original is turned and cropped like the edit, or left as it was (default: edited)",
      valueName: "geometry"))
  var compareGeometry: PhotoExport.ComparisonOptions.Geometry?

  mutating func validate() throws {
    if let split {
      guard compare == .split else {
        throw ValidationError("--split has no effect without --compare split; give both or neither.")
      }
      guard (0...1).contains(split) else {
        throw ValidationError("split is \(PlainNumber.text(split)), outside its range; give a value in 0…1.")
      }
    }
    if compare == nil, labels != nil || compareGeometry != nil {
      let flag = labels == nil ? "--compare-geometry" : labels == true ? "--labels" : "--no-labels"
      throw ValidationError("\(flag) has no effect without --compare; give both or neither.")
    }
  }

  /// The requested comparison, or nil.
  var options: PhotoExport.ComparisonOptions? {
    guard let compare else { return nil }
    let layout: Comparison.Layout =
      switch compare {
      case .split: .split(at: split ?? 0.5)
      case .side: .sideBySide
      case .wipe: .wipe
      case .difference: .difference()
      }
    return .init(layout: layout, labels: labels ?? true, geometry: compareGeometry ?? .edited)
  }
}
