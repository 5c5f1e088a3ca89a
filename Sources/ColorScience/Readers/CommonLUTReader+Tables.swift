import FrameCore

/// Tables and matrices of the Common LUT Format, whose numbers are codes of the bit depths that they declare.
extension CommonLUTReader {
  /// The array, and the numbers of its `dim`.
  private func array(of process: XMLElement) throws -> (element: XMLElement, sizes: [Int]) {
    if process.children.contains(where: { $0.name.local == "IndexMap" }) {
      throw table.failure(
        at: process, "\(process.name.local) has an IndexMap, which is not read",
        remedy: "export the LUT as CLF 3.0 with a Range instead", code: .unsupported)
    }
    try refuseOthers(than: ["Array"], in: process)
    guard let array = try table.child("Array", of: process) else {
      throw table.failure(
        at: process, "\(process.name.local) has no Array", remedy: "export the LUT again")
    }
    let words = XMLTable.words(of: table.attribute("dim", of: array) ?? "", atMost: 5)
    let sizes = words.compactMap { $0.count <= 7 && $0.allSatisfy(\.isNumber) ? Int($0) : nil }
    guard sizes.count == words.count, (2...4).contains(sizes.count), !sizes.contains(0) else {
      throw table.failure(
        at: array, "dim of the Array of \(process.name.local) is no list of sizes",
        remedy: "export the LUT again")
    }
    return (array, sizes)
  }

  private func wrongSize(_ array: XMLElement, _ sizes: [Int], _ what: String) -> SafelightError {
    table.failure(
      at: array, "dim is \(sizes.map(String.init).joined(separator: " ")), but \(what)",
      remedy: "correct the dimensions, or export the LUT again")
  }

  private func complete(_ array: XMLElement, count: Int) throws -> [Float] {
    let numbers = try table.numbers(in: array, atMost: count)
    guard numbers.count == count else {
      throw table.failure(
        at: array, "the Array has \(numbers.count) of the \(count) values that dim calls for",
        remedy: "export the LUT again")
    }
    return numbers
  }

  private func flag(_ key: String, of process: XMLElement) throws -> Bool {
    guard let text = table.attribute(key, of: process) else { return false }
    guard text == "true" else {
      throw table.failure(
        at: process,
        "\(key) of \(process.name.local) is “\(NearestName.shortened(text))”, and can only be true",
        remedy: "leave it out")
    }
    return true
  }

  private func interpolation(of process: XMLElement, among known: [String]) throws -> String? {
    guard let text = table.attribute("interpolation", of: process) else { return nil }
    guard known.contains(text) else {
      throw table.failure(
        at: process, "the interpolation of \(process.name.local) is “\(NearestName.shortened(text))”",
        remedy: "write \(known.joined(separator: " or "))", code: .unsupported)
    }
    return text
  }

  func lut1D(_ process: XMLElement, _ scale: Double) throws -> ColorStep {
    if let adjustment = table.attribute("hueAdjust", of: process)
      ?? table.attribute("hue_adjust", of: process)
    {
      throw table.failure(
        at: process,
        "the LUT1D keeps hues (hueAdjust “\(NearestName.shortened(adjustment))”), which is not read",
        remedy: "export the LUT without it", code: .unsupported)
    }
    _ = try interpolation(of: process, among: ["linear"])
    let (isHalf, isRaw) = (try flag("halfDomain", of: process), try flag("rawHalfs", of: process))
    let (array, sizes) = try array(of: process)
    guard sizes.count == 2, [1, 3].contains(sizes[1]) else {
      throw wrongSize(array, sizes, "a LUT1D has a number of samples, and 1 or 3 channels")
    }
    guard isHalf ? sizes[0] == HalfTable.count : LUT1D.sizes.contains(sizes[0]) else {
      throw isHalf
        ? wrongSize(array, sizes, "a LUT1D over the half domain has \(HalfTable.count) samples")
        : table.failure(
          at: array,
          "the LUT1D has \(sizes[0]) samples, outside \(LUT1D.sizes.lowerBound)…\(LUT1D.sizes.upperBound)",
          remedy: "export the LUT with a size in this range", code: .tooLarge)
    }
    let channels = sizes[1]
    var numbers = try complete(array, count: sizes[0] * channels)
    if isRaw {
      numbers = try numbers.map { number in
        guard number >= 0, number <= 65535, number == number.rounded() else {
          throw table.failure(
            at: array, "the raw half \(number) is no whole number of 16 bits", remedy: "export the LUT again")
        }
        return Float(Half.value(UInt16(number)))
      }
    }
    let values = numbers.map { Float(Double($0) / (isRaw ? 1 : scale)) }
    func channel(_ channel: Int) -> [Float] {
      stride(from: channels == 1 ? 0 : channel, to: values.count, by: channels).map { values[$0] }
    }
    let (red, green, blue) = (channel(0), channel(1), channel(2))
    guard !isHalf else {
      return .curves(
        .halves(HalfTable(values: red)), .halves(HalfTable(values: green)), .halves(HalfTable(values: blue)))
    }
    return .table1D(try LUT1D(samples: red.indices.map { SIMD3(red[$0], green[$0], blue[$0]) }))
  }

