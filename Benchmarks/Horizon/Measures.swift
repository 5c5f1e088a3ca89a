/// The area under the curve of recall over error, from 0 to `limit`, as a part of `limit`, 0…1: the measure that work
/// on camera poses reports. `errors` has one element a picture, infinite where there was no answer.
func areaUnderRecall(_ errors: [Double], limit: Double) -> Double {
  guard !errors.isEmpty else { return 0 }
  return errors.reduce(0) { $0 + max(limit - $1, 0) } / (limit * Double(errors.count))
}

/// The element that a fraction of the elements does not exceed.
func percentile(_ values: [Double], _ fraction: Double) -> Double {
  guard !values.isEmpty else { return .nan }
  return values.sorted()[min(Int(fraction * Double(values.count)), values.count - 1)]
}

/// `value` with `digits` decimals, right-aligned in a column.
func column(_ value: Double, digits: Int = 1, width: Int = 8) -> String {
  var text = "-"
  if value.isFinite {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((abs(value) * scale).rounded())
    text = "\(scaled / Int(scale))"
    if digits > 0 {
      let rest = "\(scaled % Int(scale))"
      text += "." + String(repeating: "0", count: digits - rest.count) + rest
    }
    if value < 0, scaled != 0 { text = "-" + text }
  }
  return column(text, width: width)
}

/// `text`, right-aligned in a column.
func column(_ text: String, width: Int = 8) -> String {
  String(repeating: " ", count: max(width - text.count, 0)) + text
}
