import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("Watching device nodes")
struct NodeWatcherTests {
  /// Whether a change is reported; what is reported at all is so at once.
  private func reports(_ watcher: NodeWatcher, within seconds: Double = 5) -> Bool {
    watcher.wait(until: .now.advanced(bySeconds: seconds))
  }

  @Test("Names that concern it are reported and no others, in folders too that come later")
  func names() throws {
    let scratch = try Scratch()
    let folders = [scratch.path, scratch("by-id")]
    let watcher = NodeWatcher(folders: folders, node: nil) { $0.hasPrefix("video") || $0 == "by-id" }
    try scratch.write("", to: "tty1")
    #expect(!reports(watcher, within: 0.05))
    try scratch.write("", to: "video0")
    #expect(reports(watcher))
    try scratch.makeFolder("by-id")
    #expect(reports(watcher))
    try scratch.write("", to: "by-id/video-index0")
    #expect(reports(watcher))
    #expect(!reports(watcher, within: 0.05))
  }

  @Test("The closing of a node is reported where it was asked for")
  func closing() throws {
    let scratch = try Scratch()
    let path = try scratch.write([], to: "node")
    let (asked, other) = (
      NodeWatcher(folders: [], node: path), NodeWatcher(folders: [scratch.path], node: nil)
    )
    _ = try scratch.read("node")
    #expect(reports(asked))
    #expect(!reports(other, within: 0.05))
  }

  @Test("Past changes can be discarded, and a signal ends the wait")
  func clearing() throws {
    let scratch = try Scratch()
    let watcher = NodeWatcher(folders: [scratch.path], node: nil)
    try scratch.write("", to: "pcmC0D0c")
    #expect(watcher.clear())
    #expect(!watcher.clear())
    #expect(!reports(watcher, within: 0.05))
    let signal = try WakeSignal()
    signal.signal()
    #expect(!watcher.wait(until: Timestamp(nanoseconds: .max), wake: signal))
  }
}
