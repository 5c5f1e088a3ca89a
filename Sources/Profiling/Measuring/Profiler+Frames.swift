import FilterGraph
import FrameCore
import Rendering

/// Measurements of the profiled plan itself.
extension Profiler {
  /// Measures the frame time that memory alone would allow.
  ///
  /// - Returns: also the rate of memcpy on the rendering threads.
  func measureRoofline() throws -> (ProfileReport.Roofline, copyRate: Double) {
    try progress("memory", 0.02)
    var bytes = settings.arrayBytes ?? MemoryBandwidth.suitableArrayBytes
    if let free = HostMachine.availableMemory, 3 * bytes > free / 4 {
      bytes = max(1 << 20, free / 12)
      notes.append("little memory is free: its speed was measured on arrays of \(bytes >> 20) MiB only")
    }
    let memory = try MemoryBandwidth(arrayBytes: bytes)
    let cores = HostMachine.coreCount
    var points: [ProfileReport.Roofline.Point] = []
    for threads in Self.threadCounts(upTo: max(cores, threads), including: threads) {
      try progress("memory, \(threads) thread\(threads == 1 ? "" : "s")", 0.04)
      let rates = memory.measure(threads: threads, repetitions: 4)
      points.append(
        ProfileReport.Roofline.Point(
          threads: threads, copy: rates.copy, read: rates.read, write: rates.write, triad: rates.triad))
    }
    let moved = source.frameBytes + workload.plan.outputBytes
    let roofline = ProfileReport.Roofline(
      points: points,
      frameCopyMilliseconds: 1000 * memory.copySeconds(movingBytes: moved, threads: threads),
      arrayBytes: memory.arrayBytes)
    return (roofline, points.first { $0.threads == threads }?.copy ?? 0)
  }

  /// Returns 1, 2, 3 … 8, then powers of two, and the last; ascending.
  static func threadCounts(upTo last: Int, including other: Int) -> [Int] {
    var counts = Set(1...min(8, max(1, last)))
    var count = 16
    while count < last {
      counts.insert(count)
      count *= 2
    }
    counts.formUnion([last, other])
    return counts.sorted()
  }

  /// Measures whole frames as in normal operation, in milliseconds, and the kernel's counters during them.
  func measureFrames(
    seconds: Double
  ) throws -> (milliseconds: [Double], interruptions: ProfileReport.Interruptions) {
    try progress("frames", 0.12)
    let warm = Timestamp.now
    repeat {
      _ = try workload.renderFrame()
    } while Timestamp.now.seconds(since: warm) < min(0.3, 0.1 * seconds)
    var milliseconds: [Double] = []
    // Memory is reserved before the loop; more is rarely needed.
    milliseconds.reserveCapacity(1 << 16)
    var counted: [KernelCounters.Reading] = []
    counted.reserveCapacity(1 << 16)
    let counters = KernelCounters()
    let stolen = KernelCounters.stolenMilliseconds()
    let began = Timestamp.now
    var told = began
    while true {
      let before = counters.read()
      milliseconds.append(1000 * (try workload.renderFrame()))
      counted.append(counters.read() - before)
      let now = Timestamp.now
      let passed = now.seconds(since: began)
      if passed >= seconds, milliseconds.count >= 3 {
        let lost = stolen.flatMap { start in KernelCounters.stolenMilliseconds().map { $0 - start } }
        return (
          milliseconds,
          ProfileReport.Interruptions(milliseconds, counted: counted, stolenMilliseconds: lost)
        )
      }
      if now.seconds(since: told) > 0.25 {
        told = now
        try progress("frames", 0.12 + 0.33 * min(1, passed / seconds))
      }
    }
  }

