/// The area under the curve of recall over error, from 0 to `limit`, as a fraction of `limit`, 0…1: the usual
/// measure for camera poses. `errors` has one element per picture, infinite if there was no answer.
func areaUnderRecall(_ errors: [Double], limit: Double) -> Double {
  guard !errors.isEmpty else { return 0 }
  return errors.reduce(0) { $0 + max(limit - $1, 0) } / (limit * Double(errors.count))
}

/// The element that a fraction of the elements does not exceed.
func percentile(_ values: [Double], _ fraction: Double) -> Double {
  guard !values.isEmpty else { return .nan }
  return values.sorted()[min(Int(fraction * Double(values.count)), values.count - 1)]
}
