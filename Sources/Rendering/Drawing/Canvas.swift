import FrameCore

/// A rectangle of whole pixels.
package struct PixelRect: Sendable, Hashable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package var maxX: Int { x + width }
  package var maxY: Int { y + height }

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// An opaque colour in the encoding of the canvas.
package struct CanvasColor: Sendable, Hashable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package static let black = CanvasColor(gray: 0)
  package static let white = CanvasColor(gray: 255)
  /// The ground behind pictures: dark to avoid glare, and neutral to avoid a tint.
  package static let ground = CanvasColor(red: 0x1B, green: 0x1B, blue: 0x1D)

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  package init(gray: UInt8) { self.init(red: gray, green: gray, blue: gray) }
}

/// An `rgba8` picture under construction: pictures copied in, plates and lettering blended over them.
package struct Canvas {
  package let buffer: PixelBuffer

  package var size: PixelSize { buffer.size }

  package init(size: PixelSize, tags: ColorTags, alpha: AlphaMode) throws {
    buffer = try PixelBuffer(size: size, format: .rgba8, tags: tags, alpha: alpha)
  }

  /// Fills the part of `rect` that lies on the canvas.
  package func fill(_ rect: PixelRect, _ color: CanvasColor) {
    let columns = max(0, rect.x)..<max(0, rect.x, min(size.width, rect.maxX))
    for y in max(0, rect.y)..<max(0, rect.y, min(size.height, rect.maxY)) {
      let row = buffer.row(y, as: UInt8.self)
      for x in columns {
        row[4 * x] = color.red
        row[4 * x + 1] = color.green
        row[4 * x + 2] = color.blue
        row[4 * x + 3] = 255
      }
    }
  }

  /// Fills the whole canvas.
  package func fill(_ color: CanvasColor) {
    fill(PixelRect(x: 0, y: 0, width: size.width, height: size.height), color)
  }

  /// Copies `columns` of row `y` of `picture`, with the picture's top left pixel at (`left`, `top`).
  func copyRow(_ y: Int, of picture: PixelBuffer, columns: Range<Int>, left: Int = 0, top: Int = 0) {
    guard !columns.isEmpty else { return }
    let target = UnsafeMutableBufferPointer(
      rebasing: buffer.row(top + y, as: UInt8.self)[
        4 * (left + columns.lowerBound)..<4 * (left + columns.upperBound)])
    picture.readEightBit(row: y, columns: columns, into: target)
  }

  /// Copies the whole of `picture`.
  func copy(_ picture: PixelBuffer, left: Int, top: Int) {
    for y in 0..<picture.height { copyRow(y, of: picture, columns: 0..<picture.width, left: left, top: top) }
  }

  /// Copies `picture` over the ground, which shows through transparent pixels.
  package func copyOverGround(_ picture: PixelBuffer, left: Int, top: Int) {
    guard picture.alpha == .straight else { return copy(picture, left: left, top: top) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4 * picture.width) { row in
      row.initialize(repeating: 0)
      for y in 0..<picture.height {
        picture.readEightBit(row: y, columns: 0..<picture.width, into: row)
        for x in 0..<picture.width {
          let color = CanvasColor(red: row[4 * x], green: row[4 * x + 1], blue: row[4 * x + 2])
          blend(color, x: left + x, y: top + y, opacity: Float(row[4 * x + 3]) / 255)
        }
      }
    }
  }

  /// Blends `color` over one pixel ("source over" on straight alpha); skips pixels off the canvas.
  package func blend(_ color: CanvasColor, x: Int, y: Int, opacity: Float) {
    guard opacity > 0, x >= 0, y >= 0, x < size.width, y < size.height else { return }
    let pixel = UnsafeMutableBufferPointer(rebasing: buffer.row(y, as: UInt8.self)[4 * x..<4 * x + 4])
    // An opaque picture's fourth channel counts as full scale.
    let under = buffer.alpha == .opaque ? 1 - opacity : (1 - opacity) * Float(pixel[3]) / 255
    let alpha = opacity + under
    func mix(_ over: UInt8, _ below: UInt8) -> UInt8 {
      UInt8(((Float(over) * opacity + Float(below) * under) / alpha).rounded())
    }
    pixel[0] = mix(color.red, pixel[0])
    pixel[1] = mix(color.green, pixel[1])
    pixel[2] = mix(color.blue, pixel[2])
    pixel[3] = UInt8((255 * alpha).rounded())
  }

  /// Blends a rectangle with rounded corners of `radius` pixels over the picture.
  package func fillRounded(_ rect: PixelRect, radius: Int, _ color: CanvasColor, opacity: Float) {
    let radius = Float(min(radius, rect.width / 2, rect.height / 2))
    let (halfWidth, halfHeight) = (Float(rect.width) / 2, Float(rect.height) / 2)
    for row in 0..<rect.height {
      for column in 0..<rect.width {
        // Distance to the rectangle shrunk by the radius; beyond the radius is outside.
        let dx = max(abs(Float(column) + 0.5 - halfWidth) - (halfWidth - radius), 0)
        let dy = max(abs(Float(row) + 0.5 - halfHeight) - (halfHeight - radius), 0)
        let coverage = min(max(radius + 0.5 - (dx * dx + dy * dy).squareRoot(), 0), 1)
        blend(color, x: rect.x + column, y: rect.y + row, opacity: opacity * coverage)
      }
    }
  }

  /// Draws one line of text; (`x`, `y`) is the left edge of the ink at the cap line.
  package func draw(_ text: String, _ lettering: Lettering, x: Int, y: Int, _ color: CanvasColor) {
    let mask = lettering.mask(of: text)
    for row in 0..<mask.height {
      for column in 0..<mask.width {
        blend(
          color, x: x + column - mask.originX, y: y + row - mask.originY,
          opacity: mask.values[row * mask.width + column])
      }
    }
  }
}

extension PixelBuffer {
  /// Reads the 8-bit codes of an RGBA picture: 16-bit and float samples are rounded to the nearest code, floats
  /// outside 0…1 clipped.
  ///
  /// - Parameter target: four bytes for each of `columns`.
  func readEightBit(row y: Int, columns: Range<Int>, into target: UnsafeMutableBufferPointer<UInt8>) {
    let samples = 4 * columns.lowerBound..<4 * columns.upperBound
    switch format {
    case .rgba16:
      let row = self.row(y, as: UInt16.self)
      // 65535 = 255 · 257, so this is division by 257, rounded.
      for (index, sample) in samples.enumerated() { target[index] = UInt8((UInt32(row[sample]) + 128) / 257) }
    case .rgbaF32:
      let row = self.row(y, as: Float.self)
      for (index, sample) in samples.enumerated() {
        // NaN compares false with everything and so becomes 0.
        let value = row[sample] > 0 ? min(row[sample], 1) : 0
        target[index] = UInt8((value * 255).rounded())
      }
    default:
      _ = target.update(fromContentsOf: self.row(y, as: UInt8.self)[samples])
    }
  }

  /// Reads one row of an RGBA picture as floats, 1.0 for full scale.
  ///
  /// - Parameter target: four floats for each pixel of the row.
  func readFloat(row y: Int, into target: UnsafeMutableBufferPointer<Float>) {
    switch format {
    case .rgba16:
      let row = self.row(y, as: UInt16.self)
      for index in row.indices { target[index] = Float(row[index]) / 65_535 }
    case .rgbaF32:
      _ = target.update(fromContentsOf: self.row(y, as: Float.self))
    default:
      let row = self.row(y, as: UInt8.self)
      for index in row.indices { target[index] = Float(row[index]) / 255 }
    }
  }
}
