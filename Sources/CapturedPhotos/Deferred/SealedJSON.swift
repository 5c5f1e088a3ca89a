import Files
import FoundationEssentials
import FrameCore

/// Two lines of JSON: the version and the checksum of the second, then the value. So a damaged file is never taken
/// for another one, and one of a newer version is known before it is read.
enum SealedJSON {
  /// The version that this build reads and writes.
  static let version = 1
  /// The largest file that is read, in bytes.
  static let sizeLimit = 4 << 20

  private struct Seal: Codable {
    var version: Int
    var checksum: String?

    enum CodingKeys: String, CodingKey {
      case version = "safelight-deferred"
      case checksum
    }
  }

  static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? Array(encoder.encode(value)) else {
      throw SafelightError(.unsupported, "Photos of its kind are always finished at once")
    }
    let bytes = try seal(line)
    guard bytes.count <= sizeLimit else {
      throw SafelightError(
        .tooLarge, "What is to be remembered of the photo is larger than \(sizeLimit >> 20) MiB")
    }
    return bytes
  }

  /// - Parameter line: JSON on one line.
  static func seal(_ line: [UInt8]) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let checksum = try FileFingerprint(of: line).hash
    return try Array(encoder.encode(Seal(version: version, checksum: checksum))) + [10] + line + [10]
  }

  /// - Parameter path: the name of the file, for errors.
  /// - Throws: `SafelightError`: `.corruptData`; `.unsupported` for a newer version.
  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8], path: String) throws -> Value
  {
    let end = bytes.firstIndex(of: 10) ?? bytes.endIndex
    guard let seal = try? JSONDecoder().decode(Seal.self, from: Data(bytes[..<end])) else {
      throw damage(path)
    }
    guard seal.version == version else {
      throw SafelightError(
        .unsupported, "\(path) is of format \(seal.version), and this build reads format \(version)",
        remedy: "use the Safelight that took the photo, or a newer one")
    }
    guard end < bytes.endIndex, bytes.last == 10, end + 1 < bytes.endIndex else { throw damage(path) }
    let line = Array(bytes[(end + 1)..<(bytes.endIndex - 1)])
    guard try FileFingerprint(of: line).hash == seal.checksum,
      let value = try? JSONDecoder().decode(type, from: Data(line))
    else { throw damage(path) }
    return value
  }

  static func damage(_ path: String) -> SafelightError {
    SafelightError(
      .corruptData, "\(path) is damaged, so that its photo cannot be finished",
      remedy: "the photo stays as it is; remove that folder if you are content with it")
  }
}
