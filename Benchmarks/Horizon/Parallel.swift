import BenchmarkSupport
import Glibc

/// Returns the results of `body` for every element, in the elements' order, from as many tasks as there are
/// cores; reports progress on standard error.
func parallelMap<Element: Sendable, Result: Sendable>(
  _ elements: [Element], named name: String, _ body: @escaping @Sendable (Element) throws -> Result
) async throws -> [Result] {
  let workers = max(1, min(processorCount, elements.count))
  let start = monotonicSeconds()
  var said = start
  return try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    var results = [Result?](repeating: nil, count: elements.count)
    var next = 0
    func add() {
      guard next < elements.count else { return }
      let index = next
      next += 1
      group.addTask { (index, try body(elements[index])) }
    }
    for _ in 0..<workers { add() }
    var done = 0
    while let (index, result) = try await group.next() {
      results[index] = result
      done += 1
      let now = monotonicSeconds()
      if done == elements.count || now - said > 2 {
        said = now
        progress("\(name): \(done) of \(elements.count), \(fixed(now - start, 1)) s")
      }
      add()
    }
    return results.compactMap { $0 }
  }
}

/// The processor time of this thread.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
