import FilterGraph
import FrameCore
import Rendering
import Synchronization

/// A plan on one device: kernels, tables, and the layouts of its pictures.
final class LoadedPlan: Sendable {
  let context: DeviceContext
  let renderer: VulkanRenderer
  let program: PlanProgram
  let kernels: [DeviceKernel]
  let tables: DeviceBuffer
  let tiling: Tiling
  /// The whole input, output and downsampled picture.
  let sourceTransfer, targetTransfer: PictureTransfer
  let downsampledTransfer: PictureTransfer?
  /// The whole picture without noise; nil unless the plan removes it.
  let denoisedTransfer: PictureTransfer?
  /// The whole picture in between; nil unless the plan sharpens.
  let inBetweenTransfer: PictureTransfer?
  /// The maximum bytes for a frame's horizontally downsampled rows, unless a single row needs more.
  let horizontalBytes: Int
  /// The maximum bytes for the guides of a noise reduction, which are those of the lowest band at least.
  let guideBytes: Int
  private let memory: Mutex<MemoryShares>
  private let known = Mutex<[FrameDispatches]>([])

  /// The division of the device's memory.
  struct MemoryShares: Hashable {
    /// The number of lanes for whole frames; 0 if they do not fit or exceed what is submitted at once.
    var lanes: Int
    /// The bytes of a lane for whole frames.
    var laneBytes: Int
    /// The bytes of a tile and its part of the source; two tiles are in flight.
    var tileBytes: Int
    static let tileLanes = 2
  }

