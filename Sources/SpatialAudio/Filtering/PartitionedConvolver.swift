/// Long filters from several channels to several, block by block.
///
/// Uniformly partitioned overlap-save: each block of input is transformed once, filters were when this was
/// made, and products of both are summed before one transform back for each output. Source: W. G. Gardner,
/// Efficient convolution without input-output delay, JAES 43 (1995), section 2. One owner at a time.
struct PartitionedConvolver: Sendable {
  let inputs: Int
  let outputs: Int
  /// Samples of each channel that go in and come out at once.
  let block: Int
  private let partitions: Int
  private var fft: RealFFT
  /// By output, input and partition: real parts, then imaginary parts.
  private let filters: [Float]
  /// By input and age: the spectra of the last blocks.
  private var spectra: [Float]
  /// By input: the block before, then the newest.
  private var windows: [Float]
  /// Where the spectrum of the newest block goes.
  private var newest = 0
  /// The spectrum of an output, then its samples.
  private var sums: [Float]

  /// - Parameters:
  ///   - filters: By output and input; none empty, of any length.
  ///   - block: A power of two, at least 2.
  init(_ filters: [[[Float]]], block: Int) {
    precondition(!filters.isEmpty && filters.allSatisfy { $0.count == filters[0].count && !$0.isEmpty })
    (inputs, outputs, self.block) = (filters[0].count, filters.count, block)
    let longest = filters.joined().map(\.count).max() ?? 1
    let partitions = max((longest + block - 1) / block, 1)
    self.partitions = partitions
    var fft = RealFFT(samples: 2 * block)
    var transformed: [Float] = []
    for filter in filters.joined() {
      for partition in 0..<partitions {
        var samples = [Float](repeating: 0, count: 2 * block)
        for index in 0..<block where partition * block + index < filter.count {
          // The transform back multiplies by the number of bins.
          samples[index] = filter[partition * block + index] / Float(block)
        }
        var (real, imaginary) = (samples, samples)
        fft.forward(samples, &real, &imaginary)
        transformed += real[..<block] + imaginary[..<block]
      }
    }
    self.fft = fft
    self.filters = transformed
    spectra = [Float](repeating: 0, count: inputs * partitions * 2 * block)
    windows = [Float](repeating: 0, count: inputs * 2 * block)
    sums = [Float](repeating: 0, count: 4 * block)
  }

  /// Takes a block of one input; all inputs are due before `finish`.
  ///
  /// - Parameter samples: `block` samples, `stride` apart.
  mutating func take(_ input: Int, _ samples: UnsafePointer<Float>, stride: Int) {
    let block = block
    let slot = (input * partitions + newest) * 2 * block
    windows.withUnsafeMutableBufferPointer { windows in
      spectra.withUnsafeMutableBufferPointer { spectra in
        guard let window = windows.baseAddress.map({ $0 + input * 2 * block }),
          let spectrum = spectra.baseAddress.map({ $0 + slot })
        else { return }
        for index in 0..<block {
          window[index] = window[block + index]
          window[block + index] = samples[index * stride]
        }
        fft.forward(window, spectrum, spectrum + block)
      }
    }
  }

  /// Writes a block of each output, interleaved, for the inputs taken.
  mutating func finish(_ output: UnsafeMutablePointer<Float>) {
    for channel in 0..<outputs {
      sum(channel)
      let block = block
      let outputs = outputs
      sums.withUnsafeMutableBufferPointer { sums in
        guard let spectrum = sums.baseAddress else { return }
        let samples = spectrum + 2 * block
        fft.backwardTimesBins(spectrum, spectrum + block, samples)
        // The first half is wrapped around.
        for index in 0..<block { output[index * outputs + channel] = samples[block + index] }
      }
    }
    newest = newest == 0 ? partitions - 1 : newest - 1
  }

  private mutating func sum(_ channel: Int) {
    let (block, partitions, inputs, newest) = (block, partitions, inputs, newest)
    sums.withUnsafeMutableBufferPointer { sums in
      spectra.withUnsafeBufferPointer { spectra in
        filters.withUnsafeBufferPointer { filters in
          guard let real = sums.baseAddress, let spectra = spectra.baseAddress,
            let filters = filters.baseAddress
          else { return }
          let imaginary = real + block
          for index in 0..<2 * block { real[index] = 0 }
          for input in 0..<inputs {
            for partition in 0..<partitions {
              // Newer spectra lie before older ones, in a ring.
              let slot =
                newest + partition < partitions ? newest + partition : newest + partition - partitions
              let x = spectra + (input * partitions + slot) * 2 * block
              let h = filters + ((channel * inputs + input) * partitions + partition) * 2 * block
              let (lowest, highest) = (real[0] + x[0] * h[0], imaginary[0] + x[block] * h[block])
              Self.addProduct(x, h, real, imaginary, block)
              // Bin 0 holds two real numbers.
              (real[0], imaginary[0]) = (lowest, highest)
            }
          }
        }
      }
    }
  }

  private static func addProduct(
    _ x: UnsafePointer<Float>, _ h: UnsafePointer<Float>, _ real: UnsafeMutablePointer<Float>,
    _ imaginary: UnsafeMutablePointer<Float>, _ block: Int
  ) {
    for k in 0..<block {
      let (xRe, xIm, hRe, hIm) = (x[k], x[block + k], h[k], h[block + k])
      real[k] += xRe * hRe - xIm * hIm
      imaginary[k] += xRe * hIm + xIm * hRe
    }
  }
}
