/// Assigns the events of one thread to rows, so that in each row events nest or follow each other.
///
/// A viewer draws the events of a row as a call stack; if one begins within another and outlasts it, the viewer
/// shows nonsense or drops events. Threads never produce that; frames that wait in a queue do.
enum ProfileTraceLanes {
  /// The place of an event: its `index` in the trace's events, and its `lane`, from 0.
  struct Place: Equatable {
    let index: Int
    let lane: Int
  }

  /// - Parameter indices: the indices of the events of one thread.
  /// - Returns: the same events ordered by start, with enclosing events before those inside them.
  static func places(of indices: [Int], in events: [ProfileTrace.Event]) -> [Place] {
    let ordered = indices.sorted {
      let (a, b) = (events[$0], events[$1])
      return (a.start, b.end, $0) < (b.start, a.end, $1)
    }
    // The ends of the open events of each lane, innermost last.
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