  func lut3D(_ process: XMLElement, _ scale: Double) throws -> ColorStep {
    let interpolation = try interpolation(of: process, among: ["trilinear", "tetrahedral"])
    if try flag("rawHalfs", of: process) {
      throw table.failure(
        at: process, "the LUT3D has raw halfs, which only a LUT1D may have", remedy: "export the LUT again",
        code: .unsupported)
    }
    let (array, sizes) = try array(of: process)
    guard sizes.count == 4, sizes[3] == 3, sizes[1] == sizes[0], sizes[2] == sizes[0] else {
      throw wrongSize(array, sizes, "a LUT3D has as many nodes along each edge, and 3 channels")
    }
    let size = sizes[0]
    guard LUT3D.sizes.contains(size) else {
      throw table.failure(
        at: array,
        "the LUT3D has \(size) nodes along its edges, outside \(LUT3D.sizes.lowerBound)…\(LUT3D.sizes.upperBound)",
        remedy: "export the LUT with a size in this range", code: .tooLarge)
    }
    let values = try complete(array, count: 3 * size * size * size)
    // From blue fastest to red fastest.
    var nodes = [SIMD3<Float>](repeating: .zero, count: size * size * size)
    for index in nodes.indices {
      let (blue, green, red) = (index % size, index / size % size, index / (size * size))
      let color = SIMD3(values[3 * index], values[3 * index + 1], values[3 * index + 2])
      nodes[red + size * (green + size * blue)] = SIMD3<Float>(SIMD3<Double>(color) / scale)
    }
    return .table3D(try LUT3D(size: size, nodes: nodes), isTrilinear: interpolation == "trilinear")
  }

  func matrix(_ process: XMLElement, input: Double, output: Double) throws -> ColorStep {
    let (array, sizes) = try array(of: process)
    // Older files add the number of channels.
    guard [[3, 3], [3, 3, 3], [3, 4], [3, 4, 3]].contains(sizes) else {
      throw wrongSize(array, sizes, "a Matrix has 3 rows of 3 or 4")
    }
    let columns = sizes[1]
    let numbers = try table.doubles(in: array, count: 3 * columns)
    let rows = (0..<3).map { row in
      SIMD3(numbers[row * columns], numbers[row * columns + 1], numbers[row * columns + 2]) * (input / output)
    }
    let offset =
      columns == 4 ? SIMD3(numbers[3], numbers[7], numbers[11]) / output : SIMD3<Double>(repeating: 0)
    return .affine(Matrix3x3(rows: rows), offset: offset)
  }

  func range(_ process: XMLElement, input: Double, output: Double) throws -> ColorStep {
    let keys: Set<String> = ["minInValue", "maxInValue", "minOutValue", "maxOutValue"]
    try refuseOthers(than: keys, in: process)
    func value(_ key: String, _ scale: Double) throws -> Double? {
      try table.child(key, of: process).map { try table.doubles(in: $0, count: 1)[0] / scale }
    }
    let style = table.attribute("style", of: process) ?? "Clamp"
    let (lowIn, highIn) = (try value("minInValue", input), try value("maxInValue", input))
    let (lowOut, highOut) = (try value("minOutValue", output), try value("maxOutValue", output))
    func wrong(_ reason: String, _ remedy: String) -> SafelightError {
      table.failure(at: process, "the Range \(reason)", remedy: remedy)
    }
    guard style == "Clamp" || style == "noClamp" else {
      throw wrong("has the style “\(NearestName.shortened(style))”", "write Clamp or noClamp")
    }
    guard (lowIn == nil) == (lowOut == nil), (highIn == nil) == (highOut == nil),
      lowIn != nil || highIn != nil
    else {
      throw wrong(
        "lacks a value", "give minInValue with minOutValue, maxInValue with maxOutValue, or all four")
    }
    if let lowIn, let highIn, let lowOut, let highOut {
      guard lowIn < highIn, lowOut <= highOut else {
        throw wrong("does not rise from its minimum to its maximum", "give a minimum below the maximum")
      }
      let scale = (highOut - lowOut) / (highIn - lowIn)
      let clamps = style == "Clamp"
      return .curve(
        .range(
          RangeCurve(
            scale: scale, offset: lowOut - scale * lowIn, low: clamps ? lowOut : -.infinity,
            high: clamps ? highOut : .infinity)))
    }
    guard style == "Clamp" else {
      throw wrong("has one end and clips nothing", "give all four values with the style noClamp")
    }
    // With one end nothing is scaled, so that both of its values are the same.
    guard abs((lowIn ?? 0) - (lowOut ?? 0)) <= 1e-6, abs((highIn ?? 0) - (highOut ?? 0)) <= 1e-6 else {
      throw wrong("has one end whose values differ", "give all four values")
    }
    return .curve(.range(RangeCurve(low: lowOut ?? -.infinity, high: highOut ?? .infinity)))
  }
}
