import AnalysisKernels
import Foundation
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Gradient tensors")
struct GradientTensorTests {
  @Test(
    "Sums are Sobel's, at every instruction set", arguments: [(1, 1), (3, 3), (18, 5), (19, 7), (50, 20)])
  func sums(width: Int, height: Int) {
    // A part of a wider plane.
    let stride = width + 5
    var random = SeededRandom(seed: UInt64(width))
    let luma = (0..<stride * height).map { _ in Float.random(in: 0...1, using: &random) }
    let results = InstructionSet.allResults {
      var tensor = [-1.0, -1, -1]
      sla_gradient_tensor(luma, stride, Int32(width), Int32(height), &tensor)
      return tensor
    }
    #expect(results.allSatisfy { $0 == results[0] })
    var expected = [0.0, 0, 0]
    for y in Swift.stride(from: 1, to: height - 1, by: 1) {
      for x in Swift.stride(from: 1, to: width - 1, by: 1) {
        func at(_ dx: Int, _ dy: Int) -> Double { Double(luma[(y + dy) * stride + x + dx]) }
        let right: Double = at(1, -1) + 2 * at(1, 0) + at(1, 1)
        let left: Double = at(-1, -1) + 2 * at(-1, 0) + at(-1, 1)
        let below: Double = at(-1, 1) + 2 * at(0, 1) + at(1, 1)
        let above: Double = at(-1, -1) + 2 * at(0, -1) + at(1, -1)
        let (gx, gy) = ((right - left) / 8, (below - above) / 8)
        expected[0] += gx * gx
        expected[1] += gx * gy
        expected[2] += gy * gy
      }
    }
    for (found, sum) in zip(results[0], expected) { #expect(abs(found - sum) < 1e-4 * (1 + abs(sum))) }
  }

  @Test("Ratios are the extremes over all directions")
  func ratios() {
    var random = SeededRandom(seed: 8)
    func tensor() -> GradientTensor {
      let (a, b) = (Double.random(in: 0.1...2, using: &random), Double.random(in: 0.1...2, using: &random))
      return GradientTensor(
        xx: a, xy: Double.random(in: -0.9...0.9, using: &random) * (a * b).squareRoot(), yy: b)
    }
    func energy(_ tensor: GradientTensor, _ angle: Double) -> Double {
      let (x, y) = (cos(angle), sin(angle))
      return tensor.xx * x * x + 2 * tensor.xy * x * y + tensor.yy * y * y
    }
    for _ in 0..<50 {
      let (a, b) = (tensor(), tensor())
      let found = a.ratios(to: b)
      let tried = (0..<720).map { step -> Double in
        let angle = Double(step) * .pi / 720
        return energy(a, angle) / energy(b, angle)
      }
      let (least, greatest) = (tried.min() ?? 0, tried.max() ?? 0)
      #expect(abs(found.least - least) < 1e-3 * greatest && abs(found.greatest - greatest) < 1e-2 * greatest)
      #expect(abs(energy(a, found.direction) / energy(b, found.direction) - found.least) < 1e-9 * greatest)
    }
  }
}
