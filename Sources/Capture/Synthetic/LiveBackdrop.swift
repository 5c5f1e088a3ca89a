import Dispatch
import FrameCore
import Libc

/// The sky and sea at one moment, painted level into a canvas of luma and 4:2:2 chroma.
///
/// Clouds and distant waves have no detail as fine as a pixel along a row, so light is computed in every fourth
/// column and interpolated; in the sky also in every fourth row. (Every eighth in pictures above 1440 rows.)
final class LiveBackdrop: @unchecked Sendable {
  let luma: BytePlane
  /// Alternating Cb and Cr, each for two pixels; as wide as `luma`.
  let chroma: BytePlane

  /// A unit of work with its relative cost.
  private enum Work {
    case light(gridRow: Int)
    case pixels(row: Int)
    var cost: Int {
      switch self {
      case .light: 8
      case .pixels: 1
      }
    }
  }

  private let geometry: LiveGeometry
  private let step: Int
  private let seaStep: Int
  /// The grid's columns; the first and last lie outside the canvas.
  private let gridColumns: Int
  private let skyGridRows: Int
  private let gridRows: Int
  /// Y, Cb and Cr of each grid point, as separate planes of one row.
  private let grid: UnsafeMutablePointer<Float>
  private let work: [Work]
  private let totalCost: Int

  private var painter: ScenePainter
  private var done = 0
  private var costDone = 0
  /// The scene's time being painted, in seconds.
  private(set) var time = 0.0

  /// - Throws: `SafelightError(.noMemory)` if memory is short.
  init(geometry: LiveGeometry, painter: ScenePainter) throws {
    self.geometry = geometry
    self.painter = painter
    luma = try BytePlane(width: geometry.canvasWidth, rows: geometry.canvasRows)
    chroma = try BytePlane(width: geometry.canvasWidth, rows: geometry.canvasRows)
    step = geometry.size.height > 1440 ? 8 : 4
    seaStep = step / 4
    gridColumns = (geometry.canvasWidth + step - 1) / step + 2
    skyGridRows = (geometry.firstSeaRow + step - 1) / step
    gridRows = skyGridRows + (geometry.canvasRows - geometry.firstSeaRow + seaStep - 1) / seaStep
    let count = gridRows * gridColumns * 3
    // Zeroed on first access: the first frame needs only one of the three moments.
    guard let zeros = calloc(count, MemoryLayout<Float>.stride) else {
      throw SafelightError(
        .noMemory, "Not enough memory for \(count * 4 / 1_048_576) MiB of the synthetic scene",
        remedy: "close other programs or ask for a smaller size")
    }
    grid = zeros.bindMemory(to: Float.self, capacity: count)
    work =
      (0..<gridRows).map { .light(gridRow: $0) } + (0..<geometry.canvasRows).map { .pixels(row: $0) }
    totalCost = work.reduce(0) { $0 + $1.cost }
  }

  deinit { free(grid) }

  /// Discards the painting and starts again for `time`.
  func begin(at time: Double) {
    self.time = time
    painter.move(to: time)
    done = 0
    costDone = 0
  }

  var isStarted: Bool { done > 0 }

  /// Continues until `fraction` (0…1) of the work is done.
  func paint(upTo fraction: Double) {
    let goal = fraction >= 1 ? totalCost : Int(fraction * Double(totalCost))
    while costDone < goal, done < work.count {
      perform(work[done])
      costDone += work[done].cost
      done += 1
    }
  }

  /// Does all the work on all cores.
  func paintAtOnce() {
    let rowsPerBand = 16
    for part in [0..<gridRows, gridRows..<work.count] {
      let bands = (part.count + rowsPerBand - 1) / rowsPerBand
      DispatchQueue.concurrentPerform(iterations: bands) { band in
        let first = part.lowerBound + band * rowsPerBand
        for index in first..<min(first + rowsPerBand, part.upperBound) { perform(work[index]) }
      }
    }
    (done, costDone) = (work.count, totalCost)
  }

