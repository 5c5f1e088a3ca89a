import FrameCore

/// The `.cube` grammar: keywords first, then the rows of the 1D LUT, then those of the 3D LUT.
struct CubeParser {
  private var reader: TableTextReader
  private var header = Header()

  /// Everything above the first row.
  private struct Header {
    var title = ""
    var size1D: Int?
    var size3D: Int?
    var range1D: (low: Float, high: Float)?
    var range3D: (low: Float, high: Float)?
    var domainMin: SIMD3<Float>?
    var domainMax: SIMD3<Float>?
    /// The line of each keyword found.
    var lines: [Keyword: Int] = [:]
  }

  private enum Keyword: String, CaseIterable {
    case title = "TITLE"
    case size1D = "LUT_1D_SIZE"
    case size3D = "LUT_3D_SIZE"
    case domainMin = "DOMAIN_MIN"
    case domainMax = "DOMAIN_MAX"
    case range1D = "LUT_1D_INPUT_RANGE"
    case range3D = "LUT_3D_INPUT_RANGE"
  }

  private typealias Domain = (low: SIMD3<Float>, high: SIMD3<Float>)

  init(text: UnsafeRawBufferPointer, name: String) throws {
    reader = try TableTextReader(text: text, name: name)
  }

  mutating func parse() throws -> ColorLUT {
    while reader.moveToContent(), !reader.isAtRow { try parseKeyword() }
    guard header.size1D != nil || header.size3D != nil else {
      throw reader.failure(
        "neither LUT_1D_SIZE nor LUT_3D_SIZE comes before the rows",
        remedy: "check that this is a .cube file, or add its size")
    }
    let domains = try checkedDomains()
    let total = (header.size1D ?? 0) + (header.size3D.map { $0 * $0 * $0 } ?? 0)
    var shaper: LUT1D?
    var cube: LUT3D?
    if let size = header.size1D {
      let samples = try parseRows(size, after: 0, of: total)
      shaper = try LUT1D(samples: samples, domainMin: domains.shaper.low, domainMax: domains.shaper.high)
    }
    if let size = header.size3D {
      let nodes = try parseRows(size * size * size, after: header.size1D ?? 0, of: total)
      cube = try LUT3D(
        size: size, nodes: nodes, domainMin: domains.cube.low, domainMax: domains.cube.high)
    }
    if reader.moveToContent() {
      try refuseLateKeyword()
      throw reader.failure(
        "the file goes on after the \(total) rows that the sizes call for",
        remedy: "correct the size, or remove the excess")
    }
    return ColorLUT(title: header.title, shaper: shaper, cube: cube)
  }

  // MARK: Keywords

  private mutating func parseKeyword() throws {
    let word = reader.takeWord()
    guard let keyword = Keyword(rawValue: word.uppercased()) else {
      let known = Keyword.allCases.map(\.rawValue).joined(separator: ", ")
      throw reader.failure(
        "unknown keyword \"\(word)\"", remedy: "remove the line; the keywords are \(known)")
    }
    if let first = header.lines[keyword] {
      throw reader.failure("\(keyword.rawValue) is already on line \(first)", remedy: "keep one of them")
    }
    header.lines[keyword] = reader.line
    switch keyword {
    case .title: header.title = unquoted(reader.takeRestOfLine())
    case .size1D: header.size1D = try parseSize(keyword, in: LUT1D.sizes) { $0 }
    case .size3D: header.size3D = try parseSize(keyword, in: LUT3D.sizes) { $0 * $0 * $0 }
    case .domainMin: header.domainMin = try parseTriple(keyword.rawValue)
    case .domainMax: header.domainMax = try parseTriple(keyword.rawValue)
    case .range1D: header.range1D = try parseRange(keyword)
    case .range3D: header.range3D = try parseRange(keyword)
    }
  }

  private func unquoted(_ title: String) -> String {
    title.count >= 2 && title.hasPrefix("\"") && title.hasSuffix("\"")
      ? String(title.dropFirst().dropLast()) : title
  }

