import FrameCore

/// The parameters with which a stream is opened: a format, a size and an interval.
struct FormatChoice: Sendable, Hashable {
  var pixelFormat: DevicePixelFormat
  var size: PixelSize
  /// Nil if the device has no choice of rates.
  var interval: DeviceFrameInterval.Fraction?
}

extension FormatChoice {
  /// The preference if a request does not specify a size.
  static let defaultSize = PixelSize(width: 1280, height: 720)
  static let defaultRate = 30.0

  /// Returns the best of `formats` for a request.
  ///
  /// A requested size or encoding is matched exactly or refused. Other criteria are, in order: proximity to the
  /// wanted size, the wanted rate, and the order of `DevicePixelFormat.all`, in which uncompressed formats precede
  /// JPEG.
  ///
  /// - Throws: `CaptureFailure(.unsupported)` listing the alternatives.
  static func choose(_ request: StreamRequest, from formats: [DeviceFormat], device: String) throws
    -> FormatChoice
  {
    let readable = readable(formats, request)
    guard !readable.isEmpty else {
      let names = formats.map(\.fourCC.description).joined(separator: ", ")
      throw unsupported(
        formats.isEmpty
          ? "\(device) offers no pixel formats"
          : "\(device) offers only pixel formats that cannot be read (\(names))",
        "choose another device")
    }
    let matching = readable.filter { $0.encoding.map { asksFor($0, request) } ?? false }
    guard !matching.isEmpty else {
      var labels: [String] = []
      for label in readable.compactMap(\.encoding?.label) where !labels.contains(label) {
        labels.append(label)
      }
      if request.encoding == .bayer(nil) {
        throw unsupported(
          "\(device) does not deliver its sensor's mosaic (Bayer), only \(listed(labels, "and"))",
          "use another format, or another camera")
      }
      throw unsupported(
        "\(device) does not deliver \(request.encoding?.label ?? "")", "ask for \(listed(labels))")
    }
    let offered = matching.flatMap { candidates(of: $0, request) }
    guard let best = offered.min(by: { $0.isBetter(than: $1) }) else {
      throw unsupported("\(device) names no picture sizes", "choose another device")
    }
    if let size = request.size, best.choice.size != size {
      // Mention whether the size is available in another encoding.
      let elsewhere = readable.first { format in
        !(format.encoding.map { asksFor($0, request) } ?? false)
          && candidates(of: format, request).contains { $0.choice.size == size }
      }
      let nearest = "\(best.choice.size)\(best.rateText)"
      let encoding = request.encoding.map { " as \($0.label)" } ?? ""
      let hint = elsewhere?.encoding.map { ", or for \(size) as \($0.label)" } ?? ""
      throw unsupported(
        "\(device) does not deliver pictures of \(size)\(encoding)", "ask for the nearest, \(nearest)\(hint)")
    }
    return best.choice
  }

  /// Whether a request is met by an encoding.
  private static func asksFor(_ encoding: CaptureEncoding, _ request: StreamRequest) -> Bool {
    switch request.encoding {
    case nil: true
    case .bayer(nil): if case .bayer = encoding { true } else { false }
    case .some(let wanted): encoding == wanted
    }
  }

  /// The formats that hold finished pictures, and what is asked for. Mosaics, whose colours a camera would have made
  /// better itself, only if there are no others, and formats that are converted only if there is nothing else.
  private static func readable(_ formats: [DeviceFormat], _ request: StreamRequest) -> [DeviceFormat] {
    let known = formats.filter { DevicePixelFormat.known($0.fourCC) != nil }
    func wanted(or fits: (DevicePixelFormat.Delivery) -> Bool) -> [DeviceFormat] {
      known.filter { format in
        let isWanted = request.encoding != nil && format.encoding.map { asksFor($0, request) } ?? false
        return isWanted || DevicePixelFormat.known(format.fourCC).map { fits($0.delivery) } ?? false
      }
    }
    let finished = wanted { delivery in
      switch delivery {
      case .bayer, .converted: false
      case .wrapped, .convertedRGB, .jpeg: true
      }
    }
    guard finished.isEmpty else { return finished }
    let direct = wanted { if case .converted = $0 { false } else { true } }
    return direct.isEmpty ? known : direct
  }

  private struct Candidate {
    var choice: FormatChoice
    var rank: Int
    /// The distance from the wanted size: the larger relative difference of width and height.
    var sizeDistance: Double
    /// The shortfall from the wanted rate, as a fraction; 5 % or less counts as none.
    var rateShortfall: Double

    func isBetter(than other: Candidate) -> Bool {
      (sizeDistance, rateShortfall, Double(rank)) < (
        other.sizeDistance, other.rateShortfall, Double(other.rank)
      )
    }

    var rateText: String {
      guard let rate = choice.interval?.framesPerSecond, rate > 0 else { return "" }
      let hundredths = Int((rate * 100).rounded())
      let fraction = hundredths % 100
      let text =
        fraction == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
      return " at \(text) frames a second"
    }
  }

  private static func candidates(of format: DeviceFormat, _ request: StreamRequest) -> [Candidate] {
    guard let pixelFormat = DevicePixelFormat.known(format.fourCC) else { return [] }
    let wanted = request.size ?? defaultSize
    let rate = request.framesPerSecond ?? defaultRate
    return format.sizes.compactMap { entry in
      let size = entry.nearest(to: wanted)
      if case .converted = pixelFormat.delivery, !ConvertedFormat.converts(size) { return nil }
      if case .bayer = pixelFormat.delivery, !BayerConverter.reads(size) { return nil }
      let interval = entry.intervals.map { $0.nearest(toRate: rate) }
        .min { abs($0.framesPerSecond - rate) < abs($1.framesPerSecond - rate) }
      let reached = interval?.framesPerSecond ?? rate
      return Candidate(
        choice: FormatChoice(pixelFormat: pixelFormat, size: size, interval: interval),
        rank: pixelFormat.rank,
        sizeDistance: max(
          abs(Double(size.width - wanted.width)) / Double(max(1, wanted.width)),
          abs(Double(size.height - wanted.height)) / Double(max(1, wanted.height))),
        rateShortfall: reached >= rate * 0.95 ? 0 : 1 - reached / rate)
    }
  }

  private static func unsupported(_ problem: String, _ remedy: String) -> CaptureFailure {
    CaptureFailure(.unsupported, SafelightError(.unsupported, problem, remedy: remedy))
  }

  private static func listed(_ labels: [String], _ conjunction: String = "or") -> String {
    guard labels.count > 1, let last = labels.last else { return labels.first ?? "" }
    return labels.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