  private func perform(_ work: Work) {
    switch work {
    case .light(let row): computeLight(row)
    case .pixels(let row): paintPixels(row)
    }
  }

  /// Returns the fractional canvas row at the centre of a grid row.
  private func canvasRow(ofGridRow row: Int) -> Float {
    row < skyGridRows
      ? Float(geometry.firstSeaRow) - (Float(skyGridRows - row) - 0.5) * Float(step)
      : Float(geometry.firstSeaRow) + (Float(row - skyGridRows) + 0.5) * Float(seaStep)
  }

  private func computeLight(_ row: Int) {
    // Copy once per row: accessing a class property would copy it, with reference counting of its arrays, for
    // every point.
    let painter = self.painter
    let scale = painter.pixel
    let t = (canvasRow(ofGridRow: row) - Float(geometry.firstSeaRow)) * scale
    let out = grid + row * gridColumns * 3
    for column in 0..<gridColumns {
      let x = (Float(column) - 0.5) * Float(step) - Float(geometry.canvasWidth) / 2
      let light = painter.exposed(painter.backdrop(along: x * scale, below: t))
      let codes = LiveColor.codes(painter.encode(light))
      out[column] = codes.x
      out[gridColumns + column] = codes.y
      out[2 * gridColumns + column] = codes.z
    }
  }

  private func paintPixels(_ row: Int) {
    // The grid rows above and below, never across the horizon.
    let isSky = row < geometry.firstSeaRow
    let pitch = Float(isSky ? step : seaStep)
    let (first, last) = isSky ? (0, skyGridRows - 1) : (skyGridRows, gridRows - 1)
    let place = (Float(row) + 0.5 - canvasRow(ofGridRow: first)) / pitch
    let whole = max(0, min(Int(place.rounded(.down)), last - first))
    let above = first + whole
    let below = min(above + 1, last)
    let weight = max(0, min(1, place - Float(whole)))
    let (a, b) = (grid + above * gridColumns * 3, grid + below * gridColumns * 3)

    let (y, c) = (luma.row(row), chroma.row(row))
    let inverse = 1 / Float(step)
    var random = SceneNoise.hash(UInt32(truncatingIfNeeded: row) &* 2_654_435_761)
    let planes = gridColumns
    var x = 0
    var column = 0
    while x < geometry.canvasWidth {
      @inline(__always)
      func value(_ plane: Int, _ offset: Int) -> Float {
        let i = plane &* planes &+ column &+ offset
        return a[i] + (b[i] - a[i]) * weight
      }
      let (y0, y1, y2) = (value(0, 0), value(0, 1), value(0, 2))
      let (u0, u1, u2) = (value(1, 0), value(1, 1), value(1, 2))
      let (v0, v1, v2) = (value(2, 0), value(2, 1), value(2, 2))
      let end = min(step, geometry.canvasWidth - x)
      var j = 0
      while j < end {
        // The position of this pair between the centres of its block and the neighbouring blocks, −0.5…0.5.
        let center = (Float(j) + 1) * inverse - 0.5
        let left = center - 0.5 * inverse
        let right = center + 0.5 * inverse
        random = random &* 1_664_525 &+ 1_013_904_223
        let (d0, d1) = (Float(random >> 24) * 0x1p-8, Float((random >> 16) & 255) * 0x1p-8)
        y[x &+ j] = UInt8(Self.between(y0, y1, y2, left) + d0)
        y[x &+ j &+ 1] = UInt8(Self.between(y0, y1, y2, right) + d1)
        c[x &+ j] = UInt8(Self.between(u0, u1, u2, center) + d1)
        c[x &+ j &+ 1] = UInt8(Self.between(v0, v1, v2, center) + d0)
        j &+= 2
      }
      x += step
      column += 1
    }
  }

  /// Interpolates linearly between the centres of three blocks; `offset` is −0.5…0.5 from the middle one.
  @inline(__always)
  private static func between(_ before: Float, _ here: Float, _ after: Float, _ offset: Float) -> Float {
    offset < 0 ? here + (here - before) * offset : here + (after - here) * offset
  }
}
