import Safelight

/// The pictures that are measured on: rendered once, photo-like.
enum Pictures {
  /// The synthetic scene at 3840×2160.
  static let ultraHD = Result { try SyntheticScene(size: PixelSize(width: 3840, height: 2160)).render() }
  /// The synthetic scene at 4000×3000, 12 megapixels.
  static let twelveMegapixels = Result {
    try SyntheticScene(size: PixelSize(width: 4000, height: 3000)).render()
  }
}

/// A plan made ready, its picture and a place for the result, so that only rendering is measured.
struct Rendering {
  let renderer: CPURenderer
  let plan: PreparedPlan
  let source: PreparedSource
  let output: PixelBuffer

  init(_ filters: [any Filter], on picture: PixelBuffer, threads: Int? = nil) throws {
    renderer = CPURenderer(threads: threads)
    plan = try renderer.prepare(
      renderer.plan(Recipe(filters: filters), input: PlanInput(size: picture.size), output: PlanOutput()))
    source = try renderer.prepare(picture, for: plan)
    output = try PixelBuffer(size: plan.plan.outputSize, format: .rgba8)
    try run()
  }

  func run() throws {
    try renderer.render(source, through: plan, rows: 0..<output.height, into: output)
  }
}
