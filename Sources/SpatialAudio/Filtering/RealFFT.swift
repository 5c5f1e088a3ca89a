import Libc

/// The Fourier transform of real samples in single precision, for streams: no allocation, no library.
///
/// Spectra are split into real and imaginary parts of `bins` numbers; the imaginary part of bin 0, which is
/// always zero, holds the real part at half the sample rate instead. Stockham's algorithm of radix 2 needs no
/// bit reversal and its inner loops go straight through memory. Source: C. Van Loan, Computational frameworks
/// for the FFT, SIAM 1992, 1.7.
struct RealFFT: Sendable {
  /// Half as many as samples.
  let bins: Int
  /// exp(−2πj k / bins) for the first half.
  private let turnReal: [Float]
  private let turnImaginary: [Float]
  /// cos and sin of 2πk / samples.
  private let cosine: [Float]
  private let sine: [Float]
  /// Real, imaginary, and both again for every other pass.
  private var work: [Float]

  /// - Parameter samples: A power of two, at least 4.
  init(samples: Int) {
    precondition(samples >= 4 && samples & (samples - 1) == 0)
    bins = samples / 2
    let bins = bins
    let turns = (0..<bins / 2).map { 2 * .pi * Double($0) / Double(bins) }
    let halfTurns = (0..<bins).map { 2 * .pi * Double($0) / Double(samples) }
    turnReal = turns.map { Float(cos($0)) }
    turnImaginary = turns.map { Float(-sin($0)) }
    cosine = halfTurns.map { Float(cos($0)) }
    sine = halfTurns.map { Float(sin($0)) }
    work = [Float](repeating: 0, count: 4 * bins)
  }

  /// Transforms `2 * bins` samples.
  mutating func forward(
    _ samples: UnsafePointer<Float>, _ real: UnsafeMutablePointer<Float>,
    _ imaginary: UnsafeMutablePointer<Float>
  ) {
    let bins = bins
    withBuffers { a, b, cosine, sine, transform in
      // Two neighbours are one complex number, so half the length does.
      for k in 0..<bins {
        a.real[k] = samples[2 * k]
        a.imaginary[k] = samples[2 * k + 1]
      }
      let z = transform(a, b)
      real[0] = z.real[0] + z.imaginary[0]
      imaginary[0] = z.real[0] - z.imaginary[0]
      for k in 1..<bins {
        let evenReal = (z.real[k] + z.real[bins - k]) * 0.5
        let evenImaginary = (z.imaginary[k] - z.imaginary[bins - k]) * 0.5
        let oddReal = (z.imaginary[k] + z.imaginary[bins - k]) * 0.5
        let oddImaginary = (z.real[bins - k] - z.real[k]) * 0.5
        real[k] = evenReal + cosine[k] * oddReal + sine[k] * oddImaginary
        imaginary[k] = evenImaginary + cosine[k] * oddImaginary - sine[k] * oddReal
      }
    }
  }

  /// Transforms back, without a factor `1 / bins` that belongs to it.
  mutating func backwardTimesBins(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ samples: UnsafeMutablePointer<Float>
  ) {
    let bins = bins
    withBuffers { a, b, cosine, sine, transform in
      // Real and imaginary parts change places, which turns the transform around.
      a.imaginary[0] = (real[0] + imaginary[0]) * 0.5
      a.real[0] = (real[0] - imaginary[0]) * 0.5
      for k in 1..<bins {
        let evenReal = (real[k] + real[bins - k]) * 0.5
        let evenImaginary = (imaginary[k] - imaginary[bins - k]) * 0.5
        let halfReal = (real[k] - real[bins - k]) * 0.5
        let halfImaginary = (imaginary[k] + imaginary[bins - k]) * 0.5
        let oddReal = halfReal * cosine[k] - halfImaginary * sine[k]
        let oddImaginary = halfReal * sine[k] + halfImaginary * cosine[k]
        a.imaginary[k] = evenReal - oddImaginary
        a.real[k] = evenImaginary + oddReal
      }
      let z = transform(a, b)
      for k in 0..<bins {
        samples[2 * k] = z.imaginary[k]
        samples[2 * k + 1] = z.real[k]
      }
    }
  }

  private struct Parts {
    let real: UnsafeMutablePointer<Float>
    let imaginary: UnsafeMutablePointer<Float>
  }

  @inline(__always)
  private mutating func withBuffers(
    _ body: (
      _ a: Parts, _ b: Parts, _ cosine: UnsafePointer<Float>, _ sine: UnsafePointer<Float>,
      _ transform: (Parts, Parts) -> Parts
    ) -> Void
  ) {
    let bins = bins
    work.withUnsafeMutableBufferPointer { work in
      cosine.withUnsafeBufferPointer { cosine in
        sine.withUnsafeBufferPointer { sine in
          turnReal.withUnsafeBufferPointer { turnReal in
            turnImaginary.withUnsafeBufferPointer { turnImaginary in
              // Arrays that are never empty have an address.
              guard let memory = work.baseAddress, let cosine = cosine.baseAddress,
                let sine = sine.baseAddress, let turnReal = turnReal.baseAddress,
                let turnImaginary = turnImaginary.baseAddress
              else { return }
              let a = Parts(real: memory, imaginary: memory + bins)
              let b = Parts(real: memory + 2 * bins, imaginary: memory + 3 * bins)
              body(a, b, cosine, sine) { Self.transform($0, $1, bins, turnReal, turnImaginary) }
            }
          }
        }
      }
    }
  }

  /// Transforms `from` with the help of `other`; returns the one that holds the result.
  private static func transform(
    _ from: Parts, _ other: Parts, _ count: Int, _ turnReal: UnsafePointer<Float>,
    _ turnImaginary: UnsafePointer<Float>
  ) -> Parts {
    var (x, y) = (from, other)
    var (groups, stride) = (count / 2, 1)
    while groups >= 1 {
      let distance = groups * stride
      for group in 0..<groups {
        let (turnRe, turnIm) = (turnReal[group * stride], turnImaginary[group * stride])
        let (low, target) = (group * stride, 2 * group * stride)
        for k in 0..<stride {
          let (aRe, aIm) = (x.real[low + k], x.imaginary[low + k])
          let (bRe, bIm) = (x.real[low + distance + k], x.imaginary[low + distance + k])
          y.real[target + k] = aRe + bRe
          y.imaginary[target + k] = aIm + bIm
          let (re, im) = (aRe - bRe, aIm - bIm)
          y.real[target + stride + k] = re * turnRe - im * turnIm
          y.imaginary[target + stride + k] = re * turnIm + im * turnRe
        }
      }
      swap(&x, &y)
      groups /= 2
      stride *= 2
    }
    return x
  }
}
