import FrameCore

/// The two ways in which ambisonics of first order is stored.
public enum AmbisonicFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// W, Y, Z, X (ACN), normalised as SN3D: a plane wave of amplitude 1 has W = 1.
  ///
  /// Source: C. Nachbar et al., AmbiX, a suggested ambisonics format, 2011.
  case ambiX = "ambix"
  /// W, X, Y, Z, with W lower by √2 (3.01 dB), otherwise as AmbiX.
  ///
  /// Source: D. Malham, Spatial hearing mechanisms and sound reproduction, University of York, 1998.
  case fuMa = "fuma"

  public var layout: ChannelLayout {
    switch self {
    case .ambiX: .ambiX
    case .fuMa: .fuMa
    }
  }

  /// The four channels' gains for a plane wave, in the order of the format.
  public func gains(for direction: Direction) -> SIMD4<Double> {
    let u = direction.unitVector
    switch self {
    case .ambiX: return SIMD4(1, u.y, u.z, u.x)
    case .fuMa: return SIMD4(0.5.squareRoot(), u.x, u.y, u.z)
    }
  }

  /// Converts interleaved frames. Output may be the input's memory.
  ///
  /// Only W is multiplied, by √2 or its inverse; the others change places, bit for bit.
  public func convert(
    to other: AmbisonicFormat, _ input: UnsafeBufferPointer<Float>,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(input.count.isMultiple(of: 4) && output.count == input.count)
    for start in stride(from: 0, to: input.count, by: 4) {
      let frame = input.frame(at: start)
      let converted =
        switch (self, other) {
        case (.ambiX, .ambiX), (.fuMa, .fuMa): frame
        case (.ambiX, .fuMa): SIMD4(frame.x * Float(0.5).squareRoot(), frame.w, frame.y, frame.z)
        case (.fuMa, .ambiX): SIMD4(frame.x * Float(2).squareRoot(), frame.z, frame.w, frame.y)
        }
      output.store(converted, at: start)
    }
  }

  /// Converts interleaved frames.
  public func convert(to other: AmbisonicFormat, _ samples: [Float]) -> [Float] {
    samples.processed(count: samples.count) { convert(to: other, $0, into: $1) }
  }
}
