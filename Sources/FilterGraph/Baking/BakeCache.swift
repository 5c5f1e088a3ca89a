import ColorScience
import Synchronization

/// Remembers the last tables baked, and the runs of stages that no table fits.
///
/// A live edit changes its geometry many times a second, when it levels itself, and its colour now and then; a dragged
/// slider comes back to where it was. Plans made with the same cache bake only what is new.
public final class BakeCache: Sendable {
  struct Entry: Sendable {
    let stages: [Stage]
    let outputSpace: ColorSpace
    /// One, two, or none where none keeps the bound.
    let tables: [BakedLUT]
    let remarks: [String]
  }

  private let entries = Mutex<[Entry]>([])
  private let capacity: Int

  /// - Parameter capacity: runs of stages kept, each with up to two tables; a table takes 0.3 to 2.2 MB.
  public init(capacity: Int = 8) { self.capacity = max(1, capacity) }

  /// What baking `stages` gave, from the cache or from `bake`.
  func tables(for stages: [Stage], outputSpace: ColorSpace, bake: () -> Entry) -> Entry {
    let known = entries.withLock { entries -> Entry? in
      guard let index = entries.lastIndex(where: { $0.outputSpace == outputSpace && $0.stages == stages })
      else { return nil }
      // The last used stays longest.
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
