import FilterGraph
import FrameCore
import Libc
import Synchronization

/// What was measured of the frames of one live run, so that it moves smoothly: the ambient light of dehazing. It counts
/// the frames, too: each shows another piece of film, so that grain moves.
///
///     state += (1 - exp(-Δt / 0.5 s)) · (measured - state)
///
/// Where the scene cuts, it jumps to what is measured, so that no frame shows anything of the scene before. A cut is
/// where levels and places both change much, or levels very much:
///
///     levels > 0.3, or levels > 0.15 and places > 0.12
///
/// with `levels` the part of the nodes that another histogram of 64 levels has elsewhere, and `places` the mean absolute
/// difference of 32 × 18 parts of the picture. A pan changes places alone; an object that flickers changes neither much.
/// Between scenes that are alike in both, light moves as within one.
///
/// Light grids themselves are each frame's own and are never smoothed. Photos have no history.
public final class LightHistory: Sendable {
  private struct State {
    var time: Timestamp?
    /// The frames so far.
    var frames = 0
    /// That of the last measured frame.
    var measured: Timestamp?
    var levels = [Float](repeating: 0, count: LightHistory.levels)
    var parts = [Float](repeating: 0, count: LightHistory.columns * LightHistory.rows)
    /// Of the current frame, while it is compared.
    var nextLevels = [Float](repeating: 0, count: LightHistory.levels)
    var nextParts = [Float](repeating: 0, count: LightHistory.columns * LightHistory.rows)
    var ambient: [AmbientLight] = []
    /// How far the state moves to what is measured of the current frame; 1 jumps.
    var weight = 1.0
    var cuts = 0
  }

  private static let levels = 64
  private static let columns = 32
  private static let rows = 18
  /// Seconds.
  private static let smoothing = 0.5
  /// A longer pause than this is a cut.
  private static let longestPause = 1.0

  private let state = Mutex(State())

  public init() {}

  /// The number of cuts so far, the first frame included.
  var cuts: Int { state.withLock { $0.cuts } }

  /// Tells the time of the frame that is rendered next.
  public func advance(to time: Timestamp) {
    state.withLock {
      $0.time = time
      $0.frames += 1
    }
  }

  /// The piece of film whose grain the current frame shows; the first frame shows that of photos.
  var film: Int { GrainTiles.film(ofFrame: max(0, state.withLock { $0.frames } - 1)) }

  /// Compares the colours of a frame with those of the frame before.
  func follow(_ colors: NodeColors) {
    state.withLock { state in
      Self.measure(colors, &state.nextLevels, &state.nextParts)
      let levels = zip(state.levels, state.nextLevels).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
      let places =
        zip(state.parts, state.nextParts).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(state.parts.count)
      swap(&state.levels, &state.nextLevels)
      swap(&state.parts, &state.nextParts)
      let seconds: Double? =
        if let time = state.time, let measured = state.measured { time.seconds(since: measured) } else {
          nil
        }
      state.measured = state.time
      let isCut = levels > 0.3 || (levels > 0.15 && places > 0.12)
      if let seconds, seconds >= 0, seconds <= Self.longestPause, !isCut {
        state.weight = 1 - exp(-seconds / Self.smoothing)
      } else {
        state.weight = 1
        state.cuts += 1
        state.ambient.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Returns the ambient light of the current frame's field, given what was measured of it.
  func smoothed(_ measured: AmbientLight, field index: Int) -> AmbientLight {
    state.withLock { state in
      while state.ambient.count <= index { state.ambient.append(measured) }
      let (last, weight) = (state.ambient[index], state.weight)
      let next = AmbientLight(
        color: last.color + weight * (measured.color - last.color),
        found: last.found + weight * (measured.found - last.found),
        lit: last.lit + weight * (measured.lit - last.lit))
      state.ambient[index] = next
      return next
    }
  }

  /// Writes the parts of nodes at each level of luma, and the mean luma of each part of the picture.
  private static func measure(_ colors: NodeColors, _ levels: inout [Float], _ parts: inout [Float]) {
    for index in levels.indices { levels[index] = 0 }
    for index in parts.indices { parts[index] = 0 }
    let (width, height) = (colors.size.width, colors.size.height)
    let share = 1 / Float(width * height)
    for y in 0..<height {
      let row = y * rows / height * columns
      for x in 0..<width {
        let node = y * width + x
        let luma = 0.25 * colors.red[node] + 0.65 * colors.green[node] + 0.1 * colors.blue[node]
        let level = luma > 0 ? min(luma, 1) : 0
        levels[Int(level * Float(LightHistory.levels - 1) + 0.5)] += share
        parts[row + x * columns / width] += level * share * Float(columns * rows)
      }
    }
  }
}
