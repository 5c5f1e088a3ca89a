import AnalysisKernels
import ColorScience
import FrameCore

/// The signal shown by scopes: a picture's R′G′B′ as sent to an sRGB display, with its luma.
///
/// Samples are single pixels of the picture, one from each cell of a grid: averages would hide noise and small
/// clipped areas, as they do if the input picture was already shrunk. Pictures in other colour spaces are
/// converted through linear light and clipped to sRGB. Alpha is ignored: scopes show the colours stored in the
/// file, visible or not.
public struct SignalSamples: Sendable {
  /// Columns or rows along the long edge, unless the picture is smaller.
  public static let longEdge = 1536

  /// Weights of R′, G′, B′ in luma. Source: ITU-R BT.709-6, item 3.2.
  public static let lumaWeights = SIMD3<Float>(0.2126, 0.7152, 0.0722)

  /// Columns and rows of the grid, as displayed.
  public let size: PixelSize
  /// R′, 0…1, rows from top to bottom without gaps.
  public private(set) var red: [Float] = []
  public private(set) var green: [Float] = []
  public private(set) var blue: [Float] = []
  /// Y′ = 0.2126 R′ + 0.7152 G′ + 0.0722 B′.
  public private(set) var luma: [Float] = []

  /// Takes samples of a picture.
  ///
  /// - Parameter orientation: how the picture must be turned for display.
  /// - Throws: `SafelightError` if the picture's ICC profile is damaged or is not a matrix with curves.
  public init(_ buffer: PixelBuffer, orientation: Orientation = .up) throws {
    let conversion = try SignalConversion(buffer.tags)
    let stored = AnalysisProxy.fit(buffer.size, longEdge: Self.longEdge)
    size = orientation.applied(to: stored)
    let count = stored.pixelCount
    var planes = [Float](repeating: 0, count: 3 * count)
    var picture = sla_color_picture(samplesOf: buffer)
    withExtendedLifetime(buffer) {
      sla_sample_colors(&picture, Int32(stored.width), Int32(stored.height), &planes)
    }
    conversion?.convert(&planes, count: count)
    red = Self.turned(planes[..<count], stored, orientation)
    green = Self.turned(planes[count..<2 * count], stored, orientation)
    blue = Self.turned(planes[(2 * count)...], stored, orientation)
    luma = zip(red, zip(green, blue)).map { red, rest in
      // Rounding must not lift white above full scale.
      min((Self.lumaWeights * SIMD3(red, rest.0, rest.1)).sum(), 1)
    }
  }

  /// A plane of `stored` samples, turned for display.
  private static func turned(_ plane: ArraySlice<Float>, _ stored: PixelSize, _ orientation: Orientation)
    -> [Float]
  {
    guard orientation != .up else { return Array(plane) }
    let displayed = orientation.applied(to: stored)
    var output = [Float](repeating: 0, count: plane.count)
    for (index, sample) in plane.enumerated() {
      let (y, column) = index.quotientAndRemainder(dividingBy: stored.width)
      let x = orientation.isMirrored ? stored.width - 1 - column : column
      let (left, top) =
        switch orientation.quarterTurns {
        case 0: (x, y)
        case 1: (stored.height - 1 - y, x)
        case 2: (stored.width - 1 - x, stored.height - 1 - y)
        default: (y, stored.width - 1 - x)
        }
      output[top * displayed.width + left] = sample
    }
    return output
  }
}

/// Converts encoded R, G, B with certain tags to R′G′B′ of sRGB, by tables.
private struct SignalConversion {
  private static let entries = 4096

  private let decode: [[Float]]
  private let matrix: [SIMD3<Float>]
  private let encode: [Float]

  /// Returns nil if samples are sRGB already.
  init?(_ tags: ColorTags) throws {
    let space = try ColorSpace(tags: tags)
    guard space.primaries != ColorSpace.sRGB.primaries || space.transfer != ColorSpace.sRGB.transfer else {
      return nil
    }
    let last = Double(Self.entries - 1)
    decode = space.transfer.map { function in
      (0..<Self.entries).map { Float(function.decode(Double($0) / last)) }
    }
    matrix = space.matrix(to: .linearSRGB).rows.map { SIMD3(Float($0.x), Float($0.y), Float($0.z)) }
    // Entries are evenly spaced in the square root of light, where the curve bends little.
    encode = (0..<Self.entries).map { index in
      let root = Double(index) / last
      return Float(TransferFunction.sRGB.encode(root * root))
    }
  }

  func convert(_ planes: inout [Float], count: Int) {
    let last = Float(Self.entries - 1)
    planes.withUnsafeMutableBufferPointer { planes in
      for index in 0..<count {
        // Interpolates: the nearest entry would be a third of an 8-bit code off in shadows for linear samples.
        func linear(_ channel: Int) -> Float {
          let position = planes[channel * count + index] * last
          let entry = min(Int(position), Self.entries - 2)
          let low = decode[channel][entry]
          return low + (decode[channel][entry + 1] - low) * (position - Float(entry))
        }
        let light = SIMD3(linear(0), linear(1), linear(2))
        for channel in 0..<3 {
          let value = (matrix[channel] * light).sum()
          let clipped = value > 0 ? min(value, 1) : 0
          planes[channel * count + index] = encode[Int(clipped.squareRoot() * last + 0.5)]
        }
      }
    }
  }
}
