import FrameCore

/// How a picture's content moves from frame to frame: moves what was detected on an earlier frame to where it is now, so
/// that overlays stick although detectors take their time.
///
/// Points all over the proxy are followed through the frames, and their ways are remembered for a while. What was
/// detected at a time moves as the points on it have moved since: turned, scaled and shifted, or in perspective. Where
/// there are too few points on it, it moves as most of the picture does.
///
/// Belongs to one thread at a time. The same frames at the same times always give the same motion. After the first
/// frame, updates allocate nothing.
public final class MotionTrack {
  /// The number of frames whose points are remembered: half a second at 60 frames a second, more at fewer.
  public static let mostFrames = 32

  private var current = LumaLevels()
  private var previous = LumaLevels()
  private let tracker = PointTracker()
  /// Cells of a grid each hold one point at most.
  private static let (columns, rows) = (13, 10)
  private static let capacity = columns * rows
  /// The ways of points in samples of the finest level: `mostFrames` places for each point.
  private var ways = SampleBuffer<SIMD2<Float>>(capacity: capacity * mostFrames)
  /// The number of the frame that each point was first seen in; −1 if there is none.
  private var births = [Int](repeating: -1, count: capacity)
  /// The point in each cell; −1 if there is none.
  private var cells = [Int](repeating: -1, count: capacity)
  private var times = [Timestamp](repeating: Timestamp(nanoseconds: .min), count: mostFrames)
  /// The number of the newest frame; −1 before the first.
  private var frame = -1
  private var size = PixelSize(width: 0, height: 0)

  /// The number of empty cells that are searched for points in a frame, and the first of them.
  private static let cellsPerFrame = 24
  private var nextCell = 0
  /// Of so many points one tells how the whole picture moves.
  private static let sampleStep = 4
  private var shifts = SampleBuffer<Float>(capacity: 2 * capacity)

  public init() {}

  /// The number of points followed at present.
  public var pointCount: Int { births.reduce(0) { $0 + ($1 >= 0 ? 1 : 0) } }

  /// Follows the points into the frame that `proxy` was last updated from, captured at `time`.
  ///
  /// A frame that is not newer than the previous one changes nothing. A frame of another size starts again.
  public func update(from proxy: AnalysisProxy, at time: Timestamp) {
    if frame >= 0, time <= times[frame % Self.mostFrames] { return }
    if proxy.size != size { reset(to: proxy.size) }
    swap(&current, &previous)
    current.update(from: proxy.luma.baseAddress, size: proxy.size)
    frame += 1
    times[frame % Self.mostFrames] = time
    guard current.count > 0 else { return }
    if frame > 0 { follow() }
    sow()
  }

  private func reset(to size: PixelSize) {
    self.size = size
    (frame, nextCell) = (-1, 0)
    for point in 0..<Self.capacity { births[point] = -1 }
  }

  private func follow() {
    let (now, before) = (frame % Self.mostFrames, (frame - 1) % Self.mostFrames)
    let guess = commonShift()
    for point in 0..<Self.capacity where births[point] >= 0 {
      let way = ways.base + point * Self.mostFrames
      if let place = tracker.follow(way[before], guess: guess, from: previous, to: current) {
        way[now] = place
      } else {
        births[point] = -1
      }
    }
  }

  /// How far most of the picture has moved since the last frame: the median of a few points.
  private func commonShift() -> SIMD2<Float> {
    let before = (frame - 1) % Self.mostFrames
    var count = 0
    for point in 0..<Self.capacity where births[point] >= 0 && point % Self.sampleStep == 0 {
      let place = ways.base[point * Self.mostFrames + before]
      guard let shift = tracker.coarseShift(of: place, from: previous, to: current) else { continue }
      shifts.base[count] = shift.x
      shifts.base[Self.capacity + count] = shift.y
      count += 1
    }
    guard count > 2 else { return .zero }
    return SIMD2(
      Self.median(UnsafeMutableBufferPointer(start: shifts.base, count: count)),
      Self.median(UnsafeMutableBufferPointer(start: shifts.base + Self.capacity, count: count)))
  }

  /// Sorts a few values in place, without memory of its own.
  private static func median(_ values: UnsafeMutableBufferPointer<Float>) -> Float {
    for index in values.indices.dropFirst() {
      var place = index
      while place > 0, values[place - 1] > values[place] {
        values.swapAt(place - 1, place)
        place -= 1
      }
    }
    return values[values.count / 2]
  }

