import Safelight

/// The photo-like pictures that are measured, rendered once.
enum Pictures {
  /// The synthetic scene at 3840×2160.
  static let ultraHD = Result { try SyntheticScene(size: PixelSize(width: 3840, height: 2160)).render() }
  /// The synthetic scene at 4000×3000, 12 megapixels.
  static let twelveMegapixels = Result {
    try SyntheticScene(size: PixelSize(width: 4000, height: 3000)).render()
  }

  static let cameraTags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)

  /// The synthetic scene at 1920×1080 in any format.
  static func fullHD(_ format: PixelFormat) throws -> PixelBuffer {
    let scene = try fullHDScene.get()
    guard format != .rgba8 else { return scene }
    let picture = try PixelBuffer(
      size: scene.size, format: format, tags: format.isRGBA ? .sRGB : cameraTags)
    guard format.isRGBA else {
      try PixelConverter().convert(scene, into: picture)
      return picture
    }
    for y in 0..<scene.height {
      let from = scene.row(y, as: UInt8.self)
      if format == .rgba16 {
        let to = picture.row(y, as: UInt16.self)
        for index in from.indices { to[index] = UInt16(from[index]) * 257 }
      } else {
        let to = picture.row(y, as: Float.self)
        for index in from.indices { to[index] = Float(from[index]) / 255 }
      }
    }
    return picture
  }
  private static let fullHDScene = Result {
    try SyntheticScene(size: PixelSize(width: 1920, height: 1080)).render()
  }
}

/// A prepared plan with its picture and memory for the result, so that only rendering is measured.
struct Rendering {
  let renderer: CPURenderer
  let plan: any PreparedPlan
  let source: any PreparedPicture
  let output: PixelBuffer

  init(
    _ filters: [any Filter], on picture: PixelBuffer, threads: Int? = nil,
    output target: PlanOutput = PlanOutput()
  ) throws {
    renderer = CPURenderer(threads: threads)
    plan = try renderer.prepare(
      renderer.plan(Recipe(filters: filters), input: PlanInput(picture), output: target))
    source = try plan.picture(of: picture)
    output = try PixelBuffer(size: plan.plan.outputSize, format: target.format)
    try run()
  }

  func run() throws {
    try source.render(rows: 0..<output.height, into: output)
  }
}
