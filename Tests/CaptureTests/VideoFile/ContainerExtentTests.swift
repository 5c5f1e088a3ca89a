import Foundation
import TestSupport
import Testing

@testable import Capture

@Suite("What a video file says of its length")
struct ContainerExtentTests {
  private func extent(_ bytes: [UInt8]) throws -> ContainerExtent {
    let scratch = try Scratch()
    let path = try scratch.write(bytes, to: "file")
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    return ContainerExtent(descriptor: descriptor)
  }

  /// A box of ISO/IEC 14496-12 that states `size` bytes of contents and has `bytes`.
  private func box(_ name: String, _ bytes: Int, stating size: Int? = nil) -> [UInt8] {
    let stated = UInt32(8 + (size ?? bytes))
    return (0..<4).map { UInt8(truncatingIfNeeded: stated >> UInt32(24 - 8 * $0)) } + Array(name.utf8)
      + [UInt8](repeating: 0, count: bytes)
  }

  @Test("is read from the boxes of an ISO media file")
  func isoMedia() throws {
    let start = box("ftyp", 8) + box("moov", 40)
    #expect(try extent(start + box("mdat", 90)) == .whole)
    #expect(try extent(start + box("mdat", 90, stating: 91)) == .cut)
    #expect(try extent(start + box("mdat", 90) + box("free", 3, stating: 90)) == .whole)
    // What may be the beginning of a box is for other signs to judge.
    #expect(try extent(start + box("mdat", 90) + [1, 2, 3]) == .cut)
    #expect(try extent(start + [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0]) == .cut)
    #expect(try extent(start + box("mdat", 90) + [0, 0, 0, 9] + [0xFF, 0xFF, 0xFF, 0xFF]) == .whole)
    #expect(try extent(start + [0, 0, 0, 0] + Array("mdat".utf8) + [7, 7]) == .unknown)
    let large: [UInt8] = [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 1, 0, 0, 0, 0]
    #expect(try extent(start + large) == .cut)
  }

  @Test("is read from the fragments of an ISO media file")
  func fragments() throws {
    let start = box("ftyp", 8) + box("moov", 40)
    let fragment = box("moof", 20) + box("mdat", 50)
    // Nobody knows whether more fragments were to follow, unless their index is there.
    #expect(try extent(start + fragment + fragment) == .unknown)
    #expect(try extent(start + fragment + fragment + box("free", 3, stating: 90)) == .unknown)
    #expect(try extent(start + fragment + fragment + [0, 0, 0, 9] + [0xFF, 0xFF, 0xFF, 0xFF]) == .unknown)
    #expect(try extent(start + fragment + fragment + box("mfra", 30)) == .whole)
    #expect(try extent(start + fragment + fragment + box("mfra", 3, stating: 30)) == .whole)
    let indexed = start + fragment + fragment + box("mfra", 30)
    for count in 1...7 { #expect(try extent(indexed + fragment.prefix(count)) == .whole, "\(count)") }

    let cut = ContainerExtent.cutInFrames(statesDuration: false)
    #expect(try extent((start + fragment + fragment).dropLast()) == cut)
    for count in 1..<28 { #expect(try extent(start + fragment + fragment.prefix(count)) == cut, "\(count)") }
    #expect(try extent(start + fragment + [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0]) == cut)
    #expect(try extent(start + fragment + box("styp", 4, stating: 20)) == cut)
  }

  @Test("is read from the elements of a Matroska file")
  func matroska() throws {
    func element(_ id: [UInt8], _ size: Int, _ contents: [UInt8]) -> [UInt8] {
      id + [0x40 | UInt8(size >> 8), UInt8(size & 0xFF)] + contents
    }
    func file(_ contents: [UInt8], stating size: Int) -> [UInt8] {
      element([0x1A, 0x45, 0xDF, 0xA3], 5, [1, 2, 3, 4, 5])
        + element([0x18, 0x53, 0x80, 0x67], size, contents)
    }
    let cluster = element([0x1F, 0x43, 0xB6, 0x75], 100, [UInt8](repeating: 1, count: 100))
    #expect(try extent(file(cluster + cluster, stating: 2 * cluster.count)) == .whole)
    #expect(try extent(file(cluster, stating: 2 * cluster.count)) == .cut)
    #expect(
      try extent(file(cluster + cluster.dropLast(), stating: 2 * cluster.count))
        == .cutInFrames(statesDuration: true))
    // Cues that are cut off cost no frame.
    #expect(try extent(file(cluster + [0x1C, 0x53, 0xBB, 0x6B, 0x40, 50, 1], stating: 164)) == .whole)
    let live =
      [0x1A, 0x45, 0xDF, 0xA3, 0x81, 9, 0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xFF, count: 7)
    #expect(try extent(live + cluster) == .unknown)
  }

  @Test("is read from the chunks of an AVI file and the tags of an FLV file")
  func others() throws {
    func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [UInt8(contents.count), 0, 0, 0] + contents
    }
    let movie = chunk("LIST", Array("movi".utf8) + [UInt8](repeating: 3, count: 60))
    let avi = chunk(
      "RIFF", Array("AVI ".utf8) + chunk("JUNK", [1, 2]) + movie + chunk("idx1", [1, 2, 3, 4]))
    #expect(try extent(avi) == .whole)
    #expect(try extent(avi.dropLast(6)) == .whole)
    #expect(try extent(avi.dropLast(20)) == .cutInFrames(statesDuration: false))
    let flv =
      Array("FLV".utf8) + [1, 5, 0, 0, 0, 9, 0, 0, 0, 0] + [
        9, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 13,
      ]
    #expect(try extent(flv) == .unknown)
    // Cut off, or written by somebody who leaves the last length out or writes 0.
    #expect(try extent(flv.dropLast()) == .doubtful)
    #expect(try extent(Array(flv.dropLast(4)) + [0, 0, 0, 0]) == .doubtful)
    #expect(try extent(Array("something else, longer than that".utf8)) == .unknown)
    #expect(try extent([]) == .unknown)
  }

