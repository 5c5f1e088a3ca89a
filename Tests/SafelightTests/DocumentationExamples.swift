import LibraryTestSupport
import Safelight

/// The code of the articles in `Safelight.docc`, word for word: `DocumentationTests` compares each block with the lines between
/// two marks here. They are compiled; `Sepia` and `ExactColorRenderer` are run.
private enum DocumentationExamples {
  private static func edit() async throws {
    // EditAPhoto 1 begins
    let look = try Recipe {
      WhiteBalance(temperature: 7400)
      Exposure(stops: 0.3)
      try LUT(contentsOf: "safelight:luts/golden-hour.cube", strength: 60)
      Crop(.proportions(width: 4, height: 5))
    }
    let photo = try Photo(contentsOf: "harbour.jpg")
    let edited = try await CPURenderer().render(photo, through: look)
    try edited.write(to: "harbour-edited.jpg")
    // EditAPhoto 1 ends
  }

  private static func export() async throws {
    // EditAPhoto 2 begins
    var export = PhotoExport()
    export.quality = 85
    export.maximumBytes = 500_000
    export.metadata = .stripLocation
    let recipe = try Recipe(contentsOf: "evening.json")
    let report = try await export.run("harbour.jpg", through: recipe, to: "web.jpg")
    print(report.outputSize, report.seconds, report.plan)
    // EditAPhoto 2 ends
  }

  private static func report() async throws {
    // EditAPhoto 3 begins
    let edit = Edit(
      preset: "warm-film", strength: 70, values: ["crop": "4:5"], straighten: .automatic, auto: [.exposure])
    let (recipe, found) = try edit.resolve("harbour.jpg")
    let report = try await PhotoExport().run("harbour.jpg", through: recipe, to: "edited.jpg")
    print(try EditReport(report, of: "harbour.jpg", writtenTo: "edited.jpg", found: found).json())
    // EditAPhoto 3 ends
  }

  private static func live() async throws {
    // LiveFrames 1 begins
    let output = VideoDataOutput(lateFrames: .discard(keepingNewest: 1))
    let session = CaptureSession()
    try await session.configure {
      try $0.add(DeviceInput(CaptureDevice.camera()))
      try $0.add(output)
    }
    try await session.start()
    for await frame in output.frames {
      print(frame.time, frame.buffer.size, "dropped:", output.statistics.dropped)
    }
    // LiveFrames 1 ends
  }

  private static func record() async throws {
    // RecordMovies 1 begins
    let recipe = try PresetLibrary.preset("warm-film").recipe
    let movie = try MovieFileOutput(to: "clip.mp4", look: LiveLook(recipe))
    let session = CaptureSession()
    try await session.configure {
      try $0.add(DeviceInput(CaptureDevice.camera()))
      try $0.add(MicrophoneInput())
      try $0.add(movie)
    }
    try await session.start()
    movie.record()
    try await Task.sleep(for: .seconds(10))
    print(movie.status.seconds, "s", movie.status.dropped, "dropped")
    try await movie.finish()
    await session.stop()
    // RecordMovies 1 ends
  }

  private static func recordSegments() throws {
    // RecordMovies 2 begins
    var settings = MovieSettings()
    settings.videoCodec = .hevc
    settings.segment = 600
    settings.limits.bytes = 50_000_000_000
    let movie = try MovieFileOutput(to: "cam/{date}-{index:04}.mp4", settings: settings, hasSound: false)
    movie.record()
    movie.mark()
    for event in movie.takeEvents() {
      if case .finished(let path, let seconds, _) = event { print(path, seconds) }
    }
    // RecordMovies 2 ends
  }

  private static func listen() async throws {
    // RecordMovies 3 begins
    let output = AudioDataOutput()
    let session = CaptureSession()
    try await session.configure {
      try $0.add(MicrophoneInput())
      try $0.add(output)
    }
    try await session.start()
    var meter: LoudnessMeter?
    for await buffer in output.buffers {
      if meter == nil { meter = LoudnessMeter(format: buffer.format) }
      meter?.process(buffer)
      print(buffer.time, meter?.momentary ?? -.infinity)
    }
    // RecordMovies 3 ends
  }

  private static func batch() async throws {
    // ManyPhotos 1 begins
    let recipe = try PresetLibrary.preset("warm-film").recipe
    let report = try await Batch(["shoot/"], through: recipe, to: "edited").run()
    print(report.count(.done), "done,", report.count(.failed), "failed")
    // ManyPhotos 1 ends
  }

  private static func batchOptions() async throws {
    let recipe = Recipe()
    // ManyPhotos 2 begins
    var batch = Batch(["shoot/*.jpg", "more/"], through: recipe, to: "web")
    batch.export.quality = 80
    batch.export.maximumBytes = 500_000
    batch.format = .jpeg
    batch.conflict = .overwrite
    batch.resumes = true
    let report = try await batch.run { progress in
      print(progress.finished, "of", progress.total, progress.current)
    }
    for failure in report.failures { print(failure.reason, failure.entries.count) }
    // ManyPhotos 2 ends
  }

  private static func similar() throws {
    // ManyPhotos 3 begins
    let photos = try SimilarityScan("shoot/", recursive: true).photos
    for group in SimilarGroups(photos).groups where group.kind == .burst {
      print("keep", photos[try GroupRanking(group, of: photos).best].path)
    }
    // ManyPhotos 3 ends
  }

