import FrameCore

/// Tables of colours as the text of files that other programs read.
package enum TableText {
  /// A `.cube` file.
  ///
  /// Source: Adobe, “Cube LUT Specification Version 1.0” (2013).
  package static func cube(_ table: LUT3D, title: String) -> [UInt8] {
    var text = "TITLE \"\(title.filter { $0 != "\"" && !$0.isNewline })\"\nLUT_3D_SIZE \(table.size)\n"
    if table.domainMin != .zero || table.domainMax != .one {
      text += "DOMAIN_MIN \(row(table.domainMin))\nDOMAIN_MAX \(row(table.domainMax))\n"
    }
    var bytes = Array(text.utf8)
    bytes.reserveCapacity(bytes.count + 30 * table.nodes.count)
    for node in table.nodes { append(node, to: &bytes) }
    return bytes
  }

  /// A `.clf` file with one lattice over 0…1.
  ///
  /// Source: SMPTE ST 2136-1:2024.
  ///
  /// - Parameters:
  ///   - input, output: what samples mean, for people.
  package static func commonLUT(
    _ table: LUT3D, title: String, input: String, output: String
  ) -> [UInt8] {
    let size = table.size
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <ProcessList compCLFversion="3.0" id="\(escaped(title))" xmlns="http://www.smpte-ra.org/ns/2136-1/2024">
        <Description>\(escaped(title))</Description>
        <InputDescriptor>\(escaped(input))</InputDescriptor>
        <OutputDescriptor>\(escaped(output))</OutputDescriptor>
        <LUT3D inBitDepth="32f" outBitDepth="32f" interpolation="tetrahedral">
          <Array dim="\(size) \(size) \(size) 3">

      """
    var bytes = Array(head.utf8)
    let nodes = table.nodes
    // Blue changes fastest.
    for red in 0..<size {
      for green in 0..<size {
        for blue in 0..<size { append(nodes[red + size * (green + size * blue)], to: &bytes) }
      }
    }
    bytes += Array("    </Array>\n  </LUT3D>\n</ProcessList>\n".utf8)
    return bytes
  }

  /// A correction of the ASC's, as a `.cc`, `.ccc` or `.cdl` file.
  ///
  /// Source: ASC Color Decision List (ASC CDL) Transfer Functions and Interchange Syntax, release 1.2.
  package static func decision(_ decision: ColorDecision, fileExtension: String) -> [UInt8] {
    func three(_ value: SIMD3<Double>) -> String {
      [value.x, value.y, value.z].map { PlainNumber.text($0) }.joined(separator: " ")
    }
    let namespace = " xmlns=\"urn:ASC:CDL:v1.01\""
    func correction(_ namespace: String, _ indent: String) -> String {
      let lines = [
        "<ColorCorrection id=\"\(escaped(decision.id))\"\(namespace)>", "  <SOPNode>",
        "    <Slope>\(three(decision.slope))</Slope>", "    <Offset>\(three(decision.offset))</Offset>",
        "    <Power>\(three(decision.power))</Power>", "  </SOPNode>", "  <SatNode>",
        "    <Saturation>\(PlainNumber.text(decision.saturation))</Saturation>", "  </SatNode>",
        "</ColorCorrection>",
      ]
      return lines.map { indent + $0 + "\n" }.joined()
    }
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let text =
      switch fileExtension {
      case "ccc":
        "<ColorCorrectionCollection\(namespace)>\n" + correction("", "  ") + "</ColorCorrectionCollection>\n"
      case "cdl":
        "<ColorDecisionList\(namespace)>\n  <ColorDecision>\n" + correction("", "    ")
          + "  </ColorDecision>\n</ColorDecisionList>\n"
      default: correction(namespace, "")
      }
    return Array((head + text).utf8)
  }

  private static func escaped(_ text: String) -> String {
    let safe = text.unicodeScalars.filter { $0.value >= 0x20 }
    return String(String.UnicodeScalarView(safe)).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }

  private static func row(_ color: SIMD3<Float>) -> String {
    var bytes: [UInt8] = []
    append(color, to: &bytes)
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  /// Appends three numbers of seven decimals and a line break.
  private static func append(_ color: SIMD3<Float>, to bytes: inout [UInt8]) {
    for channel in 0..<3 {
      if channel > 0 { bytes.append(ASCII.space) }
      let scaled = (Double(color[channel]) * 1e7).rounded()
      if scaled < 0 { bytes.append(ASCII.minus) }
      let number = UInt64(min(abs(scaled), 1e18))
      bytes += Array(String(number / 10_000_000).utf8)
      bytes.append(ASCII.point)
      let decimals = String(number % 10_000_000).utf8
      for _ in decimals.count..<7 { bytes.append(0x30) }
      bytes += Array(decimals)
    }
    bytes.append(ASCII.lineFeed)
  }
}

extension LUT3D {
  /// The table as its text has it: with seven decimals.
  package func roundedAsText() throws -> LUT3D {
    try LUT3D(
      size: size,
      nodes: nodes.map { node in
        SIMD3<Float>((SIMD3<Double>(node) * 1e7).rounded(.toNearestOrAwayFromZero) / 1e7)
      }, domainMin: domainMin, domainMax: domainMax)
  }

  /// The table as a picture of 16 bits has it: clipped to 0…1, in steps of 1/65535.
  package func roundedAsPicture() throws -> LUT3D {
    try LUT3D(
      size: size,
      nodes: nodes.map { node in
        (node.clamped(lowerBound: .zero, upperBound: .one) * 65535).rounded(.toNearestOrAwayFromZero) / 65535
      }, domainMin: domainMin, domainMax: domainMax)
  }
}
