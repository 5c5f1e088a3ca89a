import FrameCore

/// A part of a batch that several machines share: part `number` of `count`. Every photo belongs to one part.
///
/// A photo's part follows from its name alone, so the machines need not see the same list: photos that arrive meanwhile
/// change nothing for the others. Names that differ only in their endings are of the same part, because their results may
/// get the same name. Parts differ in size by chance: by a few percent if each has some thousand photos.
public struct BatchShard: Sendable, Hashable, CustomStringConvertible {
  /// 1…count.
  public let number: Int
  /// 1…100000.
  public let count: Int

  public static let mostParts = 100_000

  /// - Throws: `SafelightError` if the numbers are out of range.
  public init(_ number: Int, of count: Int) throws {
    guard (1...Self.mostParts).contains(count), (1...count).contains(number) else {
      throw SafelightError(
        .invalidValue, "There is no part \(number) of \(count)",
        remedy: "write it like 3/16: the first part is 1/16, the last 16/16")
    }
    (self.number, self.count) = (number, count)
  }

  /// Reads `3/16`.
  ///
  /// - Throws: `SafelightError` that shows how to write it.
  public init(_ text: String) throws {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else {
      throw SafelightError(
        .invalidValue, "The part is “\(text)”", remedy: "write it like 3/16: the first part is 1/16")
    }
    try self.init(number, of: count)
  }

  public var description: String { "\(number)/\(count)" }

  /// Whether a photo belongs to this part.
  public func contains(_ photo: BatchInputs.Photo) -> Bool {
    let name = photo.path.split(separator: "/").last.map(String.init) ?? photo.path
    let (stem, _) = BatchNaming.split(name)
    return Int(Self.hash(photo.folder + "/" + stem) % UInt64(count)) == number - 1
  }

  /// FNV-1a of 64 bits, with the finalizer of SplitMix64: the remainders of FNV's low bits alone are uneven.
  private static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }
}
