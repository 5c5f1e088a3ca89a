import FilterGraph
import FrameCore

/// A small copy of a whole picture as it is stored, from which the light around its pixels is found.
///
/// A picture has one proxy, however it is cropped, scaled and cut into tiles afterwards. Each of its colours is the mean
/// of up to 4 × 4 samples spread evenly over the part of the picture that it stands for.
public struct LightProxy: Sendable, Hashable {
  /// That of the light grids: `LightGrid.size(for:)`.
  public let size: PixelSize
  /// Encoded R'G'B' by rows, in the space of the plan's input.
  struct Colors: Sendable, Hashable {
    let size: PixelSize
    let red, green, blue: [Float]

    init(_ size: PixelSize, planes: [Float]) {
      let count = size.pixelCount
      self.size = size
      red = Array(planes[..<count])
      green = Array(planes[count..<2 * count])
      blue = Array(planes[(2 * count)...])
    }

    fileprivate init(_ picture: PixelBuffer, _ sampling: ProxySampling) {
      let count = sampling.size.pixelCount
      var planes = [Float](repeating: 0, count: 3 * count)
      planes.withUnsafeMutableBufferPointer { planes in
        guard let r = planes.baseAddress else { return }
        sampling.sample(picture, rows: 0..<sampling.size.height, r, r + count, r + 2 * count)
      }
      self.init(sampling.size, planes: planes)
    }
  }
  let coarse: Colors?
  /// For texture and masks that follow edges; nil if it was not asked for.
  let fine: Colors?

  /// - Parameters:
  ///   - picture: the whole picture, or a smaller copy of it.
  ///   - input: the input of the plans that will use the proxy, with the picture's own size.
  ///   - isFine: whether plans with texture, or with masks that follow edges, will use it.
  /// - Throws: `SafelightError` if the picture has another format than the input.
  public init(_ picture: PixelBuffer, input: PlanInput, isFine: Bool = false) throws {
    try Self.check(picture.format, input)
    self.init(
      Colors(picture, ProxySampling(input, of: picture.size)),
      isFine ? Colors(picture, ProxySampling(input, of: picture.size, isFine: true)) : nil)
  }

  init(_ coarse: Colors, _ fine: Colors?) {
    size = coarse.size
    (self.coarse, self.fine) = (coarse, fine)
  }

  fileprivate static func check(_ format: PixelFormat, _ input: PlanInput) throws {
    guard format == input.format else {
      throw SafelightError(
        .invalidValue, "A proxy of \(format.rawValue) does not fit a plan for \(input.format.rawValue)",
        remedy: "make it of the picture that the plan is for")
    }
  }
}

/// Makes a proxy of a picture whose rows arrive from top to bottom. Belongs to one thread.
package final class LightProxyMaker {
  /// Of the coarse grid and, if asked for, of the fine one.
  private var grids: [(sampling: ProxySampling, planes: [Float])]
  private var position = 0

  /// - Parameters:
  ///   - size: the size of the picture that arrives, possibly a smaller copy.
  ///   - format: RGBA.
  ///   - input: the input of the plans that will use the proxy, with the picture's own size.
  ///   - isFine: whether plans with texture, or with masks that follow edges, will use it.
  package init(_ size: PixelSize, format: PixelFormat, input: PlanInput, isFine: Bool = false) throws {
    try LightProxy.check(format, input)
    grids = (isFine ? [false, true] : [false]).map {
      let sampling = ProxySampling(input, of: size, isFine: $0)
      return (sampling, [Float](repeating: 0, count: 3 * sampling.size.pixelCount))
    }
  }

  /// Takes the next rows of the picture: the first `count` of `band`.
  package func append(_ band: PixelBuffer, rows count: Int) {
    for index in grids.indices {
      let sampling = grids[index].sampling
      grids[index].planes.withUnsafeMutableBufferPointer {
        sampling.add(band, rows: position..<position + count, to: $0)
      }
    }
    position += count
  }

  /// The proxy, after the last row.
  package var proxy: LightProxy {
    let colors = grids.map { LightProxy.Colors($0.sampling.size, planes: $0.planes) }
    return LightProxy(colors[0], colors.count > 1 ? colors[1] : nil)
  }
}
