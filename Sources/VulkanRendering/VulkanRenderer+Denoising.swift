import FilterGraph
import FrameCore
import Rendering
import VulkanCompute

extension VulkanRenderer {
  /// Returns a picture without noise in the processor's memory, made in bands that fit into the device's; the picture if
  /// the plan keeps its noise.
  func withoutNoise(_ picture: PixelBuffer, through loaded: LoadedPlan) throws -> PixelBuffer {
    let program = loaded.program
    guard let denoised = program.denoised else { return picture }
    let clean = try PixelBuffer(
      size: picture.size, format: denoised.format, tags: picture.tags, alpha: picture.alpha)
    let part = min(loaded.shares.tileBytes, Self.partBytes) / 4
    try loaded.context.lanes.borrow(keeping: loaded.shares.tileBytes) { lane in
      for rows in program.denoisedBands(of: 0..<picture.height, guideBytes: part) {
        try removeNoise(of: rows, in: picture, into: clean, denoised, through: loaded, lane)
      }
    }
    return clean
  }

  private func removeNoise(
    of rows: Range<Int>, in picture: PixelBuffer, into clean: PixelBuffer, _ denoised: PlanProgram.Denoised,
    through loaded: LoadedPlan, _ lane: FrameLane
  ) throws {
    let program = loaded.program
    let shown = program.sourceRows(forDenoised: rows)
    let transfer = PictureTransfer(size: picture.size, format: picture.format, rows: shown)
    let result = PictureTransfer(size: picture.size, format: denoised.format, rows: rows)
    let guide = program.guideTransfer(for: rows)
    let guideRows = try lane.guideBuffer(guide.bytes, source: transfer.bytes, target: result.bytes)
    try lane.recording.begin()
    let source = try lane.bring(picture, transfer)
    let target = try lane.landing(result.bytes)
    lane.record(
      program.denoisingBand(from: transfer.layout, guide: guide.layout, to: result.layout), of: loaded,
      from: source, guide: guideRows, to: target)
    try lane.recordReturn(result.bytes)
    try lane.finishStep()
    try lane.take(result, into: clean, firstRow: 0)
  }
}
