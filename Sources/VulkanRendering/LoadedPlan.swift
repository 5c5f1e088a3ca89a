import FilterGraph
import FrameCore
import Rendering
import Synchronization

/// A plan on one device: kernels, tables, and how its pictures lie there.
final class LoadedPlan: Sendable {
  let context: DeviceContext
  let renderer: VulkanRenderer
  let program: PlanProgram
  let kernels: [DeviceKernel]
  let tables: DeviceBuffer
  let tiling: Tiling
  /// The whole input, output and reduced picture.
  let sourceTransfer, targetTransfer: PictureTransfer
  let reducedTransfer: PictureTransfer?
  /// Bytes for narrowed rows of a whole frame, at most, where a single row does not need more.
  let narrowedBytes: Int
  private let memory: Mutex<MemoryShares>
  private let known = Mutex<[FrameDispatches]>([])

  /// How the device's memory is shared out.
  struct MemoryShares: Hashable {
    /// Lanes that whole frames go through; 0 where they do not fit, or are too much at once.
    var lanes: Int
    /// Bytes of a lane for whole frames.
    var laneBytes: Int
    /// Bytes of a tile, and of its part of the source; two of them are under way.
    var tileBytes: Int
    static let tileLanes = 2
  }

  /// More narrowed rows at once gain nothing.
  private static let mostNarrowedBytes = 64 << 20
  /// Tiles are not made smaller than this.
  private static let leastTileBytes = 256 << 10
  /// Pixels of a picture that the device is given at once, at most. Drivers take a device that is at one submission for
  /// seconds to hang, and reset it; and until it is done the machine's screen waits.
  static let mostPixels = 64 << 20
  /// Arrangements of pictures in memory whose dispatches are remembered.
  private static let arrangements = 8

  init(_ program: PlanProgram, on context: DeviceContext, of renderer: VulkanRenderer) throws {
    self.program = program
    self.context = context
    self.renderer = renderer
    kernels = try context.kernels(program.variants)
    tables = try context.makeTables(program.tables)
    let plan = program.plan
    tiling = Tiling(program)
    sourceTransfer = PictureTransfer(size: plan.input.size, format: plan.input.format)
    targetTransfer = PictureTransfer(size: plan.outputSize, format: plan.output.format)
    reducedTransfer = program.reduction.map {
      PictureTransfer(size: $0.reducedSize, format: $0.reducedFormat)
    }
    let budget = context.frameBudget
    let parts = [sourceTransfer.bytes, targetTransfer.bytes, reducedTransfer?.bytes ?? 0]
    narrowedBytes = program.reduction == nil ? 0 : min(Self.mostNarrowedBytes, budget / 16)
    let frame = parts.reduce(narrowedBytes, +)
    let pixels = max(plan.outputSize.pixelCount, program.reduction == nil ? 0 : plan.input.size.pixelCount)
    let fits = parts.allSatisfy { $0 <= context.device.bufferBytes } && pixels <= Self.mostPixels
    let lanes = fits ? min(LanePool.count, budget / frame) : 0
    memory = Mutex(
      MemoryShares(
        lanes: lanes, laneBytes: lanes == 0 ? 0 : budget / lanes,
        tileBytes: budget / MemoryShares.tileLanes))
  }

  var shares: MemoryShares { memory.withLock { $0 } }

  /// Makes do with less, since the device had less than it told.
  ///
  /// - Returns: false where it cannot be less.
  func lessen() -> Bool {
    context.lanes.releaseMemory()
    return memory.withLock { shares in
      if shares.lanes > 1 {
        shares.lanes = 1
      } else if shares.lanes == 1 {
        shares.lanes = 0
        shares.tileBytes = min(shares.tileBytes, shares.laneBytes / 2)
      } else if shares.tileBytes / 2 >= Self.leastTileBytes {
        shares.tileBytes /= 2
      } else {
        return false
      }
      return true
    }
  }