  /// Measures where the time of a frame goes, in blocks of frames alternately with and without a probe.
  func measureStages(seconds: Double, frame: Double, copyRate: Double) throws -> [ProfileReport.StageCost] {
    try progress("stages", 0.45)
    let plan = workload.plan
    let stages = ProfileStages(plan, threads: threads, frameBytes: source.frameBytes)
    // Half of the time is for frames without a probe.
    let affordable = Int(seconds * 1000 / max(frame, 1e-6) / 2)
    let blocks = min(max(affordable, 2), 16)
    let framesPerBlock = min(max(affordable / blocks, 1), 2000)
    guard case .cpu(let cpu) = chosen else {
      let samples = try (0..<min(blocks, 3)).map { _ in 1000 * (try workload.renderFrame()) }
      return stages.cost(ofWhole: samples, frame: frame, copyRate: copyRate)
    }
    let probe = RenderProbe(for: plan, on: cpu, spansPerThread: 0)
    var measured: [ProfileStages.Block] = []
    for index in 0..<blocks {
      try progress("stages", 0.45 + 0.1 * Double(index) / Double(blocks))
      let milliseconds = 1000 * (try workload.median(of: framesPerBlock))
      probe.reset()
      var (wall, decoding) = (0.0, 0.0)
      for _ in 0..<framesPerBlock {
        wall += try workload.renderFrame(probe: probe)
        decoding += workload.decodeSeconds
      }
      measured.append(
        ProfileStages.Block(
          wallSeconds: wall, decodeSeconds: decoding, steps: probe.steps,
          busySeconds: probe.busySeconds.reduce(0, +), milliseconds: milliseconds))
    }
    return stages.costs(measured, frame: frame, copyRate: copyRate)
  }

  /// Measures the same plan on 1, 2 … threads, in rotation.
  func measureScaling(seconds: Double, frame: Double) throws -> [ProfileReport.ThreadPoint] {
    guard let plan = workload.cpu else {
      var isReference: Bool { if case .reference = chosen { true } else { false } }
      notes.append(
        isReference
          ? "the reference renderer always uses every core: its scaling was not measured"
          : "the GPU renders, whatever threads there are: scaling with them was not measured")
      return []
    }
    let counts = Self.threadCounts(upTo: HostMachine.coreCount, including: threads)
    let workloads = counts.map { count in
      count == threads ? workload : workload.with(plan.on(CPURenderer(threads: count)))
    }
    for workload in workloads { _ = try workload.renderFrame() }
    // The time of a round of one frame each, if the speed grows with the number of threads.
    let round = counts.reduce(0) { $0 + frame * Double(threads) / Double($1) }
    let rounds = 5
    let frames = min(max(Int(seconds * 1000 / round / Double(rounds)), 1), 500)
    var times = counts.map { _ in [Double]() }
    for index in 0..<rounds {
      try progress("threads", 0.55 + 0.1 * Double(index) / Double(rounds))
      for (number, workload) in workloads.enumerated() {
        for _ in 0..<frames { times[number].append(1000 * (try workload.renderFrame())) }
      }
    }
    let medians = times.map(OrderStatistics.median)
    return zip(counts, medians).map { count, milliseconds in
      ProfileReport.ThreadPoint(
        threads: count, milliseconds: milliseconds, framesPerSecond: 1000 / milliseconds,
        efficiency: medians[0] / milliseconds / Double(count))
    }
  }

  /// Measures the time to lower, bake and prove the whole plan; nil if it does not bake.
  func measureBake(seconds: Double) throws -> ProfileReport.Bake? {
    try progress("baking", 0.98)
    let baked = workload.plan.stages.lazy.compactMap { stage -> BakedLUT? in
      if case .baked(let table) = stage { table } else { nil }
    }.first
    guard let baked else { return nil }
    var milliseconds: [Double] = []
    let began = Timestamp.now
    repeat {
      let start = Timestamp.now
      _ = try Self.plan(settings.recipe, source.planInput, settings, renderer)
      milliseconds.append(1000 * Timestamp.now.seconds(since: start))
    } while milliseconds.count < 3 || milliseconds.count < 15 && Timestamp.now.seconds(since: began) < seconds
    return ProfileReport.Bake(
      nodes: baked.size, maximumDeltaE2000: baked.error.maximum, meanDeltaE2000: baked.error.mean,
      milliseconds: OrderStatistics.median(milliseconds), samples: milliseconds)
  }
}
