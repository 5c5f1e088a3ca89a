import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension CameraTests {
  @Suite("The program fills a virtual camera", .driver(.loopback))
  struct VirtualCameraProgram {
    /// v4l2loopback's devices, of which `run-tests` makes two.
    static let node = "/dev/video0"

    @Test("Another program reads the looks back", arguments: ["v4l2-ctl", "ffmpeg"])
    func program(reader: String) throws {
      let folder = try Shell.run("mktemp -d").split(separator: "\n")[0]
      // One colour a picture: what comes out is known without knowing how it was scaled.
      for index in 0..<4 {
        try Shell.run(
          "printf 'P6 320 240 255\\n' >\(folder)/\(index).ppm; "
            + "head -c 230400 /dev/zero | tr '\\0' '\\277' >>\(folder)/\(index).ppm; "
            + "cjpeg -quality 95 \(folder)/\(index).ppm >\(folder)/\(index).jpg")
      }
      let live =
        "exec \(Guest.program) live --source '\(folder)/*.jpg' --size 320x240 --fps 15 --exposure -1 "
        + "--to virtual:\(Self.node) --seconds 60"
      try Shell.run("(\(live)) >\(folder)/log 2>&1 & echo $! >\(folder)/id")
      defer { _ = try? Shell.outcome("kill -INT $(cat \(folder)/id)") }
      let read =
        reader == "ffmpeg"
        ? "ffmpeg -v error -f v4l2 -i \(Self.node) -frames:v 3 -pix_fmt yuyv422 -f rawvideo -y \(folder)/read"
        : "v4l2-ctl -d \(Self.node) -v pixelformat=YUYV --stream-mmap --stream-count=3 --stream-to=\(folder)/read"
      var (status, output): (Int32, String) = (1, "")
      for _ in 0..<100 where status != 0 {
        (status, output) = try Shell.outcome("timeout 20 \(read)")
        usleep(100_000)
      }
      let log = String(decoding: try Shell.bytes(of: "\(folder)/log"), as: UTF8.self)
      try #require(status == 0, "\(output) \(log)")

      // Grey 191 of 255 is 0.5210 in linear light (IEC 61966-2-1); one stop less is 0.2605, encoded 0.5474, and as
      // luma in narrow range (BT.601) 16 + 219 · 0.5474.
      let bytes = try Shell.bytes(of: "\(folder)/read")
      #expect(bytes.count >= 320 * 240 * 2)
      let pixels = bytes.suffix(320 * 240 * 2)
      let wrong = pixels.enumerated().filter { offset, byte in
        abs(Int(byte) - (offset % 2 == 0 ? 136 : 128)) > 2
      }
      #expect(wrong.isEmpty, "\(wrong.count) bytes differ, such as \(wrong.prefix(4))")
    }

    @Test("A device that is no output is refused by the program with a sentence")
    func noOutput() throws {
      let (status, output) = try Shell.outcome(
        "timeout 60 \(Guest.program) live --source synthetic --frames 1 --to virtual:/dev/null")
      #expect(status != 0 && status < 124)
      #expect(output.contains("Error: ") && output.contains("/dev/null"), "\(output)")
    }
  }
}
