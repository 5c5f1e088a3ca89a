/// What happened when on which thread: events for a viewer of traces such as Perfetto (https://ui.perfetto.dev).
///
/// Times are nanoseconds since any moment that all events share. Recording is up to the caller; this is the data and
/// its form as a file.
public struct ProfileTrace: Sendable, Hashable {
  /// A row of the viewer: a thread, or a part of the work such as a queue.
  public struct Thread: Sendable, Hashable {
    /// Distinct for each thread of a trace: what events name it by. A file numbers threads in the order of `threads`.
    public var id: Int
    public var name: String

    public init(id: Int, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// Something that took time.
  public struct Event: Sendable, Hashable {
    /// Such as `geometry` or `frame 12`.
    public var name: String
    /// What viewers filter by: `capture`, `queue`, `tile`, `bake`, `encode` …
    public var category: String
    /// The `id` of its thread.
    public var thread: Int
    public var start: Int
    /// From 0 on.
    public var duration: Int
    /// What a viewer shows when the event is chosen.
    public var arguments: [Argument]

    public init(
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

    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// The name of the process, above its threads.
  public var process: String
  /// In the order in which they are shown. Events may name threads that are not here; those come last.
  public var threads: [Thread]
  /// In any order. Of one thread they may nest, as calls do; those that overlap otherwise are shown in further rows.
  public var events: [Event]

  public init(process: String = "safelight", threads: [Thread] = [], events: [Event] = []) {
    self.process = process
    self.threads = threads
    self.events = events
  }
}
