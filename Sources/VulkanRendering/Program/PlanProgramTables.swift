import ColorScience
import FilterGraph
import FrameCore
import Rendering

/// The data that shaders read as binding 2: a header, the numbers of each stage in a slot of its own, then the
/// tables that slots refer to by word index. The words are documented in `shaders/`.
struct ProgramTables {
  enum Slot {
    /// The curves around a downsampling.
    case decode, encode
    case colour(Int)

    static let words = 32

    /// The index of the slot's first word.
    var word: Int {
      switch self {
      case .decode: Self.words
      case .encode: 2 * Self.words
      case .colour(let index): (3 + index) * Self.words
      }
    }
  }

  /// As numbered in `shaders/parameters.glsl`.
  private enum Head {
    static let matrix = 0
    static let chromaSite = 12
    static let columnTaps = 14
    static let rowTaps = 15
    static let targetMatrix = 16
    static let sharpening = 28
    static let projection = 29
    static let denoising = 30
  }

  private var words: [UInt32]
  /// The floats of the grids of fields so far.
  private var gridFloats = LightMemory.firstGrid
  /// The word index of each table's nodes: a recipe may use one table many times.
  private var placesOfNodes: [LUT3D: UInt32] = [:]

  init(stages: Int) { words = [UInt32](repeating: 0, count: Slot.colour(stages).word) }

  /// - Throws: `SafelightError` if the size in bytes exceeds 32 bits.
  func finished() throws -> [UInt32] {
    guard words.count <= Int(UInt32.max) / 4 else {
      throw SafelightError(
        .tooLarge,
        "The plan's tables have \(words.count * 4) bytes, more than the 4 GiB that a GPU can address",
        remedy: "render on the CPU")
    }
    return words
  }

  // MARK: Head

  mutating func setCamera(_ stage: YCbCrStage) {
    // The columns of the matrix are what each code contributes.
    let encoding = stage.encoding
    let black = encoding.decode(.zero)
    let isGrey = stage.format == .gray8
    let neutral = encoding.codes.neutral
    let luma = encoding.decode(SIMD3(1, 0, 0)) - black
    let cb = isGrey ? .zero : encoding.decode(SIMD3(0, 1, 0)) - black
    let cr = isGrey ? .zero : encoding.decode(SIMD3(0, 0, 1)) - black
    let offset = isGrey ? encoding.decode(SIMD3(0, neutral, neutral)) : black
    for row in 0..<3 {
      for (column, value) in [luma, cb, cr].enumerated() {
        words[Head.matrix + 3 * row + column] = Float(value[row]).bitPattern
      }
      words[Head.matrix + 9 + row] = Float(offset[row]).bitPattern
    }
    let chroma = stage.chroma
    words[Head.chromaSite] = Float(chroma.offsetX).bitPattern
    words[Head.chromaSite + 1] = Float(chroma.offsetY).bitPattern
  }

  /// From R'G'B' of 0…255 to codes.
  mutating func setTarget(_ encoding: YCbCrEncoding) {
    let black = encoding.encode(.zero)
    for column in 0..<3 {
      var unit = SIMD3<Double>.zero
      unit[column] = 1 / 255
      let value = encoding.encode(unit) - black
      for row in 0..<3 { words[Head.targetMatrix + 3 * row + column] = Float(value[row]).bitPattern }
    }
    for row in 0..<3 { words[Head.targetMatrix + 9 + row] = Float(black[row]).bitPattern }
  }

  mutating func setTaps(columns: DownsamplingTaps, rows: DownsamplingTaps) {
    words[Head.columnTaps] = append(columns)
    words[Head.rowTaps] = append(rows)
  }

  /// The list of a sharpening's windows.
  mutating func setSharpening(list: [UInt32]) { words[Head.sharpening] = append(words: list) }

  /// The list of a projection's numbers.
  mutating func setProjection(list: [UInt32]) { words[Head.projection] = append(words: list) }

  /// The list of a noise reduction's numbers.
  mutating func setDenoising(list: [UInt32]) { words[Head.denoising] = append(words: list) }

  private mutating func append(_ taps: DownsamplingTaps) -> UInt32 {
    let weights = Int(append(taps.weights))
    return append(words: taps.spans.flatMap { [$0.first, $0.count, weights + $0.weights].map(UInt32.init) })
  }

  // MARK: Stages

