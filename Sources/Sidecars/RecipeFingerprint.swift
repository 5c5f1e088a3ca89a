import Files
import FilterGraph
import Filters
import FrameCore

extension Recipe {
  /// Identifies an edit: equal for equal recipes in this version of the engine, unequal for recipes that give other pixels,
  /// also where only the contents of a table differ. Names and descriptions count too.
  ///
  /// - Parameter options: what else decides the result, such as the quality of the file.
  public func fingerprint(options: [String]) throws -> String {
    var bytes = Array(([SafelightVersion.current, json()] + options).joined(separator: "\n").utf8)
    for case let lut as LUT in filters {
      guard let table = lut.table else { continue }
      for values in [table.shaper.map(\.samples) ?? [], table.cube.map(\.nodes) ?? []] {
        values.withUnsafeBytes { bytes += $0 }
      }
    }
    return try FileFingerprint(of: bytes).hash
  }
}
