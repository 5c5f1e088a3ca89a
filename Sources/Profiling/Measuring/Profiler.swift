import Backends
import FilterGraph
import FrameCore
import Rendering

/// Measures where the time of a chain of filters goes, and how close it comes to what the machine can do.
///
///     let report = try Profiler(ProfileSettings(recipe: look)).run()
///     print(report.frames.p50, report.stages.map(\.share))
///
/// Frames show the synthetic scene. Everything is measured in one run, and quantities to be compared are measured
/// alternately, so that changes in the machine's speed affect both.
public final class Profiler {
  /// The progress of a run.
  public struct Progress: Sendable, Hashable {
    /// What is being measured, such as `frames`.
    public var step: String
    /// The completed fraction of the whole run, 0…1.
    public var part: Double

    package init(step: String, part: Double) {
      self.step = step
      self.part = part
    }
  }

  let settings: ProfileSettings
  let report: (Progress) throws -> Void
  /// The profiled renderer.
  let chosen: BackendRequest.Chosen
  var renderer: any Renderer { chosen.renderer }
  /// Prepares and copies pictures, whichever renderer is profiled.
  let cpu: CPURenderer
  let threads: Int
  let outputs = ProfileOutputs()
  let scene: ProfileScene
  let source: ProfileSource
  let workload: ProfileWorkload
  var notes: [String] = []
  private let started = Timestamp.now
  private let initialLoad = HostMachine.load

  /// Prepares everything to be measured.
  ///
  /// - Parameter progress: called a few times per second, between frames; an error that it throws ends the run.
  /// - Throws: `SafelightError` if a setting is out of range, a filter does not fit the size, or there is not
  ///   enough memory.
  public init(
    _ settings: ProfileSettings, progress: @escaping (Progress) throws -> Void = { _ in }
  ) throws {
    try settings.validate()
    self.settings = settings
    report = progress
    try progress(Progress(step: "frames to profile with", part: 0))
    cpu = CPURenderer(threads: settings.threads)
    threads = settings.threads ?? HostMachine.coreCount
    let count = Self.frameCount(settings)
    try Self.checkMemory(settings, frames: count)
    // A plan that cannot be made is detected before the scene is painted.
    let draft = try Self.plan(
      settings.recipe, PlanInput(size: settings.size, format: settings.input.format), settings, cpu)
    chosen = try settings.request.renderer(
      forLive: draft, processor: cpu, notes: &notes)
    scene = try ProfileScene(size: settings.size, moments: min(count, 4), renderer: cpu)
    source = try ProfileSource(scene, input: settings.input, size: settings.size, count: count)
    let plan = try Self.plan(settings.recipe, source.planInput, settings, chosen.renderer)
    workload = try Self.workload(
      plan, on: chosen, from: source, sharing: outputs, pictures: min(count, 4))
  }

  /// Measures everything.
  public func run() throws -> ProfileReport {
    let seconds = settings.seconds
    let (roofline, copyRate) = try measureRoofline()
    let (milliseconds, interruptions) = try measureFrames(seconds: seconds)
    let frames = ProfileReport.FrameTimes(milliseconds)
    let device = try measureDevice(seconds: 0.4 * seconds)
    let stages =
      try device?.stages ?? measureStages(seconds: 0.4 * seconds, frame: frames.p50, copyRate: copyRate)
    let scaling = try measureScaling(seconds: 0.35 * seconds, frame: frames.p50)
    let filters = try measureFilters(seconds: 0.6 * seconds, frame: frames.p50)
    let capacities = try measureCapacities(seconds: 0.6 * seconds, frames: frames)
    let bake = try measureBake(seconds: 0.1 * seconds)
    try progress("", 1)
    describeCircumstances(frames)
    if let note = Self.note(ofStages: stages, onDevice: device != nil) { notes.append(note) }
    let plan = workload.plan
    return ProfileReport(
      machine: .current, subject: subject, device: device?.device, roofline: roofline, frames: frames,
      interruptions: interruptions, stages: stages,
      passes: plan.records.map {
        ProfileReport.Pass(
          name: $0.pass, stagesBefore: $0.before, stagesAfter: $0.after, remarks: $0.remarks)
      },
      bake: bake, filters: filters, scaling: scaling, capacities: capacities, notes: plan.notes + notes)
  }

  /// Reports the progress of the run; called rarely enough to cost nothing.
  func progress(_ step: String, _ part: Double) throws { try report(Progress(step: step, part: part)) }

  // MARK: What is profiled

  static func plan(
    _ recipe: Recipe, _ input: PlanInput, _ settings: ProfileSettings, _ renderer: any Renderer,
    bakes: BakeCache? = nil
  ) throws -> Plan {
    try renderer.plan(
      recipe, input: input,
      output: PlanOutput(format: settings.input.outputFormat, interpolation: settings.interpolation),
      bakes: bakes)
  }

  static func workload(
    _ plan: Plan, on chosen: BackendRequest.Chosen, from source: ProfileSource,
    sharing outputs: ProfileOutputs,
    pictures: Int = 2
  ) throws -> ProfileWorkload {
    if case .cpu(let cpu) = chosen {
      return try ProfileWorkload(cpu.prepare(plan), from: source, sharing: outputs, pictures: pictures)
    }
    let renderer = chosen.renderer
    return try ProfileWorkload(
      renderer.prepare(plan), framesInFlight: renderer.framesInFlight, from: source, sharing: outputs,
      pictures: pictures)
  }

