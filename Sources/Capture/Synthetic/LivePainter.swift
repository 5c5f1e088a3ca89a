import FrameCore
import Libc

/// Paints the scene of `SyntheticScene` fast enough for live video, slightly less exactly.
///
/// The scene is painted level into layers: static objects once, moving ones every half second, a few rows with
/// every frame. A frame blends two moments of sky and sea, overlays the foreground, rotates the result with two
/// shears and applies the light, all on bytes. The horizon is at `SyntheticScene.horizonRow`.
///
/// Nothing is allocated after the first frame. Not for concurrent use.
final class LivePainter {
  /// Seconds between moments of sky and sea.
  private static let interval = 0.5

  private let geometry: LiveGeometry
  private let foreground: LiveForeground
  /// Three moments: two being blended and one being painted.
  private var backdrops: [(index: Int, backdrop: LiveBackdrop)]
  /// One level row: luma bytes, then chroma bytes.
  private let level: BytePlane
  /// Canvas rows after the first shear.
  private let luma: RowRing
  private let chroma: RowRing
  private var packer: LivePacker
  private let chart: LiveChart?
  private let flash: LiveFlash
  private let pages: LivePages?

  /// - Parameters:
  ///   - scene: provides size, seed, height of the horizon, and chart.
  ///   - maximumRoll: in degrees, 0…15.
  ///   - showsPages: whether pages are laid before the camera.
  init(_ scene: SyntheticScene, maximumRoll: Double, showsPages: Bool = false) throws {
    let geometry = LiveGeometry(
      size: scene.size, horizonHeight: scene.horizonHeight, maximumRoll: maximumRoll)
    self.geometry = geometry
    var still = scene
    still.time = 0
    let painter = ScenePainter(still, reach: Double(geometry.canvasWidth) / Double(scene.size.height) / 2)
    foreground = try LiveForeground(geometry: geometry, painter: painter)
    backdrops = try (0..<3).map { _ in (-1, try LiveBackdrop(geometry: geometry, painter: painter)) }
    level = try BytePlane(width: geometry.canvasWidth, rows: 2)
    let span = Int((Double(geometry.width) * sin(maximumRoll * .pi / 180)).rounded(.up)) + 3
    luma = try RowRing(width: geometry.width, rows: span)
    chroma = try RowRing(width: geometry.width, rows: span)
    packer = try LivePacker(width: geometry.width)
    chart = scene.showsPatches ? LiveChart(scene) : nil
    flash = LiveFlash(size: scene.size)
    pages = showsPages ? LivePages(size: scene.size) : nil
  }

  /// Paints a frame.
  ///
  /// - Parameters:
  ///   - buffer: a buffer of the scene's size, in one of `LivePacker.formats`.
  ///   - seconds: at least 0; the picture depends only on the parameters, not on earlier frames.
  ///   - roll: in degrees, at most the maximum.
  ///   - gain: linear gains of the light on R, G, B.
  ///   - isLit: whether the lamp for the flash is on; nil shows no lamp.
  func paint(
    into buffer: PixelBuffer, at seconds: Double, roll: Double, gain: SIMD3<Float>, isLit: Bool? = nil
  ) {
    let moment = max(seconds, 0) / Self.interval
    let index = Int(moment)
    let fraction = moment - Double(index)
    let before = completeBackdrop(index, keeping: index...index + 2)
    let after = completeBackdrop(index + 1, keeping: index...index + 2)
    // Paint slightly ahead, but not before the first frame exists.
    if moment > 0 { prepareBackdrop(index + 2, keeping: index...index + 2, upTo: fraction + 0.05) }

    pages?.place(at: seconds)
    turn(
      Layers(before: before, after: after, weight: Int((fraction * 256).rounded())), into: buffer,
      angle: roll * .pi / 180, gain: gain, isLit: isLit)
  }

  // MARK: Moments

  /// Moment 1 is the start of the scene and also serves as moment 0, so that a source opens with only one painted.
  private static func time(of index: Int) -> Double { Double(index - 1) * interval }