  /// What to tell where no memory is little enough.
  func memoryError(_ reason: VulkanFailure?) -> SafelightError {
    func megabytes(_ bytes: Int) -> String { "\((bytes + 1_048_575) >> 20) MiB" }
    let needed = sourceTransfer.bytes + targetTransfer.bytes + (reducedTransfer?.bytes ?? 0)
    let detail = reason.map { " (\($0.message))" } ?? ""
    return SafelightError(
      .tooLarge,
      "The picture needs \(megabytes(needed)) of the GPU's memory, \(megabytes(context.frameBudget)) is free, and "
        + "parts of it do not fit either\(detail)",
      remedy: "close programs that use the GPU, or render on the CPU")
  }

  // MARK: Dispatches

  /// The dispatches for pictures that lie in buffers like this.
  ///
  /// - Parameter reduces: whether `source` is the plan's input and not the reduced picture.
  func dispatches(from source: DeviceLayout, to target: DeviceLayout, reduces: Bool) -> FrameDispatches {
    let found = known.withLock { list -> FrameDispatches? in
      var index = 0
      while index < list.count {
        if list[index].source == source, list[index].target == target, list[index].reduces == reduces {
          return list[index]
        }
        index += 1
      }
      return nil
    }
    if let found { return found }
    let made = FrameDispatches(self, from: source, to: target, reduces: reduces)
    known.withLock { list in
      if list.count >= Self.arrangements { list.removeFirst() }
      list.append(made)
    }
    return made
  }

  /// Where narrowed rows lie in a buffer of their own.
  func narrowedTransfer(_ reduction: PlanProgram.Reduction, _ rows: Range<Int>) -> PictureTransfer {
    PictureTransfer(size: reduction.narrowedSize, format: reduction.narrowedFormat, rows: rows)
  }

  /// Falls rows of the reduced picture into bands whose narrowed rows take at most `bytes`, if a band has more than one.
  func reducedBands(of reduction: PlanProgram.Reduction, narrowedBytes bytes: Int) -> [Range<Int>] {
    var bands: [Range<Int>] = []
    var rest = [0..<reduction.reducedSize.height]
    while let rows = rest.popLast() {
      let narrowed = narrowedTransfer(reduction, program.sourceRows(forReduced: rows))
      guard rows.count > 1, narrowed.bytes > bytes else {
        bands.append(rows)
        continue
      }
      let middle = rows.lowerBound + rows.count / 2
      rest.append(middle..<rows.upperBound)
      rest.append(rows.lowerBound..<middle)
    }
    return bands
  }
}

/// The dispatches of a frame, for one arrangement of its pictures in memory.
final class FrameDispatches: Sendable {
  struct Band: Sendable {
    var narrow: [Dispatch]
    var blend: [Dispatch]
  }
  let source, target: DeviceLayout
  let reduces: Bool
  /// Bands of the reduced picture, one after the other in the same memory for narrowed rows.
  let reduction: [Band]
  let narrowedBytes: Int
  let frame: [Dispatch]

  init(_ plan: LoadedPlan, from source: DeviceLayout, to target: DeviceLayout, reduces: Bool) {
    (self.source, self.target, self.reduces) = (source, target, reduces)
    let program = plan.program
    guard reduces, let reduction = program.reduction, let reduced = plan.reducedTransfer else {
      self.reduction = []
      narrowedBytes = 0
      frame = program.frameDispatches(from: source, to: target)
      return
    }
    var most = 0
    self.reduction = plan.reducedBands(of: reduction, narrowedBytes: plan.narrowedBytes).map { rows in
      let narrowed = plan.narrowedTransfer(reduction, program.sourceRows(forReduced: rows))
      most = max(most, narrowed.bytes)
      return Band(
        narrow: program.narrowDispatches(from: source, to: narrowed.layout),
        blend: program.blendDispatches(from: narrowed.layout, to: reduced.layout.band(rows)))
    }
    narrowedBytes = most
    frame = program.frameDispatches(from: reduced.layout, to: target)
  }
}
