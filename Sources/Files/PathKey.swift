/// A path as a key, compared byte by byte as the kernel does. Strings also count as equal if they are only
/// canonically equivalent, such as a precomposed ä and an a with a combining diaeresis.
package struct PathKey: Sendable, Hashable, ExpressibleByStringLiteral {
  package let path: String

  package init(_ path: String) { self.path = path }
  package init(stringLiteral path: String) { self.path = path }

  package static func == (a: PathKey, b: PathKey) -> Bool { a.path.utf8.elementsEqual(b.path.utf8) }

  package func hash(into hasher: inout Hasher) {
    var path = path
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
