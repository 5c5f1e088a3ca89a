import FilterGraph
import FrameCore
import Rendering
import VulkanCompute

/// The input of a plan's last step: the source, or the downsampled picture.
enum RenderedFrom {
  case picture(PixelBuffer)
  case resident(DeviceBuffer, DeviceLayout)

  init(_ downsampled: VulkanPicture.Downsampled) {
    switch downsampled {
    case .device(let buffer, let transfer, _): self = .resident(buffer, transfer.layout)
    case .picture(let picture): self = .picture(picture)
    }
  }
}

extension VulkanRenderer {
  func render(_ picture: VulkanPicture, rows: Range<Int>, into output: PixelBuffer) throws {
    try picture.plan.plan.check(rows: rows, output: output)
    try attempt(picture.plan) { loaded in
      guard loaded.downsampledTransfer != nil else {
        try render(
          .picture(picture.source), through: loaded, light: picture.light, rows: rows, into: output)
        return
      }
      let downsampled = try picture.downsampled(on: loaded.context) {
        try downsample(picture.source, through: loaded)
      }
      try render(
        RenderedFrom(downsampled), through: loaded, light: picture.light, rows: rows, into: output)
    }
  }

  /// The size of a part above which nothing is gained: while one is copied, the device works on the next.
  static let partBytes = 128 << 20

  /// Renders rows of the output, in as many parts as memory requires.
  func render(
    _ source: RenderedFrom, through loaded: LoadedPlan, light: LightMemory?, rows: Range<Int>,
    into output: PixelBuffer
  ) throws {
    guard !rows.isEmpty else { return }
    let shares = loaded.shares
    let tiling = loaded.tiling
    // A resident source reduces the memory of all tiles.
    var resident = 0
    if case .resident(let buffer, _) = source { resident = buffer.bytes }
    let tileBytes = shares.tileBytes - resident / LoadedPlan.MemoryShares.tileLanes
    guard
      let tiles = tiling.tiles(
        rows: rows, budget: min(tileBytes, Self.partBytes),
        bufferBytes: loaded.context.device.bufferBytes, sourceIsThere: resident > 0)
    else { throw loaded.memoryError(nil) }
    let lanes = loaded.context.lanes
    var tickets: [UInt64] = []
    var failure: (any Error)?
    do {
      for tile in tiles {
        let ticket = try lanes.fly(among: LoadedPlan.MemoryShares.tileLanes, keeping: tileBytes) {
          try $0.submit(
            job(tile, of: source, through: loaded, light: light, into: output, firstRow: rows.lowerBound))
        }
        tickets.append(ticket)
      }
    } catch {
      failure = error
    }
    // The output belongs to the caller again when this returns, even after a failure.
    for ticket in tickets {
      if let failed = lanes.finish(ticket: ticket) { failure = failure ?? failed.failure }
    }
    if let failure { throw failure }
  }

  private func job(
    _ tile: OutputTile, of source: RenderedFrom, through loaded: LoadedPlan, light: LightMemory?,
    into output: PixelBuffer, firstRow: Int
  ) -> LaneJob {
    let plan = loaded.program.plan
    let from: LaneJob.Source =
      switch source {
      case .picture(let picture):
        .picture(
          picture,
          PictureTransfer(
            size: loaded.tiling.sourceSize, format: loaded.tiling.sourceFormat, columns: tile.sourceColumns,
            rows: tile.sourceRows))
      case .resident(let buffer, let layout): .resident(buffer, layout)
      }
    let transfer = PictureTransfer(
      size: plan.outputSize, format: plan.output.format, columns: tile.columns, rows: tile.rows)
    return LaneJob(
      plan: loaded, source: from, fromInput: false, target: .picture(output, transfer, firstRow: firstRow),
      light: light, frame: nil)
  }

  // MARK: Downsamplings

