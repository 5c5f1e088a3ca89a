import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// Where the samples of a proxy's colours are, for all pictures of one input.
struct ProxySampling: Sendable {
  let size: PixelSize
  private let format: PixelFormat
  private let columns, rows: Axis
  /// Nil for RGBA.
  private let camera: Camera?

  /// The samples along an axis, `count` for each node.
  private struct Axis: Sendable {
    static let mostSamples = Int(SL_SAMPLES_PER_NODE)
    let count: Int
    let places: [Int]

    init(nodes: Int, pixels: Int) {
      let step = Double(pixels) / Double(nodes)
      let count = min(Self.mostSamples, max(1, Int(step.rounded(.up))))
      self.count = count
      places = (0..<nodes * count).map { index in
        let place = (Double(index / count) + (Double(index % count) + 0.5) / Double(count)) * step
        return min(Int(place), pixels - 1)
      }
    }
  }

  private struct Camera: Sendable {
    let channels: CameraChannels
    let stepY: Int
    /// The bytes of samples from the start of a row: luma, Cb, Cr.
    private let offsets: [[Int32]]
    /// From codes of 0…255 to R'G'B': three rows of three, and what is added.
    private let matrix, offset: [Float]

    init?(_ input: PlanInput, _ columns: Axis) {
      guard let encoding = input.ycbcr, let channels = CameraChannels(input.format) else { return nil }
      self.channels = channels
      let stage = YCbCrStage(format: input.format, encoding: encoding)
      let (stepX, stepY) = channels.hasChroma ? (stage.chroma.stepX, stage.chroma.stepY) : (1, 1)
      self.stepY = stepY
      offsets = [(channels.luma, 1), (channels.cb, stepX), (channels.cr, stepX)].map { channel, step in
        columns.places.map { Int32(channel.offset + $0 / step * channel.step) }
      }
      let neutral = encoding.codes.neutral
      let black = encoding.decode(.zero)
      func column(_ code: SIMD3<Double>) -> SIMD3<Double> { encoding.decode(code) - black }
      let codes: [SIMD3<Double>]
      if channels.hasChroma {
        codes = [column(SIMD3(1, 0, 0)), column(SIMD3(0, 1, 0)), column(SIMD3(0, 0, 1)), black]
      } else {
        codes = [
          column(SIMD3(1, 0, 0)), .zero, .zero, encoding.decode(SIMD3(0, neutral, neutral)),
        ]
      }
      matrix = (0..<3).flatMap { row in codes[..<3].map { Float($0[row]) } }
      offset = (0..<3).map { Float(codes[3][$0]) }
    }

    /// Passes nodes whose rows are still to be set.
    func withKernel(_ body: (inout sl_camera_nodes) -> Void) {
      offsets[0].withUnsafeBufferPointer { luma in
        offsets[1].withUnsafeBufferPointer { cb in
          offsets[2].withUnsafeBufferPointer { cr in
            var nodes = sl_camera_nodes()
            nodes.columns = (luma.baseAddress, cb.baseAddress, cr.baseAddress)
            KernelStages.copy(matrix, to: &nodes.matrix)
            nodes.offset = (offset[0], offset[1], offset[2])
            body(&nodes)
          }
        }
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
    camera = Camera(input, columns)
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
    guard let first = planes.baseAddress else { return }
    for (index, place) in rows.places.enumerated() where range.contains(place) {
      add(band, row: place - range.lowerBound, toRow: index / rows.count, of: first)
    }
  }

  /// The rows of a picture that a row of the proxy is the mean of; one may be among them more than once.
  func pictureRows(of row: Int) -> ArraySlice<Int> { rows.places[row * rows.count..<(row + 1) * rows.count] }

  /// Adds a row of RGBA to a row of planes, as `add(_:rows:to:)` does with many.
  func add(_ band: PixelBuffer, row: Int, toRow target: Int, of planes: UnsafeMutablePointer<Float>) {
    let (count, at) = (size.pixelCount, planes + target * size.width)
    addColors(band, row: row, at, at + count, at + 2 * count)
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
    camera.withKernel { nodes in
      (nodes.row_count, nodes.columns_per_node) = (Int32(rows.count), Int32(columns.count))
      let channels = camera.channels
      withUnsafeMutableBytes(of: &nodes.rows) { bytes in
        let pointers = bytes.bindMemory(to: UnsafePointer<UInt8>?.self)
        for k in 0..<rows.count {
          let place = rows.places[y * rows.count + k]
          func setRow(_ index: Int, _ channel: CameraChannels.Channel, _ row: Int) {
            let start = UnsafeRawPointer(picture.planes[channel.plane].row(row))
            pointers[index * Axis.mostSamples + k] = start.assumingMemoryBound(to: UInt8.self)
          }
          setRow(0, channels.luma, place)
          setRow(1, channels.cb, place / camera.stepY)
          setRow(2, channels.cr, place / camera.stepY)
        }
      }
      sl_sample_camera_nodes(&nodes, r, g, b, size.width)
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
