/// Reads sixels back, after DEC's manual for the VT330 and VT340, chapter 14.
enum SixelDecoder {
  struct Failure: Error { var at: Int }

  /// Pixels as R, G, B in percent; nil where nothing was drawn.
  static func decode(_ bytes: [UInt8]) throws -> (width: Int, height: Int, pixels: [[Int]?]) {
    guard let start = bytes.firstIndex(of: UInt8(ascii: "q")) else { throw Failure(at: 0) }
    var index = start + 1
    func numbers() -> [Int] {
      var found: [Int] = []
      var current: Int?
      while index < bytes.count {
        let byte = bytes[index]
        if (48...57).contains(byte) {
          current = (current ?? 0) * 10 + Int(byte - 48)
        } else if byte == UInt8(ascii: ";") {
          found.append(current ?? 0)
          current = nil
        } else {
          break
        }
        index += 1
      }
      return found + (current.map { [$0] } ?? [])
    }
    var (width, height) = (0, 0)
    var pixels: [[Int]?] = []
    var palette: [Int: [Int]] = [:]
    var (x, y, color, count) = (0, 0, 0, 1)
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        let raster = numbers()
        guard raster.count == 4 else { throw Failure(at: index) }
        (width, height) = (raster[2], raster[3])
        pixels = Array(repeating: nil, count: width * height)
      case UInt8(ascii: "#"):
        let values = numbers()
        color = values[0]
        if values.count == 5, values[1] == 2 { palette[color] = Array(values[2...]) }
      case UInt8(ascii: "!"): count = numbers()[0]
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, y) = (0, y + 6)
      case 63...126:
        for _ in 0..<count {
          for bit in 0..<6 where (byte - 63) >> UInt8(bit) & 1 == 1 {
            guard x < width, y + bit < height, let value = palette[color] else { throw Failure(at: index) }
            pixels[(y + bit) * width + x] = value
          }
          x += 1
        }
        count = 1
      case 0x1B: return (width, height, pixels)
      default: throw Failure(at: index)
      }
    }
    throw Failure(at: index)
  }
}
