import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

/// One exact table per channel: every code of the input with what it becomes.
final class ChannelTables: @unchecked Sendable {
  /// Red, green, blue, as `sl_apply_tables` reads them.
  let entries: UnsafeMutableRawPointer
  /// Codes of the input.
  private let count: Int
  private let stages: [Stage]

  /// Tables from codes to 8-bit codes.
  ///
  /// - Parameters:
  ///   - stages: each of one channel alone.
  ///   - input: `rgba8` (256 entries a channel) or `rgba16` (65,536).
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

  /// Tables of float from 8-bit codes, such as linear light.
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

  /// More than the kernels' arithmetic is off by, in levels: their error is a few parts in 10⁶ of full scale.
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

  /// Fills with the kernels, and in double precision where rounding hangs on the kernels' error.
  private func fill(with kernels: KernelStages) {
    let scale = 1 / Float(count - 1)
    let planes = (0..<3).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: count) }
    defer { for plane in planes { plane.deallocate() } }
    for plane in planes {
      for code in 0..<count { plane[code] = Float(code) * scale }
    }
    kernels.run(planes[0], planes[1], planes[2], count: count)
    for (channel, plane) in planes.enumerated() {
      let entries = entries.assumingMemoryBound(to: UInt8.self) + channel * count
      for code in 0..<count {
        // Levels change halfway between whole numbers.
        let level = plane[code] * 255
        let toBoundary = abs(level - level.rounded(.down) - 0.5)
        // False for NaN, too.
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

  /// One channel of `exact(code)`, where that is much less work.
  private func exact(_ code: Int, _ channel: Int) -> Double {
    stages.reduce(Double(code) / Double(count - 1)) { x, stage in
      switch stage {
      case .curve(let curve): curve.evaluate(x, channel: channel)
      case .matrix(let matrix): matrix.rows[channel][channel] * x
      case .geometry, .shrink, .ycbcr, .pointwise, .lut, .channelTables, .baked:
        stage.evaluate(SIMD3(repeating: x))[channel]
      }
    }
  }
}

extension Stage {
  /// Whether kernels compute this stage to float precision wherever it is: not so for tables and sampled
  /// curves, which may jump.
  fileprivate var isAccurateInKernels: Bool {
    switch self {
    case .matrix: true
    case .curve(.power): true
    case .curve(.decode(let functions)), .curve(.encode(let functions)):
      !functions.contains { if case .sampled = $0 { true } else { false } }
    case .geometry, .shrink, .ycbcr, .pointwise, .lut, .channelTables, .baked: false
    }
  }
}
