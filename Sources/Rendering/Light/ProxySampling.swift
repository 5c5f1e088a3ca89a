import ColorScience
import FilterGraph
import FrameCore

/// Where the samples of a proxy's colours are, for all pictures of one input.
struct ProxySampling: Sendable {
  let size: PixelSize
  private let format: PixelFormat
  private let columns, rows: Axis
  /// From the means of codes of 0…255 to R'G'B'; nil for RGBA.
  private let camera: Camera?

  /// The samples along an axis, `count` for each node.
  private struct Axis: Sendable {
    let count: Int
    let places: [Int]

    init(nodes: Int, pixels: Int) {
      let step = Double(pixels) / Double(nodes)
      let count = min(4, max(1, Int(step.rounded(.up))))
      self.count = count
      places = (0..<nodes * count).map { index in
        let place = (Double(index / count) + (Double(index % count) + 0.5) / Double(count)) * step
        return min(Int(place), pixels - 1)
      }
    }
  }

  private struct Camera: Sendable {
    let channels: CameraChannels
    let stepX, stepY: Int
    let luma, cb, cr, offset: SIMD3<Float>

    init?(_ input: PlanInput) {
      guard let encoding = input.ycbcr, let channels = CameraChannels(input.format) else { return nil }
      self.channels = channels
      let stage = YCbCrStage(format: input.format, encoding: encoding)
      (stepX, stepY) = channels.hasChroma ? (stage.chroma.stepX, stage.chroma.stepY) : (1, 1)
      let neutral = encoding.codes.neutral
      let black = encoding.decode(.zero)
      func column(_ code: SIMD3<Double>) -> SIMD3<Float> { SIMD3<Float>(encoding.decode(code) - black) }
      luma = column(SIMD3(1, 0, 0))
      if channels.hasChroma {
        (cb, cr, offset) = (column(SIMD3(0, 1, 0)), column(SIMD3(0, 0, 1)), SIMD3<Float>(black))
      } else {
        (cb, cr, offset) = (.zero, .zero, SIMD3<Float>(encoding.decode(SIMD3(0, neutral, neutral))))
      }
    }
  }

  /// - Parameters:
  ///   - copy: the size of the pictures that are sampled, if they are smaller copies.
  ///   - isFine: whether it is for texture.
  init(_ input: PlanInput, of copy: PixelSize? = nil, isFine: Bool = false) {
    let picture = copy ?? input.size
    size = LightGrid.size(
      for: input.size, longEdge: isFine ? LightGrid.fineLongEdge : LightGrid.longEdge)
    format = input.format
    columns = Axis(nodes: size.width, pixels: picture.width)
    rows = Axis(nodes: size.height, pixels: picture.height)
    camera = Camera(input)
  }

  /// Writes the colours of some rows of the proxy to planes that begin with its first row.
  func sample(
    _ picture: PixelBuffer, rows range: Range<Int>, _ r: UnsafeMutablePointer<Float>,
    _ g: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>
  ) {
    for y in range {
      let at = y * size.width
      if let camera {
        sampleCamera(picture, camera, y, r + at, g + at, b + at)
      } else {
        for x in at..<at + size.width { (r[x], g[x], b[x]) = (0, 0, 0) }
        for k in 0..<rows.count {
          addColors(picture, row: rows.places[y * rows.count + k], r + at, g + at, b + at)
        }
      }
    }
  }

  /// Adds rows of RGBA to planes that begin as zeros.
  ///
  /// - Parameters:
  ///   - band: holds the rows, the first of which is row `range.lowerBound` of the picture.
  ///   - planes: all three, one after another.
  func add(_ band: PixelBuffer, rows range: Range<Int>, to planes: UnsafeMutableBufferPointer<Float>) {
    guard let r = planes.baseAddress else { return }
    let count = size.pixelCount
    for (index, place) in rows.places.enumerated() where range.contains(place) {
      let at = r + index / rows.count * size.width
      addColors(band, row: place - range.lowerBound, at, at + count, at + 2 * count)
    }
  }

