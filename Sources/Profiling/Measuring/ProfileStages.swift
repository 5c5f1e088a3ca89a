import FilterGraph
import FrameCore
import Rendering

/// The times of a frame's stages, from blocks of frames that were rendered with a probe.
struct ProfileStages {
  /// Frames with a probe, and an equal number without one, interleaved.
  struct Block {
    /// The duration of the frames with a probe.
    var wallSeconds: Double
    var decodeSeconds: Double
    var steps: [RenderProbe.StepTime]
    /// The total of all threads.
    var busySeconds: Double
    /// The median of the frames without a probe.
    var milliseconds: Double
  }

  /// A row of the report, without its measurements.
  private struct Row: Hashable {
    let kind: String
    let text: String
    let bytes: Int
  }

  private let plan: Plan
  private let threads: Int
  private let frameBytes: Int

  /// - Parameters:
  ///   - threads: the number of threads that render.
  ///   - frameBytes: the bytes of a frame as delivered, encoded or not.
  init(_ plan: Plan, threads: Int, frameBytes: Int) {
    self.plan = plan
    self.threads = threads
    self.frameBytes = frameBytes
  }

  /// - Parameters:
  ///   - frame: the time of a frame in normal operation, in milliseconds.
  ///   - copyRate: the rate of memcpy on as many threads, in 10⁹ bytes per second.
  func costs(_ blocks: [Block], frame: Double, copyRate: Double) -> [ProfileReport.StageCost] {
    var rows: [Row] = []
    var shares: [Row: [Double]] = [:]
    for (index, block) in blocks.enumerated() {
      for (row, share) in self.shares(of: block) {
        if shares[row] == nil { rows.append(row) }
        // A row that earlier blocks lack took no time in them.
        var own = shares[row] ?? []
        while own.count < index { own.append(0) }
        own.append((own.count > index ? own.removeLast() : 0) + share)
        shares[row] = own
      }
    }
    let medians = rows.map { OrderStatistics.median(shares[$0] ?? []) }
    let sum = medians.reduce(0, +)
    return zip(rows, medians).map { row, median in
      let share = sum > 0 ? median / sum : 0
      let samples = zip(shares[row] ?? [], blocks).map { $0 * $1.milliseconds }
      return cost(row, share: share, of: frame, samples: samples, copyRate: copyRate)
    }
  }

  /// Returns the only row of a renderer that does not support probes.
  func cost(ofWhole frames: [Double], frame: Double, copyRate: Double) -> [ProfileReport.StageCost] {
    let bytes = frameBytes + plan.outputBytes
    let row = Row(kind: "render", text: "every stage, pixel by pixel", bytes: bytes)
    return [cost(row, share: 1, of: frame, samples: frames, copyRate: copyRate)]
  }

  private func cost(
    _ row: Row, share: Double, of frame: Double, samples: [Double], copyRate: Double
  ) -> ProfileReport.StageCost {
    let milliseconds = share * frame
    let pixels = Double(plan.outputSize.pixelCount)
    let gigabytes = milliseconds > 0 ? Double(row.bytes) / milliseconds / 1e6 : 0
    return ProfileReport.StageCost(
      kind: row.kind, text: row.text, milliseconds: milliseconds,
      nanosecondsPerPixel: milliseconds * 1e6 / pixels,
      megapixelsPerSecond: milliseconds > 0 ? pixels / milliseconds / 1e3 : 0, gigabytesPerSecond: gigabytes,
      bytes: row.bytes, share: share, ofRoofline: copyRate > 0 ? gigabytes / copyRate : 0, samples: samples)
  }

  /// Returns each row's share of a block's wall time; the shares add up to 1.
  private func shares(of block: Block) -> [(Row, Double)] {
    guard block.wallSeconds > 0 else { return [] }
    var rows: [(Row, Double)] = []
    // One thread decodes while the others wait for it, so its whole time counts for the frame.
    let decoding = min(1, block.decodeSeconds / block.wallSeconds)
    if decoding > 0 {
      let decoded = ProfileSource.bytes(plan.input.size, plan.input.format)
      rows.append((Row(kind: "decode", text: "JPEG, one thread", bytes: frameBytes + decoded), decoding))
    }
    let rendering = 1 - decoding
    let available = (block.wallSeconds - block.decodeSeconds) * Double(threads)
    let busy = available > 0 ? min(1, block.busySeconds / available) : 1
    let steps = block.steps.reduce(0) { $0 + $1.seconds }
    // The time for reading the clock is spread over the steps.
    for step in block.steps where steps > 0 {
      rows.append((row(of: step.step), step.seconds / steps * busy * rendering))
    }
    rows.append((Row(kind: "wait", text: "for work and for other threads", bytes: 0), (1 - busy) * rendering))
    return rows
  }

  // MARK: Rows

