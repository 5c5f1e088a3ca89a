import LibraryTestSupport
import Safelight
import Foundation
import FrameCore
import Testing

@testable import LiveVideo

@Suite("Video to pipes and files")
struct VideoPipeTests {
  @Test(
    "A Y4M header says size, rate, siting and range, byte for byte",
    arguments: [
      (640, 480, 30, "YUV4MPEG2 W640 H480 F30:1 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n"),
      (1280, 720, 29.97, "YUV4MPEG2 W1280 H720 F30000:1001 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n"),
      (3, 1, 0, "YUV4MPEG2 W3 H1 F0:0 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n"),
    ])
  func header(width: Int, height: Int, rate: Double, text: String) throws {
    let format = SinkFormat(size: PixelSize(width: width, height: height), framesPerSecond: rate)
    #expect(try Y4MSink.header(format) == Array(text.utf8))
  }

  @Test(
    "A Y4M header has the source's density, siting and range",
    arguments: [
      (.i420, .limited, .left, false, "C420mpeg2 XCOLORRANGE=LIMITED"),
      (.nv12, .full, .center, false, "C420jpeg XCOLORRANGE=FULL"),
      (.nv21, .limited, .topLeft, true, "C420paldv XCOLORRANGE=LIMITED"),
      (.yuyv422, .limited, .unspecified, false, "C422 XCOLORRANGE=LIMITED"),
      (.uyvy422, .full, .left, true, "C422 XCOLORRANGE=FULL"),
      (.nv16, .limited, .left, true, "C422 XCOLORRANGE=LIMITED"),
      (.i422, .full, .left, true, "C422 XCOLORRANGE=FULL"),
      (.i444, .full, .unspecified, true, "C444 XCOLORRANGE=FULL"),
      (.gray8, .full, .unspecified, true, "Cmono XCOLORRANGE=FULL"),
      // A look may give it a colour.
      (.gray8, .limited, .unspecified, false, "C420mpeg2 XCOLORRANGE=LIMITED"),
      (.rgba8, .full, .unspecified, true, "C420mpeg2 XCOLORRANGE=LIMITED"),
    ] as [(PixelFormat, ColorTags.Range, ColorTags.ChromaSiting, Bool, String)])
  func headerOfSource(
    source: PixelFormat, range: ColorTags.Range, siting: ColorTags.ChromaSiting, isUnedited: Bool,
    text: String
  ) throws {
    let format = SinkFormat(
      size: PixelSize(width: 64, height: 48), framesPerSecond: 25, source: source,
      sourceTags: ColorTags(
        primaries: .bt709, transfer: .bt709, matrix: source.isRGBA ? .identity : .bt709, range: range,
        chromaSiting: siting), isUnedited: isUnedited)
    let header = String(decoding: try Y4MSink.header(format), as: UTF8.self)
    #expect(header == "YUV4MPEG2 W64 H48 F25:1 Ip A1:1 \(text)\n")
  }

  @Test(
    "Y4M says which matrix its frames have where players or FFmpeg would guess another one, and only there",
    arguments: [
      (480, 480, .bt709, "bt709"), (480, 480, .bt601, nil), (480, 480, .unspecified, nil),
      (1080, 1080, .bt709, "bt709"), (1080, 1080, .bt601, "smpte170m"),
      (1080, 1080, .bt2020NonConstant, "bt2020nc"), (720, 720, .unspecified, nil),
      // Across 720 lines the matrix that nobody names changes.
      (640, 1280, .unspecified, "bt709"), (1080, 480, .unspecified, "smpte170m"), (1080, 480, .bt601, nil),
    ] as [(Int, Int, ColorTags.Matrix, String?)])
  func untoldMatrix(stored: Int, height: Int, matrix: ColorTags.Matrix, name: String?) throws {
    let format = SinkFormat(
      size: PixelSize(width: 640, height: height), framesPerSecond: 25, source: .i420,
      sourceTags: ColorTags(primaries: .bt709, transfer: .bt709, matrix: matrix, range: .limited),
      sourceSize: PixelSize(width: 640, height: stored))
    let folder = try Scratch()
    let sink = Y4MSink(to: .path(folder("a.y4m")))
    #expect(sink.announcement == nil)
    try sink.open(format)
    #expect(sink.announcement?.contains("-colorspace") == (name == nil ? nil : true))
    if let name {
      #expect(sink.announcement?.hasSuffix("(FFmpeg: -colorspace \(name) before -i -)") == true)
    }
    sink.close()
  }

