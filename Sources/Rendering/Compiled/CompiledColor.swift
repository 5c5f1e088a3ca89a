import FilterGraph
import FrameCore
import PixelKernels
import Synchronization

/// A plan's colour stages in the CPU's form, with the tables laid out.
final class CompiledColor: Sendable {
  enum Form: Sendable {
    case none
    /// Only plans from 8 bits to 8 bits, which do not dither, have tables of either kind.
    case tables(ChannelTables)
    case baked(BakedKernel)
    case bakedPair(BakedPair)
    /// A single table as given by its file, for deep pixels that keep their format.
    case lookup(KernelStages)
    case exact(KernelStages)
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
    case .channelTables(let stages)?: form = .tables(ChannelTables(stages, input: format))
    case .baked(let lut)?:
      if lut.feedsTable, stages.count == 2, case .baked(let second) = stages[1] {
        form = .bakedPair(BakedPair(first: lut, second: second, pixels: key.pixels))
      } else {
        form = .baked(BakedKernel(lut, pixels: key.pixels, samples: format.kernelSample))
      }
    case .matrix?, .curve?, .pointwise?, .lut?, .geometry?, .downsample?, .ycbcr?:
      let kernels = KernelStages(stages)
      let staysDeep = [.rgba16, .rgbaF32].contains(format) && format == key.outputFormat && !key.dithers
      form = staysDeep && kernels.withLookup { _ in } ? .lookup(kernels) : .exact(kernels)
    }
  }

  /// Whether colour needs the scratch's rows, which are as wide as a default tile.
  var usesScratch: Bool {
    switch form {
    case .exact: true
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
