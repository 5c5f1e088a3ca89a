import ColorScience
import Synchronization

/// Remembers the last tables baked, and the runs of stages that no table fits.
///
/// A live edit that levels itself changes its geometry many times a second and its colour now and then; a dragged
/// slider returns to earlier values. Plans made with the same cache bake only what is new.
public final class BakeCache: Sendable {
  struct Entry: Sendable {
    let stages: [Stage]
    let outputSpace: ColorSpace
    /// One table or two; empty if none keeps the bound.
    let tables: [BakedLUT]
    let remarks: [String]
  }

  private let entries = Mutex<[Entry]>([])
  private let capacity: Int

  /// - Parameter capacity: the number of runs of stages kept, each with up to two tables; a table takes 0.3 to 2.2
  ///   MB.
  public init(capacity: Int = 8) { self.capacity = max(1, capacity) }

  /// Returns the result of baking `stages`, from the cache or from `bake`.
  func tables(for stages: [Stage], outputSpace: ColorSpace, bake: () -> Entry) -> Entry {
    let known = entries.withLock { entries -> Entry? in
      guard let index = entries.lastIndex(where: { $0.outputSpace == outputSpace && $0.stages == stages })
      else { return nil }
      // The most recently used entry stays longest.
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry
    }
    if let known { return known }
    let entry = bake()
    entries.withLock { entries in
      if entries.count >= capacity { entries.removeFirst() }
      entries.append(entry)
    }
    return entry
  }
}
