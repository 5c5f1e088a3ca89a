import Foundation
import Safelight

/// Sixty frames of 4K in two seconds, uncompressed: 750 MB.
enum Burst {
  private static let count = 60

  static func measure() async throws {
    try await Evaluation.withFolder { folder in
      let names = try PhotoNames(folder)
      let delivery = PhotoDelivery(names: names)
      let output = PhotoOutput<DeliveredPhoto>(
        memory: 56 << 20, spool: PhotoSpool(in: names.folder), threads: 2,
        yieldsToLivePictures: false
      ) { captured, _ in try delivery.deliver(captured) }
      // One picture, whose memory is a driver's rather than the photo output's.
      let input = try PacedInput(size: PixelSize(width: 3840, height: 2160), rate: 30, count: 1)
      let session = try await Evaluation.running(output, input)
      let begin = Timestamp.now
      let burst = try output.captureBurst(of: count)
      while !burst.hasEnded { try await Task.sleep(for: .milliseconds(10)) }
      let seconds = Timestamp.now.seconds(since: begin)
      var sequences: [UInt64] = []
      for capture in burst.captures { sequences.append(try await capture.photo().sequence) }
      await session.stop()
      let lost = zip(sequences, sequences.dropFirst()).reduce(0) { $0 + Int($1.1) - Int($1.0) - 1 }
      Evaluation.row(
        "frames lost in a burst of \(count) at 4K", Double(lost + count - sequences.count), "", atMost: 0)
      Evaluation.row("peak memory of the burst", try peakMemory(), "MB", atMost: 200)
      print("all \(count) files after \(Evaluation.text(seconds)) s")
    }
  }

  /// Measures in a process of its own, whose peak memory is the burst's.
  static func measureApart() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["burst"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let told = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    print(told.split(separator: "\n").dropFirst().joined(separator: "\n"))
  }

  /// In megabytes, without what the kernel keeps of files.
  private static func peakMemory() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0
    return kilobytes * 1024 / 1e6
  }
}
