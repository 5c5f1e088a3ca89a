import FilterGraph
import FrameCore
import PhotoIO
import Rendering

/// Where the rows of a photo go as they are decoded.
package struct DecodedPicture: Sendable {
  enum Memory {
    case whole(PixelBuffer)
    /// Rows are written over when no band of the result needs them any more.
    case window(RowWindow)
    /// The photo is decoded again for each part.
    case parts(PhotoDecodingInParts)
  }
  let memory: Memory
  /// Of the whole picture.
  let height: Int
  /// Rows that are decoded at a time: a band of JPEG blocks, which stays in the second-level cache; other decoders have
  /// strips and tiles.
  private let step: Int

  /// Rows that a reduction takes at a time.
  let reductionStep: Int

  /// Memory for a plan that is rendered in bands, for as few rows as will do.
  ///
  /// - Parameters:
  ///   - plan: of the photo that `reader` reads; optimized or not.
  ///   - isSequential: whether one thread decodes and renders in turn.
  init(for plan: Plan, of reader: PhotoReader, renderer: any Renderer, isSequential: Bool) throws {
    let shape = Shape(plan, fileFormat: reader.fileFormat, renderer: renderer, isSequential: isSequential)
    (step, reductionStep) = (shape.step, shape.reductionStep)
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

  /// What is decoded while colours are planned: of 12 megapixels everything.
  private static let bytesAhead = 48 << 20

  /// Rows of the source that `init(for:of:renderer:isSequential:)` has memory for.
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

  /// Whether a photo is decoded in parts, since a window of rows will not do and the whole photo takes too much memory.
  ///
  /// Only JPEG photos are, unless decoding itself keeps the whole picture: they are decoded fast enough. Nor are turns
  /// of which one band shows too much of the photo, or that take more parts than a few.
  ///
  /// - Parameter decodingMemory: bytes that decoding takes.
  static func isInParts(
    _ plan: Plan, fileFormat: PhotoFileFormat?, decodingMemory: Int, renderer: any Renderer
  ) -> Bool {
    guard fileFormat == .jpeg, decodingMemory == 0, renderer.takesRows, !plan.reduces else { return false }
    let whole = plan.input.format.bitsPerSample / 2 * plan.input.size.pixelCount
    let bandRows = Bands.rows(of: plan.outputSize)
    guard whole > PhotoDecodingInParts.usualBytes * 5 / 4, RowWindow.Shape(plan, bandRows: bandRows) == nil
    else { return false }
    let parts = PhotoDecodingInParts.parts(of: plan, bandRows: bandRows)
    return parts.count <= PhotoDecodingInParts.mostParts
      && parts.allSatisfy { PicturePart.bytes(for: plan, showing: $0) <= PhotoDecodingInParts.usualBytes }
  }

  /// How much of a photo is kept, and how it is taken.
  private struct Shape {
    enum Rows {
      case all
      /// Each row is taken once.
      case streamed(Int)
      case window(RowWindow.Shape)
    }
    let step: Int
    let reductionStep: Int
    let rows: Rows

    init(_ plan: Plan, fileFormat: PhotoFileFormat?, renderer: any Renderer, isSequential: Bool) {
      step = DecodedPicture.step(of: fileFormat)
      // For several threads there should be pieces enough; while they are at it, the next rows are decoded.
      reductionStep = isSequential ? step : RowWindow.step
      let streamed = isSequential ? reductionStep : 3 * reductionStep
      if renderer.takesRows, plan.reduces, streamed < plan.input.size.height {
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

  /// A picture that is there.
  init(_ picture: PixelBuffer, step: Int = 64) {
    memory = .whole(picture)
    height = picture.height
    self.step = step
    reductionStep = step
  }

  init(inParts decoding: PhotoDecodingInParts, height: Int) {
    memory = .parts(decoding)
    self.height = height
    step = RowWindow.step
    reductionStep = step
  }

  static func step(of format: PhotoFileFormat?) -> Int { format == .jpeg ? 16 : RowWindow.step }

  private static func wholePicture(of reader: PhotoReader) throws -> PixelBuffer {
    try PixelBuffer(size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
  }

  /// The rows that `reader` is to read next.
  func nextRows(of reader: PhotoReader) -> Range<Int> {
    reader.position..<min(reader.position + step, reader.size.height)
  }

  /// The row above which no row may be needed any more when `rows` are read.
  func begin(_ rows: Range<Int>) -> Int {
    switch memory {
    case .whole, .parts: 0
    case .window(let window): window.begin(rows)
    }
  }

  /// Reads the rows that `nextRows` named, once they may be.
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