  /// Downsamples a picture in bands of the result: a horizontal pass over rows of the source in pieces that fit into
  /// memory, then averages them.
  func downsample(_ picture: PixelBuffer, through loaded: LoadedPlan) throws -> VulkanPicture.Downsampled {
    guard let downsampling = loaded.program.downsampling, let whole = loaded.downsampledTransfer else {
      return .picture(picture)
    }
    let shares = loaded.shares
    let device = loaded.context.device
    let downsampled: VulkanPicture.Downsampled
    if whole.bytes <= shares.tileBytes / 2, whole.bytes <= device.bufferBytes {
      downsampled = .device(
        try DeviceBuffer(device, bytes: whole.bytes, VC_MEMORY_DEVICE), whole, loaded.context)
    } else {
      downsampled = .picture(
        try PixelBuffer(
          size: downsampling.downsampledSize, format: downsampling.downsampledFormat, tags: picture.tags,
          alpha: picture.alpha))
    }
    let part = min(shares.tileBytes, Self.partBytes)
    try loaded.context.lanes.borrow(keeping: shares.tileBytes) { lane in
      for band in loaded.downsampledBands(of: downsampling, horizontalBytes: part / 4) {
        try downsample(
          picture, to: band, of: downsampled, downsampling, through: loaded, lane, bytes: part / 4)
      }
    }
    return downsampled
  }

  private func downsample(
    _ picture: PixelBuffer, to band: Range<Int>, of downsampled: VulkanPicture.Downsampled,
    _ downsampling: PlanProgram.Downsampling, through loaded: LoadedPlan, _ lane: FrameLane, bytes: Int
  ) throws {
    let program = loaded.program
    let needed = program.sourceRows(forDownsampled: band)
    let horizontal = loaded.horizontalTransfer(downsampling, needed)
    let horizontalRows = try lane.horizontalBuffer(
      horizontal.bytes, source: bytes, target: bandTransfer(band, downsampling).bytes)
    for piece in pieces(of: needed, in: picture, bytes: bytes) {
      let shown = program.sourceRows(forHorizontal: piece)
      let transfer = PictureTransfer(size: picture.size, format: picture.format, rows: shown)
      try lane.recording.begin()
      // Waits until the previous pieces have been written.
      lane.recording.barrier()
      let source = try lane.bring(picture, transfer)
      lane.record(
        program.horizontalDispatches(from: transfer.layout, to: horizontal.layout.band(piece)), of: loaded,
        from: source, to: horizontalRows)
      if piece.upperBound == needed.upperBound {
        lane.recording.barrier()
        try recordVerticalPass(
          horizontalRows, horizontal.layout, to: band, of: downsampled, downsampling, through: loaded, lane)
      }
      try lane.finishStep()
    }
    if case .picture(let target) = downsampled {
      try lane.take(bandTransfer(band, downsampling), into: target, firstRow: 0)
    }
  }

  private func bandTransfer(_ band: Range<Int>, _ downsampling: PlanProgram.Downsampling) -> PictureTransfer {
    PictureTransfer(size: downsampling.downsampledSize, format: downsampling.downsampledFormat, rows: band)
  }

  private func recordVerticalPass(
    _ horizontalRows: DeviceBuffer, _ layout: DeviceLayout, to band: Range<Int>,
    of downsampled: VulkanPicture.Downsampled,
    _ downsampling: PlanProgram.Downsampling, through loaded: LoadedPlan, _ lane: FrameLane
  ) throws {
    let program = loaded.program
    switch downsampled {
    case .device(let buffer, let transfer, _):
      lane.record(
        program.verticalDispatches(from: layout, to: transfer.layout.band(band)), of: loaded,
        from: horizontalRows,
        to: buffer)
    case .picture:
      let transfer = bandTransfer(band, downsampling)
      let target = try lane.landing(transfer.bytes)
      lane.record(
        program.verticalDispatches(from: layout, to: transfer.layout), of: loaded, from: horizontalRows,
        to: target)
      try lane.recordReturn(transfer.bytes)
    }
  }

  /// Divides rows into pieces of about `bytes` of the picture.
  private func pieces(of rows: Range<Int>, in picture: PixelBuffer, bytes: Int) -> [Range<Int>] {
    let row = PictureTransfer(size: picture.size, format: picture.format, rows: 0..<1).bytes
    let step = max(1, bytes / row)
    return stride(from: rows.lowerBound, to: rows.upperBound, by: step).map {
      $0..<min($0 + step, rows.upperBound)
    }
  }
}