  private static func analyze() async throws {
    // AnalyzeFrames 1 begins
    let analyzer = try FrameAnalyzer(
      budget: 0.008, makeState: { HorizonDetector() },
      analyses: [
        PictureAnalysis("tilt") { detector, picture in detector.detect(in: picture).degrees ?? 0 },
        PictureAnalysis("exposure") { _, picture in ToneStatistics(Histogram(picture)).exposure },
      ])
    let session = CaptureSession()
    try await session.configure {
      try $0.add(SyntheticInput())
      try $0.add(analyzer.output)
    }
    try analyzer.start()
    try await session.start()
    for await report in analyzer.results {
      print(report.time, report.values["tilt"] ?? "–", report.values["exposure"] ?? "–")
    }
    // AnalyzeFrames 1 ends
  }

  private static func detect() async throws {
    // AnalyzeFrames 2 begins
    struct Flash: FrameDetector {
      static let name = "flash"
      var last = 0.0

      mutating func detections(in proxy: AnalysisProxy, of frame: Frame) throws -> [Detection] {
        let brightness = ToneStatistics(Histogram(proxy)).mean
        defer { last = brightness }
        guard brightness > last + 0.2 else { return [] }
        let whole = [(0, 0), (1, 0), (1, 1), (0, 1)].map { NormalizedPoint($0.0, $0.1) }
        return [Detection(.motion, outline: whole, confidence: 1)]
      }
    }
    // AnalyzeFrames 2 ends
    // AnalyzeFrames 3 begins
    let flash = try LiveDetector(.motion, framesPerSecond: 20) { Flash() }
    let sight = try LiveAnalyzer([.focus], detectors: [flash]) { event in
      print(event.time, event.subject)
    }
    let session = CaptureSession()
    try await session.configure {
      try $0.add(SyntheticInput())
      for output in sight.outputs { try $0.add(output) }
    }
    try sight.start()
    try await session.start()
    // AnalyzeFrames 3 ends
  }

  private static func analyzePhoto() throws {
    // AnalyzeFrames 4 begins
    let sample = try PhotoSample(contentsOf: "harbour.jpg")
    let horizon = PhotoHorizon(sample).horizon
    if horizon.isConfident, let degrees = horizon.degrees { print("turned by \(degrees)°") }
    let values = try AutoValues(sample, finding: [.exposure, .whiteBalance])
    print(values.filters)
    // AnalyzeFrames 4 ends
  }

  private static func catalog() throws {
    // WriteAFilter 2 begins
    let catalog = try FilterCatalog.standard.adding(Sepia.self)
    let recipe = try Recipe(contentsOf: "evening.json", catalog: catalog)
    print(recipe.json())
    // WriteAFilter 2 ends
  }
}

// WriteAFilter 1 begins
/// Mixes a colour with its grey, as a print on warm paper does.
struct Sepia: Filter {
  static let id: FilterID = "sepia"
  static let phase = FilterPhase.color
  static let summary = "Mixes colours with a warm grey"
  static let parameters = [
    Parameter(
      \Sepia.amount, "amount", in: 0...100, step: 1, neutral: 0, unit: .percent, flag: nil,
      "How much; 100 leaves no colour")
  ]

  var amount: Float

  init() { self.init(0) }
  init(_ amount: Float) { self.amount = amount }

  func lower(into plan: inout PlanBuilder) {
    guard amount != 0 else { return }
    let luma = SIMD3(0.2627, 0.678, 0.0593)
    let grey = Matrix3x3(rows: 1.04 * luma, luma, 0.92 * luma)
    plan.matrix(Matrix3x3.identity.blended(with: grey, by: Double(amount) / 100))
  }
}
// WriteAFilter 1 ends

// WriteARenderer 1 begins
/// Renders colour in double precision, one pixel after another.
struct ExactColorRenderer: Renderer {
  let name = "exact-color"
  func prepare(_ plan: Plan) throws -> ExactColorPlan { try ExactColorPlan(plan) }
}

struct ExactColorPlan: PreparedPlan {
  let plan: Plan

  init(_ plan: Plan) throws {
    let isRGBA8 = plan.input.format == .rgba8 && plan.output.format == .rgba8
    guard isRGBA8, plan.geometry == nil, !plan.downsamples else {
      throw SafelightError(.unsupported, "This plan moves pixels or is not 8-bit RGBA")
    }
    self.plan = plan
  }

  func render(_ source: PixelBuffer, into output: PixelBuffer) throws {
    try plan.check(source, into: output)
    for y in 0..<source.height {
      let (samples, result) = (source.row(y, as: UInt8.self), output.row(y, as: UInt8.self))
      for x in stride(from: 0, to: 4 * source.width, by: 4) {
        var color = SIMD3(Double(samples[x]), Double(samples[x + 1]), Double(samples[x + 2])) / 255
        for stage in plan.exactStages { color = stage.evaluate(color) }
        for channel in 0..<3 { result[x + channel] = UInt8(min(max(0, 255 * color[channel]), 255).rounded()) }
        result[x + 3] = samples[x + 3]
      }
    }
  }
}
// WriteARenderer 1 ends
