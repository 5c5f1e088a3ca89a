/// A file of a page, with the tag that lets browsers keep it.
public struct StaticContent: Sendable {
  /// The media type, such as `text/html; charset=utf-8`.
  public let type: String
  public let bytes: [UInt8]
  /// A tag of the contents, in quotes; equal contents have equal tags.
  public let tag: String

  public init(_ bytes: [UInt8], type: String) {
    (self.bytes, self.type) = (bytes, type)
    // FNV-1a, 64 bits: it tells versions of a file apart, and protects nothing.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    tag = "\"\(String(hash, radix: 36))-\(String(bytes.count, radix: 36))\""
  }

  /// Returns the contents, or 304 if the client has them.
  public func response(to request: WebRequest) -> WebResponse {
    if EntityTag.isNamed(tag, in: request.fields.all("If-None-Match")) {
      return WebResponse(status: 304, fields: ["ETag": tag])
    }
    return WebResponse(status: 200, fields: ["Content-Type": type, "ETag": tag], body: bytes)
  }
}

/// Tags of versions of a resource. Source: RFC 9110, §8.8.3 and §13.1.
public enum EntityTag {
  /// Whether a tag is among those of `If-None-Match` or `If-Match` fields, or they have `*`. Weak and strong tags are
  /// not told apart.
  ///
  /// - Parameter tag: with its quotes.
  public static func isNamed(_ tag: String, in fields: [String]) -> Bool {
    fields.contains { field in
      field.split(separator: ",").contains { part in
        let name = WebFields.trimmed(part)
        return name == "*" || name == tag || name == "W/" + tag
      }
    }
  }
}
