/// A path as a key: the same bytes are the same path, as the kernel sees it. Strings also count as equal where they only
/// look alike, such as an ä of one character and one of a letter and two dots.
public struct PathKey: Sendable, Hashable, ExpressibleByStringLiteral {
  public let path: String

  public init(_ path: String) { self.path = path }
  public init(stringLiteral path: String) { self.path = path }

  public static func == (a: PathKey, b: PathKey) -> Bool { a.path.utf8.elementsEqual(b.path.utf8) }

  public func hash(into hasher: inout Hasher) {
    var path = path
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
