import ColorScience
import FrameCore

/// The colours of the nodes of a grid on their way through the stages of a plan, and their brightness.
final class NodeColors {
  let size: PixelSize
  let red, green, blue, brightness: UnsafeMutablePointer<Float>

  init(_ size: PixelSize) {
    self.size = size
    func floats() -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: size.pixelCount)
      memory.initialize(repeating: 0, count: size.pixelCount)
      return memory
    }
    (red, green, blue, brightness) = (floats(), floats(), floats(), floats())
  }

  deinit {
    for plane in [red, green, blue, brightness] { plane.deallocate() }
  }
}

/// Colours of nodes in the channels of the input's primaries; what is no number is no light.
struct ChannelColors {
  private let red, green, blue: UnsafePointer<Float>
  private let columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

  init(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>,
    _ matrix: Matrix3x3
  ) {
    (self.red, self.green, self.blue) = (red, green, blue)
    columns = (
      SIMD3<Float>(matrix * SIMD3(1, 0, 0)), SIMD3<Float>(matrix * SIMD3(0, 1, 0)),
      SIMD3<Float>(matrix * SIMD3(0, 0, 1))
    )
  }

  subscript(node: Int) -> SIMD3<Float> {
    let color = red[node] * columns.0 + green[node] * columns.1 + blue[node] * columns.2
    return color.replacing(with: 0, where: color .!= color)
  }
}
