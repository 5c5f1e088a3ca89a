/// The sections of the page, each nil if the report has no data for it.
extension ProfilePage {
  private typealias Text = ProfilePlotText

  // MARK: Frames

  var histogram: String? {
    let frames = report.frames
    guard !frames.milliseconds.isEmpty else {
      return ProfilePageHTML.section("frames", "Frame times", lead: "No frame was measured.", body: "")
    }
    let count = frames.milliseconds.count
    let lead =
      count < 10
      ? "\(count) frame\(count == 1 ? "" : "s"), the median \(Text.milliseconds(frames.p50)): too few for percentiles."
      : "Half of \(Text.count(count)) frames took at most \(Text.milliseconds(frames.p50)), "
        + (count < 100
          ? "the longest \(Text.milliseconds(frames.maximum))."
          : "99 of 100 at most \(Text.milliseconds(frames.p99)).")
    let rows: [(String, Double)] = [
      ("shortest", frames.minimum), ("p50", frames.p50), ("mean", frames.mean), ("p90", frames.p90),
      ("p99", frames.p99), ("p99.9", frames.p999), ("longest", frames.maximum), ("jitter", frames.jitter),
    ]
    let plot = ProfilePlot(id: "histogram", description: "A histogram of frame times. \(lead)") {
      ProfilePlotHistogram(frames: frames).draw(width: $0)
    }
    return ProfilePageHTML.section(
      "Frame times", lead: lead, plot: plot,
      values: ProfilePageHTML.table(
        ["", "ms"], rows.map { [$0.0, Text.number($0.1, digits: 4)] }))
  }

  var timeline: String? {
    let frames = report.frames
    let count = frames.milliseconds.count
    guard count > 0 else { return nil }
    let lead =
      "Neighbouring frames differ by \(Text.milliseconds(frames.jitter)) on average; the longest took "
      + "\(Text.milliseconds(frames.maximum))."
    let plot = ProfilePlot(
      id: "timeline",
      description: "Frame times in the order of the frames, from \(Text.milliseconds(frames.minimum)) to "
        + "\(Text.milliseconds(frames.maximum)). \(lead)"
    ) { ProfilePlotTimeline(frames: frames).draw(width: $0) }
    let columns = ProfilePlotTimeline.columns(of: frames.milliseconds, atMost: 24)
    let rows = columns.map { column in
      [
        column.frames.count == 1
          ? Text.count(column.frames.upperBound)
          : "\(Text.count(column.frames.lowerBound + 1))–\(Text.count(column.frames.upperBound))",
        Text.number(column.least), Text.number(column.median), Text.number(column.greatest),
      ]
    }
    return ProfilePageHTML.section(
      "Frame after frame", lead: lead, plot: plot,
      values: ProfilePageHTML.table(["frames", "shortest, ms", "median, ms", "longest, ms"], rows))
  }

  // MARK: Stages

  /// The roofline on the subject's number of threads, or the nearest number that was measured.
  var rooflinePoint: ProfileReport.Roofline.Point? {
    let threads = report.subject.threads
    return report.roofline.points.min {
      $0.threads.distance(to: threads).magnitude < $1.threads.distance(to: threads).magnitude
    }
  }

  /// The rates that the stages’ speeds are compared with.
  private var ceilings: [ProfilePlotStages.Ceiling] {
    if let device = report.device { return [.init(name: "its copies", rate: device.copy)] }
    guard let point = rooflinePoint else { return [] }
    return [.init(name: "memcpy", rate: point.copy), .init(name: "triad", rate: point.triad)]
  }

  var stages: String? {
    guard !report.stages.isEmpty else { return nil }
    let list = report.stages
    // Waiting is not a stage that could be made cheaper.
    let dearest = list.filter { $0.bytes > 0 }.max { $0.milliseconds < $1.milliseconds }
    let copy = report.device == nil ? "memcpy" : "its copies"
    let lead =
      dearest.map { stage in
        "The most expensive stage is \(stage.kind): \(Text.percent(stage.share)) of the frame, at "
          + "\(Text.number(stage.gigabytesPerSecond)) GB/s"
          + (stage.ofRoofline > 0
            ? ", \(Text.percent(stage.ofRoofline)) of \(copy)’\(copy.hasSuffix("s") ? "" : "s") speed." : ".")
          + (report.device == nil
            ? "" : " The bytes of a transfer count once, all others as read and as written.")
      } ?? ""
    let plot = ProfilePlot(
      id: "stages",
      description:
        "Bars of each stage’s milliseconds, and of its bytes a second beside those of "
        + (report.device == nil ? "memcpy and of the STREAM triad" : "the GPU’s copies") + ". \(lead)"
    ) {
      ProfilePlotStages(
        stages: list, ceilings: ceilings, counted: report.device == nil ? ", read and written" : ""
      ).draw(width: $0)
    }
    let rows = list.map {
      [
        $0.kind, $0.text, Text.number($0.milliseconds), Text.percent($0.share),
        Text.number($0.nanosecondsPerPixel),
        $0.bytes > 0 ? Text.number($0.megapixelsPerSecond) : "–",
        $0.bytes > 0 ? Text.number($0.gigabytesPerSecond) : "–",
        $0.bytes > 0 && $0.ofRoofline > 0 ? Text.percent($0.ofRoofline) : "–",
      ]
    }
    return ProfilePageHTML.section(
      "Where the time goes", lead: lead, plot: plot,
      values: ProfilePageHTML.table(
        ["stage", "does", "ms", "share", "ns/px", "Mpx/s", "GB/s", "of \(copy)"], texts: 2, rows))
  }

