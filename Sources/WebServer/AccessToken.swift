/// A secret that lets its holder use the server: 256 random bits.
///
/// It is never part of a description, a dump or a log; only `text` reveals it.
public struct AccessToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The letters of `text`: 43 of base64url, without padding.
  static let length = 43

  private let letters: [UInt8]

  /// Creates a token from the system's source of randomness (getrandom(2)).
  public init() {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    letters = Self.base64URL(bytes)
  }

  /// Takes a token from its text, as `text` gives it.
  ///
  /// The initializer returns nil unless the text is 43 letters of base64url (RFC 4648, §5).
  public init?(text: String) {
    letters = Array(text.utf8)
    guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else { return nil }
  }

  /// The secret itself: 43 letters of base64url, for the fragment of a link.
  public var text: String { String(decoding: letters, as: UTF8.self) }

  /// Whether a text is this token. The time does not depend on how many of its letters are right.
  public func matches(_ candidate: String) -> Bool {
    let given = Array(candidate.utf8)
    var difference: UInt8 = given.count == letters.count ? 0 : 1
    for index in letters.indices { difference |= letters[index] ^ (index < given.count ? given[index] : 0) }
    return difference == 0
  }

  public var description: String { "AccessToken(hidden)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Source: RFC 4648, §5, without padding.
  static func base64URL(_ bytes: [UInt8]) -> [UInt8] {
    var (text, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 6 {
        count -= 6
        text.append(alphabet[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
    return text
  }
}
