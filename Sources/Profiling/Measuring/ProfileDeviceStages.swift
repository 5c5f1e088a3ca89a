import VulkanRendering
import FilterGraph
import FrameCore
import Rendering

/// What the steps of a frame take on a GPU, from frames each by itself.
struct ProfileDeviceStages {
  /// A frame from its handing over to its picture, and what its steps took by the device's clock.
  struct Frame {
    var seconds: Double
    var times: FrameTimes
  }

  /// How many of a frame's pictures the processor copied for the device, on average, 0…1 each. The others it reached
  /// where they lie.
  struct Copies {
    var sources = 1.0
    var outputs = 1.0
  }

  private struct Row {
    let kind: String
    let text: String
    let bytes: Int
    /// What the row is compared with, in 10⁹ bytes a second; 0 where there is nothing.
    var rate = 0.0
    /// By the clock; nil is what is left of the frame.
    var seconds: ((FrameTimes) -> Double)?
  }

  let plan: Plan
  let copies: Copies
  /// How fast the device copies within its own memory, in 10⁹ bytes a second.
  let copyRate: Double

  init(_ plan: Plan, copies: Copies, copyRate: Double) {
    (self.plan, self.copies, self.copyRate) = (plan, copies, copyRate)
  }

  /// Bytes of a frame that its kernels must read, once it is in the device's memory, and write.
  var residentBytes: Int { plan.shownInputBytes + plan.outputBytes }

  /// A row for each step that took time: medians as the clock told them, and what is left of the median frame as `wait`.
  func costs(_ frames: [Frame]) -> [ProfileReport.StageCost] {
    let rows = rows.filter { row in
      guard let seconds = row.seconds else { return true }
      return frames.contains { seconds($0.times) > 0 }
    }
    let alone = 1000 * OrderStatistics.median(frames.map(\.seconds))
    let size = max(1, frames.count / 16)
    let blocks = stride(from: 0, to: frames.count - size + 1, by: size).map { start in
      milliseconds(rows, of: frames[start..<start + size])
    }
    let pixels = Double(plan.outputSize.pixelCount)
    return zip(rows, milliseconds(rows, of: frames[...])).enumerated().map { index, row in
      let (row, milliseconds) = row
      let gigabytes = milliseconds > 0 ? Double(row.bytes) / milliseconds / 1e6 : 0
      return ProfileReport.StageCost(
        kind: row.kind, text: row.text, milliseconds: milliseconds,
        nanosecondsPerPixel: milliseconds * 1e6 / pixels,
        megapixelsPerSecond: milliseconds > 0 ? pixels / milliseconds / 1e3 : 0,
        gigabytesPerSecond: gigabytes, bytes: row.bytes, share: alone > 0 ? milliseconds / alone : 0,
        ofRoofline: row.rate > 0 ? gigabytes / row.rate : 0, samples: blocks.map { $0[index] })
    }
  }

  /// Each row's median; what they leave of the median frame is the last row's.
  private func milliseconds(_ rows: [Row], of frames: ArraySlice<Frame>) -> [Double] {
    var rest = OrderStatistics.median(frames.map(\.seconds))
    return rows.map { row in
      guard let seconds = row.seconds else { return 1000 * max(0, rest) }
      let median = OrderStatistics.median(frames.map { seconds($0.times) })
      rest -= median
      return 1000 * median
    }
  }

  /// In the order in which they run. What is brought and taken crosses the bus once; what the processor copies and
  /// kernels work on is read and written.
  private var rows: [Row] {
    let input = ProfileSource.bytes(plan.input.size, plan.input.format)
    let (shown, output) = (plan.shownInputBytes, plan.outputBytes)
    let reduced = plan.stages.lazy.compactMap { stage -> Int? in
      guard case .shrink(let shrink) = stage else { return nil }
      return 8 * shrink.outputSize.pixelCount
    }.first
    let staged = 2 * (copies.sources * Double(input) + copies.outputs * Double(output))
    let kernel = plan.stages.map(\.kindName).filter { $0 != "shrink" }.joined(separator: " · ")
    var rows = [
      Row(
        kind: "staging", text: "the processor's copies to and from memory that the GPU reaches",
        bytes: Int(staged.rounded()), seconds: \.staging),
      Row(kind: "upload", text: "\(plan.input.format.rawValue) → the GPU", bytes: input, seconds: \.upload),
    ]
    // Where nothing is reduced, two readings of the clock lie apart all the same.
    if let reduced {
      rows.append(
        Row(
          kind: "reduce", text: "averaged in linear light", bytes: shown + reduced, rate: copyRate,
          seconds: \.reduction))
    }
    return rows + [
      Row(
        kind: "kernel", text: kernel.isEmpty ? "copied" : kernel, bytes: (reduced ?? shown) + output,
        rate: copyRate, seconds: \.kernel),
      Row(
        kind: "download", text: "the GPU → \(plan.output.format.rawValue)", bytes: output,
        seconds: \.download),
      Row(kind: "wait", text: "for the GPU to begin and for what lies between its steps", bytes: 0),
    ]
  }
}
