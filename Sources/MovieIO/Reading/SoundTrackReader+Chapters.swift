import CFFmpeg

extension SoundTrackReader {
  /// More chapters than this are not read: no player lists them.
  private static let mostChapters = 10_000

  /// Returns where the chapters start, in seconds after `start`, in ascending order.
  static func chapters(_ reader: OpaquePointer, from start: Double) -> [Double] {
    let starts = [Double](unsafeUninitializedCapacity: mostChapters) { memory, count in
      count = Int(cffmpeg_reader_chapters(reader, memory.baseAddress, Int32(mostChapters)))
    }
    return starts.map { $0 - start }.filter(\.isFinite).sorted()
  }
}
