import LibraryTestSupport
import Safelight
import Foundation
import FrameCore
import PhotoIO
import Testing

@testable import LiveVideo

@Suite("Frames as files")
struct FrameFolderSinkTests {
  private let picture: PixelBuffer

  init() throws { picture = try livePicture(64, 48) { x, y in (UInt8(4 * x), UInt8(5 * y), 90) } }

  private func write(_ count: Int, to sink: FrameFolderSink) throws {
    try sink.open(SinkFormat(picture))
    for sequence in 0..<count { try sink.write(liveFrame(picture, UInt64(sequence))) }
    sink.close()
  }

  @Test("are numbered, in a folder that is made for them, and show the picture")
  func numbering() throws {
    let folder = try Scratch()
    let sink = try FrameFolderSink(folder: folder("new"))
    #expect(sink.name == "frames:\(folder("new"))")
    try write(3, to: sink)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder("new")).sorted()
        == ["frame-000001.jpg", "frame-000002.jpg", "frame-000003.jpg"])
    #expect(sink.announcement == nil)
    let photo = try Photo(contentsOf: folder("new/frame-000002.jpg"))
    #expect(photo.buffer.size == picture.size)
    for y in stride(from: 0, to: 48, by: 7) {
      for (found, wanted) in zip(photo.buffer.row(y, as: UInt8.self), picture.row(y, as: UInt8.self)) {
        #expect(abs(Int(found) - Int(wanted)) <= 6)
      }
    }
  }

  @Test("as PNG are the very pixels")
  func png() throws {
    let folder = try Scratch()
    try write(1, to: try FrameFolderSink(folder: folder.path, format: .png))
    let photo = try Photo(contentsOf: folder("frame-000001.png"))
    for y in 0..<48 {
      #expect(photo.buffer.row(y, as: UInt8.self).elementsEqual(picture.row(y, as: UInt8.self)))
    }
  }

  @Test("of an earlier run stay as they are: numbers go on, and that is said")
  func earlierRun() throws {
    let folder = try Scratch()
    try write(2, to: try FrameFolderSink(folder: folder.path))
    let before = try folder.read("frame-000002.jpg")
    for name in ["frame-000007.png", "frame-x.jpg", "frame-99", "notes.txt"] {
      try folder.write("x", to: name)
    }
    let sink = try FrameFolderSink(folder: folder.path)
    try write(1, to: sink)
    #expect(try folder.names.contains("frame-000008.jpg"))
    #expect(try folder.read("frame-000002.jpg") == before)
    #expect(
      sink.announcement
        == "\(folder.path) holds frames up to number 7; these go on with frame-000008.jpg")
  }

  @Test("are refused in other formats, and where a file stands in the folder's place")
  func refusals() throws {
    #expect { try FrameFolderSink(folder: "out", format: .tiff) } throws: {
      "\($0)" == "Frames are not written as TIFF; use JPEG or PNG."
    }
    let folder = try Scratch()
    try folder.write("x", to: "file")
    let sink = try FrameFolderSink(folder: folder("file"))
    #expect(throws: SafelightError.self) { try sink.open(SinkFormat(picture)) }
  }

  @Test(
    "that no longer fit on the disk end with one sentence and leave no half file",
    .enabled(if: geteuid() == 0 && ExternalProgram.mount.isAvailable, "only root may mount a small disk"))
  func diskFull() throws {
    let folder = try Scratch()
    let mounted = try ExternalProgram.mount.attempt(["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.path])
    try #require(mounted.status == 0, "tmpfs cannot be mounted here")
    defer { _ = try? ExternalProgram.umount.run([folder.path]) }
    let noise = try livePicture(160, 120) { _, _ in
      (.random(in: 0...255), .random(in: 0...255), .random(in: 0...255))
    }
    let sink = try FrameFolderSink(folder: folder.path)
    try sink.open(SinkFormat(noise))
    var failure: (any Error)?
    for sequence in 0..<100 where failure == nil {
      do { try sink.write(liveFrame(noise, UInt64(sequence))) } catch { failure = error }
    }
    sink.close()
    let next = "\(folder.path)/frame-00000\(sink.nextNumber).jpg"
    #expect(
      failure.map { "\($0)" } == "Cannot write \(next): the disk is full; free some space and try again.")
    let names = try folder.names
    #expect(names.count == sink.nextNumber - 1 && names.allSatisfy { $0.hasPrefix("frame-") }, "\(names)")
    for name in names { #expect(try Photo(contentsOf: folder(name)).buffer.size == noise.size) }
  }
}
