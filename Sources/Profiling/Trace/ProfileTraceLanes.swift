/// Rows for the events of one thread, so that in each row events nest or follow each other.
///
/// A viewer draws the events of a row as a stack of calls and shows nonsense, or drops events, where one begins within
/// another and outlasts it. Threads never do that; frames that wait in a queue do.
enum ProfileTraceLanes {
  /// An event's place: `index` in the trace's events, `lane` from 0 on.
  struct Place: Equatable {
    let index: Int
    let lane: Int
  }

  /// - Parameter indices: of the events of one thread.
  /// - Returns: the same events by start, an event that holds others ahead of them.
  static func places(of indices: [Int], in events: [ProfileTrace.Event]) -> [Place] {
    let ordered = indices.sorted {
      let (a, b) = (events[$0], events[$1])
      return (a.start, b.end, $0) < (b.start, a.end, $1)
    }
    // For each lane, when the events that are open end: the innermost last.
    var open: [[Int]] = []
    return ordered.map { index in
      let event = events[index]
      for lane in open.indices {
        while let end = open[lane].last, end <= event.start { open[lane].removeLast() }
        if open[lane].last.map({ event.end <= $0 }) ?? true {
          open[lane].append(event.end)
          return Place(index: index, lane: lane)
        }
      }
      open.append([event.end])
      return Place(index: index, lane: open.count - 1)
    }
  }
}
