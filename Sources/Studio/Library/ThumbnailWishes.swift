/// The small pictures of photos that a page waits for.
///
/// What has scrolled out of sight is not made any more, so that nothing grows while somebody scrolls through thousands.
struct ThumbnailWishes {
  struct Wish: Hashable {
    let photo: String
    /// The longest edge, in pixels.
    let edge: Int
  }
  /// How a picture is made.
  enum Way {
    /// From the cache, or from what the camera put into the photo.
    case quick
    case full
  }

  /// Of the filmstrip: all that were asked for, each once.
  private var strip = Waiting()
  /// In sight in the grid: first all quickly, then those again that were not good enough.
  private var quick = Waiting()
  private var full = Waiting()
  /// All that is in sight.
  private var sight: Set<Wish> = []

  var isEmpty: Bool { strip.isEmpty && quick.isEmpty && full.isEmpty }

  /// Adds to the filmstrip.
  mutating func add(_ wishes: [Wish]) { wishes.forEach { strip.append($0) } }

  /// Replaces what is in sight, the most important first.
  mutating func look(at wishes: [Wish]) {
    (quick, full) = (Waiting(), Waiting())
    wishes.forEach { quick.append($0) }
    sight = Set(wishes)
  }

  /// A quick picture is not good enough, or there is none.
  mutating func needsFull(_ wish: Wish) {
    if sight.contains(wish) { full.append(wish) }
  }

  /// A photo, or its edit, has changed: its picture is made anew if it is in sight.
  mutating func renew(_ photo: String) {
    for wish in sight where wish.photo == photo { full.append(wish) }
  }

  /// Takes the most important one.
  mutating func next() -> (wish: Wish, way: Way)? {
    if let wish = quick.takeFirst() { return (wish, .quick) }
    if let wish = strip.takeFirst() { return (wish, .full) }
    return full.takeFirst().map { ($0, .full) }
  }

  /// Wishes in their order, each once.
  private struct Waiting {
    private var wishes: [Wish] = []
    private var first = 0
    private var known: Set<Wish> = []

    var isEmpty: Bool { first == wishes.count }

    mutating func append(_ wish: Wish) {
      if known.insert(wish).inserted { wishes.append(wish) }
    }

    mutating func takeFirst() -> Wish? {
      guard !isEmpty else { return nil }
      let wish = wishes[first]
      known.remove(wish)
      first += 1
      if isEmpty { (wishes, first) = ([], 0) }
      return wish
    }
  }
}
