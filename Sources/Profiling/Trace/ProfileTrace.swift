/// The events of threads over time, for a trace viewer such as Perfetto (https://ui.perfetto.dev).
///
/// Times are nanoseconds since an arbitrary moment that all events share. Recording is up to the caller; this is
/// the data and its file format.
public struct ProfileTrace: Sendable, Hashable {
  /// A row of the viewer: a thread, or a part of the work such as a queue.
  public struct Thread: Sendable, Hashable {
    /// The identifier that events refer to, unique within a trace. A file numbers threads in the order of
    /// `threads`.
    public var id: Int
    public var name: String

    package init(id: Int, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// Something with a duration.
  public struct Event: Sendable, Hashable {
    /// The name, such as `geometry` or `frame 12`.
    public var name: String
    /// The category by which viewers filter: `capture`, `queue`, `tile`, `bake`, `encode` …
    public var category: String
    /// The `id` of its thread.
    public var thread: Int
    public var start: Int
    /// The duration, at least 0.
    public var duration: Int
    /// The values that a viewer shows when the event is selected.
    public var arguments: [Argument]

    package init(
      _ name: String, category: String, thread: Int, start: Int, duration: Int, arguments: [Argument] = []
    ) {
      self.name = name
      self.category = category
      self.thread = thread
      self.start = start
      self.duration = duration
      self.arguments = arguments
    }

    var end: Int {
      let (end, isTooLate) = start.addingReportingOverflow(max(0, duration))
      return isTooLate ? .max : end
    }
  }

  public struct Argument: Sendable, Hashable {
    public enum Value: Sendable, Hashable {
      case integer(Int)
      /// JSON has no infinity and no NaN: they are written as text.
      case number(Double)
      case text(String)
    }
    public var name: String
    public var value: Value

    package init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// The name of the process, shown above its threads.
  public var process: String
  /// The threads in display order. Events may refer to threads that are not listed; those come last.
  public var threads: [Thread]
  /// The events, in any order. Events of one thread may nest, as calls do; those that overlap otherwise are shown
  /// in further rows.
  public var events: [Event]

  package init(process: String = "safelight", threads: [Thread] = [], events: [Event] = []) {
    self.process = process
    self.threads = threads
    self.events = events
  }
}