  private var subject: ProfileReport.Subject {
    let filters = settings.recipe.filtersInPlanOrder
    let names = filters.map { type(of: $0).id.name }
    let plan = workload.plan
    return ProfileReport.Subject(
      name: settings.name.isEmpty
        ? (names.isEmpty ? "nothing" : names.joined(separator: " + ")) : settings.name,
      filters: filters.map(\.profileText), input: settings.input.rawValue,
      inputWidth: settings.size.width, inputHeight: settings.size.height,
      outputFormat: plan.output.format.rawValue, outputWidth: plan.outputSize.width,
      outputHeight: plan.outputSize.height, backend: renderer.name, threads: threads,
      interpolation: settings.interpolation.rawValue, plan: plan.description)
  }

  /// Adds notes about the machine's state for the reader.
  private func describeCircumstances(_ frames: ProfileReport.FrameTimes) {
    let cores = HostMachine.coreCount
    if initialLoad > 0.5 * Double(cores) {
      notes.append(
        "the machine was not idle: \(PlainNumber.fixed(initialLoad, 1)) threads wanted to run on \(cores) cores before"
      )
    }
    if let note = Self.note(ofFrames: frames.milliseconds.count) { notes.append(note) }
  }

  /// Returns why some stages exceed the rate that they are compared with; nil if none does.
  static func note(ofStages stages: [ProfileReport.StageCost], onDevice: Bool) -> String? {
    guard stages.contains(where: { $0.ofRoofline > 1 }) else { return nil }
    return onDevice
      ? "more than 100 % of copies: what the kernels read or write is still in the GPU's caches, which its copies of "
        + "large buffers leave"
      : "more than 100 % of memcpy: what the stage reads or writes is still in the processor's caches, which memcpy of "
        + "a whole frame leaves"
  }

  /// Returns what this many frames do not reveal: p99 of fewer than a hundred frames is simply the longest, as is
  /// p99.9 of fewer than a thousand.
  static func note(ofFrames count: Int) -> String? {
    guard count < 1000 else { return nil }
    return (count < 100 ? "p99 and p99.9 are" : "p99.9 is")
      + " only the longest of \(count) frames; more --seconds measure more of them"
  }

  // MARK: Memory

  /// Returns the number of rotating frames: together twice the size of the last-level cache, if memory allows.
  static func frameCount(_ settings: ProfileSettings) -> Int {
    let bytes = max(1, ProfileSource.bytes(settings.size, settings.input.format))
    let wanted = 2 * max(16 << 20, MemoryBandwidth.lastLevelCacheBytes)
    // A GPU has several in flight at a time.
    let fewest = settings.request.mayOpenGPU ? 3 : 2
    return min(max((wanted + bytes - 1) / bytes, fewest), 16)
  }

  /// - Throws: `SafelightError` if frames of this size and their results do not fit into memory.
  private static func checkMemory(_ settings: ProfileSettings, frames: Int) throws {
    // The scene's moments and its painter's layers, the rotating frames, and the pictures to render into.
    let painted = 4 * min(settings.size.pixelCount, 4096 * 4096)
    let needed =
      painted * (min(frames, 4) + 4)
      + frames * ProfileSource.bytes(settings.size, settings.input.format)
      + min(frames, 4) * ProfileSource.bytes(settings.size, settings.input.outputFormat)
      + 4 * settings.size.pixelCount
    guard let free = HostMachine.availableMemory, needed > free - free / 8 else { return }
    func gigabytes(_ bytes: Int) -> String { PlainNumber.fixed(Double(bytes) / 1e9, 1) }
    throw SafelightError(
      .noMemory,
      "Profiling frames of \(settings.size) \(settings.input.rawValue) takes \(gigabytes(needed)) GB of memory, and "
        + "\(gigabytes(free)) GB are free",
      remedy: "give a smaller size or close other programs")
  }
}

extension Filter {
  /// The filter with its non-neutral parameters: `exposure 0.7 EV`, `white-balance 5600 K tint 2`.
  var profileText: String {
    let values = Self.parameters.enumerated().filter { !$0.element.isNeutral(in: self) }.map {
      index, parameter in
      let value = parameter.value(in: self).description
      // The first parameter is the filter's main one and needs no name, unless the next one is its equal, as for
      // highlights and shadows.
      let name = index == 0 && !Self.hasEqualParameters ? "" : parameter.name + " "
      switch parameter.kind {
      case .number(let number):
        return name + value + (number.unit == .none ? "" : " " + number.unit.rawValue)
      case .choice, .rectangle, .points, .mask, .text: return name + value
      case .file: return String(value.split(separator: "/").last ?? "")
      }
    }
    return ([Self.id.name] + values).joined(separator: " ")
  }

  /// Whether the first two parameters have the same range and unit.
  private static var hasEqualParameters: Bool {
    guard parameters.count > 1, case .number(let first) = parameters[0].kind,
      case .number(let second) = parameters[1].kind
    else { return false }
    return first.range == second.range && first.unit == second.unit
  }
}