  // MARK: Threads and sizes

  var scaling: String? {
    let points = report.scaling.filter { $0.threads > 0 }.sorted { $0.threads < $1.threads }
    guard let last = points.last else { return nil }
    let rows = points.map {
      [
        "\($0.threads)", Text.number($0.milliseconds), Text.number($0.framesPerSecond),
        Text.percent($0.efficiency),
      ]
    }
    let values = ProfilePageHTML.table(["threads", "ms a frame", "fps", "of ideal"], rows)
    guard points.count > 1 else {
      return ProfilePageHTML.section(
        "scaling", "Threads", lead: "Measured on \(last.threads) thread\(last.threads == 1 ? "" : "s") only.",
        body: values)
    }
    let lead =
      "\(Text.number(last.framesPerSecond)) frames a second on \(last.threads) threads, "
      + "\(Text.percent(last.efficiency)) of the ideal rate."
    let plot = ProfilePlot(
      id: "scaling", description: "Frames a second over threads, beside the ideal line. \(lead)"
    ) { ProfilePlotScaling(points: points).draw(width: $0) }
    return ProfilePageHTML.section("Threads", lead: lead, plot: plot, values: values)
  }

  var capacities: String? {
    let list = report.capacities.sorted { $0.framesPerSecond < $1.framesPerSecond }
    guard !list.isEmpty else { return nil }
    let best = list.last { $0.width != nil }
    let lead =
      best.map { capacity in
        "\(Text.rate(capacity.framesPerSecond)) frames a second hold "
          + (capacity.isLowerBound ? "" : "up to ") + (capacity.sizeText ?? "no size")
          + (capacity.usualSize.map { ", so \($0) fits." } ?? ", smaller than any usual size.")
      } ?? "No size that was tried holds any of the rates."
    let plot = ProfilePlot(
      id: "capacities", description: "Bars of the largest frames that keep a frame rate. \(lead)"
    ) { ProfilePlotCapacities(capacities: list).draw(width: $0) }
    let rows = list.map { capacity in
      [
        "\(Text.rate(capacity.framesPerSecond)) fps",
        capacity.sizeText ?? "none", capacity.usualSize ?? "–",
        capacity.p99Milliseconds.map { Text.number($0) } ?? "–",
        capacity.frames.map { Text.count($0) } ?? "–",
      ]
    }
    return ProfilePageHTML.section(
      "Largest frames", lead: lead, plot: plot,
      values: ProfilePageHTML.table(
        ["rate", "largest size", "usual size", "p99, ms", "of frames"], texts: 3, rows))
  }

  // MARK: Filters

  var filters: String? {
    guard !report.filters.isEmpty else { return nil }
    let list = report.filters
    let alone = list.reduce(0) { $0 + $1.aloneMilliseconds }
    let inPlan = list.reduce(0) { $0 + $1.inPlanMilliseconds }
    let lead =
      list.count == 1
      ? "Alone it costs \(Text.milliseconds(alone)), in the plan \(Text.milliseconds(inPlan))."
      : "Each alone, the \(list.count) filters cost \(Text.milliseconds(alone)) together; taken out of the plan one at a "
        + "time, \(Text.milliseconds(inPlan))."
    let plot = ProfilePlot(
      id: "filters", description: "Pairs of bars: each filter’s cost alone and in the plan. \(lead)"
    ) { ProfilePlotFilters(filters: list).draw(width: $0) }
    let rows = list.map { [$0.text, Text.number($0.aloneMilliseconds), Text.number($0.inPlanMilliseconds)] }
    return ProfilePageHTML.section(
      "Filters, alone and in the plan", lead: lead, plot: plot,
      values: ProfilePageHTML.table(["filter", "alone, ms", "in the plan, ms"], rows))
  }
}

extension ProfileReport.Capacity {
  /// The size, `5632 × 3168` or `at least 7680 × 4320`; nil if no size keeps the rate.
  var sizeText: String? {
    guard let width, let height else { return nil }
    return (isLowerBound ? "at least " : "") + "\(width) × \(height)"
  }
}
