/// Writes JPEGs whose every block of 8×8 samples is flat, so that the samples are known without a decoder.
///
/// A block has its DC coefficient and no other. With a quantization of 8 throughout, a coefficient is the block's
/// value less 128 (ITU-T T.81, A.3.3: DC is 8 times the mean). Codes are those of T.81, annex K.3, or a table of this
/// file's own.
struct FlatJPEG {
  struct Component {
    var h: Int
    var v: Int
  }
  enum Tables {
    /// No DHT: Motion JPEG.
    case standardLeftOut
    /// A DHT of other codes.
    case own
  }

  var width: Int
  var height: Int
  /// Sampling factors of Y, Cb, Cr, or of Y alone.
  var components: [Component]
  var tables = Tables.standardLeftOut
  var restartInterval = 0
  /// Varies the values.
  var seed = 0

  private var maximumH: Int { components.map(\.h).max() ?? 1 }
  private var maximumV: Int { components.map(\.v).max() ?? 1 }

  /// The value of a block of a component.
  func value(_ component: Int, _ bx: Int, _ by: Int) -> Int {
    16 + (component * 71 + bx * 37 + by * 53 + bx * by * 11 + seed * 29) % 220
  }

  /// The sample of a component at a place of its own plane as stored.
  func stored(_ component: Int, _ x: Int, _ y: Int) -> UInt8 { UInt8(value(component, x / 8, y / 8)) }

  func bytes() -> [UInt8] {
    var data: [UInt8] = [0xFF, 0xD8]
    segment(0xDB, [0] + [UInt8](repeating: 8, count: 64), &data)
    var frame: [UInt8] = [
      8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255),
      UInt8(components.count),
    ]
    for (index, component) in components.enumerated() {
      frame += [UInt8(index + 1), UInt8(component.h << 4 | component.v), 0]
    }
    segment(0xC0, frame, &data)
    if tables == .own {
      // DC: the categories 0…8 as codes of four bits. AC: the end of block as the one code of one bit.
      let dc: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array(0...8)
      let ac: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      segment(0xC4, [0x00] + dc + [0x10] + ac + [0x01] + dc + [0x11] + ac, &data)
    }
    if restartInterval > 0 { segment(0xDD, [0, UInt8(restartInterval)], &data) }
    var scan: [UInt8] = [UInt8(components.count)]
    for index in components.indices { scan += [UInt8(index + 1), index == 0 ? 0x00 : 0x11] }
    segment(0xDA, scan + [0, 63, 0], &data)
    data += entropyCodedData()
    data += [0xFF, 0xD9]
    return data
  }

  private func segment(_ marker: UInt8, _ payload: [UInt8], _ data: inout [UInt8]) {
    let length = payload.count + 2
    data += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
  }

  private func entropyCodedData() -> [UInt8] {
    var writer = BitWriter()
    var last = [Int](repeating: 0, count: components.count)
    // One component is not interleaved: a block is a unit, whatever its sampling (A.2.2).
    let single = components.count == 1
    let unitWidth = 8 * (single ? 1 : maximumH)
    let unitHeight = 8 * (single ? 1 : maximumV)
    var units = 0
    for my in 0..<(height + unitHeight - 1) / unitHeight {
      for mx in 0..<(width + unitWidth - 1) / unitWidth {
        if restartInterval > 0, units > 0, units % restartInterval == 0 {
          writer.restart(units / restartInterval - 1)
          last = last.map { _ in 0 }
        }
        units += 1
        for (index, component) in components.enumerated() {
          let (h, v) = single ? (1, 1) : (component.h, component.v)
          for by in 0..<v {
            for bx in 0..<h {
              let dc = value(index, mx * h + bx, my * v + by) - 128
              write(dc - last[index], chroma: index > 0, &writer)
              last[index] = dc
            }
          }
        }
      }
    }
    writer.finish()
    return writer.bytes
  }

  /// Codes of the categories of DC differences: T.81, tables K.3 and K.4.
  private static let luma = ["00", "010", "011", "100", "101", "110", "1110", "11110", "111110"]
  private static let chroma = ["00", "01", "10", "110", "1110", "11110", "111110", "1111110", "11111110"]

  private func write(_ difference: Int, chroma: Bool, _ writer: inout BitWriter) {
    var category = 0
    while abs(difference) >> category != 0 { category += 1 }
    switch tables {
    case .standardLeftOut: writer.write(chroma ? Self.chroma[category] : Self.luma[category])
    case .own: writer.write(category, count: 4)
    }
    // Negative values are written as their ones' complement (F.1.2.1).
    writer.write(difference < 0 ? difference + (1 << category) - 1 : difference, count: category)
    switch tables {
    case .standardLeftOut: writer.write(chroma ? "00" : "1010")
    case .own: writer.write("0")
    }
  }
}

/// Bits, most significant first, with a zero after each byte of ones (B.1.1.5).
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var current = 0
  private var count = 0

  mutating func write(_ bits: String) {
    for bit in bits { write(bit == "1" ? 1 : 0, count: 1) }
  }

  mutating func write(_ value: Int, count bits: Int) {
    for shift in stride(from: bits - 1, through: 0, by: -1) {
      current = current << 1 | (value >> shift & 1)
      count += 1
      if count == 8 {
        bytes.append(UInt8(current))
        if current == 0xFF { bytes.append(0) }
        (current, count) = (0, 0)
      }
    }
  }

  mutating func finish() {
    while count > 0 { write(1, count: 1) }
  }

  mutating func restart(_ number: Int) {
    finish()
    bytes += [0xFF, UInt8(0xD0 + number % 8)]
  }
}
