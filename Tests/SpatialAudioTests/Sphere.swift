import Libc
import TestSupport

@testable import SpatialAudio

/// Directions and signals that tests share. No code under test takes part in them.
enum Sphere {
  /// Directions evenly over the sphere, each with the same area. Source: R. Swinbank, R. Purser, Fibonacci
  /// grids, 2006.
  static func directions(_ count: Int) -> [SIMD3<Double>] {
    (0..<count).map { index in
      let z = 1 - (2 * Double(index) + 1) / Double(count)
      let turn = .pi * (3 - 5.0.squareRoot()) * Double(index)
      let radius = (1 - z * z).squareRoot()
      return SIMD3(radius * cos(turn), radius * sin(turn), z)
    }
  }

  /// Degrees between two vectors of any length.
  static func angle(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    let cross = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    return atan2((cross * cross).sum().squareRoot(), (a * b).sum()) * 180 / .pi
  }

  static func noise(_ count: Int, seed: UInt64) -> [Float] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
  }
}

func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

extension SeededRandom {
  mutating func unit() -> Double { Double.random(in: -1...1, using: &self) }
}
