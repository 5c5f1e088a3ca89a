import Testing
import Libc

extension CameraTests {
  @Suite("The program fills a virtual camera", .driver(.loopback))
  struct VirtualCameraProgram {
    init() throws { try VividCamera.webcam.restore() }

    /// vivid's bars one stop darker, as Y'CbCr of BT.601 in narrow range.
    ///
    /// 191 of 255 is 0.5210 in linear light; one stop less is 0.2605, encoded 0.5473. Sources: IEC 61966-2-1;
    /// ITU-R BT.601-7, 2.5.1 and 2.5.3.
    static let darkerBars: [[Int]] = ColorBars.rgb.map { color in
      let (r, g, b) = (
        color[0] == 0 ? 0 : 0.5473, color[1] == 0 ? 0 : 0.5473, color[2] == 0 ? 0 : 0.5473
      )
      let y = 0.299 * r + 0.587 * g + 0.114 * b
      return [16 + 219 * y, 128 + 224 * (b - y) / 1.772, 128 + 224 * (r - y) / 1.402].map {
        Int($0.rounded())
      }
    }

    @Test("Another program reads a camera's pictures through a look", arguments: ["v4l2-ctl", "ffmpeg"])
    func looks(reader: String) async throws {
      let folder = try Shell.run("mktemp -d").split(separator: "\n")[0]
      let log = open("\(folder)/log", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(log) }
      let program = try Shell.spawn(
        [
          Guest.program, "live", "--source", VividCamera.webcam.node, "--size", "320x180", "--fps", "10",
          "--exposure=-1", "--to", "virtual:\(VirtualCameraFeed.node)",
        ], output: log, errors: log)
      var hasEnded = false
      defer {
        if !hasEnded {
          kill(program, SIGKILL)
          waitpid(program, nil, 0)
        }
      }
      func said() -> String { (try? Shell.run("cat \(folder)/log")) ?? "" }
      try await Guest.wait(for: "the virtual camera", seconds: 60) {
        hasEnded = waitpid(program, nil, WNOHANG) == program
        if hasEnded { throw Shell.Failed(description: "the program ended: \(said())") }
        return try Shell.outcome("v4l2-ctl -d \(VirtualCameraFeed.node) --get-fmt-video").output
          .contains("320/180")
      }

      let read =
        reader == "ffmpeg"
        ? "ffmpeg -v error -f v4l2 -i \(VirtualCameraFeed.node) -frames:v 1 -pix_fmt yuyv422 -f rawvideo -y"
        : "v4l2-ctl -d \(VirtualCameraFeed.node) --stream-mmap --stream-skip=2 --stream-count=1 --stream-to"
      let outcome = try Shell.outcome("timeout 30 \(read) \(folder)/read")
      try #require(outcome.status == 0, "\(outcome.output) \(said())")

      let bytes = try Shell.bytes(of: "\(folder)/read")
      let frame = 320 * 180 * 2
      // The driver may round a frame up to whole pages.
      try #require(bytes.count >= frame, "\(said())")
      let last = bytes
      for bar in 0..<8 {
        let at = 90 * 640 + (bar * 40 + 20) * 2
        let found = [Int(last[at]), Int(last[at + 1]), Int(last[at + 3])]
        let wanted = Self.darkerBars[bar]
        #expect(
          zip(found, wanted).allSatisfy { abs($0 - $1) <= 3 }, "bar \(bar): \(found), not \(wanted)")
      }

      // Ctrl-C ends cleanly, and the device is free again.
      kill(program, SIGINT)
      try await Guest.wait(for: "the program's end") {
        hasEnded = waitpid(program, nil, WNOHANG) == program
        return hasEnded
      }
      let feed = try VirtualCameraFeed(format: .yuyv422)
      #expect(feed.stop() == nil)
    }

    @Test("A device that is no output is refused with a sentence", arguments: ["/dev/null", "/dev/video63"])
    func noOutput(path: String) throws {
      let (status, output) = try Shell.outcome(
        "timeout 60 \(Guest.program) live --source \(try VividCamera.webcam.node) --size 320x180 --frames 1 "
          + "--to virtual:\(path)")
      #expect(status != 0 && status < 124)
      #expect(output.contains("Error: ") && output.contains(path), "\(output)")
    }
  }
}
