import LibraryTestSupport
import Safelight
import Foundation
import Testing

@Suite("Sources of live frames")
struct LiveSourceTests {
  @Test(
    "are what a path leads to, wherever it lies", .enabled(if: access("/dev/shm", W_OK) == 0, "no /dev/shm"))
  func devicesFolder() throws {
    let folder = "/dev/shm/safelight-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["clip.avi", "still.jpg"] {
      #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data([1])))
    }
    #expect(try LiveSource("\(folder)/clip.avi") == .video("\(folder)/clip.avi"))
    #expect(try LiveSource("\(folder)/still.jpg") == .pictures("\(folder)/still.jpg"))
    #expect(try LiveSource(folder) == .pictures(folder))
    #expect(try LiveSource("\(folder)/*.jpg") == .pictures("\(folder)/*.jpg"))
    #expect { try LiveSource("\(folder)/none.avi") } throws: {
      "\($0)".contains("no such file, and no camera")
    }
    // Links lead to files and to devices alike.
    try FileManager.default.createSymbolicLink(atPath: "\(folder)/camera", withDestinationPath: "/dev/null")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/clip", withDestinationPath: "\(folder)/clip.avi")
    #expect(try LiveSource("\(folder)/camera") == .camera(node: "\(folder)/camera"))
    #expect(try LiveSource("\(folder)/clip") == .video("\(folder)/clip"))
  }

  @Test(
    "that are not connected are cameras by their names",
    arguments: ["/dev/video250", "/dev/v4l/by-id/usb-none"])
  func missing(path: String) throws {
    #expect(try LiveSource(path) == .camera(node: path))
    #expect { try LiveSource(path).makeInput() } throws: { "\($0)".contains("There is no device \(path)") }
  }
}
