import ColorScience
import FilterGraph
import FrameCore
import Libc
import RendererTestSupport
import Testing

@testable import Rendering

/// Fails the test where the CPU's pictures are further from the reference's than examples allow.
func checkOnCPU(
  _ examples: [EqualityCase], _ name: String, location: SourceLocation = #_sourceLocation
) throws {
  let renderer = CPURenderer(threads: 2)
  for example in examples {
    let difference = try example.difference(of: renderer)
    #expect(
      difference.value <= example.bound, "\(name): \(difference), \(example)", sourceLocation: location)
  }
}

/// The mean difference in EV of the green light of two pictures of 8 bits.
func meanStops(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
  var sum = 0.0
  for y in 0..<a.height {
    let (a, b) = (a.row(y, as: UInt8.self), b.row(y, as: UInt8.self))
    for x in 0..<a.count / 4 {
      func light(_ row: UnsafeMutableBufferPointer<UInt8>) -> Double {
        log2(TransferFunction.sRGB.decode(Double(row[4 * x + 1]) / 255) + 0.01)
      }
      sum += abs(light(a) - light(b))
    }
  }
  return sum / Double(a.size.pixelCount)
}
