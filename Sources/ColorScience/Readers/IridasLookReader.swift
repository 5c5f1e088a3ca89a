import FrameCore

/// A `.look` file of Iridas: XML whose LUT is hexadecimal text of single-precision numbers, red fastest.
///
/// Facts of the format: the files that Iridas FrameCycler and SpeedGrade wrote, and OpenColorIO's reader of them.
struct IridasLookReader {
  let table: XMLTable

  func lut() throws -> ColorLUT {
    if let mask = try table.child("mask", of: table.root), !mask.children.isEmpty {
      throw table.failure(
        at: mask, "the look has a mask, which is not applied", remedy: "export the look without its mask",
        code: .unsupported)
    }
    guard let lut = try table.child("LUT", of: table.root), let size = try table.child("size", of: lut),
      let data = try table.child("data", of: lut)
    else {
      throw table.failure(
        at: table.root, "the look has no LUT with a size and data", remedy: "export the look with its LUT")
    }
    let digits = String(size.text.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" })
    guard digits.count <= 4, digits.allSatisfy(\.isNumber), let edge = Int(digits), LUT3D.sizes.contains(edge)
    else {
      throw table.failure(
        at: size,
        "the LUT's size is “\(NearestName.shortened(digits))”, not a number in \(LUT3D.sizes.lowerBound)…\(LUT3D.sizes.upperBound)",
        remedy: "export the look again")
    }
    let nodes = try values(in: data, count: 3 * edge * edge * edge)
    return ColorLUT(
      cube: try LUT3D(
        size: edge,
        nodes: stride(from: 0, to: nodes.count, by: 3).map {
          SIMD3(nodes[$0], nodes[$0 + 1], nodes[$0 + 2])
        }))
  }

  /// Little-endian numbers of eight digits each.
  private func values(in data: XMLElement, count: Int) throws -> [Float] {
    var digits: [UInt8] = []
    digits.reserveCapacity(data.text.utf8.count)
    for byte in data.text.utf8
    where !ASCII.isBlank(byte) && !ASCII.isLineEnd(byte) && byte != ASCII.quote && byte != 0x27 {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw table.failure(
          at: data, "the LUT's data hold what is no hexadecimal digit", remedy: "export the look again")
      }
      digits.append(UInt8(digit))
    }
    guard digits.count == 8 * count else {
      throw table.failure(
        at: data, "the LUT's data have \(digits.count) digits, where its size calls for \(8 * count)",
        remedy: "export the look again")
    }
    return try stride(from: 0, to: digits.count, by: 8).map { start in
      var bits: UInt32 = 0
      for byte in (0..<4).reversed() {
        bits = bits << 8 | UInt32(digits[start + 2 * byte] << 4 | digits[start + 2 * byte + 1])
      }
      let value = Float(bitPattern: bits)
      guard value.isFinite else {
        throw table.failure(
          at: data, "value \(start / 8) of the LUT is not finite", remedy: "export the look again")
      }
      return value
    }
  }
}