  mutating func set(_ form: StageForm, as slot: Slot) { set(form, at: slot.word) }

  /// Slots of the stages of a group, behind all tables so far.
  ///
  /// - Returns: the index of the first word.
  mutating func appendSlots(_ stages: [NumericStage]) -> UInt32 {
    let first = append(words: [UInt32](repeating: 0, count: stages.count * Slot.words))
    for (index, stage) in stages.enumerated() {
      set(.exact(stage), at: Int(first) + index * Slot.words)
    }
    return first
  }

  private mutating func set(_ form: StageForm, at word: Int) {
    let numbers =
      switch form {
      case .baked(let lut): numbers(lut)
      case .exact(.matrix(let matrix)): matrix.bits
      case .exact(.parametric(let curve)): curve.words
      case .exact(.sampled(let curves)):
        [append(curves.samples), UInt32(curves.count), curves.hasSquareRootIndex ? 1 : 0]
          + curves.endSlopes.bits
      case .exact(.oklabMix(let mix)): (mix.toLMS + mix.mix + mix.fromLMS).bits
      case .exact(.tone(let tone)):
        [append(tone.factors), UInt32(tone.count)] + [tone.scale, tone.bias].bits
      case .exact(.curves(let curves)):
        [append(curves.samples), UInt32(curves.count), curves.mode.rawValue]
          + (curves.below + curves.above + curves.luminance).bits
      case .exact(.hues(let hues)): [numbers(hues)]
      case .exact(.gamut(let gamut)): (gamut.toLMS + gamut.labFromRoots + gamut.fromLMS).bits
      case .exact(.lookup(let lookup)): numbers(lookup)
      case .exact(.field(let field)): fieldNumbers(field, gridAt: nextGrid(field.layout))
      case .exact(.masked(let masked)): [numbers(masked)]
      case .exact(.gains(let gains)): [numbers(gains)]
      }
    words.replaceSubrange(word..<word + numbers.count, with: numbers)
    words[word + Slot.words - 1] = form.kind.rawValue
  }

  /// - Returns: the index of the first word.
  private mutating func numbers(_ hues: NumericStage.HueNumbers) -> UInt32 {
    let matrices = hues.toLMS + hues.labFromRoots + hues.rootsFromLab + hues.fromLMS
    let squares = [hues.fade, hues.vibrance, hues.lightness]
    return append(words: (matrices + squares).bits + [UInt32(hues.count)] + hues.tables.bits)
  }

  private mutating func numbers(_ lut: BakedLUT) -> [UInt32] {
    // A node's four int16 are two words, the first in the low half.
    let nodes = lut.nodes.codes.withUnsafeBytes {
      append(words: $0.bindMemory(to: UInt32.self), alignment: 2)
    }
    let steps = Double(lut.size - 1)
    let axis = [lut.spacing.steep * steps, lut.spacing.gentle * steps, lut.spacing.offset * steps]
    return [nodes / 2, UInt32(lut.size)] + (axis + [lut.slopeOutside]).map { Float($0) }.bits
  }

  /// Returns the first float of the next grid of the picture.
  mutating func nextGrid(_ layout: FieldGridLayout?) -> Int {
    defer { gridFloats += layout?.count ?? 0 }
    return gridFloats
  }

  /// - Parameter start: the first float of the field's grid.
  /// - Returns: the index of the first word of a field, and that of what it adds to local tone and falloff; 0 without.
  mutating func fieldNumbers(_ field: NumericStage.FieldNumbers, gridAt start: Int) -> [UInt32] {
    let around = field.layout.flatMap { layout in
      field.surroundings.map { numbers($0, layout, start: start) }
    }
    return [numbers(field, start: start), around ?? 0]
  }

  private mutating func numbers(
    _ around: NumericStage.SurroundingsNumbers, _ layout: FieldGridLayout, start: Int
  ) -> UInt32 {
    func place(_ offset: Int?) -> UInt32 { UInt32(start + (offset ?? 0)) }
    var words: [UInt32] = [around.hasHaze ? 1 : 0, around.removesHaze ? 1 : 0]
    words += (around.toChannels + [around.share, around.base, around.least]).bits
    words += [around.glow, around.texture].bits
    words += around.toCoarse.bits
    words += [UInt32(layout.coarse.width), UInt32(layout.coarse.height)]
    words += around.toFine.bits
    words += [UInt32(layout.fine.width), UInt32(layout.fine.height)]
    words += [layout.haze, layout.glow, layout.detail, layout.ambient].map(place)
    return append(words: words)
  }

