import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// One exact table per channel: maps every input code to its result.
final class ChannelTables: @unchecked Sendable {
  /// Red, green, blue, in the layout that `sl_apply_tables` reads.
  let entries: UnsafeMutableRawPointer
  /// The number of input codes.
  private let count: Int
  private let stages: [Stage]

  /// Makes tables from codes to 8-bit codes.
  ///
  /// - Parameters:
  ///   - stages: stages that treat each channel separately.
  ///   - input: `rgba8` (256 entries per channel) or `rgba16` (65,536).
  init(_ stages: [Stage], input: PixelFormat) {
    self.stages = stages
    count = input == .rgba16 ? 65_536 : 256
    entries = .allocate(byteCount: 3 * count, alignment: 64)
    if count > 256, stages.allSatisfy(\.isAccurateInKernels) {
      fill(with: KernelStages(stages))
    } else {
      for code in 0..<count { fillExactly(code) }
    }
  }

  /// Makes tables from codes to 16-bit codes, for what amplifies small differences.
  init(deep stages: [Stage], input: PixelFormat) {
    self.stages = stages
    count = input == .rgba16 ? 65_536 : 256
    entries = .allocate(byteCount: 3 * count * MemoryLayout<UInt16>.stride, alignment: 64)
    let codes = entries.bindMemory(to: UInt16.self, capacity: 3 * count)
    let full = Float(UInt16.max)
    func code(_ value: Float) -> UInt16 { value > 0 ? UInt16(min(value * full, full).rounded()) : 0 }
    guard count > 256, stages.allSatisfy(\.isAccurateInKernels) else {
      for index in 0..<count {
        let out = exact(index)
        for channel in 0..<3 { codes[channel * count + index] = code(Float(out[channel])) }
      }
      return
    }
    // The kernels' error of a few parts in 10⁶ is less than half a code.
    let scale = 1 / Float(count - 1)
    withPlanes { planes in
      for plane in planes { for index in 0..<count { plane[index] = Float(index) * scale } }
      KernelStages(stages).run(planes[0], planes[1], planes[2], count: count)
      for (channel, plane) in planes.enumerated() {
        for index in 0..<count { codes[channel * count + index] = code(plane[index]) }
      }
    }
  }

  /// Makes tables from 8-bit codes to floats, such as linear light.
  init(decoding stages: [Stage]) {
    self.stages = stages
    count = 256
    entries = .allocate(byteCount: 3 * count * MemoryLayout<Float>.stride, alignment: 64)
    let values = entries.bindMemory(to: Float.self, capacity: 3 * count)
    for code in 0..<count {
      let out = exact(code)
      for channel in 0..<3 { values[channel * count + code] = Float(out[channel]) }
    }
  }

  deinit { entries.deallocate() }

  // MARK: 8-bit codes

  /// A distance from rounding boundaries, in levels, larger than the kernels' error of a few parts in 10⁶ of full
  /// scale.
  private static let margin: Float = 0.0128

  private func exact(_ code: Int) -> SIMD3<Double> {
    let x = Double(code) / Double(count - 1)
    return stages.reduce(SIMD3(repeating: x)) { $1.evaluate($0) }
  }

  private func fillExactly(_ code: Int) {
    let out = exact(code)
    for channel in 0..<3 {
      entries.storeBytes(of: Self.level(out[channel]), toByteOffset: channel * count + code, as: UInt8.self)
    }
  }

  /// Fills the tables with the kernels, and in double precision if the kernels' error could change the rounding.
  private func fill(with kernels: KernelStages) {
    let scale = 1 / Float(count - 1)
    withPlanes { planes in
      for plane in planes {
        for code in 0..<count { plane[code] = Float(code) * scale }
      }
      kernels.run(planes[0], planes[1], planes[2], count: count)
      store(planes)
    }
  }

  /// Calls `body` with a plane of `count` floats for each channel.
  private func withPlanes(_ body: ([UnsafeMutablePointer<Float>]) -> Void) {
    let planes = (0..<3).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: count) }
    defer { for plane in planes { plane.deallocate() } }
    body(planes)
  }

  private func store(_ planes: [UnsafeMutablePointer<Float>]) {
    for (channel, plane) in planes.enumerated() {
      let entries = entries.assumingMemoryBound(to: UInt8.self) + channel * count
      for code in 0..<count {
        // Levels change halfway between integers.
        let level = plane[code] * 255
        let toBoundary = abs(level - level.rounded(.down) - 0.5)
        // False for NaN too.
        if toBoundary > Self.margin {
          entries[code] = level >= 254.5 ? 255 : level > 0 ? UInt8(level + 0.5) : 0
        } else {
          entries[code] = Self.level(exact(code, channel))
        }
      }
    }
  }

  private static func level(_ value: Double) -> UInt8 {
    value.isNaN ? 0 : UInt8(min(max(value * 255, 0), 255).rounded())
  }

  /// One channel of `exact(code)`, which usually takes much less work.
  private func exact(_ code: Int, _ channel: Int) -> Double {
    stages.reduce(Double(code) / Double(count - 1)) { x, stage in
      switch stage {
      case .curve(let curve): curve.evaluate(x, channel: channel)
      case .matrix(let matrix): matrix.rows[channel][channel] * x
      case .geometry, .downsample, .ycbcr, .denoise, .pointwise, .field, .masked, .lut, .sharpen,
        .channelTables, .baked:
        stage.evaluate(SIMD3(repeating: x))[channel]
      }
    }
  }
}

extension Stage {
  /// Whether kernels compute this stage to float precision everywhere. Not so for tables and sampled curves, which
  /// may jump.
  fileprivate var isAccurateInKernels: Bool {
    switch self {
    case .matrix: true
    case .curve(.power): true
    case .curve(.decode(let functions)), .curve(.encode(let functions)):
      !functions.contains { if case .sampled = $0 { true } else { false } }
    case .geometry, .downsample, .ycbcr, .denoise, .pointwise, .field, .masked, .lut, .sharpen,
      .channelTables, .baked:
      false
    }
  }
}
