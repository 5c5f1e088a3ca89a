import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import PhotoPipeline
import Rendering

/// How a picture of other proportions stands in a movie's frame.
public enum SlideshowFit: String, Sendable, Hashable, Codable, CaseIterable {
  /// All of it, on black.
  case inside
  /// Its middle, so that nothing of the frame is left.
  case fill
}

/// The form of a slideshow's pictures.
public struct SlideshowForm: Sendable, Hashable {
  /// Both edges are even.
  public var size: PixelSize
  public var fit: SlideshowFit
  public var interpolation: Interpolation

  public init(size: PixelSize, fit: SlideshowFit = .inside, interpolation: Interpolation = .sharp) {
    (self.size, self.fit, self.interpolation) = (size, fit, interpolation)
  }
}

/// The pictures of a slideshow, edited and in the form in which they are compressed. One thread at a time.
public final class SlideshowPictures {
  public let paths: [String]
  public let form: SlideshowForm
  let format: PixelFormat
  /// The meaning of their samples.
  let tags: ColorTags
  /// What was left out or guessed in files, one sentence each.
  public private(set) var warnings: [String] = []

  private let renderer: any Renderer
  private let recipe: (String) throws -> Recipe
  private let converter = PixelConverter()
  /// Those that are kept, by their number. Others are rendered again when their turn comes.
  private var kept: [Int: PixelBuffer] = [:]
  /// The last two that were not kept: those that fade into each other.
  private var recent: [(number: Int, picture: PixelBuffer)] = []
  private let mostKept: Int

  /// Rendered pictures take at most this much memory, in bytes: 340 in full HD.
  static let budget = 1 << 30

  /// Reads the headers of all files.
  ///
  /// - Parameters:
  ///   - paths: in the order in which they are shown.
  ///   - settings: how the movie is compressed, which decides the layout of samples.
  ///   - recipe: returns the edit of a file.
  /// - Throws: `SafelightError` for the first file that is no picture, or if the size is odd.
  public convenience init(
    _ paths: [String], form: SlideshowForm, settings: MovieSettings = MovieSettings(),
    renderer: any Renderer = CPURenderer(), recipe: @escaping (String) throws -> Recipe
  ) throws {
    try self.init(
      paths, form: form, format: settings.layout(of: .rgba8), budget: SlideshowPictures.budget,
      renderer: renderer,
      recipe: recipe)
  }

  init(
    _ paths: [String], form: SlideshowForm, format: PixelFormat, budget: Int,
    renderer: any Renderer = CPURenderer(), recipe: @escaping (String) throws -> Recipe
  ) throws {
    try PixelBuffer.validate(form.size)
    guard form.size.width.isMultiple(of: 2), form.size.height.isMultiple(of: 2) else {
      throw SafelightError(
        .invalidValue, "A movie of \(form.size) has an odd edge", remedy: "give a size with even edges")
    }
    for path in paths { _ = try PhotoHeader.read(path) }
    tags = YCbCrEncoding(matrix: .assumed(at: form.size), range: .limited, siting: .left).tags(.sRGB)
    let bytes = format.planes.reduce(0) {
      $0 + $1.rowBytes(width: form.size.width) * $1.rows(height: form.size.height)
    }
    (self.paths, self.form, self.format) = (paths, form, format)
    (self.renderer, self.recipe) = (renderer, recipe)
    mostKept = budget / max(bytes, 1)
  }

  /// Renders all pictures once, so that a damaged one is known before the movie begins.
  ///
  /// - Parameter progress: called with each file after it was rendered.
  /// - Throws: `SafelightError` for the first picture that cannot be read or edited.
  public func prepare(progress: (String) -> Void = { _ in }) throws {
    for (number, path) in paths.enumerated() {
      let picture = try render(path, isFirstTime: true)
      if kept.count < mostKept { kept[number] = picture }
      progress(path)
    }
  }

  /// Returns a picture; it must not be written to.
  func picture(_ number: Int) throws -> PixelBuffer {
    if let picture = kept[number] { return picture }
    if let recent = recent.first(where: { $0.number == number }) { return recent.picture }
    let picture = try render(paths[number], isFirstTime: false)
    if recent.count > 1 { recent.removeFirst() }
    recent.append((number, picture))
    return picture
  }

  // MARK: Rendering

  private func render(_ path: String, isFirstTime: Bool) throws -> PixelBuffer {
    let photo = try Photo(contentsOf: path)
    if isFirstTime { warnings += photo.warnings.map { "\(path): \($0)" } }
    let (edit, input) = (try recipe(path), try photo.planInput)
    var output = PlanOutput(format: .rgba8, space: .sRGB, interpolation: form.interpolation)
    // Not baked: only its size is needed.
    let draft = try Plan(edit, input: input, output: output, optimized: false)
    output.size = Self.scaled(draft.outputSize, to: form)
    let plan = try renderer.plan(edit, input: input, output: output)
    let edited = try renderer.chosenRenderer(for: plan).render(photo.buffer, through: plan)
    let frame = try PixelBuffer(size: form.size, format: .rgba8, tags: .sRGB)
    Self.place(edited, into: frame)
    let samples = try PixelBuffer(size: form.size, format: format, tags: tags)
    try converter.convert(frame, into: samples)
    return samples
  }

  /// The size at which a picture is placed: inside the frame, or around it.
  static func scaled(_ size: PixelSize, to form: SlideshowForm) -> PixelSize {
    switch form.fit {
    case .inside: return size.fitted(into: form.size)
    case .fill:
      let scale = max(
        Double(form.size.width) / Double(size.width), Double(form.size.height) / Double(size.height))
      return PixelSize(
        width: max(form.size.width, Int((Double(size.width) * scale).rounded())),
        height: max(form.size.height, Int((Double(size.height) * scale).rounded())))
    }
  }

  /// Puts the middle of a picture into the middle of a frame, both `rgba8`. The frame is black where the
  /// picture does not reach or is transparent.
  static func place(_ picture: PixelBuffer, into frame: PixelBuffer) {
    let (left, top) = ((frame.width - picture.width) / 2, (frame.height - picture.height) / 2)
    let columns = max(0, left)..<min(frame.width, left + picture.width)
    withExtendedLifetime((picture, frame)) {
      for y in 0..<frame.height {
        let target = frame.row(y, as: UInt8.self)
        for x in 0..<frame.width {
          for channel in 0..<3 { target[4 * x + channel] = 0 }
          target[4 * x + 3] = 255
        }
        guard y >= top, y < top + picture.height else { continue }
        let source = picture.row(y - top, as: UInt8.self)
        for x in columns {
          let from = 4 * (x - left)
          let alpha = picture.alpha == .straight ? UInt16(source[from + 3]) : 255
          for channel in 0..<3 {
            // At most 255 · 255 + 127, rounded to the nearest.
            let value = (UInt16(source[from + channel]) &* alpha &+ 127) / 255
            target[4 * x + channel] = UInt8(truncatingIfNeeded: value)
          }
        }
      }
    }
  }
}