  private func slot(_ index: Int, keeping kept: ClosedRange<Int>) -> Int {
    if let found = backdrops.firstIndex(where: { $0.index == index }) { return found }
    let free = backdrops.firstIndex { !kept.contains($0.index) } ?? 0
    backdrops[free].index = index
    backdrops[free].backdrop.begin(at: Self.time(of: index))
    return free
  }

  private func completeBackdrop(_ index: Int, keeping kept: ClosedRange<Int>) -> LiveBackdrop {
    let backdrop = backdrops[slot(max(index, 1), keeping: kept)].backdrop
    if !backdrop.isStarted { backdrop.paintAtOnce() } else { backdrop.paint(upTo: 1) }
    return backdrop
  }

  private func prepareBackdrop(_ index: Int, keeping kept: ClosedRange<Int>, upTo fraction: Double) {
    backdrops[slot(index, keeping: kept)].backdrop.paint(upTo: fraction)
  }

  // MARK: The two shears

  private struct Layers {
    let before: LiveBackdrop
    let after: LiveBackdrop
    /// The weight of `after`, 0…256.
    let weight: Int
  }

  /// Composes a canvas row and shifts it, so that its columns line up with the picture's.
  private func shearRow(_ row: Int, _ layers: Layers, tangent: Double) {
    let (y, c) = (level.row(0), level.row(1))
    let (before, after) = (layers.before, layers.after)
    // The range that the shear reads, and the foreground within it.
    let first = geometry.firstColumn(ofRow: row, tangent: tangent)
    let start = (first >> 8) & ~15
    let count = geometry.width + 32
    RowKernels.mix(
      before.luma.row(row) + start, after.luma.row(row) + start, weight: layers.weight, count: count,
      into: y + start)
    RowKernels.mix(
      before.chroma.row(row) + start, after.chroma.row(row) + start, weight: layers.weight, count: count,
      into: c + start)
    let columns = foreground.columns[row]
    let left = columns.lowerBound
    RowKernels.lay(
      foreground.luma.row(row) + left, cover: foreground.lumaCover.row(row) + left, over: y + left,
      count: columns.count)
    RowKernels.lay(
      foreground.chroma.row(row) + left, cover: foreground.chromaCover.row(row) + left, over: c + left,
      count: columns.count)
    let (whole, rest) = (first >> 8, first & 255)
    RowKernels.mix(y + whole, y + whole + 1, weight: rest, count: geometry.width, into: luma.row(row))
    // Half as many samples, of two bytes each.
    let (pair, part) = (first >> 9, (first >> 1) & 255)
    RowKernels.mix(
      c + 2 * pair, c + 2 * pair + 2, weight: part, count: geometry.width, into: chroma.row(row))
    luma.finish(row)
    chroma.finish(row)
  }

  private func turn(
    _ layers: Layers, into buffer: PixelBuffer, angle: Double, gain: SIMD3<Float>, isLit: Bool?
  ) {
    let (sine, cosine, tangent) = (sin(angle), cos(angle), tan(angle))
    let step = Int((sine * 65_536).rounded())
    let light = LiveLight(gain: gain)
    chart?.light(by: gain)
    // Canvas rows are made just before they are needed, so that they are still in the cache.
    var next: Int?
    for y in 0..<geometry.size.height {
      let position = geometry.firstRow(ofPictureRow: y, sine: sine, cosine: cosine)
      let end = position + (geometry.width - 1) * step
      let last = (max(position, end) >> 16) + 1
      for row in stride(from: next ?? min(position, end) >> 16, through: last, by: 1) {
        shearRow(row, layers, tangent: tangent)
      }
      next = last + 1
      let (lumaRow, chromaRow) = packer.rows(y)
      RowKernels.shear(luma, position: position, step: step, count: geometry.width, into: lumaRow)
      RowKernels.shear(chroma, position: position, step: step, count: geometry.width, into: chromaRow)
      light.apply(luma: lumaRow, chroma: chromaRow, count: geometry.width)
      chart?.paint(row: y, luma: lumaRow, chroma: chromaRow)
      pages?.paint(row: y, luma: lumaRow, chroma: chromaRow)
      if let isLit { flash.paint(row: y, luma: lumaRow, chroma: chromaRow, isLit: isLit) }
      packer.pack(y, into: buffer)
    }
  }
}
