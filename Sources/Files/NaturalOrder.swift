/// The natural order of file names: runs of digits compare as numbers, so that `2` comes before `10`.
///
/// Equal numbers with different leading zeros compare as text, so that the order is total.
package func naturallyPrecedes(_ a: String, _ b: String) -> Bool {
  let (first, second) = (Array(a.utf8), Array(b.utf8))
  var (i, j) = (0, 0)
  while i < first.count, j < second.count {
    let (left, right) = (number(in: first, at: i), number(in: second, at: j))
    if let left, let right {
      if left.digits.count != right.digits.count { return left.digits.count < right.digits.count }
      if left.digits != right.digits { return left.digits.lexicographicallyPrecedes(right.digits) }
      (i, j) = (left.end, right.end)
    } else {
      if first[i] != second[j] { return first[i] < second[j] }
      (i, j) = (i + 1, j + 1)
    }
  }
  if (i < first.count) != (j < second.count) { return j < second.count }
  return first.lexicographicallyPrecedes(second)
}

/// Returns the run of digits at `start`, without leading zeros.
private func number(in text: [UInt8], at start: Int) -> (digits: ArraySlice<UInt8>, end: Int)? {
  func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
  guard isDigit(text[start]) else { return nil }
  let end = text[start...].firstIndex { !isDigit($0) } ?? text.count
  return (text[start..<end].drop { $0 == 48 }, end)
}
