import ColorScience
import FilterGraph
import PixelKernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Exact colour stages in the kernels' terms, with the memory that they point to.
final class KernelStages: @unchecked Sendable {
  private var stages: [sl_stage] = []
  private var memory: [UnsafeMutablePointer<Float>] = []

  init(_ stages: [Stage]) {
    for stage in stages { append(stage) }
  }

  deinit {
    for pointer in memory { pointer.deallocate() }
  }

  /// Runs the stages in place on planar samples; one by one where a meter is to know what each takes.
  func run(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>,
    count: Int, meter: UnsafeMutablePointer<StepMeter>? = nil
  ) {
    stages.withUnsafeBufferPointer { stages in
      guard let meter, let first = stages.baseAddress else {
        return sl_run_stages(stages.baseAddress, stages.count, r, g, b, count)
      }
      for index in 0..<stages.count {
        sl_run_stages(first + index, 1, r, g, b, count)
        meter.pointee.lap(.color(index))
      }
    }
  }

  /// Calls `body` with the table that the stages are, where they are one table and it has nodes.
  ///
  /// - Returns: whether they are.
  @discardableResult
  func withLookup(_ body: (UnsafePointer<sl_lookup>) -> Void) -> Bool {
    guard stages.count == 1, stages[0].kind == SL_STAGE_LOOKUP, stages[0].u.lookup.nodes != nil else {
      return false
    }
    withUnsafePointer(to: stages[0].u.lookup, body)
    return true
  }

  private func append(_ stage: Stage) {
    switch stage {
    case .geometry, .shrink, .ycbcr, .baked: break
    case .channelTables(let list): list.forEach(append)
    case .matrix(let matrix):
      var kernel = sl_stage()
      kernel.kind = SL_STAGE_MATRIX
      Self.copy(matrix, to: &kernel.u.matrix)
      stages.append(kernel)
    case .curve(let curve): append(curve)
    case .pointwise(.oklabChroma(let chroma, let space)):
      var kernel = sl_stage()
      kernel.kind = SL_STAGE_OKLAB_MIX
      let toLMS = OKLab.lmsFromXYZ * space.toXYZ
      let scale = Matrix3x3.diagonal(SIMD3(1, chroma, chroma))
      Self.copy(toLMS, to: &kernel.u.oklab.to_lms)
      Self.copy(toLMS.inverse, to: &kernel.u.oklab.from_lms)
      Self.copy(OKLab.lmsFromLab * scale * OKLab.labFromLMS, to: &kernel.u.oklab.cube_root_mix)
      stages.append(kernel)
    case .pointwise(.tone(let curve)): append(curve)
    case .lut(let lookup): append(lookup)
    }
  }

  private func append(_ curve: ToneCurve) {
    let range = ToneCurve.stops
    // Steps of 1/100 EV, within which gain and offset are straight to 2·10⁻⁵.
    let count = 2001
    let factors = allocate(2 * count)
    for i in 0..<count {
      let part = Double(i) / Double(count - 1)
      let (gain, offset) = curve.factors(
        at: range.lowerBound + part * (range.upperBound - range.lowerBound))
      factors[i] = Float(gain)
      factors[count + i] = Float(offset)
    }
    let scale = Double(count - 1) / (range.upperBound - range.lowerBound)
    var kernel = sl_stage()
    kernel.kind = SL_STAGE_TONE
    kernel.u.tone = sl_tone(
      factors: UnsafePointer(factors), count: Int32(count), scale: Float(scale),
      bias: Float(-(range.lowerBound + log2(0.18)) * scale))
    stages.append(kernel)
  }

  // MARK: Curves

  private func append(_ curve: Curve) {
    if let parametric = Self.parametric(curve) {
      var kernel = sl_stage()
      kernel.kind = SL_STAGE_PARAMETRIC
      kernel.u.parametric = parametric
      stages.append(kernel)
      return
    }
    // Encoding curves are steep near black, where a square-root index has its samples.
    let squareRoot = if case .encode = curve { true } else { false }
    let count = squareRoot ? 8193 : 4097
    let samples = allocate(3 * count)
    for channel in 0..<3 {
      for i in 0..<count {
        let x = Double(i) / Double(count - 1)
        samples[channel * count + i] = Float(curve.evaluate(squareRoot ? x * x : x, channel: channel))
      }
    }
    // Above 1 profile curves go on in a straight line.
    func slope(_ channel: Int) -> Float {
      Float(curve.evaluate(2, channel: channel) - curve.evaluate(1, channel: channel))
    }
    var kernel = sl_stage()
    kernel.kind = SL_STAGE_SAMPLED
    kernel.u.sampled = sl_sampled_curve(
      samples: UnsafePointer(samples), count: Int32(count), square_root_index: squareRoot ? 1 : 0,
      end_slope: (slope(0), slope(1), slope(2)))
    stages.append(kernel)
  }

