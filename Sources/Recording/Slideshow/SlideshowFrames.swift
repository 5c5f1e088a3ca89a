import FrameCore
import MovieIO

/// The frames of a slideshow: at each cut, at least one a second so that players can go anywhere, and as many
/// as the rate says while one picture fades into the next. All lie on a grid of that rate, so that programs
/// for constant rates show them at the same times.
struct SlideshowFrames {
  struct Frame: Hashable {
    /// When it is shown, and for how long, in 1/90000 s.
    var tick: Int64
    var duration: Int64
    /// From 0.
    var picture: Int
    /// How much of the next picture is mixed in, 0…256; 0 is the picture alone.
    var blend: Int
    var isKey: Bool
  }

  let frames: [Frame]
  /// The frames of the grid at which each picture but the first begins, or is half there.
  let cuts: [Int]
  /// When each picture begins in the movie, or is half there, in seconds.
  let beginnings: [Double]

  /// Accepted frames per second. Below 1, a frame a second would not be on the grid.
  static let rates = 1.0...240.0

  /// - Parameters:
  ///   - framesPerSecond: within `rates`.
  ///   - fade: how long one picture fades into the next, in seconds, half of it before the cut; 0 for none.
  /// - Throws: `SafelightError(.invalidValue)` if a picture would not be shown by itself for one frame.
  init(_ timing: SlideshowTiming, framesPerSecond: Double, fade: Double) throws {
    guard Self.rates.contains(framesPerSecond) else {
      throw SafelightError(
        .invalidValue, "\(PlainNumber.text(framesPerSecond)) frames per second are not possible here",
        remedy: "give 1…240")
    }
    guard fade >= 0, fade <= 60 else {
      throw SafelightError(
        .invalidValue, "A fade of \(PlainNumber.text(fade)) s is not possible", remedy: "give at most 60 s")
    }
    let grid = Grid(framesPerSecond: framesPerSecond, end: timing.duration)
    cuts = timing.cuts.map { Int(($0 * framesPerSecond).rounded()) }
    beginnings = [0] + cuts.map { Double($0) / framesPerSecond }
    let blends = fade > 0 ? max(1, Int((fade * framesPerSecond).rounded())) : 0
    var frames: [Frame] = []
    for picture in 0...cuts.count {
      let begin = picture > 0 ? cuts[picture - 1] - blends / 2 + blends : 0
      let end = picture < cuts.count ? cuts[picture] - blends / 2 : grid.count
      guard end > begin else { throw Self.tooShort(picture, timing, fade) }
      for frame in stride(from: begin, to: end, by: grid.step) {
        frames.append(grid.frame(frame, picture, isKey: frame == begin))
      }
      guard picture < cuts.count else { break }
      for index in 0..<blends {
        frames.append(grid.frame(end + index, picture, blend: 256 * (index + 1) / (blends + 1)))
      }
    }
    for index in frames.indices {
      let next = index + 1 < frames.count ? frames[index + 1].tick : grid.end
      frames[index].duration = next - frames[index].tick
    }
    self.frames = frames
  }

  /// Places on the grid.
  private struct Grid {
    let framesPerSecond: Double
    /// The movie's end in ticks; not on the grid, but where the sound ends.
    let end: Int64
    /// Frames that begin before the end, at least 1.
    let count: Int
    /// Frames between two of a picture that does not change: at most a second.
    let step: Int

    init(framesPerSecond: Double, end seconds: Double) {
      self.framesPerSecond = framesPerSecond
      end = max(1, Int64((seconds * Double(EncodedVideoFormat.timeScale)).rounded()))
      step = max(1, Int(framesPerSecond.rounded(.down)))
      var count = max(1, Int((seconds * framesPerSecond).rounded(.up)))
      while count > 1, Self.tick(count - 1, framesPerSecond) >= end { count -= 1 }
      self.count = count
    }

    func frame(_ number: Int, _ picture: Int, blend: Int = 0, isKey: Bool = false) -> Frame {
      Frame(
        tick: Self.tick(number, framesPerSecond), duration: 0, picture: picture, blend: blend, isKey: isKey)
    }

    private static func tick(_ number: Int, _ framesPerSecond: Double) -> Int64 {
      Int64((Double(number) * Double(EncodedVideoFormat.timeScale) / framesPerSecond).rounded())
    }
  }

  private static func tooShort(_ picture: Int, _ timing: SlideshowTiming, _ fade: Double) -> SafelightError {
    let span = timing.span(of: picture)
    let shown =
      "Picture \(picture + 1) is shown for \(PlainNumber.fixed(span.upperBound - span.lowerBound, 2)) s"
    guard fade > 0 else {
      return SafelightError(
        .invalidValue, "\(shown), which is less than a frame",
        remedy: "put the cuts further apart, or raise the frame rate")
    }
    return SafelightError(
      .invalidValue, "\(shown), which leaves nothing of it beside fades of \(PlainNumber.text(fade)) s",
      remedy: "shorten the fade, or put the cuts further apart")
  }
}
