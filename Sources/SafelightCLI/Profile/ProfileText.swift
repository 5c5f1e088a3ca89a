import Profiling
import Safelight

/// A profile as text for people.
struct ProfileText {
  private let report: ProfileReport
  private let columns: Int

  /// - Parameter columns: the terminal's width; lines of the tables are no longer.
  init(_ report: ProfileReport, columns: Int) {
    self.report = report
    self.columns = columns
  }

  var text: String {
    let sections = [
      heading, frames, device, stages, threads, filters, capacities, optimizer, notes,
    ].filter { !$0.isEmpty }
    return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  // MARK: What was measured

  private var heading: [String] {
    let (subject, machine) = (report.subject, report.machine)
    let worker = report.device?.name ?? "\(subject.threads) thread\(subject.threads == 1 ? "" : "s")"
    return [
      fitted(
        "\(subject.name)  ·  \(subject.input) \(subject.inputWidth)×\(subject.inputHeight) → "
          + "\(subject.outputFormat) \(subject.outputWidth)×\(subject.outputHeight)  ·  "
          + "\(subject.backend), \(worker)\(subject.interpolation == "bilinear" ? ", bilinear" : "")"),
      fitted(
        "\(machine.processor), \(machine.cores) cores, \(machine.instructionSet)  ·  \(machine.system)  ·  "
          + "Safelight \(machine.release)"),
    ]
  }

  private var frames: [String] {
    let frames = report.frames
    let percentiles = [
      ("p50", frames.p50), ("p90", frames.p90), ("p99", frames.p99), ("p99.9", frames.p999),
      ("jitter", frames.jitter),
    ]
    var lines = [
      "frame   " + percentiles.map { "\($0.0) \(Self.figure($0.1))" }.joined(separator: "   ") + "  ms",
      "        \(Self.figure(frames.framesPerSecond)) fps over \(frames.milliseconds.count) frames",
    ]
    if let interruptions = report.interruptions { lines += Self.evenness(interruptions) }
    let copy = report.roofline.frameCopyMilliseconds
    if copy > 0, report.device == nil {
      lines.append(
        "        copying a frame's bytes takes \(Self.figure(copy)) ms, \(Self.figure(frames.p50 / copy)) × less"
      )
    }
    return lines
  }

  /// Why some frames took longer than most.
  static func evenness(_ interruptions: ProfileReport.Interruptions) -> [String] {
    var line = "        p99.9 is \(figure(interruptions.evenness)) × p50"
    if interruptions.undisturbedFrames > 0 {
      line +=
        "; \(figure(interruptions.evennessUndisturbed)) × in the \(interruptions.undisturbedFrames) frames "
        + "without interruption"
    }
    let causes: [(ProfileReport.Interruptions.Cause, String)] = [
      (.coreWait, "waiting for a core"),
      (.pageFaults, "waiting for memory"),
      (.switches, "preempted"),
      (.unknown, "for an unknown reason"),
    ]
    let slowness = figure(ProfileReport.Interruptions.slowness)
    return [line]
      + causes.compactMap { cause, text in
        interruptions.causes[cause.rawValue].map {
          "        \($0) frame\($0 == 1 ? "" : "s") took more than \(slowness) × p50: \(text)"
        }
      }
  }

  private var device: [String] {
    guard let device = report.device else { return [] }
    var lines = [
      fitted(
        "GPU     \(device.name), \(device.kind), \(PlainNumber.fixed(Double(device.memoryBytes) / 1e9, 1)) GB, "
          + "\(device.driver), Vulkan \(device.vulkanVersion)"),
      "        \(device.framesInFlight) frame\(device.framesInFlight == 1 ? "" : "s") in flight; one by "
        + "itself takes \(Self.figure(device.aloneMilliseconds)) ms",
    ]
    if let milliseconds = device.residentMilliseconds, let rate = device.residentFramesPerSecond {
      lines.append(
        "        without transfers \(Self.figure(milliseconds)) ms, \(Self.figure(rate)) fps"
          + (device.residentOfCopy.map { "; \(Self.percent($0)) of the speed of its own copies" } ?? ""))
    }
    lines.append("        copies within its memory: \(Self.figure(device.copy)) GB/s, read and written")
    return lines
  }

  // MARK: Stages

  private var stages: [String] {
    guard !report.stages.isEmpty else { return [] }
    let kinds = max(8, report.stages.map { $0.kind.count }.max() ?? 0)
    let head =
      "stage".padded(to: kinds, left: true) + "      ms   ns/px   Mpx/s    GB/s  "
      + (report.device == nil ? "of memcpy" : "of copies") + "   share"
    // With the bar and some of the stage's text, a line takes more than 80 columns.
    let bar = 10
    let room = columns - head.count - 2 - bar - 2
    return [head]
      + report.stages.map { stage in
        let hasBytes = stage.bytes > 0
        let cells = [
          Self.figure(stage.milliseconds).padded(to: 8), Self.figure(stage.nanosecondsPerPixel).padded(to: 8),
          (hasBytes ? Self.figure(stage.megapixelsPerSecond) : "").padded(to: 8),
          (hasBytes ? Self.figure(stage.gigabytesPerSecond) : "").padded(to: 8),
          (hasBytes && stage.ofRoofline > 0 ? Self.percent(stage.ofRoofline) : "").padded(to: 11),
          Self.percent(stage.share).padded(to: 8),
        ]
        let line =
          stage.kind.padded(to: kinds, left: true) + cells.joined() + "  " + Self.bar(stage.share, cells: bar)
        let text =
          stage.text.hasPrefix(stage.kind + " ")
          ? String(stage.text.dropFirst(stage.kind.count + 1)) : stage.text
        let end = line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? line
        return room < 16 ? end : line + "  " + VisibleText.fitting(text, width: room)
      }
  }

  /// A bar in eighths of cells.
  static func bar(_ part: Double, cells: Int) -> String {
    let eighths = min(max(Int((part * Double(cells) * 8).rounded()), 0), cells * 8)
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let text = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    return text.padded(to: cells, left: true)
  }

  // MARK: Threads and memory

  private var threads: [String] {
    let points = report.roofline.points
    let counts = Set(points.map(\.threads)).union(report.scaling.map(\.threads)).sorted()
    guard !counts.isEmpty else { return [] }
    let arrays =
      report.roofline.arrayBytes > 0 ? " on arrays of \(report.roofline.arrayBytes >> 20) MiB" : ""
    let arraysNote = fitted("        copy and triad count what is read and written\(arrays)")
    guard !report.scaling.isEmpty else {
      return ["threads    copy    read   write   triad  GB/s of the processor's memory"]
        + points.map { point in
          "\(point.threads)".padded(to: 7)
            + [point.copy, point.read, point.write, point.triad].map { Self.figure($0).padded(to: 8) }
            .joined()
        } + [arraysNote]
    }
    return ["threads      ms     fps  efficiency      copy    read   write   triad  GB/s"]
      + counts.map { count in
        let scaling = report.scaling.first { $0.threads == count }
        let memory = points.first { $0.threads == count }
        func cell(_ value: Double?, _ width: Int) -> String {
          (value.map(Self.figure) ?? "").padded(to: width)
        }
        return "\(count)".padded(to: 7) + cell(scaling?.milliseconds, 8) + cell(scaling?.framesPerSecond, 8)
          + (scaling.map { Self.percent($0.efficiency) } ?? "").padded(to: 12) + cell(memory?.copy, 10)
          + cell(memory?.read, 8) + cell(memory?.write, 8) + cell(memory?.triad, 8)
      } + [arraysNote]
  }

  // MARK: Filters and sizes

  private var filters: [String] {
    guard !report.filters.isEmpty else { return [] }
    let width = min(
      max(20, report.filters.map { VisibleText.width($0.text) }.max() ?? 0), max(20, columns - 26))
    return ["filter".padded(to: width, left: true) + "   alone ms  in plan ms"]
      + report.filters.map { filter in
        let text = VisibleText.fitting(filter.text, width: width)
        return text + String(repeating: " ", count: width - VisibleText.width(text))
          + Self.figure(filter.aloneMilliseconds).padded(to: 11)
          + Self.figure(filter.inPlanMilliseconds).padded(to: 12)
      }
  }

  private var capacities: [String] {
    guard report.capacities.contains(where: { $0.width != nil }) else { return [] }
    return ["largest frames that keep a rate"]
      + report.capacities.map { capacity in
        let rate = "\(PlainNumber.text(capacity.framesPerSecond)) fps".padded(to: 9)
        guard let width = capacity.width, let height = capacity.height else { return rate + "  none" }
        var line = rate + "  " + (capacity.isLowerBound ? "at least " : "") + "\(width)×\(height)"
        if let name = capacity.usualSize { line += " (\(name))" }
        if let p99 = capacity.p99Milliseconds { line += ", \(capacity.timeName) \(Self.figure(p99)) ms" }
        return line
      }
  }

  // MARK: The plan

  private var optimizer: [String] {
    var lines = report.subject.plan.split(separator: "\n").map(String.init)
    if !report.passes.isEmpty { lines.append("passes") }
    for pass in report.passes {
      lines.append("  \(pass.name): \(pass.stagesBefore) → \(pass.stagesAfter) stages")
      lines += pass.remarks.map { "    " + $0 }
    }
    if let bake = report.bake {
      lines.append(
        "baking \(bake.nodes)³ and proving it takes \(Self.figure(bake.milliseconds)) ms; ΔE2000 max "
          + "\(PlainNumber.fixed(bake.maximumDeltaE2000, 2)), mean \(PlainNumber.fixed(bake.meanDeltaE2000, 3))"
      )
    }
    return lines.map(fitted)
  }

  private var notes: [String] { report.notes.map { "note: \($0)" } }

  // MARK: Numbers

  private func fitted(_ line: String) -> String { VisibleText.fitting(line, width: columns) }

  /// Three significant digits.
  static func figure(_ value: Double) -> String {
    let size = abs(value)
    return PlainNumber.fixed(value, size < 0.9995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0)
  }

  static func percent(_ part: Double) -> String {
    PlainNumber.fixed(100 * part, abs(part) < 0.0995 ? 1 : 0) + " %"
  }
}
