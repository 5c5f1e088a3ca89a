import ColorScience
import FilterGraph
import PixelKernels

/// Exact colour stages in the kernels' format, with the memory that they point to.
final class KernelStages: @unchecked Sendable {
  private var stages: [sl_stage] = []
  /// Where the kernels of each stage end: some have two.
  private var ends: [Int] = []
  private var memory: [UnsafeMutableRawPointer] = []
  /// Whose coverage masks point to.
  var shapes: [MaskShape] = []
  /// Nodes of tables already copied: a recipe may use one table many times.
  private var copiedNodes: [LUT3D: UnsafePointer<Float>] = [:]

  /// The number of fields that need a grid so far.
  private var grids: Int32 = 0

  init(_ stages: [Stage]) {
    for stage in stages {
      for form in NumericStage.forms(of: stage) { self.stages.append(kernel(form)) }
      ends.append(self.stages.count)
    }
    copiedNodes = [:]
  }

  deinit {
    for pointer in memory { pointer.deallocate() }
  }

  /// The number of stages, which a meter times one by one.
  var count: Int { ends.count }

  /// Runs the stages in place on planar samples; one at a time if a meter is to time each of them.
  ///
  /// - Parameters:
  ///   - place: the column and the row of the first pixel, for stages that depend on it.
  ///   - places: where the pixels are in the picture; without grids, each pixel is taken for its own surroundings.
  func run(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>,
    count: Int, at place: (x: Int, y: Int) = (0, 0), in places: sl_places = sl_places(),
    meter: UnsafeMutablePointer<StepMeter>? = nil
  ) {
    let (x, y) = (Int32(place.x), Int32(place.y))
    var places = places
    stages.withUnsafeBufferPointer { stages in
      guard let meter, let first = stages.baseAddress else {
        return sl_run_stages(stages.baseAddress, stages.count, x, y, &places, r, g, b, count)
      }
      var start = 0
      for index in ends.indices {
        sl_run_stages(first + start, ends[index] - start, x, y, &places, r, g, b, count)
        start = ends[index]
        meter.pointee.lap(.color(index))
      }
    }
  }

  /// Calls `body` with the lookup table if the stages are exactly one table that has nodes.
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

  func kernel(_ form: NumericStage) -> sl_stage {
    var kernel = sl_stage()
    switch form {
    case .matrix(let matrix):
      kernel.kind = SL_STAGE_MATRIX
      Self.copy(matrix, to: &kernel.u.matrix)
    case .parametric(let curve):
      kernel.kind = SL_STAGE_PARAMETRIC
      kernel.u.parametric = Self.curve(curve)
    case .sampled(let curves):
      kernel.kind = SL_STAGE_SAMPLED
      kernel.u.sampled = sl_sampled_curve(
        samples: kept(curves.samples), count: Int32(curves.count),
        square_root_index: curves.hasSquareRootIndex ? 1 : 0,
        end_slope: (curves.endSlopes.x, curves.endSlopes.y, curves.endSlopes.z))
    case .oklabMix(let mix):
      kernel.kind = SL_STAGE_OKLAB_MIX
      Self.copy(mix.toLMS, to: &kernel.u.oklab.to_lms)
      Self.copy(mix.fromLMS, to: &kernel.u.oklab.from_lms)
      Self.copy(mix.mix, to: &kernel.u.oklab.cube_root_mix)
    case .tone(let tone):
      kernel.kind = SL_STAGE_TONE
      kernel.u.tone = sl_tone(
        factors: kept(tone.factors), count: Int32(tone.count), scale: tone.scale, bias: tone.bias)
    case .curves(let curves):
      kernel.kind = SL_STAGE_CURVES
      kernel.u.curves = self.curves(curves)
    case .hues(let hues):
      kernel.kind = SL_STAGE_HUES
      kernel.u.hues = self.hues(hues)
    case .gamut(let gamut):
      kernel.kind = SL_STAGE_GAMUT
      kernel.u.gamut = self.gamut(gamut)
    case .field(let field):
      kernel.kind = SL_STAGE_FIELD
      kernel.u.field = self.field(field)
    case .masked(let masked):
      kernel.kind = SL_STAGE_MASKED
      kernel.u.masked = self.masked(masked)
    case .gains(let gains):
      kernel.kind = SL_STAGE_GAINS
      kernel.u.gains = self.gains(gains)
    case .lookup(let lookup):
      kernel.kind = SL_STAGE_LOOKUP
      kernel.u.lookup = table(lookup)
    }
    return kernel
  }

  /// Returns the place of a grid among those of the picture.
  func nextGrid() -> Int32 {
    defer { grids += 1 }
    return grids
  }

  static func kernel(_ brightness: NumericStage.BrightnessNumbers) -> sl_brightness {
    var kernel = sl_brightness()
    (kernel.floor, kernel.bias, kernel.most) = (brightness.floor, brightness.bias, brightness.most)
    copy(brightness.toWorking, to: &kernel.to_working)
    return kernel
  }

