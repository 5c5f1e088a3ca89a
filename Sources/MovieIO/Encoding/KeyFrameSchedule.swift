/// Says which pictures begin a group: by their time, because rates vary.
struct KeyFrameSchedule: Hashable {
  /// Ticks between key frames.
  let interval: Int64
  /// Half the nominal distance of pictures, in ticks: the picture nearest to the due time is chosen.
  let tolerance: Int64
  private var last: Int64?

  init(interval: Int64, tolerance: Int64) {
    (self.interval, self.tolerance) = (max(1, interval), tolerance)
  }

  /// Whether the picture at `tick` is a key frame. Times must increase.
  mutating func isKey(at tick: Int64, isForced: Bool) -> Bool {
    guard let last, !isForced, tick < last + interval - tolerance else {
      last = tick
      return true
    }
    return false
  }
}
