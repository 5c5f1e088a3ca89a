import FrameCore

/// What an audio device offers in one direction, each value by itself; not all combinations need to work.
public struct AudioDeviceFormats: Sendable, Hashable, Codable {
  /// The rates in Hz among the usual ones, from 8000 to 192,000.
  public var sampleRates: [Int]
  /// The lowest and the highest rate in Hz.
  public var lowestRate: Int
  public var highestRate: Int
  /// At most 32.
  public var channelCounts: [Int]
  /// Those that Safelight reads and writes, the most exact first.
  public var sampleFormats: [AudioSampleFormat]

  public init(
    sampleRates: [Int], lowestRate: Int, highestRate: Int, channelCounts: [Int],
    sampleFormats: [AudioSampleFormat]
  ) {
    (self.sampleRates, self.lowestRate, self.highestRate) = (sampleRates, lowestRate, highestRate)
    (self.channelCounts, self.sampleFormats) = (channelCounts, sampleFormats)
  }
}

extension AudioDeviceFormats {
  /// The rate used without a request, which video and most devices have.
  private static let usualRate = 48_000

  /// Chooses a configuration: what is requested exactly, otherwise 48 kHz and stereo or what is nearest.
  ///
  /// - Parameters:
  ///   - period, buffer: in seconds.
  ///   - device: as errors call it.
  /// - Throws: `CaptureFailure` if the device does not offer what is requested.
  func configuration(
    for request: AudioRequest, period: Double, buffer: Double, direction: AudioDirection, device: String
  ) throws -> PCMConfiguration {
    guard !sampleFormats.isEmpty else { throw SoundErrors.noSampleFormat(device) }
    let rate = try sampleRate(for: request.sampleRate, direction, device)
    let channels = try channelCount(for: request.channelCount, direction, device)
    return PCMConfiguration(
      sampleRate: rate, channelCount: channels, sampleFormats: sampleFormats,
      period: max(1, Int((Double(rate) * period).rounded())),
      buffer: max(2, Int((Double(rate) * buffer).rounded())))
  }

  private func sampleRate(for request: Int?, _ direction: AudioDirection, _ device: String) throws -> Int {
    // Hardware may list a few rates of a range, and sound servers convert any.
    let isRange = sampleRates.count > 1 && sampleRates == Self.allRates(from: lowestRate, to: highestRate)
    func offers(_ rate: Int) -> Bool {
      sampleRates.contains(rate) || isRange && lowestRate <= rate && rate <= highestRate
        || rate == lowestRate || rate == highestRate
    }
    if let request {
      guard offers(request) else {
        throw SoundErrors.refused(rate: request, direction, device, offered: sampleRates, self)
      }
      return request
    }
    if offers(Self.usualRate) { return Self.usualRate }
    let known = sampleRates.isEmpty ? [lowestRate, highestRate] : sampleRates
    return known.min { abs($0 - Self.usualRate) < abs($1 - Self.usualRate) } ?? Self.usualRate
  }

  private func channelCount(for request: Int?, _ direction: AudioDirection, _ device: String) throws -> Int {
    if let request {
      guard channelCounts.contains(request) else {
        throw SoundErrors.refused(channels: request, direction, device, offered: channelCounts)
      }
      return request
    }
    if channelCounts.contains(2) { return 2 }
    guard let nearest = channelCounts.min(by: { abs($0 - 2) < abs($1 - 2) }) else {
      throw SoundErrors.refused(channels: 2, direction, device, offered: [])
    }
    return nearest
  }

  /// The rates that the driver tries, in Hz.
  static let usualRates = [
    8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
  ]

  private static func allRates(from low: Int, to high: Int) -> [Int] {
    usualRates.filter { low <= $0 && $0 <= high }
  }
}
