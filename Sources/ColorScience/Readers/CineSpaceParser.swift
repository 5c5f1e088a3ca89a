import FrameCore

/// The `.csp` grammar of Rising Sun Research's cineSpace: three curves of points, then samples or a lattice, red fastest.
///
/// Facts of the format: Rising Sun Research, “cineSpace LUT File Format Specification” (CSPLUTV100).
struct CineSpaceParser {
  private var reader: TableTextReader
  /// The most points of a curve.
  private static let mostPoints = 65_536

  init(text: UnsafeRawBufferPointer, name: String) throws {
    reader = try TableTextReader(text: text, name: name)
  }

  mutating func parse() throws -> ColorLUT {
    guard reader.moveToContent(), reader.takeWord().uppercased() == "CSPLUTV100" else {
      throw reader.failure(
        "a .csp file begins with CSPLUTV100", remedy: "check that this is a cineSpace LUT")
    }
    let kind = try line("1D or 3D").uppercased()
    guard kind == "1D" || kind == "3D" else {
      throw reader.failure("\"\(kind)\" is neither 1D nor 3D", remedy: "write one of them")
    }
    var title = ""
    try advance("the curves")
    if reader.upcomingWord.uppercased() == "BEGIN" { title = try skipMetadata() }
    var curves: [ChannelCurve] = []
    for channel in ["red", "green", "blue"] { curves.append(try parseCurve(channel)) }
    var steps: [ColorStep] = []
    if curves.contains(where: { $0 != .identity }) { steps.append(Self.step(curves)) }
    steps.append(kind == "1D" ? .table1D(try parse1D()) : .table3D(try parse3D(), isTrilinear: false))
    if reader.moveToContent() {
      throw reader.failure(
        "the file goes on after the rows that its size calls for", remedy: "correct the size")
    }
    return ColorLUT(title: title, steps: steps)
  }

  private mutating func advance(_ what: String) throws {
    guard reader.moveToContent() else {
      throw reader.failure("the file ends before \(what)", remedy: "export the LUT again")
    }
  }

  private mutating func line(_ what: String) throws -> String {
    try advance(what)
    return reader.takeRestOfLine()
  }

  /// Skips what is between BEGIN METADATA and END METADATA; returns its first line.
  private mutating func skipMetadata() throws -> String {
    _ = reader.takeRestOfLine()
    var title: String?
    while true {
      let line = try line("END METADATA")
      if line.uppercased().hasPrefix("END METADATA") { break }
      title = title ?? line
    }
    try advance("the curves")
    return title ?? ""
  }

  /// Parses a number of points, their inputs and their outputs, standing at the first.
  private mutating func parseCurve(_ channel: String) throws -> ChannelCurve {
    try advance("the curve of \(channel)")
    let what = "the curve of \(channel) begins with its number of points"
    let count = try reader.takeInteger(what)
    try reader.expectLineEnd(what)
    guard count <= Self.mostPoints else {
      throw reader.failure(
        "the curve of \(channel) has \(count) points, more than \(Self.mostPoints)",
        remedy: "export a smaller LUT", code: .tooLarge)
    }
    // No curve at all.
    guard count >= 2 else { return .identity }
    let inputs = try numbers(count, "inputs of \(channel)")
    let line = reader.line
    let outputs = try numbers(count, "outputs of \(channel)")
    for index in 1..<count where inputs[index] <= inputs[index - 1] {
      throw reader.failure(
        "the inputs of \(channel) do not rise at point \(index + 1)", remedy: "give inputs in rising order",
        line: line)
    }
    // A curve that changes nothing is taken for none, and then clips nothing.
    return inputs == outputs ? .identity : .points(CubicPoints(x: inputs, y: outputs))
  }

  private mutating func numbers(_ count: Int, _ what: String) throws -> [Double] {
    try advance("the \(what)")
    var numbers: [Double] = []
    for _ in 0..<count { numbers.append(Double(try reader.takeNumber("\(count) \(what) are expected"))) }
    try reader.expectLineEnd("\(count) \(what) are expected")
    return numbers
  }

  /// Curves of two points are straight lines, which need no curve of their own.
  private static func step(_ curves: [ChannelCurve]) -> ColorStep {
    var low = SIMD3<Float>(repeating: 0)
    var high = SIMD3<Float>(repeating: 1)
    var ends = [SIMD3<Float>(repeating: 0), SIMD3<Float>(repeating: 1)]
    for (channel, curve) in curves.enumerated() where curve != .identity {
      guard case .points(let points) = curve, points.x.count == 2 else {
        return .curves(curves[0], curves[1], curves[2])
      }
      (low[channel], high[channel]) = (Float(points.x[0]), Float(points.x[1]))
      (ends[0][channel], ends[1][channel]) = (Float(points.y[0]), Float(points.y[1]))
    }
    guard let table = try? LUT1D(samples: ends, domainMin: low, domainMax: high) else {
      return .curves(curves[0], curves[1], curves[2])
    }
    return .table1D(table)
  }

  // MARK: Tables

  private mutating func parse1D() throws -> LUT1D {
    try advance("the number of samples")
    let count = try size("the number of samples", in: LUT1D.sizes) { $0 }
    try reader.expectLineEnd("the number of samples stands alone")
    return try LUT1D(samples: try rows(count))
  }

  private mutating func parse3D() throws -> LUT3D {
    try advance("the size of the lattice")
    let size = try size("the size of the lattice", in: LUT3D.sizes) { $0 * $0 * $0 }
    for _ in 0..<2 {
      let other = try reader.takeInteger("the size of a lattice has 3 numbers")
      guard other == size else {
        throw reader.failure(
          "the lattice has \(size) and \(other) nodes along its edges",
          remedy: "export a LUT with as many along each edge", code: .unsupported)
      }
    }
    try reader.expectLineEnd("the size of a lattice has 3 numbers")
    return try LUT3D(size: size, nodes: try rows(size * size * size))
  }

  /// A size whose rows fit into the file, so that memory is allocated in proportion to the file.
  private mutating func size(_ what: String, in sizes: ClosedRange<Int>, rows: (Int) -> Int) throws -> Int {
    let size = try reader.takeInteger("\(what) is one whole number")
    guard sizes.contains(size) else {
      throw reader.failure(
        "\(what), \(size), is outside \(sizes.lowerBound)…\(sizes.upperBound)",
        remedy: "export the LUT with a size in this range", code: .tooLarge)
    }
    guard rows(size) <= reader.rowCapacity else {
      throw reader.failure(
        "\(rows(size)) rows do not fit into the file's \(reader.byteCount) bytes",
        remedy: "export the LUT again; the file is cut off")
    }
    return size
  }

  private mutating func rows(_ count: Int) throws -> [SIMD3<Float>] {
    var rows: [SIMD3<Float>] = []
    rows.reserveCapacity(count)
    while rows.count < count {
      guard reader.moveToContent() else {
        throw reader.failure(
          "the file ends after \(rows.count) of \(count) rows", remedy: "export the LUT again")
      }
      let red = try reader.takeNumber("a row takes 3 numbers")
      let green = try reader.takeNumber("a row takes 3 numbers")
      let blue = try reader.takeNumber("a row takes 3 numbers")
      try reader.expectLineEnd("a row takes 3 numbers")
      rows.append(SIMD3(red, green, blue))
    }
    return rows
  }
}