  /// - Parameter shared: the grid that it shares with other fields; nil for the next one if it needs any.
  func field(_ numbers: NumericStage.FieldNumbers, sharing shared: Int32? = nil) -> sl_field {
    var field = sl_field()
    // Both measure the brightness of the same light.
    if let brightness = numbers.local?.brightness ?? numbers.grain?.brightness {
      field.brightness = Self.kernel(brightness)
    }
    if let local = numbers.local {
      field.has_local = 1
      field.local = kernel(local)
    }
    if numbers.layout != nil { field.grid = shared ?? nextGrid() }
    if let around = numbers.surroundings {
      (field.has_haze, field.haze.removes) = (around.hasHaze ? 1 : 0, around.removesHaze ? 1 : 0)
      Self.copy(around.toChannels, to: &field.haze.to_channels)
      (field.haze.share, field.haze.base, field.haze.least) = (around.share, around.base, around.least)
      (field.has_glow, field.glow) = (around.glow != 0 ? 1 : 0, around.glow)
      (field.has_texture, field.texture) = (around.texture != 0 ? 1 : 0, around.texture)
    }
    if let falloff = numbers.falloff {
      field.has_falloff = 1
      field.falloff = sl_falloff(
        map: Self.six(falloff.map), exponent: falloff.exponent, begin: falloff.begin, scale: falloff.scale,
        stops: falloff.stops)
    }
    if let grain = numbers.grain {
      field.has_grain = 1
      field.grain = kernel(grain)
    }
    if let encoding = numbers.encoding {
      field.is_encoded = 1
      (field.decode, field.encode) = (Self.curve(encoding.decode), Self.curve(encoding.encode))
    }
    return field
  }

  private func kernel(_ light: NumericStage.LocalNumbers) -> sl_local_light {
    func region(_ region: NumericStage.RegionNumbers) -> sl_region {
      sl_region(
        amount: region.amount, rise: region.rise, fall: region.fall, from: region.from, part: region.part)
    }
    return sl_local_light(
      bright: region(light.bright), dark: region(light.dark), white: light.white[0],
      white_rise: light.white[1], white_from: light.white[2], clarity: light.clarity, shift: light.shift)
  }

  private func kernel(_ grain: NumericStage.GrainNumbers) -> sl_grain {
    func tile(_ tile: GrainTiles.Tile, column: Int32, row: Int32) -> sl_grain_tile {
      sl_grain_tile(
        samples: kept(tile.samples), period: Int32(tile.period), stride: Int32(tile.stride),
        column: column, row: row)
    }
    let (first, second) = (grain.tiles.first, grain.tiles.second)
    return sl_grain(
      tiles: (
        tile(first, column: grain.start.x, row: grain.start.y),
        tile(second, column: grain.start.z, row: grain.start.w)
      ), density_scale: grain.densityScale, density_bias: grain.densityBias, first: grain.first,
      second: grain.second, strength: grain.strength)
  }

  /// The numbers of a field that is the first stage.
  var firstField: sl_field {
    precondition(stages.first?.kind == SL_STAGE_FIELD, "not a field")
    return stages[0].u.field
  }

  /// Calls `body` with how brightness is measured by a field that is the first stage.
  func withBrightness(_ body: (UnsafePointer<sl_brightness>) -> Void) {
    withUnsafePointer(to: firstField.brightness, body)
  }

  static func six(_ map: [Float]) -> (Float, Float, Float, Float, Float, Float) {
    (map[0], map[1], map[2], map[3], map[4], map[5])
  }

  static func curve(_ curve: NumericStage.ParametricCurve) -> sl_parametric_curve {
    sl_parametric_curve(
      toe: curve.toe, slope: curve.slope, scale: curve.scale, gain: curve.gain, offset: curve.offset,
      exponent: curve.exponent, shift: curve.shift)
  }

  private func table(_ lookup: NumericStage.NumericLookup) -> sl_lookup {
    var table = sl_lookup()
    table.strength = lookup.strength
    if let (curves, domain) = lookup.shaper {
      let count = curves.size
      let samples = allocate(3 * count)
      for (i, sample) in curves.samples.enumerated() {
        for channel in 0..<3 { samples[channel * count + i] = sample[channel] }
      }
      table.shaper = UnsafePointer(samples)
      table.shaper_count = Int32(count)
      table.shaper_scale = Self.three(domain.scale)
      table.shaper_bias = Self.three(domain.bias)
    }
    if let (lattice, domain) = lookup.cube {
      table.nodes = nodes(of: lattice)
      table.size = Int32(lattice.size)
      table.scale = Self.three(domain.scale)
      table.bias = Self.three(domain.bias)
    }
    return table
  }

  private func nodes(of lattice: LUT3D) -> UnsafePointer<Float> {
    if let known = copiedNodes[lattice] { return known }
    let nodes = allocate(4 * lattice.nodes.count)
    for (i, node) in lattice.nodes.enumerated() {
      for channel in 0..<3 { nodes[4 * i + channel] = node[channel] }
      nodes[4 * i + 3] = 0
    }
    copiedNodes[lattice] = UnsafePointer(nodes)
    return UnsafePointer(nodes)
  }

  /// Keeps plain values as long as the stages live.
  func kept<Value>(_ values: [Value]) -> UnsafePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: values.count)
    pointer.initialize(from: values, count: values.count)
    memory.append(UnsafeMutableRawPointer(pointer))
    return UnsafePointer(pointer)
  }

  private func allocate(_ count: Int) -> UnsafeMutablePointer<Float> {
    let pointer = UnsafeMutablePointer<Float>.allocate(capacity: count)
    memory.append(UnsafeMutableRawPointer(pointer))
    return pointer
  }

  typealias Nine = (Float, Float, Float, Float, Float, Float, Float, Float, Float)

  static func copy(_ matrix: [Float], to nine: inout Nine) {
    nine = (
      matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5], matrix[6], matrix[7], matrix[8]
    )
  }

  private static func three(_ values: SIMD3<Float>) -> (Float, Float, Float) {
    (values.x, values.y, values.z)
  }
}

extension AffineMap {
  /// In the kernels' form.
  var six: (Double, Double, Double, Double, Double, Double) { (a, b, c, d, e, f) }
}
