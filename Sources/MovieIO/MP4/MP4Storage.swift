import Files

/// The file that a movie is written into, as far as the writer needs it. Tests put a disk here that breaks.
protocol MP4Storage: AnyObject {
  var length: Int64 { get throws }
  /// The unit of `insert`, in bytes.
  var blockSize: Int64 { get }
  var freeSpace: Int64 { get }
  /// May write a part and throw.
  func write(_ bytes: [UInt8], at offset: Int64) throws
  func read(_ count: Int, at offset: Int64) throws -> [UInt8]
  func truncate(to length: Int64) throws
  func synchronize() throws
  /// Moves everything from `offset` on by `length` bytes; false if that is impossible here.
  func insert(_ length: Int64, at offset: Int64) throws -> Bool
  /// Replaces the file, whole or not at all, by `front` and its rest from `offset` on.
  func replace(front: [UInt8], keepingFrom offset: Int64) throws
}

extension GrowingFile: MP4Storage {}
