import FilterGraph
import FrameCore
import Rendering

extension PlanProgram {
  /// The steps ahead of everything else if the plan removes noise: source → guide → picture without noise, in bands
  /// whose guides use the same memory.
  struct Denoised: Sendable {
    let format: PixelFormat
    /// Three planes and nothing.
    let guideFormat = PixelFormat.rgbaF32
    /// Indices into `PlanProgram.variants`.
    let guideVariant, variant: Int

    /// The rows on each side of a row on which it depends, in either pass, rounded up to a multiple of the rows between
    /// blocks.
    static let reach = 8
    /// Rows of a picture in parts may begin at its multiples, since blocks lie on every fourth row.
    static let rowGroup = 16
  }

  struct DenoisingBand: Sendable {
    var guide: [Dispatch]
    var result: [Dispatch]
  }

  /// The format of the picture that is downsampled or sampled.
  var inputFormat: PixelFormat { denoised?.format ?? plan.input.format }

  /// The rows of a picture without noise, and of the guide that they need.
  func guideTransfer(for rows: Range<Int>) -> PictureTransfer {
    let format = denoised?.guideFormat ?? .rgbaF32
    return PictureTransfer(
      size: plan.input.size, format: format, rows: rows.grown(Denoised.reach, in: plan.input.size.height))
  }

  /// The source's rows that rows without noise need, including those that a camera's colour differences are interpolated
  /// from.
  func sourceRows(forDenoised rows: Range<Int>) -> Range<Int> {
    // Two passes, and the taps of colour differences that stand for two rows each.
    rows.grown(3 * Denoised.reach, in: plan.input.size.height)
  }

  /// Of a guide, and of the guide of a band that is as low as can be.
  private var guideRowBytes: Int {
    let some = guideTransfer(for: 0..<1)
    return some.bytes / some.layout.rows.count
  }
  private var leastGuideBytes: Int { guideRowBytes * (Denoised.rowGroup + 2 * Denoised.reach) }

  /// Returns what the guides of bands take: at most `bytes`, unless the lowest band needs more.
  func guideBytes(atMost bytes: Int) -> Int { max(bytes, leastGuideBytes) }

  /// Divides rows without noise into bands whose guides take at most `bytes`, unless a band is as low as can be.
  func denoisedBands(of rows: Range<Int>, guideBytes bytes: Int) -> [Range<Int>] {
    let fitting = bytes / guideRowBytes - 2 * Denoised.reach
    return rows.pieces(of: max(1, fitting / Denoised.rowGroup) * Denoised.rowGroup)
  }

  /// The dispatches that make `target.rows` without noise; `guide` is the layout of `guideTransfer(for:)`.
  func denoisingBand(from source: DeviceLayout, guide: DeviceLayout, to target: DeviceLayout) -> DenoisingBand
  {
    guard let denoised else { return DenoisingBand(guide: [], result: []) }
    return DenoisingBand(
      guide: [denoisingDispatch(denoised.guideVariant, from: source, to: guide, guide: nil)],
      result: [denoisingDispatch(denoised.variant, from: source, to: target, guide: guide)])
  }
}

extension Range<Int> {
  /// Extended by `count` on both sides, within 0..<`end`.
  fileprivate func grown(_ count: Int, in end: Int) -> Range<Int> {
    Swift.max(0, lowerBound - count)..<Swift.min(end, upperBound + count)
  }
}

extension ProgramTables {
  /// The words of `shaders/denoise.glsl`.
  mutating func setDenoising(_ denoising: Denoising) {
    let tables = NoiseTables(denoising.noise)
    // Of 16 blocks over a pixel, each at most as large as a sample can be along an axis, and twice that.
    let largestSum = 16 * 2 * Float(3).squareRoot() * tables.largest
    let ramp = Denoising.Treatment.ramp
    var list = [
      append(tables.forward), UInt32(tables.forward.count - 1), append(tables.backward),
      UInt32(tables.backward.count - 1), tables.highest.bitPattern, (2_147_483_648 / largestSum).bitPattern,
      Float((1 - ramp) / (2 * ramp)).bitPattern,
    ]
    for plane in 0..<3 {
      let (treatment, deviation) = (Denoising.treatments[plane], denoising.deviations[plane])
      let weakening = treatment.weakening * deviation
      let numbers = [
        denoising.strengths[plane], 1 / (2 * ramp * treatment.threshold * deviation), weakening * weakening,
      ]
      list += numbers.map { Float($0).bitPattern } + [UInt32(treatment.rowStep)]
    }
    setDenoising(list: list)
  }
}