  /// - Returns: the index of the first word.
  private mutating func numbers(_ field: NumericStage.FieldNumbers, start: Int) -> UInt32 {
    let curves = field.encoding.map { $0.decode.words + $0.encode.words } ?? [UInt32](repeating: 0, count: 14)
    let grain = field.grain.map { numbers($0) } ?? 0
    var words: [UInt32] = [
      field.local == nil ? 0 : 1, field.falloff == nil ? 0 : 1, field.encoding == nil ? 0 : 1, grain,
    ]
    words +=
      field.falloff.map { ($0.map + [$0.exponent, $0.begin, $0.scale, $0.stops]).bits }
      ?? [UInt32](repeating: 0, count: 10)
    words += curves
    if let local = field.local {
      words += local.brightness.words
      words += (local.bright.floats + local.dark.floats + local.white).bits
      words += ([local.clarity] + local.toGrid).bits
      words += [UInt32(local.gridSize.width), UInt32(local.gridSize.height)]
      words += [UInt32(start + (field.layout?.local ?? 0)), local.shift.bitPattern]
    }
    return append(words: words)
  }

  /// - Returns: the index of the first word.
  private mutating func numbers(_ grain: NumericStage.GrainNumbers) -> UInt32 {
    func tile(_ tile: GrainTiles.Tile, _ column: Int32, _ row: Int32) -> [UInt32] {
      // Four samples a word, the first in the lowest bits.
      let samples = stride(from: 0, to: tile.samples.count - 3, by: 4).map { (index: Int) -> UInt32 in
        (0..<4).reduce(UInt32(0)) { (word: UInt32, place: Int) -> UInt32 in
          let sample = UInt32(UInt8(bitPattern: tile.samples[index + place]))
          return word | sample << UInt32(8 * place)
        }
      }
      return [append(words: samples), UInt32(tile.period), UInt32(tile.stride), UInt32(column), UInt32(row)]
    }
    let (first, second) = (grain.tiles.first, grain.tiles.second)
    let tiles = tile(first, grain.start.x, grain.start.y) + tile(second, grain.start.z, grain.start.w)
    let numbers = [grain.densityScale, grain.densityBias, grain.first, grain.second, grain.strength]
    return append(words: grain.brightness.words + numbers.bits + tiles)
  }

  private mutating func numbers(_ lookup: NumericStage.NumericLookup) -> [UInt32] {
    var numbers = [lookup.strength.bitPattern]
    if let (curves, domain) = lookup.shaper {
      let first = append((0..<3).flatMap { channel in curves.samples.map { $0[channel] } })
      numbers += [first, UInt32(curves.size)] + domain.scale.bits + domain.bias.bits
    } else {
      numbers += [UInt32](repeating: 0, count: 8)
    }
    if let (lattice, domain) = lookup.cube {
      let first =
        placesOfNodes[lattice]
        ?? lattice.nodes.withUnsafeBufferPointer { nodes in
          append(
            words: nodes.lazy.flatMap { [$0.x.bitPattern, $0.y.bitPattern, $0.z.bitPattern, 0] }, alignment: 4
          )
        }
      placesOfNodes[lattice] = first
      numbers += [first / 4, UInt32(lattice.size)] + domain.scale.bits + domain.bias.bits
    }
    return numbers
  }

  // MARK: Data

  mutating func append(_ values: [Float]) -> UInt32 { append(words: values.lazy.map(\.bitPattern)) }

  /// - Returns: the index of the first word.
  mutating func append(words added: some Sequence<UInt32>, alignment: Int = 1) -> UInt32 {
    while words.count % alignment != 0 { words.append(0) }
    let start = words.count
    words.append(contentsOf: added)
    return UInt32(truncatingIfNeeded: start)
  }
}

extension NumericStage.ParametricCurve {
  var words: [UInt32] { [toe, slope, scale, gain, offset, exponent, shift].bits }
}

extension NumericStage.BrightnessNumbers {
  var words: [UInt32] { (toWorking + [floor, bias, most]).bits }
}

extension [Float] {
  var bits: [UInt32] { map(\.bitPattern) }
}

extension SIMD3<Float> {
  fileprivate var bits: [UInt32] { [x.bitPattern, y.bitPattern, z.bitPattern] }
}
