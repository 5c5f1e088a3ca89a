/// A moment on a monotonic clock, in nanoseconds.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
  public var nanoseconds: Int64
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }
}