  @Test("Every prefix of every whole file is looked at without trouble")
  func prefixes() throws {
    let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fuzz/video")
    for name in try FileManager.default.contentsOfDirectory(atPath: corpus.standardizedFileURL.path)
    where name.hasPrefix("good-") {
      let bytes = Array(try Data(contentsOf: corpus.appending(path: name)))
      #expect([.whole, .unknown].contains(try extent(bytes)), "\(name)")
      for count in stride(from: 0, to: bytes.count, by: 97) { _ = try extent(Array(bytes.prefix(count))) }
    }
  }

  @Test("ends a video as what it is")
  func sentences() {
    func problem(_ change: (inout VideoEnding) -> Void) -> String? {
      var ending = VideoEnding(reached: 6.57, stated: 20, interval: 1.0 / 30, extent: .whole)
      change(&ending)
      return ending.problem(path: "a.mp4").map { "\($0)" }
    }
    let remedy = "; copy it again from its source (the frames before the cut were delivered)."
    #expect(problem { _ in } == nil)
    #expect(problem { $0.extent = .cut } == "The video a.mp4 is cut off after 6.6 s of 20.0 s" + remedy)
    #expect(
      problem { $0.extent = .cutInFrames(statesDuration: false) }
        == "The video a.mp4 is cut off after 6.6 s" + remedy)
    #expect(problem { ($0.extent, $0.reached) = (.cut, 19.97) } == nil)
    #expect(problem { ($0.extent, $0.reached, $0.looksBeyondEnd) = (.cut, 19.97, true) } != nil)
    // Where only a duration tells, sound that lasts longer is no loss.
    #expect(problem { ($0.extent, $0.reached) = (.unknown, 18.5) } == nil)
    #expect(problem { $0.extent = .unknown } != nil)
    #expect(problem { ($0.extent, $0.stated) = (.unknown, 0) } == nil)
    // An end that may only be written carelessly needs another sign.
    #expect(problem { $0.extent = .doubtful } != nil)
    #expect(problem { ($0.extent, $0.stated) = (.doubtful, 0) } == nil)
    #expect(problem { ($0.extent, $0.reached) = (.doubtful, 18.5) } == nil)
    #expect(problem { ($0.extent, $0.reached, $0.looksBeyondEnd) = (.doubtful, 18.5, true) } != nil)
    #expect(problem { ($0.extent, $0.reached, $0.looksBeyondEnd) = (.doubtful, 19.97, true) } == nil)
    #expect(
      problem { $0.hasGivenUp = true }
        == "The video a.mp4 is damaged and cannot be read beyond 6.6 s; "
        + "copy it again from its source (the frames before that were delivered).")
    #expect(problem { ($0.hasGivenUp, $0.reached) = (true, 20) } == nil)
    #expect(
      problem { $0.readError = EIO }
        == "Cannot read a.mp4 beyond 6.6 s: Input/output error; "
        + "check the disk and copy the file again (the frames before that were delivered).")
  }
}
