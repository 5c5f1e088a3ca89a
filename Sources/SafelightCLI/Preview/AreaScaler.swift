import Safelight

/// Scales pictures down for the terminal: each sample is the mean of the area that it covers, in linear light.
///
/// Averages of encoded values would darken fine detail. Memory is reused from picture to picture.
final class AreaScaler {
  /// R, G, B of all samples in 8-bit sRGB, row by row.
  private(set) var samples: [UInt8] = []
  private(set) var size = PixelSize(width: 0, height: 0)

  /// The linear light of each 8-bit code.
  private let linear: [Float]
  /// The 8-bit code of each linear value in units of 1/65535.
  private let encoded: [UInt8]
  private var sums: [Float] = []
  private var columns: [Span] = []
  private var columnsFor = (source: 0, samples: 0)

  /// The source columns or rows that a sample covers: the first and last partly, those between wholly.
  private struct Span {
    var first: Int
    var last: Int
    var firstWeight: Float
    var lastWeight: Float

    /// Creates the span of sample `index` of `count` over `extent` source positions.
    init(_ index: Int, of count: Int, over extent: Int) {
      let (low, high) = (
        Double(index) * Double(extent) / Double(count), Double(index + 1) * Double(extent) / Double(count)
      )
      first = min(Int(low), extent - 1)
      last = min(max(Int(high.rounded(.up)) - 1, first), extent - 1)
      if first == last {
        (firstWeight, lastWeight) = (Float(high - low), 0)
      } else {
        (firstWeight, lastWeight) = (Float(Double(first + 1) - low), Float(high - Double(last)))
      }
    }
  }

  init() {
    let transfer = TransferFunction.sRGB
    linear = (0..<256).map { Float(transfer.decode(Double($0) / 255)) }
    var encoded = [UInt8](repeating: 255, count: 65_536)
    var next = 0
    for code in 0..<255 {
      // Up to the value halfway to the next code.
      let end = Int((transfer.decode((Double(code) + 0.5) / 255) * 65_535).rounded())
      while next < end {
        encoded[next] = UInt8(code)
        next += 1
      }
    }
    self.encoded = encoded
  }

  /// - Parameter picture: `rgba8` in sRGB.
  func scale(_ picture: PixelBuffer, to size: PixelSize) {
    precondition(picture.format == .rgba8)
    prepare(source: picture.width, size)
    let area = Float(Double(picture.size.pixelCount) / Double(size.pixelCount))
    for y in 0..<size.height {
      let rows = Span(y, of: size.height, over: picture.height)
      for index in sums.indices { sums[index] = 0 }
      for row in rows.first...rows.last {
        let weight = row == rows.first ? rows.firstWeight : row == rows.last ? rows.lastWeight : 1
        if weight > 0 { add(picture.row(row), weight: weight) }
      }
      encode(row: y, scale: 65_535 / area)
    }
  }

  private func prepare(source width: Int, _ size: PixelSize) {
    if self.size != size {
      self.size = size
      samples = [UInt8](repeating: 0, count: 3 * size.pixelCount)
      sums = [Float](repeating: 0, count: 3 * size.width)
    }
    guard columnsFor != (width, size.width) else { return }
    columnsFor = (width, size.width)
    columns = (0..<size.width).map { Span($0, of: size.width, over: width) }
  }

  private func add(_ row: UnsafeMutableBufferPointer<UInt8>, weight: Float) {
    guard let pixels = row.baseAddress else { return }
    linear.withUnsafeBufferPointer { linear in
      sums.withUnsafeMutableBufferPointer { sums in
        for (index, span) in columns.enumerated() {
          var p = pixels + 4 &* span.first
          var red = linear[Int(p[0])] * span.firstWeight
          var green = linear[Int(p[1])] * span.firstWeight
          var blue = linear[Int(p[2])] * span.firstWeight
          if span.last > span.first {
            for _ in span.first &+ 1..<span.last {
              p += 4
              red += linear[Int(p[0])]
              green += linear[Int(p[1])]
              blue += linear[Int(p[2])]
            }
            p += 4
            red += linear[Int(p[0])] * span.lastWeight
            green += linear[Int(p[1])] * span.lastWeight
            blue += linear[Int(p[2])] * span.lastWeight
          }
          sums[3 &* index] += red * weight
          sums[3 &* index &+ 1] += green * weight
          sums[3 &* index &+ 2] += blue * weight
        }
      }
    }
  }

  private func encode(row: Int, scale: Float) {
    let start = row * sums.count
    for index in sums.indices {
      samples[start + index] = encoded[min(Int(sums[index] * scale + 0.5), 65_535)]
    }
  }
}