  /// The parametric form of a curve, where all channels share one.
  private static func parametric(_ curve: Curve) -> sl_parametric_curve? {
    func shared(_ functions: [TransferFunction]) -> TransferFunction? {
      functions.allSatisfy { $0 == functions.first } ? functions.first : nil
    }
    let (alpha, beta) = (TransferFunction.bt709Alpha, TransferFunction.bt709Beta)
    switch curve {
    case .power(let exponent, let pivot):
      return sl_parametric_curve(
        toe: -1, slope: 0, scale: Float(pow(pivot, 1 - exponent)), gain: 1, offset: 0,
        exponent: Float(exponent),
        shift: 0)
    case .decode(let functions):
      switch shared(functions) {
      case .linear?:
        return sl_parametric_curve(
          toe: .infinity, slope: 1, scale: 1, gain: 1, offset: 0, exponent: 1, shift: 0)
      case .sRGB?:
        return sl_parametric_curve(
          toe: 0.04045, slope: 1 / 12.92, scale: 1, gain: 1 / 1.055, offset: 0.055 / 1.055, exponent: 2.4,
          shift: 0)
      case .bt709?:
        return sl_parametric_curve(
          toe: Float(4.5 * beta), slope: 1 / 4.5, scale: 1, gain: Float(1 / alpha),
          offset: Float((alpha - 1) / alpha),
          exponent: 1 / 0.45, shift: 0)
      case .gamma(let gamma)?:
        return sl_parametric_curve(
          toe: -1, slope: 0, scale: 1, gain: 1, offset: 0, exponent: Float(gamma), shift: 0)
      case .sampled?, nil: return nil
      }
    case .encode(let functions):
      switch shared(functions) {
      case .linear?:
        return sl_parametric_curve(
          toe: .infinity, slope: 1, scale: 1, gain: 1, offset: 0, exponent: 1, shift: 0)
      case .sRGB?:
        return sl_parametric_curve(
          toe: 0.0031308, slope: 12.92, scale: 1.055, gain: 1, offset: 0, exponent: 1 / 2.4, shift: -0.055)
      case .bt709?:
        return sl_parametric_curve(
          toe: Float(beta), slope: 4.5, scale: Float(alpha), gain: 1, offset: 0, exponent: 0.45,
          shift: Float(1 - alpha))
      case .gamma(let gamma)?:
        return sl_parametric_curve(
          toe: -1, slope: 0, scale: 1, gain: 1, offset: 0, exponent: Float(1 / gamma), shift: 0)
      case .sampled?, nil: return nil
      }
    }
  }

  // MARK: Tables

  private func append(_ lookup: LookupStage) {
    var table = sl_lookup()
    table.strength = Float(lookup.strength)
    if let shaper = lookup.lut.shaper {
      let count = shaper.size
      let samples = allocate(3 * count)
      for (i, sample) in shaper.samples.enumerated() {
        for channel in 0..<3 { samples[channel * count + i] = sample[channel] }
      }
      table.shaper = UnsafePointer(samples)
      table.shaper_count = Int32(count)
      Self.setDomain(
        shaper.domainMin, shaper.domainMax, steps: count - 1, scale: &table.shaper_scale,
        bias: &table.shaper_bias)
    }
    if let cube = lookup.lut.cube {
      let nodes = allocate(4 * cube.nodes.count)
      for (i, node) in cube.nodes.enumerated() {
        for channel in 0..<3 { nodes[4 * i + channel] = node[channel] }
        nodes[4 * i + 3] = 0
      }
      table.nodes = UnsafePointer(nodes)
      table.size = Int32(cube.size)
      Self.setDomain(
        cube.domainMin, cube.domainMax, steps: cube.size - 1, scale: &table.scale, bias: &table.bias)
    }
    var kernel = sl_stage()
    kernel.kind = SL_STAGE_LOOKUP
    kernel.u.lookup = table
    stages.append(kernel)
  }

  private static func setDomain(
    _ low: SIMD3<Float>, _ high: SIMD3<Float>, steps: Int, scale: inout (Float, Float, Float),
    bias: inout (Float, Float, Float)
  ) {
    let factor = Float(steps) / (high - low)
    let shift = -low * factor
    scale = (factor.x, factor.y, factor.z)
    bias = (shift.x, shift.y, shift.z)
  }

  private func allocate(_ count: Int) -> UnsafeMutablePointer<Float> {
    let pointer = UnsafeMutablePointer<Float>.allocate(capacity: count)
    memory.append(pointer)
    return pointer
  }

  private typealias Nine = (Float, Float, Float, Float, Float, Float, Float, Float, Float)

  private static func copy(_ matrix: Matrix3x3, to nine: inout Nine) {
    let rows = matrix.rows.map { SIMD3<Float>($0) }
    nine = (
      rows[0].x, rows[0].y, rows[0].z, rows[1].x, rows[1].y, rows[1].z, rows[2].x, rows[2].y, rows[2].z
    )
  }
}
