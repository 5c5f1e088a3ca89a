import FilterGraph
import FrameCore
import PixelKernels
import Synchronization

/// A plan's colour stages in the CPU's form, with the tables laid out.
final class CompiledColor: Sendable {
  enum Form: Sendable {
    case none
    /// Only plans from 8 bits to 8 bits, which do not dither, have tables of either kind. Ahead of a neighbourhood
    /// their result has 16 bits.
    case tables(ChannelTables)
    case baked(BakedKernel)
    case bakedPair(BakedPair)
    /// A single table as given by its file, for deep pixels that keep their format.
    case lookup(KernelStages)
    case exact(KernelStages)
    /// Exact stages whose light the table takes, as those ahead of a field.
    case staged(KernelStages, BakedKernel, LightRows?)
    case stagedPair(KernelStages, BakedPair, LightRows?)
  }

  /// Everything that a form depends on.
  struct Key: Hashable, Sendable {
    /// The plan's pointwise stages.
    var stages: [Stage]
    /// The format of the samples before colour.
    var sampledFormat: PixelFormat
    var outputFormat: PixelFormat
    var dithers: Bool
    /// The number of output pixels: a table is laid out only if there are enough of them.
    var pixels: Int
  }

  let key: Key
  let form: Form

  init(_ key: Key) {
    self.key = key
    let (stages, format) = (key.stages, key.sampledFormat)
    switch stages.first {
    case nil: form = .none
    case .channelTables(let stages)?:
      form = .tables(
        key.outputFormat == .rgba8
          ? ChannelTables(stages, input: format) : ChannelTables(deep: stages, input: format))
    case .baked(let lut)?:
      if lut.feedsTable, stages.count == 2, case .baked(let second) = stages[1] {
        form = .bakedPair(BakedPair(first: lut, second: second, pixels: key.pixels))
      } else {
        // Compact tables are made for results of 8 bits.
        let samples = key.outputFormat == .rgba8 ? format.kernelSample : SL_U16
        form = .baked(BakedKernel(lut, pixels: key.pixels, samples: samples))
      }
    case .matrix?, .curve?, .pointwise?, .field?, .masked?, .lut?, .geometry?, .downsample?, .ycbcr?,
      .denoise?,
      .sharpen?:
      if let staged = Self.staged(stages, pixels: key.pixels) {
        form = staged
        return
      }
      let kernels = KernelStages(stages)
      let staysDeep = [.rgba16, .rgbaF32].contains(format) && format == key.outputFormat && !key.dithers
      form = staysDeep && kernels.withLookup { _ in } ? .lookup(kernels) : .exact(kernels)
    }
  }

  /// The form of exact stages with tables behind them; nil without tables.
  private static func staged(_ stages: [Stage], pixels: Int) -> Form? {
    let tables = stages.compactMap { stage -> BakedLUT? in
      if case .baked(let lut) = stage { lut } else { nil }
    }
    guard let first = tables.first else { return nil }
    let head = Array(stages.dropLast(tables.count))
    let (exact, rows) = (KernelStages(head), LightRows(head))
    return first.feedsTable && tables.count == 2
      ? .stagedPair(exact, BakedPair(first: first, second: tables[1], pixels: pixels), rows)
      : .staged(exact, BakedKernel(first, pixels: pixels, samples: SL_U16), rows)
  }

  /// Whether colour needs the scratch's rows, which are as wide as a default tile.
  var usesScratch: Bool {
    switch form {
    case .exact, .staged, .stagedPair: true
    case .none: key.dithers
    case .tables, .baked, .bakedPair, .lookup: false
    }
  }

  /// Colour as the rows of a tile use it: plain pointers. Reference counting on objects shared by all threads, row
  /// by row, would make the threads wait for each other.
  enum Rows {
    case none
    case tables(UnsafeRawPointer)
    case baked(UnsafePointer<sl_baked_lut>)
    case bakedPair(UnsafePointer<sl_baked_lut>, UnsafePointer<sl_baked_lut>, slopeOutside: Float)
    case lookup(UnsafePointer<sl_lookup>)
    case exact(Unmanaged<KernelStages>)
    case staged(Unmanaged<KernelStages>, StagedTables)
  }

  /// Calls `body` with pointers that are valid until it returns.
  func withRows(_ body: (Rows) -> Void) {
    switch form {
    case .none: body(.none)
    case .tables(let tables): withExtendedLifetime(tables) { body(.tables($0.entries)) }
    case .baked(let lut): lut.withKernel { body(.baked($0)) }
    case .bakedPair(let pair): pair.withKernels { body(.bakedPair($0, $1, slopeOutside: $2)) }
    case .lookup(let stages): stages.withLookup { body(.lookup($0)) }
    case .exact(let stages): withExtendedLifetime(stages) { body(.exact(.passUnretained($0))) }
    case .staged(let stages, let lut, let rows):
      withExtendedLifetime((stages, rows)) {
        lut.withKernel {
          body(
            .staged(
              .passUnretained(stages), StagedTables(first: $0, rows: rows.map { UnsafePointer($0.kernel) })))
        }
      }
    case .stagedPair(let stages, let pair, let rows):
      withExtendedLifetime((stages, rows)) {
        pair.withKernels {
          body(
            .staged(
              .passUnretained(stages),
              StagedTables(
                first: $0, second: $1, slopeOutside: $2, rows: rows.map { UnsafePointer($0.kernel) })))
        }
      }
    }
  }
}

/// The compiled colours that a renderer's plans currently use. Plans with equal colour share one, so that a live
/// level, which changes the geometry many times a second, lays out no table again.
///
/// Holds them weakly: a colour is freed with the last plan that uses it.
final class CompiledColors: Sendable {
  private struct Shared: Sendable {
    weak var color: CompiledColor?
  }

  private struct State {
    var shared: [Shared] = []
    var made = 0
  }

  private let state = Mutex(State())

  /// The number of colours made rather than shared.
  var made: Int { state.withLock { $0.made } }

  /// Returns the colour for `key`: one in use if there is one, else a new one.
  func color(for key: CompiledColor.Key) -> CompiledColor {
    let inUse = state.withLock { state in
      state.shared.removeAll { $0.color == nil }
      return state.shared.compactMap(\.color)
    }
    // Compared and made outside the lock, so that other plans do not wait. Two made at once are both valid.
    if let known = inUse.last(where: { $0.key == key }) { return known }
    let color = CompiledColor(key)
    state.withLock { state in
      state.made += 1
      state.shared.append(Shared(color: color))
    }
    return color
  }
}