  private func addColors(
    _ picture: PixelBuffer, row: Int, _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>
  ) {
    switch format {
    case .rgba16: addColors(picture, row, UInt16.self, r, g, b, scale: 1 / 65_535)
    case .rgbaF32: addColors(picture, row, Float.self, r, g, b, scale: 1)
    case .rgba8, .gray8, .yuyv422, .uyvy422, .nv12, .nv21, .nv16, .i420, .i422, .i444:
      addColors(picture, row, UInt8.self, r, g, b, scale: 1 / 255)
    }
  }

  private func addColors<Sample: ProxySample>(
    _ picture: PixelBuffer, _ row: Int, _: Sample.Type, _ r: UnsafeMutablePointer<Float>,
    _ g: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>, scale: Float
  ) {
    let share = scale / Float(columns.count * rows.count)
    let samples = UnsafeRawPointer(picture.planes[0].row(row)).assumingMemoryBound(to: Sample.self)
    columns.places.withUnsafeBufferPointer { places in
      for x in 0..<size.width {
        var sum = SIMD3<Float>.zero
        for i in x * columns.count..<(x + 1) * columns.count {
          let pixel = samples + 4 * places[i]
          sum += SIMD3(pixel[0].proxyValue, pixel[1].proxyValue, pixel[2].proxyValue)
        }
        r[x] += share * sum.x
        g[x] += share * sum.y
        b[x] += share * sum.z
      }
    }
  }

  private func sampleCamera(
    _ picture: PixelBuffer, _ camera: Camera, _ y: Int, _ r: UnsafeMutablePointer<Float>,
    _ g: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>
  ) {
    let share = 1 / Float(columns.count * rows.count)
    let channels = camera.channels
    columns.places.withUnsafeBufferPointer { places in
      for x in 0..<size.width { (r[x], g[x], b[x]) = (0, 0, 0) }
      for k in 0..<rows.count {
        let place = rows.places[y * rows.count + k]
        func bytes(_ channel: CameraChannels.Channel, row: Int) -> UnsafePointer<UInt8> {
          UnsafeRawPointer(picture.planes[channel.plane].row(row)).assumingMemoryBound(to: UInt8.self)
            + channel.offset
        }
        let luma = bytes(channels.luma, row: place)
        let cb = channels.hasChroma ? bytes(channels.cb, row: place / camera.stepY) : luma
        let cr = channels.hasChroma ? bytes(channels.cr, row: place / camera.stepY) : luma
        let (lumaStep, cbStep, crStep) = (channels.luma.step, channels.cb.step, channels.cr.step)
        for x in 0..<size.width {
          var (first, second, third) = (0, 0, 0)
          for i in x * columns.count..<(x + 1) * columns.count {
            let column = places[i]
            let shared = column / camera.stepX
            first += Int(luma[column * lumaStep])
            second += Int(cb[shared * cbStep])
            third += Int(cr[shared * crStep])
          }
          r[x] += Float(first)
          g[x] += Float(second)
          b[x] += Float(third)
        }
      }
      for x in 0..<size.width {
        let color =
          camera.offset
          + share * (r[x] * camera.luma + g[x] * camera.cb + b[x] * camera.cr)
        let clipped = color.clamped(lowerBound: .zero, upperBound: .one)
        (r[x], g[x], b[x]) = (clipped.x, clipped.y, clipped.z)
      }
    }
  }
}

/// A sample of RGBA as a number; NaN and infinite ones count as none.
private protocol ProxySample {
  var proxyValue: Float { get }
}

extension UInt8: ProxySample {
  fileprivate var proxyValue: Float { Float(self) }
}

extension UInt16: ProxySample {
  fileprivate var proxyValue: Float { Float(self) }
}

extension Float: ProxySample {
  fileprivate var proxyValue: Float { isFinite ? self : 0 }
}
