import TestSupport
import Testing

@testable import PhotoIO

@Suite("Fractions in EXIF")
struct EXIFFractionTests {
  private func fraction(_ value: Double) -> (Int, Int) {
    let bytes = EXIFWriter(order: .littleEndian).fraction(value).bytes
    func number(_ place: Int) -> Int { ByteOrder.littleEndian.number(bytes[place..<place + 4]) }
    return (number(0), number(4))
  }

  @Test(
    "are the simplest ones",
    arguments: [
      (1 / 60.0, 1, 60), (0.0333, 333, 10_000), (0.5, 1, 2), (1 / 3.0, 1, 3), (0, 0, 1), (30, 30, 1),
      (1.3, 13, 10),
      (2.8, 14, 5), (1e-6, 1, 1_000_000), (4e9, 4_000_000_000, 1), (1e12, 4_294_967_295, 1),
    ] as [(Double, Int, Int)])
  func simplest(value: Double, numerator: Int, denominator: Int) {
    #expect(fraction(value) == (numerator, denominator))
  }

  @Test("are within a ten-millionth of any number, or as near as 32 bits allow")
  func accuracy() {
    let scales = [1e-6, 1e-3, 1, 1e3, 1e6]
    var generator = SeededRandom(seed: 17)
    for _ in 0..<20_000 {
      let value = Double.random(in: 0...1, using: &generator) * (scales.randomElement(using: &generator) ?? 1)
      let (numerator, denominator) = fraction(value)
      let error = abs(Double(numerator) / Double(denominator) - value)
      #expect(error <= max(1e-7 * value, 2.4e-10), "\(value): \(numerator)/\(denominator)")
    }
  }
}
