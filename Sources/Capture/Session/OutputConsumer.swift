/// Who takes what an output delivers: one at a time, and the latest takes over.
enum OutputConsumer<Delegate: AnyObject & Sendable>: Sendable {
  case nobody
  /// A thread that asks.
  case puller
  /// The asynchronous sequence with this number.
  case sequence(Int)
  case delegate(Delegate)

  func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.nobody, .nobody), (.puller, .puller): true
    case (.sequence(let a), .sequence(let b)): a == b
    case (.delegate(let a), .delegate(let b)): a === b
    case (.nobody, _), (.puller, _), (.sequence, _), (.delegate, _): false
    }
  }
}