  @Test(
    "A rate becomes the fraction that it means",
    arguments: [
      (25, 25, 1), (59.94, 60000, 1001), (60000.0 / 1001, 60000, 1001), (23.98, 24000, 1001),
      (23.976, 24000, 1001), (7.5, 15, 2), (14.999, 14999, 1000), (14.9999, 15, 1), (0.5, 1, 2),
      (0.0001, 1, 1000), (0, 0, 0), (-3, 0, 0), (.infinity, 0, 0), (.nan, 0, 0), (11, 11, 1),
      (10.99, 1099, 100),
    ])
  func fraction(rate: Double, numerator: Int, denominator: Int) {
    let fraction = FrameRateFraction(rate)
    #expect(fraction.numerator == numerator && fraction.denominator == denominator, "\(fraction)")
  }

  @Test(
    "Y4M frames follow their header tightly, also where rows have padding",
    arguments: [(6, 4), (5, 3), (128, 2)])
  func layout(width: Int, height: Int) throws {
    let folder = try Scratch()
    let picture = try livePicture(width, height) { x, _ in (x == 0 ? 255 : 0, 0, 0) }
    let sink = Y4MSink(to: .path(folder("out.y4m")))
    try sink.open(SinkFormat(picture))
    for sequence in 0..<3 { try sink.write(liveFrame(picture, UInt64(sequence))) }
    sink.close()
    let bytes = try folder.read("out.y4m")
    let header = try Y4MSink.header(SinkFormat(picture))
    let chroma = (width + 1) / 2 * ((height + 1) / 2)
    let frame = 6 + width * height + 2 * chroma
    #expect(bytes.count == header.count + 3 * frame)
    #expect(Array(bytes.prefix(header.count)) == header)
    for index in 0..<3 {
      let start = header.count + index * frame
      #expect(Array(bytes[start..<start + 6]) == Array("FRAME\n".utf8))
      // BT.601, limited: red is 81, black 16.
      for y in 0..<height {
        let row = bytes[(start + 6 + y * width)...].prefix(width)
        #expect(Array(row) == [81] + [UInt8](repeating: 16, count: width - 1))
      }
    }
  }

  @Test(
    "FFmpeg reads the frames back with their size, rate, range and colours",
    .installed(.ffmpeg, .ffprobe), arguments: [(64, 48), (720, 720)])
  func readBack(width: Int, height: Int) throws {
    let folder = try Scratch()
    let colors: [(UInt8, UInt8, UInt8)] = [(200, 40, 40), (30, 180, 60), (40, 60, 220), (128, 128, 128)]
    let picture = try livePicture(width, height) { x, _ in colors[x * 4 / width] }
    let sink = Y4MSink(to: .path(folder("out.y4m")))
    try sink.open(SinkFormat(picture, 29.97))
    try sink.write(liveFrame(picture))
    try sink.write(liveFrame(picture, 1))
    sink.close()
    let entries = "stream=width,height,pix_fmt,color_range,r_frame_rate,chroma_location,nb_read_frames"
    let probe = try ExternalProgram.ffprobe.run(
      ["-v", "error", "-count_frames", "-show_entries", entries, "-of", "csv=p=0", folder("out.y4m")])
    #expect(probe.text == "\(width),\(height),yuv420p,tv,left,30000/1001,2\n")
    // As a reader is told.
    let told = height < 720 ? [] : ["-colorspace", "bt709"]
    #expect(sink.announcement?.contains("(FFmpeg: -colorspace bt709 ") == (height < 720 ? nil : true))
    let decoded = try ExternalProgram.ffmpeg.run(
      ["-v", "error"] + told + [
        "-i", folder("out.y4m"), "-vf", "scale=flags=accurate_rnd+full_chroma_int+bitexact",
        "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
      ]
    ).output
    #expect(decoded.count == 3 * width * height)
    for (index, color) in colors.enumerated() {
      let offset = 3 * (height / 2 * width + index * width / 4 + width / 8)
      for (found, wanted) in zip(decoded[offset..<offset + 3], [color.0, color.1, color.2]) {
        #expect(abs(Int(found) - Int(wanted)) <= 2, "\(color): \(decoded[offset..<offset + 3])")
      }
    }
  }

  @Test("Raw video is R, G, B of every pixel and nothing else")
  func raw() throws {
    let folder = try Scratch()
    let picture = try livePicture(5, 2) { x, y in (UInt8(x), UInt8(y), 99) }
    let sink = RawVideoSink(to: .path(folder("out.rgb")))
    try sink.open(SinkFormat(picture))
    try sink.write(liveFrame(picture))
    sink.close()
    var expected: [UInt8] = []
    for y: UInt8 in 0..<2 {
      for x: UInt8 in 0..<5 { expected += [x, y, 99] }
    }
    #expect(try folder.read("out.rgb") == expected)
  }

