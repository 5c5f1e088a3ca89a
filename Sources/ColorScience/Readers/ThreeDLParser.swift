import FrameCore

/// The `.3dl` grammar of Discreet's and Autodesk's Lustre and Flame: keywords, a line with the shaper's code values, then
/// the lattice's rows of three code values, blue fastest.
///
/// Facts of the format: Autodesk, “Lustre Color Management User Guide” (3D LUT file format); how programs fill in what it
/// leaves open, which is the number of bits: OpenColorIO, which this agrees with.
struct ThreeDLParser {
  private var reader: TableTextReader
  /// The bits of the lattice's values, if a Mesh line says them.
  private var meshBits: Int?
  private var shaper: [Int] = []
  private var rows: [SIMD3<Int>] = []

  /// Largest values below this are no code values: the table is in another format.
  private static let leastMaximum = 128

  init(text: UnsafeRawBufferPointer, name: String) throws {
    reader = try TableTextReader(text: text, name: name)
  }

  mutating func parse() throws -> ColorLUT {
    while reader.moveToContent() {
      // A keyword begins with a digit.
      let isKeyword = !reader.isAtRow || reader.upcomingWord.uppercased() == "3DMESH"
      if isKeyword { try parseKeyword() } else { try parseRow() }
    }
    guard !rows.isEmpty || !shaper.isEmpty else {
      throw reader.failure("there are no rows of code values", remedy: "check that this is a .3dl file")
    }
    var steps: [ColorStep] = []
    if let curve = try shaperCurve() { steps.append(.table1D(curve)) }
    if !rows.isEmpty { steps.append(.table3D(try lattice(), isTrilinear: false)) }
    return ColorLUT(steps: steps)
  }

  private mutating func parseKeyword() throws {
    let word = reader.takeWord()
    switch word.uppercased() {
    case "3DMESH": break
    case "MESH":
      _ = try reader.takeInteger("Mesh takes 2 numbers of bits")
      meshBits = try reader.takeInteger("Mesh takes 2 numbers of bits")
    case "GAMMA":
      let gamma = try reader.takeNumber("gamma takes 1 number")
      guard gamma == 1 else {
        throw reader.failure(
          "gamma is \(gamma), which is not applied", remedy: "export the LUT with gamma 1.0",
          code: .unsupported)
      }
    case let other where other.hasPrefix("LUT"): break
    default:
      throw reader.failure(
        "unknown keyword \"\(word)\"",
        remedy: "remove the line; the keywords are 3DMESH, Mesh, LUT8 and gamma")
    }
    try reader.expectLineEnd("\(word) has no more values")
  }

  private mutating func parseRow() throws {
    var values: [Int] = []
    while !reader.isAtLineEnd() {
      values.append(try reader.takeInteger("a row has whole code values"))
      guard values.count <= LUT3D.sizes.upperBound else {
        throw reader.failure(
          "a line has more than \(LUT3D.sizes.upperBound) values", remedy: "export the LUT again",
          code: .tooLarge)
      }
    }
    if values.count == 3 {
      rows.append(SIMD3(values[0], values[1], values[2]))
    } else if values.count > 3, shaper.isEmpty, rows.isEmpty {
      shaper = values
    } else {
      throw reader.failure(
        values.count > 3
          ? "a second line of \(values.count) values, where a row has 3"
          : "a row has \(values.count) of 3 values",
        remedy: "export the LUT again")
    }
  }

  /// Returns the full scale of code values whose largest is `largest`: twice as large ones still count as overshoot, and
  /// nobody writes 14 bits.
  private func fullScale(of largest: Int, _ what: String) throws -> Double {
    guard largest >= Self.leastMaximum else {
      throw reader.failure(
        "the largest value of the \(what) is \(largest), too small for code values",
        remedy: "check that this is a .3dl file with values of 8 to 16 bits")
    }
    return largest < 512 ? 255 : largest < 2048 ? 1023 : largest < 8192 ? 4095 : 65535
  }

  /// The shaper, unless it is the identity within two code values.
  private func shaperCurve() throws -> LUT1D? {
    guard let largest = shaper.max() else { return nil }
    let scale = try fullScale(of: largest, "shaper")
    let last = Double(shaper.count - 1)
    let isIdentity = shaper.enumerated().allSatisfy { index, value in
      abs(Double(index) * scale / last - Double(value)) < 2
    }
    return isIdentity && !rows.isEmpty
      ? nil : try LUT1D(samples: shaper.map { SIMD3(repeating: Float(Double($0) / scale)) })
  }

  private func lattice() throws -> LUT3D {
    var size = 2
    while size * size * size < rows.count { size += 1 }
    guard size * size * size == rows.count else {
      throw reader.failure(
        "there are \(rows.count) rows, which is no cube of a whole number", remedy: "export the LUT again")
    }
    guard LUT3D.sizes.contains(size) else {
      throw reader.failure(
        "there are \(size)³ rows, more than \(LUT3D.sizes.upperBound)³", remedy: "export a smaller LUT",
        code: .tooLarge)
    }
    let largest = rows.reduce(0) { max($0, $1.max()) }
    let scale: Double
    if let meshBits, [8, 10, 12, 16].contains(meshBits) {
      scale = Double(1 << meshBits - 1)
    } else {
      scale = try fullScale(of: largest, "lattice")
    }
    // From blue fastest to red fastest.
    var nodes = [SIMD3<Float>](repeating: .zero, count: rows.count)
    for (index, row) in rows.enumerated() {
      let (blue, green, red) = (index % size, index / size % size, index / (size * size))
      nodes[red + size * (green + size * blue)] = SIMD3<Float>(SIMD3<Double>(row) / scale)
    }
    return try LUT3D(size: size, nodes: nodes)
  }
}
