/// Takes pictures and discards them: for measuring everything before the sink.
public final class NullSink: FrameSink {
  public let name = "null"

  public init() {}

  public func open(_ format: SinkFormat) {}
  public func write(_ frame: RenderedFrame) {}
  public func close() {}
}