  @Test("A pipe that takes little at a time loses nothing")
  func partialWrites() throws {
    let (reader, writer) = try makePipe()
    let picture = try livePicture(301, 203) { x, y in
      (UInt8(truncatingIfNeeded: x), UInt8(y), UInt8(truncatingIfNeeded: x * y))
    }
    let expected = picture.packedRGB
    let received = Collector()
    let thread = Thread {
      var chunk = [UInt8](repeating: 0, count: 997)
      while true {
        let count = read(reader, &chunk, chunk.count)
        if count <= 0 { break }
        received.append(chunk[..<count])
      }
      received.finish()
    }
    thread.start()
    let sink = RawVideoSink(to: .descriptor(writer))
    try sink.open(SinkFormat(picture))
    for _ in 0..<3 { try sink.write(liveFrame(picture)) }
    sink.close()
    close(writer)
    #expect(received.wait() == expected + expected + expected)
    close(reader)
  }

  @Test("A reader that has gone ends the sink quietly, and not the program")
  func readerGone() throws {
    let (reader, writer) = try makePipe()
    let picture = try livePicture(64, 48) { _, _ in (1, 2, 3) }
    let sink = Y4MSink(to: .descriptor(writer))
    try sink.open(SinkFormat(picture))
    close(reader)
    #expect(throws: SinkClosed.self) { try sink.write(liveFrame(picture)) }
    #expect(throws: SinkClosed.self) { try sink.write(liveFrame(picture)) }
    sink.close()
    // No signal is left behind for the thread to trip over later.
    var pending = sigset_t()
    sigpending(&pending)
    #expect(sigismember(&pending, SIGPIPE) == 0)
    close(writer)
  }

  @Test("A reader that neither reads nor goes does not hold up the end")
  func interruption() throws {
    let (reader, writer) = try makePipe()
    let picture = try livePicture(640, 480) { _, _ in (1, 2, 3) }
    let sink = RawVideoSink(to: .descriptor(writer))
    try sink.open(SinkFormat(picture))
    let thread = Thread { sink.interrupt() }
    thread.start()
    // The pipe holds 64 KiB of the frame's 900: only the interruption ends this.
    #expect(throws: SinkClosed.self) { try sink.write(liveFrame(picture)) }
    sink.close()
    // The descriptor itself still blocks, as its owner left it.
    #expect(fcntl(writer, F_GETFL) & O_NONBLOCK == 0)
    close(writer)
    close(reader)
  }

  @Test("A socket is written to as well, and its reader's going is as quiet")
  func socket() throws {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let picture = try livePicture(8, 8) { _, _ in (1, 2, 3) }
    let sink = RawVideoSink(to: .descriptor(ends[0]))
    try sink.open(SinkFormat(picture))
    try sink.write(liveFrame(picture))
    var bytes = [UInt8](repeating: 0, count: 300)
    #expect(read(ends[1], &bytes, bytes.count) == 192)
    close(ends[1])
    #expect(throws: SinkClosed.self) { try sink.write(liveFrame(picture)) }
    sink.close()
    close(ends[0])
  }

  @Test(
    "What cannot be written says so in one sentence",
    arguments: [
      ("/dev/full", "Cannot write to /dev/full: the disk is full; free some space and try again."),
      ("/nowhere/out.y4m", "Cannot write to /nowhere/out.y4m: its folder does not exist; create it first."),
      ("/tmp", "Cannot write to /tmp: it is a folder; give the name of a file."),
    ])
  func failures(path: String, sentence: String) throws {
    let picture = try livePicture(8, 8) { _, _ in (1, 2, 3) }
    let sink = Y4MSink(to: .path(path))
    #expect {
      try sink.open(SinkFormat(picture))
      try sink.write(liveFrame(picture))
    } throws: {
      "\($0)" == sentence
    }
    sink.close()
  }

  @Test("A descriptor that is closed or only read is refused")
  func notWritable() throws {
    let (reader, writer) = try makePipe()
    #expect {
      try RawVideoSink(to: .descriptor(reader)).open(
        SinkFormat(size: PixelSize(width: 2, height: 2), framesPerSecond: 30))
    } throws: {
      "\($0)"
        == "Cannot write to descriptor \(reader): it is closed, or not open for writing; "
        + "redirect it to a file or a pipe."
    }
    close(reader)
    close(writer)
  }

  private func makePipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    return (ends[0], ends[1])
  }
}

/// Bytes that one thread gathers for another.
private final class Collector: @unchecked Sendable {
  private var bytes: [UInt8] = []
  private let done = DispatchSemaphore(value: 0)

  func append(_ more: ArraySlice<UInt8>) { bytes += more }
  func finish() { done.signal() }
  func wait() -> [UInt8] {
    done.wait()
    return bytes
  }
}
