/// Takes pictures and forgets them: for measuring what stands before it.
public final class NullSink: FrameSink {
  public let name = "null"

  public init() {}

  public func open(_ format: SinkFormat) {}
  public func write(_ frame: RenderedFrame) {}
  public func close() {}
}
