import VulkanRendering
import FilterGraph
import FrameCore
import Rendering

/// The times of a frame's steps on a GPU, measured on frames rendered one at a time.
struct ProfileDeviceStages {
  /// The time of a frame from submission to its picture, and the times of its steps by the device's clock.
  struct Frame {
    var seconds: Double
    var times: FrameTimes
  }

  /// The fraction of a frame's pictures that the processor copied for the device, on average, 0…1 each. It
  /// accessed the others in place.
  struct Copies {
    var sources = 1.0
    var outputs = 1.0
  }

  private struct Row {
    let kind: String
    let text: String
    let bytes: Int
    /// The rate that the row is compared with, in 10⁹ bytes per second; 0 if there is none.
    var rate = 0.0
    /// Returns the time by the device's clock; nil for the rest of the frame.
    var seconds: ((FrameTimes) -> Double)?
  }

  let plan: Plan
  let copies: Copies
  /// The rate at which the device copies within its own memory, in 10⁹ bytes per second.
  let copyRate: Double

  init(_ plan: Plan, copies: Copies, copyRate: Double) {
    (self.plan, self.copies, self.copyRate) = (plan, copies, copyRate)
  }

  /// The bytes of a frame that its kernels must read and write, once it is in the device's memory.
  var residentBytes: Int { plan.shownInputBytes + plan.outputBytes }

  /// Returns a row for each step that took time: its median by the clock, and the rest of the median frame as
  /// `wait`.
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

  /// Returns each row's median; the last row gets the rest of the median frame.
  private func milliseconds(_ rows: [Row], of frames: ArraySlice<Frame>) -> [Double] {
    var rest = OrderStatistics.median(frames.map(\.seconds))
    return rows.map { row in
      guard let seconds = row.seconds else { return 1000 * max(0, rest) }
      let median = OrderStatistics.median(frames.map { seconds($0.times) })
      rest -= median
      return 1000 * median
    }
  }

  /// The rows in the order in which they run. Uploads and downloads cross the bus once; data that the processor
  /// copies or kernels process is read and written.
  private var rows: [Row] {
    let input = ProfileSource.bytes(plan.input.size, plan.input.format)
    let (shown, output) = (plan.shownInputBytes, plan.outputBytes)
    let downsampled = plan.stages.lazy.compactMap { stage -> Int? in
      guard case .downsample(let downsample) = stage else { return nil }
      return 8 * downsample.outputSize.pixelCount
    }.first
    let staged = 2 * (copies.sources * Double(input) + copies.outputs * Double(output))
    // What has a row of its own is not the kernel's.
    let others = ["downsample", "denoise"]
    let kernel = plan.stages.map(\.kindName).filter { !others.contains($0) }.joined(separator: " · ")
    let clean = 8 * plan.input.size.pixelCount
    var rows = [
      Row(
        kind: "staging", text: "the processor's copies to and from memory that the GPU reaches",
        bytes: Int(staged.rounded()), seconds: \.staging),
      Row(kind: "upload", text: "\(plan.input.format.rawValue) → the GPU", bytes: input, seconds: \.upload),
    ]
    if let denoising = plan.denoising {
      rows.append(
        Row(
          kind: "denoise", text: denoising.text, bytes: input + clean, rate: copyRate, seconds: \.denoising))
    }
    // Even if nothing is downsampled, two readings of the clock differ.
    if let downsampled {
      rows.append(
        Row(
          kind: "downsample", text: "averaged in linear light", bytes: shown + downsampled, rate: copyRate,
          seconds: \.downsampling))
    }
    return rows + [
      Row(
        kind: "kernel", text: kernel.isEmpty ? "copied" : kernel, bytes: (downsampled ?? shown) + output,
        rate: copyRate, seconds: \.kernel),
      Row(
        kind: "download", text: "the GPU → \(plan.output.format.rawValue)", bytes: output,
        seconds: \.download),
      Row(kind: "wait", text: "for the GPU to begin and for what lies between its steps", bytes: 0),
    ]
  }
}
