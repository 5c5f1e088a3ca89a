import Libc
import TestSupport
import Testing

@testable import SpatialAudio

@Suite("Fourier transform and convolution")
struct ConvolutionTests {
  @Test(arguments: [4, 8, 32, 128, 512])
  func transformAgreesWithItsDefinition(count: Int) {
    let samples = Sphere.noise(count, seed: 41)
    var fft = RealFFT(samples: count)
    let half = count / 2
    var (real, imaginary) = ([Float](repeating: 0, count: half), [Float](repeating: 0, count: half))
    fft.forward(samples, &real, &imaginary)
    for k in 0...half {
      let exact = SimulatedArray.transform(samples, Double(k), count)
      let own =
        k == 0
        ? Complex(Double(real[0]))
        : k == half ? Complex(Double(imaginary[0])) : Complex(Double(real[k]), Double(imaginary[k]))
      #expect((own - exact).magnitude < 1e-6 * Double(count), "bin \(k)")
    }
    var back = [Float](repeating: 0, count: count)
    fft.backwardTimesBins(real, imaginary, &back)
    for (value, sample) in zip(back, samples) { #expect(abs(value / Float(half) - sample) < 1e-6) }
  }

  @Test(arguments: [16, 64, 256], [1, 15, 64, 65, 300])
  func partitionedConvolutionIsTheDirectOne(block: Int, taps: Int) {
    let (inputs, outputs, blocks) = (2, 3, max(4, (2 * taps + block - 1) / block))
    let filters = (0..<outputs).map { output in
      (0..<inputs).map { input in
        Sphere.noise(taps - (taps > 20 ? 3 * input : 0), seed: UInt64(50 + 10 * output + input))
          .map { $0 / Float(taps).squareRoot() }
      }
    }
    let signals = (0..<inputs).map { Sphere.noise(block * blocks, seed: UInt64(90 + $0)) }
    var convolver = PartitionedConvolver(filters, block: block)
    var result: [Float] = []
    for number in 0..<blocks {
      for input in 0..<inputs {
        convolver.take(input, Array(signals[input][number * block..<(number + 1) * block]), stride: 1)
      }
      var output = [Float](repeating: 0, count: outputs * block)
      convolver.finish(&output)
      result += output
    }
    var worst = 0.0
    for output in 0..<outputs {
      for time in 0..<block * blocks {
        var sum = 0.0
        for input in 0..<inputs {
          let filter = filters[output][input]
          for tap in 0..<min(filter.count, time + 1) {
            sum += Double(filter[tap]) * Double(signals[input][time - tap])
          }
        }
        worst = max(worst, abs(sum - Double(result[time * outputs + output])))
      }
    }
    #expect(worst <= 1e-5)
  }

  @Test func shortFiltersAreTheDirectConvolution() {
    let filters = (0..<4).map { Sphere.noise(33, seed: UInt64(60 + $0)) }
    var bank = FIRBank(filters)
    let samples = Sphere.noise(4 * 700, seed: 70)
    let result = samples.processed(count: samples.count) { bank.process($0, into: $1) }
    for channel in 0..<4 {
      for frame in 0..<700 {
        var sum = 0.0
        for tap in 0..<min(33, frame + 1) {
          sum += Double(filters[channel][tap]) * Double(samples[4 * (frame - tap) + channel])
        }
        #expect(abs(sum - Double(result[4 * frame + channel])) < 1e-5)
      }
    }
  }

  @Test func designTransformIsItsOwnInverse() {
    let samples = Sphere.noise(100, seed: 71).map(Double.init)
    let spectrum = DesignSpectrum(samples, size: 256)
    for k in [0, 1, 77, 128, 255] {
      let exact = SimulatedArray.transform(samples.map(Float.init), Double(k), 256)
      #expect((spectrum.bins[k] - exact).magnitude < 1e-10)
    }
    for (back, sample) in zip(spectrum.samples, samples) { #expect(abs(back - sample) < 1e-14) }
  }

  @Test(arguments: [0, 7, 7.25, 30.5])
  func delaysNeedNotBeWhole(delay: Double) {
    // A Gaussian has no energy near half the rate, and its values between samples are known.
    func pulse(_ time: Double) -> Double { exp(-(time - 40) * (time - 40) / 18) }
    let delayed = DesignSpectrum.delayed((0..<80).map { Float(pulse(Double($0))) }, by: delay, room: 120)
    #expect(delayed.count == 120)
    for (time, sample) in delayed.enumerated() {
      #expect(abs(Double(sample) - pulse(Double(time) - delay)) < 1e-6)
    }
  }
}