  /// Sets points into cells without any.
  private func sow() {
    let level = current[0]
    for cell in 0..<Self.capacity { cells[cell] = -1 }
    let now = frame % Self.mostFrames
    for point in 0..<Self.capacity where births[point] >= 0 {
      let place = ways.base[point * Self.mostFrames + now]
      let column = min(max(Int(place.x) * Self.columns / level.size.width, 0), Self.columns - 1)
      let row = min(max(Int(place.y) * Self.rows / level.size.height, 0), Self.rows - 1)
      let cell = row * Self.columns + column
      guard cells[cell] >= 0 else {
        cells[cell] = point
        continue
      }
      // Of two points in one cell, the newer one goes: it says the same of a shorter time.
      let isOlder = births[point] < births[cells[cell]]
      births[isOlder ? cells[cell] : point] = -1
      if isOlder { cells[cell] = point }
    }
    var free = 0
    // All at first, then some of the empty cells in turn: those without texture would cost time in every frame.
    var tries = frame == 0 ? Self.capacity : Self.cellsPerFrame
    for step in 0..<Self.capacity {
      let cell = (step + nextCell) % Self.capacity
      guard cells[cell] < 0 else { continue }
      guard tries > 0 else {
        nextCell = cell
        return
      }
      tries -= 1
      while free < Self.capacity, births[free] >= 0 { free += 1 }
      guard free < Self.capacity else { return }
      let (column, row) = (cell % Self.columns, cell / Self.columns)
      guard
        let place = PointTracker.corner(
          in: level,
          columns: level.size.width * column / Self.columns..<level.size.width * (column + 1) / Self.columns,
          rows: level.size.height * row / Self.rows..<level.size.height * (row + 1) / Self.rows)
      else { continue }
      births[free] = frame
      ways.base[free * Self.mostFrames + now] = place
    }
  }

  // MARK: Moving what was detected

  /// Where an outline that was seen at `time` is in another frame.
  ///
  /// - Parameters:
  ///   - time: that of the frame it was seen in, or between two of them.
  ///   - end: that of the other frame, which may be an earlier one; nil for the newest.
  ///   - byItself: whether only points on it count, and not those of the whole picture if there are too few.
  /// - Returns: nil if a frame is no longer remembered, or too few points agree on a motion.
  public func moved(
    _ outline: [NormalizedPoint], from time: Timestamp, to end: Timestamp? = nil, byItself: Bool = false
  ) -> [NormalizedPoint]? {
    motion(of: outline, from: time, to: end, byItself: byItself)?.outline
  }

  /// A detection that was made on the frame of `time`, moved to the newest frame; its confidence falls with the number
  /// of points that disagree.
  ///
  /// - Returns: nil as of outlines.
  public func moved(_ detection: Detection, from time: Timestamp) -> Detection? {
    guard let (outline, agreement) = motion(of: detection.outline, from: time, to: nil, byItself: false)
    else {
      return nil
    }
    var moved = detection
    moved.outline = outline
    moved.confidence = detection.confidence * (0.5 + 0.5 * agreement)
    return moved
  }

  private func motion(of outline: [NormalizedPoint], from time: Timestamp, to end: Timestamp?, byItself: Bool)
    -> (outline: [NormalizedPoint], agreement: Double)?
  {
    guard let start = number(of: time), let finish = end.map(number) ?? frame, current.count > 0 else {
      return nil
    }
    guard start != finish else { return (outline, 1) }
    let level = current[0]
    let scale = SIMD2(Double(level.size.width), Double(level.size.height))
    let corners = outline.map { SIMD2($0.x, $0.y) * scale }
    guard let fit = fit(on: corners, from: start, to: finish, byItself: byItself) else { return nil }
    var moved: [NormalizedPoint] = []
    for corner in corners {
      guard let there = fit.map(corner) else { return nil }
      moved.append(NormalizedPoint(there.x / scale.x, there.y / scale.y))
    }
    return (moved, fit.agreement)
  }

  /// The newest remembered frame that is not later than `time`; nil if all are.
  private func number(of time: Timestamp) -> Int? {
    let oldest = max(frame - Self.mostFrames + 1, 0)
    guard frame >= 0 else { return nil }
    for number in stride(from: frame, through: oldest, by: -1) where times[number % Self.mostFrames] <= time {
      return number
    }
    return nil
  }

  /// Points on it, with a margin: what moves with a thing is often its rim.
  private func fit(on corners: [SIMD2<Double>], from start: Int, to finish: Int, byItself: Bool) -> MotionFit?
  {
    guard var low = corners.first else { return nil }
    var high = low
    for corner in corners {
      low = pointwiseMin(low, corner)
      high = pointwiseMax(high, corner)
    }
    let margin = 0.08 * max(high.x - low.x, high.y - low.y) + 3
    var (inside, all):
      ([(from: SIMD2<Double>, to: SIMD2<Double>)], [(from: SIMD2<Double>, to: SIMD2<Double>)]) = ([], [])
    for point in 0..<Self.capacity where births[point] >= 0 && births[point] <= min(start, finish) {
      let way = ways.base + point * Self.mostFrames
      let from = SIMD2<Double>(way[start % Self.mostFrames])
      let pair = (from: from, to: SIMD2<Double>(way[finish % Self.mostFrames]))
      all.append(pair)
      if from.x > low.x - margin, from.y > low.y - margin, from.x < high.x + margin, from.y < high.y + margin
      {
        inside.append(pair)
      }
    }
    let own = inside.count >= Self.leastInside ? MotionFit(inside) : nil
    return own ?? (byItself ? nil : MotionFit(all))
  }

  private static let leastInside = 6
}
