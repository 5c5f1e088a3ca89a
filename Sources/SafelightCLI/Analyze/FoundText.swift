import Safelight

/// What was found in a photo, as people read it: a line with the counts, and a line for each thing.
enum FoundText {
  /// Texts of strangers are cut after so many cells.
  private static let widest = 200

  /// - Parameter hasCounts: whether things that can be counted were looked for.
  static func print(_ photo: SearchedPhoto, hasCounts: Bool) {
    guard let size = photo.size else { return }
    Output.entry("\(photo.path)  \(size)" + (hasCounts ? "  \(counts(photo.found))" : ""))
    for line in photo.quality?.lines ?? [] { Output.line("  " + line) }
    for thing in photo.found { Output.line("  " + line(thing)) }
    if let drawing = photo.drawing { Output.entry("  drawn to  \(drawing)") }
  }

  /// `2 codes · 1 face`
  static func counts(_ found: [Detection]) -> String {
    let parts = Detection.Kind.allCases.compactMap { kind -> String? in
      let count = found.count { $0.kind == kind }
      return count == 0 ? nil : "\(count) \(name(kind, count))"
    }
    return parts.isEmpty ? "nothing found" : parts.joined(separator: " · ")
  }

  private static func name(_ kind: Detection.Kind, _ count: Int) -> String {
    switch kind {
    case .code, .face, .document: kind.rawValue + (count == 1 ? "" : "s")
    case .text: count == 1 ? "line of text" : "lines of text"
    case .motion: kind.rawValue
    }
  }

  /// `code  QRCode  1.00  (0.12, 0.30)  https://…`: its kind, confidence, top left corner and what it says, on one line.
  static func line(_ thing: Detection) -> String {
    var fields = [thing.kind.rawValue.padded(to: 8, left: true)]
    if let symbology = thing.details["symbology"] {
      fields.append(VisibleText.fitting(VisibleText.line(symbology), width: 40))
    }
    fields.append(PlainNumber.fixed(thing.confidence, 2))
    if let corner = thing.outline.first {
      fields.append("(\(PlainNumber.fixed(corner.x, 3)), \(PlainNumber.fixed(corner.y, 3)))")
    }
    // Escaped in a pipe as well: a code must not be able to add lines.
    if let text = thing.text { fields.append(VisibleText.fitting(VisibleText.line(text), width: widest)) }
    return fields.joined(separator: "  ")
  }
}
