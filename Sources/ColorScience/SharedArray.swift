/// An immutable array with value semantics that is cheap to copy, compare and hash, however long it is.
///
/// The hash of the contents is computed once. Two references to the same storage compare immediately; arrays that
/// differ nearly always have different hashes.
final class SharedArray<Element: Hashable & Sendable>: Hashable, Sendable {
  let elements: [Element]
  private let contentHash: UInt64

  /// - Parameter bits: a digest of one element, the same for equal elements (so also for 0 and −0).
  init(_ elements: [Element], bits: (Element) -> UInt64) {
    self.elements = elements
    var hash = UInt64(truncatingIfNeeded: elements.count)
    for element in elements {
      // A multiplication by an odd constant and a rotation mix all bits (as in FxHash).
      hash = ((hash << 5 | hash >> 59) ^ bits(element)) &* 0x517C_C1B7_2722_0A95
    }
    contentHash = hash
  }

  static func == (a: SharedArray, b: SharedArray) -> Bool {
    a === b || (a.contentHash == b.contentHash && a.elements == b.elements)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(contentHash) }
}
