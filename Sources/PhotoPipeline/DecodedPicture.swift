import FilterGraph
import FrameCore
import PhotoIO
import Rendering

/// The destination of a photo's rows as they are decoded.
package struct DecodedPicture: Sendable {
  enum Memory {
    case whole(PixelBuffer)
    /// Rows are overwritten once no band of the result needs them.
    case window(RowWindow)
    /// The photo is decoded again for each part.
    case parts(PhotoDecodingInParts)
  }
  let memory: Memory
  /// The height of the whole picture.
  let height: Int
  /// Rows decoded at a time. For JPEG this is a row of blocks, which stays in the second-level cache; other
  /// decoders work in strips and tiles.
  private let step: Int

  /// Rows that a downsampling takes at a time.
  let downsamplingStep: Int

  /// Allocates memory for as few rows as rendering the plan in bands requires.
  ///
  /// - Parameters:
  ///   - plan: the plan for the photo that `reader` reads, optimized or not.
  ///   - isSequential: whether one thread alternates between decoding and rendering.
  init(for plan: Plan, of reader: PhotoReader, renderer: any Renderer, isSequential: Bool) throws {
    let shape = Shape(plan, fileFormat: reader.fileFormat, renderer: renderer, isSequential: isSequential)
    (step, downsamplingStep) = (shape.step, shape.downsamplingStep)
    height = reader.size.height
    let ahead = isSequential ? 0 : Self.bytesAhead
    memory =
      switch shape.rows {
      case .all: .whole(try Self.wholePicture(of: reader))
      case .streamed(let rows):
        .window(try RowWindow(streaming: plan, rows: rows, bytesAhead: ahead, tags: reader.tags))
      case .window(let shape):
        .window(try RowWindow(shape, for: plan, bytesAhead: ahead, tags: reader.tags))
      }
  }

  /// Memory for rows decoded while colours are planned: enough for all of a 12-megapixel photo.
  private static let bytesAhead = 48 << 20

  /// The number of source rows that `init(for:of:renderer:isSequential:)` allocates.
  package static func rowsInMemory(
    for plan: Plan, fileFormat: PhotoFileFormat?, decodingMemory: Int, renderer: any Renderer,
    isSequential: Bool
  ) -> Int {
    let shape = Shape(plan, fileFormat: fileFormat, renderer: renderer, isSequential: isSequential)
    return switch shape.rows {
    case .all:
      isInParts(plan, fileFormat: fileFormat, decodingMemory: decodingMemory, renderer: renderer)
        ? PhotoDecodingInParts.usualBytes / (plan.input.format.bitsPerSample / 2 * plan.input.size.width)
        : plan.input.size.height
    case .streamed(let rows): rows
    case .window(let shape): shape.rowsInMemory
    }
  }

  /// Whether a photo is decoded in parts, because a window of rows does not suffice and the whole photo takes too
  /// much memory.
  ///
  /// Only JPEG photos qualify, as they decode fast enough, and only if decoding itself does not hold the whole
  /// picture. Plans in which one band shows too much of the photo, or that need more than a few parts, do not
  /// qualify.
  ///
  /// - Parameter decodingMemory: bytes that decoding allocates.
  static func isInParts(
    _ plan: Plan, fileFormat: PhotoFileFormat?, decodingMemory: Int, renderer: any Renderer
  ) -> Bool {
    guard fileFormat == .jpeg, decodingMemory == 0, renderer.takesRows, !plan.readsWholeSource else {
      return false
    }
    let whole = plan.input.format.bitsPerSample / 2 * plan.input.size.pixelCount
    let bandRows = Bands.rows(of: plan.outputSize)
    guard whole > PhotoDecodingInParts.usualBytes * 5 / 4, RowWindow.Shape(plan, bandRows: bandRows) == nil
    else { return false }
    let parts = PhotoDecodingInParts.parts(of: plan, bandRows: bandRows)
    return parts.count <= PhotoDecodingInParts.mostParts
      && parts.allSatisfy { PicturePart.bytes(for: plan, showing: $0) <= PhotoDecodingInParts.usualBytes }
  }

  /// How much of a photo is kept in memory, and how its rows are consumed.
  private struct Shape {
    enum Rows {
      case all
      /// Each row is consumed once.
      case streamed(Int)
      case window(RowWindow.Shape)
    }
    let step: Int
    let downsamplingStep: Int
    let rows: Rows

    init(_ plan: Plan, fileFormat: PhotoFileFormat?, renderer: any Renderer, isSequential: Bool) {
      step = DecodedPicture.step(of: fileFormat)
      // Give several threads enough pieces; while they work, the next rows are decoded.
      downsamplingStep = isSequential ? step : RowWindow.step
      let streamed = isSequential ? downsamplingStep : 3 * downsamplingStep
      if renderer.takesRows, plan.downsamples, plan.denoising == nil, streamed < plan.input.size.height {
        rows = .streamed(streamed)
      } else if renderer.takesRows,
        let shape = RowWindow.Shape(plan, bandRows: Bands.rows(of: plan.outputSize))
      {
        rows = .window(shape)
      } else {
        rows = .all
      }
    }
  }

  /// Memory for the whole picture.
  init(wholeOf reader: PhotoReader) throws {
    self.init(try Self.wholePicture(of: reader), step: Self.step(of: reader.fileFormat))
  }

  /// Wraps a picture that is already decoded.
  init(_ picture: PixelBuffer, step: Int = 64) {
    memory = .whole(picture)
    height = picture.height
    self.step = step
    downsamplingStep = step
  }

  init(inParts decoding: PhotoDecodingInParts, height: Int) {
    memory = .parts(decoding)
    self.height = height
    step = RowWindow.step
    downsamplingStep = step
  }

  static func step(of format: PhotoFileFormat?) -> Int { format == .jpeg ? 16 : RowWindow.step }

  private static func wholePicture(of reader: PhotoReader) throws -> PixelBuffer {
    try PixelBuffer(size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
  }

  /// The rows that `reader` is to read next.
  func nextRows(of reader: PhotoReader) -> Range<Int> {
    reader.position..<min(reader.position + step, reader.size.height)
  }

  /// Starts overwriting memory for `rows`; returns the row above which all rows must have been released first.
  func begin(_ rows: Range<Int>) -> Int {
    switch memory {
    case .whole, .parts: 0
    case .window(let window): window.begin(rows)
    }
  }

  /// Reads the rows that `nextRows` returned, once their memory is free.
  func read(_ rows: Range<Int>, from reader: PhotoReader) throws {
    switch memory {
    case .whole(let picture): try reader.read(into: picture.band(rows: rows))
    case .window(let window):
      try reader.read(into: window.place(for: rows))
      window.complete(rows)
    case .parts: break
    }
  }
}