  /// Parses a size, which must be in range and whose rows must fit into the file, so that memory is allocated in
  /// proportion to the file.
  private mutating func parseSize(
    _ keyword: Keyword, in sizes: ClosedRange<Int>, rows: (Int) -> Int
  ) throws -> Int {
    let what = "\(keyword.rawValue) takes one whole number"
    let size = try reader.takeInteger(what)
    try reader.expectLineEnd(what)
    guard sizes.contains(size) else {
      throw reader.failure(
        "\(keyword.rawValue) \(size) is outside \(sizes.lowerBound)…\(sizes.upperBound)",
        remedy: "export the LUT with a size in this range", code: .tooLarge)
    }
    guard rows(size) <= reader.rowCapacity else {
      throw reader.failure(
        "\(keyword.rawValue) \(size) calls for \(rows(size)) rows, and the file's \(reader.byteCount) bytes can "
          + "hold \(reader.rowCapacity) at most", remedy: "export the LUT again; the file is cut off")
    }
    return size
  }

  private mutating func parseRange(_ keyword: Keyword) throws -> (low: Float, high: Float) {
    let what = "\(keyword.rawValue) takes 2 numbers"
    let low = try reader.takeNumber(what)
    let high = try reader.takeNumber(what)
    try reader.expectLineEnd(what)
    guard low < high else {
      throw reader.failure(
        "\(keyword.rawValue) runs from \(low) to \(high)", remedy: "give a minimum below the maximum")
    }
    return (low, high)
  }

  /// Returns the inputs of the first and the last entry of each LUT.
  private func checkedDomains() throws -> (shaper: Domain, cube: Domain) {
    if let line = header.lines[.range1D], header.size1D == nil {
      throw reader.failure(
        "LUT_1D_INPUT_RANGE without LUT_1D_SIZE", remedy: "remove it or add the size", line: line)
    }
    if let line = header.lines[.range3D], header.size3D == nil {
      throw reader.failure(
        "LUT_3D_INPUT_RANGE without LUT_3D_SIZE", remedy: "remove it or add the size", line: line)
    }
    var shaper: Domain = (SIMD3(repeating: 0), SIMD3(repeating: 1))
    var cube = shaper
    if let range = header.range1D { shaper = (SIMD3(repeating: range.low), SIMD3(repeating: range.high)) }
    if let range = header.range3D { cube = (SIMD3(repeating: range.low), SIMD3(repeating: range.high)) }

    let domainLines = [header.lines[.domainMin], header.lines[.domainMax]].compactMap(\.self)
    guard let line = domainLines.max() else { return (shaper, cube) }
    if header.range1D != nil || header.range3D != nil || (header.size1D != nil && header.size3D != nil) {
      throw reader.failure(
        "DOMAIN_MIN and DOMAIN_MAX do not belong in files with an INPUT_RANGE or with both a 1D and a 3D LUT",
        remedy: "use LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE alone", line: line)
    }
    let low = header.domainMin ?? SIMD3(repeating: 0)
    let high = header.domainMax ?? SIMD3(repeating: 1)
    for (channel, name) in ["red", "green", "blue"].enumerated() where low[channel] >= high[channel] {
      throw reader.failure(
        "the domain of \(name) runs from \(low[channel]) to \(high[channel])",
        remedy: "give a DOMAIN_MIN below DOMAIN_MAX", line: line)
    }
    return ((low, high), (low, high))
  }

  // MARK: Rows

  /// Parses `count` rows of the file's `total`, of which `before` have been parsed.
  private mutating func parseRows(_ count: Int, after before: Int, of total: Int) throws -> [SIMD3<Float>] {
    var rows: [SIMD3<Float>] = []
    rows.reserveCapacity(count)
    while rows.count < count {
      guard reader.moveToContent() else {
        throw reader.failure(
          "the file ends after \(before + rows.count) of \(total) rows",
          remedy: "export the LUT again, or correct its size")
      }
      try refuseLateKeyword()
      rows.append(try parseTriple("a row"))
    }
    return rows
  }

  private mutating func parseTriple(_ owner: String) throws -> SIMD3<Float> {
    let red = try reader.takeNumber("\(owner) takes 3 numbers")
    let green = try reader.takeNumber("\(owner) takes 3 numbers")
    let blue = try reader.takeNumber("\(owner) takes 3 numbers")
    try reader.expectLineEnd("\(owner) takes 3 numbers")
    return SIMD3(red, green, blue)
  }

  private func refuseLateKeyword() throws {
    guard !reader.isAtRow, Keyword(rawValue: reader.upcomingWord.uppercased()) != nil else { return }
    throw reader.failure(
      "\(reader.upcomingWord) comes after the first row", remedy: "move it above the rows")
  }
}