  private func row(of step: RenderProbe.Step) -> Row {
    func row(_ kind: String, _ text: String, _ bytes: Int) -> Row {
      Row(kind: kind, text: text, bytes: bytes)
    }
    let pixels = plan.outputSize.pixelCount
    // Samples as a tile holds them after its geometry, in bytes per pixel: planes of 16 bits, or RGBA.
    let isPlanar = !plan.input.format.isRGBA || isSampledByPlanes
    let sampled = isPlanar ? 6 : isWide ? wideBytes : rgbaBytes(plan.input.format)
    let stored = rgbaBytes(plan.output.format)
    let planar = 12
    let colors = plan.stages.filter(\.isColor)
    switch step {
    case .load where isSampledByPlanes:
      return row("load", "RGBA → planes in the cache", shownBytes * 7 / 4)
    case .load where plan.input.format.isRGBA || downsample != nil && !isCameraDownsample:
      return row("load", "RGBA → planes of float", pixels * (sampled + planar))
    case .load: return row("load", "\(plan.input.format.rawValue) → tiles in the cache", 2 * shownBytes)
    case .geometry:
      guard let geometry = stage("geometry") else {
        // Camera samples without geometry, widened to 16 bits.
        return row("load", "\(plan.input.format.rawValue) → tiles in the cache", 2 * inputBytes)
      }
      // Planes of a rotated RGBA picture hold 8 bits; its fourth byte is dropped when it is loaded.
      let read = isSampledByPlanes ? shownBytes * 3 / 4 : shownBytes
      return row("geometry", geometry.description, min(read, pixels * sampled) + pixels * sampled)
    case .ycbcr:
      let size = downsample?.inputSize.pixelCount ?? pixels
      return row("ycbcr", stage("ycbcr")?.description ?? "YCbCr → RGB", size * 12)
    case .horizontal:
      guard let downsample else { return row("downsample", "horizontal pass", 0) }
      return row(
        "downsample", Stage.downsample(downsample).description + ", along rows",
        inputBytes + 16 * downsample.outputSize.width * downsample.inputSize.height)
    case .vertical:
      guard let downsample else { return row("downsample", "vertical pass", 0) }
      return row(
        "downsample", "vertical pass, encoded",
        16 * downsample.outputSize.width * downsample.inputSize.height + wideBytes
          * downsample.outputSize.pixelCount)
    case .color(let index):
      guard index < colors.count else { return row("color", "colour", 2 * planar * pixels) }
      let stage = colors[index]
      // Two tables are looked up in one step.
      let isPair =
        if case .baked(let lut) = stage { lut.feedsTable && index + 1 < colors.count } else { false }
      return row(
        stage.kindName, stage.description + (isPair ? ", then " + colors[index + 1].description : ""),
        pixels * (stage.isTable ? sampled + stored : 2 * planar))
    case .neighbours:
      return row("sharpen", stage("sharpen")?.description ?? "neighbours", pixels * (8 + 4 * 4))
    case .dither: return row("dither", "thresholds for 8 bit", 4 * pixels)
    case .store:
      return row(
        "store", plan.output.format.rawValue, pixels * ((colors.isEmpty ? sampled : planar) + stored))
    }
  }

  private var inputBytes: Int { ProfileSource.bytes(plan.input.size, plan.input.format) }

  /// The bytes of the part of the input that the output shows: a crop leaves the others unread.
  private var shownBytes: Int {
    downsample == nil ? plan.shownInputBytes : inputBytes
  }

  private func rgbaBytes(_ format: PixelFormat) -> Int { 4 * format.bitsPerSample / 8 }

  /// After a resample, integers are kept at 16 bits.
  private var wideBytes: Int { plan.input.format.isInteger ? 8 : 16 }

  private var isWide: Bool {
    plan.stages.contains { stage in
      switch stage {
      case .geometry(let geometry): geometry.pixelMove == nil
      case .downsample: true
      case .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen, .channelTables,
        .baked:
        false
      }
    }
  }

  /// Whether a rotated RGBA picture is sampled channel by channel.
  private var isSampledByPlanes: Bool {
    guard case .geometry(let geometry)? = stage("geometry"), downsample == nil else { return false }
    return plan.input.format == .rgba8 && plan.input.alpha == .opaque && geometry.pixelMove == nil
  }

  private var downsample: Downsample? {
    for case .downsample(let downsample) in plan.stages { return downsample }
    return nil
  }

  private var isCameraDownsample: Bool { downsample != nil && plan.input.ycbcr != nil }

  private func stage(_ kind: String) -> Stage? { plan.stages.first { $0.kindName == kind } }
}

extension Stage {
  /// Whether the stage is a lookup from stored samples to stored samples.
  var isTable: Bool {
    switch self {
    case .channelTables, .baked: true
    case .geometry, .downsample, .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut,
      .sharpen:
      false
    }
  }
}