  /// A horizontal pass, or a guide, of more rows at once gains nothing.
  private static let mostHorizontalBytes = 64 << 20
  /// The minimum size of a tile.
  private static let leastTileBytes = 256 << 10
  /// The maximum number of pixels submitted at once. Drivers reset a device that works on one submission for
  /// seconds, taking it for hung, and until it is done the screen freezes.
  static let mostPixels = 64 << 20
  /// The number of memory layouts whose dispatches are kept.
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
    downsampledTransfer = program.downsampling.map {
      PictureTransfer(size: $0.downsampledSize, format: $0.downsampledFormat)
    }
    let budget = context.frameBudget
    inBetweenTransfer = program.transferInBetween(for: targetTransfer.layout)
    denoisedTransfer = program.denoised.map { PictureTransfer(size: plan.input.size, format: $0.format) }
    let parts = [
      sourceTransfer.bytes, targetTransfer.bytes, downsampledTransfer?.bytes ?? 0,
      inBetweenTransfer?.bytes ?? 0, denoisedTransfer?.bytes ?? 0,
    ]
    horizontalBytes = program.downsampling == nil ? 0 : min(Self.mostHorizontalBytes, budget / 16)
    guideBytes =
      program.denoised == nil ? 0 : program.guideBytes(atMost: min(Self.mostHorizontalBytes, budget / 16))
    let frame = parts.reduce(horizontalBytes + guideBytes, +)
    let readsInput = program.downsampling != nil || program.denoised != nil
    let pixels = max(plan.outputSize.pixelCount, readsInput ? plan.input.size.pixelCount : 0)
    let fits = parts.allSatisfy { $0 <= context.device.bufferBytes } && pixels <= Self.mostPixels
    let lanes = fits ? min(LanePool.count, budget / frame) : 0
    memory = Mutex(
      MemoryShares(
        lanes: lanes, laneBytes: lanes == 0 ? 0 : budget / lanes,
        tileBytes: budget / MemoryShares.tileLanes))
  }

  var shares: MemoryShares { memory.withLock { $0 } }

  /// Reduces the memory shares, since the device had less memory than it reported.
  ///
  /// - Returns: false if they cannot be reduced further.
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

  /// The error if even the smallest shares do not fit.
  func memoryError(_ reason: VulkanFailure?) -> SafelightError {
    func megabytes(_ bytes: Int) -> String { "\((bytes + 1_048_575) >> 20) MiB" }
    let needed = sourceTransfer.bytes + targetTransfer.bytes + (downsampledTransfer?.bytes ?? 0)
    let detail = reason.map { " (\($0.message))" } ?? ""
    return SafelightError(
      .noMemory,
      "The picture needs \(megabytes(needed)) of the GPU's memory, \(megabytes(context.frameBudget)) is free, and "
        + "parts of it do not fit either\(detail)",
      remedy: "close programs that use the GPU, or render on the CPU")
  }

  // MARK: Dispatches

  /// Returns the dispatches for pictures with these buffer layouts.
  ///
  /// - Parameter fromInput: whether `source` is the plan's input rather than the picture without noise or the
  ///   downsampled one.
  func dispatches(from source: DeviceLayout, to target: DeviceLayout, fromInput: Bool) -> FrameDispatches {
    let found = known.withLock { list -> FrameDispatches? in
      var index = 0
      while index < list.count {
        if list[index].source == source, list[index].target == target, list[index].fromInput == fromInput {
          return list[index]
        }
        index += 1
      }
      return nil
    }
    if let found { return found }
    let made = FrameDispatches(self, from: source, to: target, fromInput: fromInput)
    known.withLock { list in
      if list.count >= Self.arrangements { list.removeFirst() }
      list.append(made)
    }
    return made
  }

  /// Returns the layout of horizontally downsampled rows in a buffer of their own.
  func horizontalTransfer(_ downsampling: PlanProgram.Downsampling, _ rows: Range<Int>) -> PictureTransfer {
    PictureTransfer(size: downsampling.horizontalSize, format: downsampling.horizontalFormat, rows: rows)
  }

  /// Divides rows of the downsampled picture into bands whose horizontally downsampled rows take at most `bytes`,
  /// unless a band is a single row.
  func downsampledBands(of downsampling: PlanProgram.Downsampling, horizontalBytes bytes: Int) -> [Range<Int>]
  {
    var bands: [Range<Int>] = []
    var rest = [0..<downsampling.downsampledSize.height]
    while let rows = rest.popLast() {
      let horizontal = horizontalTransfer(downsampling, program.sourceRows(forDownsampled: rows))
      guard rows.count > 1, horizontal.bytes > bytes else {
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

/// The dispatches of a frame for one memory layout of its pictures.
final class FrameDispatches: Sendable {
  struct Band: Sendable {
    var horizontal: [Dispatch]
    var vertical: [Dispatch]
  }
  let source, target: DeviceLayout
  let fromInput: Bool
  /// Bands of the picture without noise, whose guides use the same memory one after another.
  let denoising: [PlanProgram.DenoisingBand]
  let guideBytes: Int
  /// Bands of the downsampled picture, which use the same memory for horizontally downsampled rows one after another.
  let downsampling: [Band]
  let horizontalBytes: Int
  let frame: [Dispatch]
  /// The bytes of the picture in between into which `frame` renders, and how it is sharpened; 0 and none if it renders
  /// the output.
  let inBetweenBytes: Int
  let sharpening: [Dispatch]

  init(_ plan: LoadedPlan, from source: DeviceLayout, to target: DeviceLayout, fromInput: Bool) {
    (self.source, self.target, self.fromInput) = (source, target, fromInput)
    let program = plan.program
    let denoised = fromInput ? plan.denoisedTransfer?.layout : nil
    var mostGuide = 0
    denoising =
      denoised.map { denoised in
        program.denoisedBands(of: denoised.rows, guideBytes: plan.guideBytes).map { rows in
          let guide = program.guideTransfer(for: rows)
          mostGuide = max(mostGuide, guide.bytes)
          return program.denoisingBand(from: source, guide: guide.layout, to: denoised.band(rows))
        }
      } ?? []
    guideBytes = mostGuide
    let source = denoised ?? source
    let inBetween = program.transferInBetween(for: target)
    inBetweenBytes = inBetween?.bytes ?? 0
    sharpening = inBetween.map { program.sharpenDispatches(from: $0.layout, to: target) } ?? []
    let rendered = inBetween?.layout ?? target
    guard fromInput, let downsampling = program.downsampling, let downsampled = plan.downsampledTransfer
    else {
      self.downsampling = []
      horizontalBytes = 0
      frame = program.frameDispatches(from: source, to: rendered)
      return
    }
    var most = 0
    self.downsampling = plan.downsampledBands(of: downsampling, horizontalBytes: plan.horizontalBytes).map {
      rows in
      let horizontal = plan.horizontalTransfer(downsampling, program.sourceRows(forDownsampled: rows))
      most = max(most, horizontal.bytes)
      return Band(
        horizontal: program.horizontalDispatches(from: source, to: horizontal.layout),
        vertical: program.verticalDispatches(from: horizontal.layout, to: downsampled.layout.band(rows)))
    }
    horizontalBytes = most
    frame = program.frameDispatches(from: downsampled.layout, to: rendered)
  }
}
