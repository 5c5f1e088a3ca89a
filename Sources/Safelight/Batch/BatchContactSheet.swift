import ColorScience
import Dispatch
import FilterGraph
import Filters
import FrameCore
import PhotoIO
import Rendering
import Synchronization

/// Contact sheets of the results of a batch: small pictures with their names, on as many pages as it takes.
///
/// One page is in memory at a time. JPEG files are decoded at a fraction of their size; of others, one at a time.
public struct BatchContactSheet: Sendable {
  /// A result.
  public struct Picture: Sendable, Hashable {
    public var path: String
    public var name: String

    public init(path: String, name: String) {
      self.path = path
      self.name = name
    }
  }

  /// What was written.
  public struct Report: Sendable {
    public var pages: [String] = []
    /// Pictures that could not be read.
    public var warnings: [String] = []
  }

  /// Pictures on a page: eight by six.
  public static let capacity = 48
  /// The square that a picture is fitted into, pixels.
  static let edge = 320

  /// Where the pages go; of more than one, each gets its number: `sheet-1.jpg`.
  public let path: String
  private let renderer: any Renderer

  /// - Throws: `SafelightError(.unsupported)` where the path does not end like a format that is written.
  public init(path: String, renderer: any Renderer = CPURenderer(threads: 1)) throws {
    _ = try PhotoFileFormat(forWritingTo: path)
    self.path = path
    self.renderer = renderer
  }

  /// Draws the pages; what stands under their names is replaced.
  ///
  /// - Throws: `SafelightError` where a page cannot be written, or would replace one of the pictures.
  public func write(_ pictures: [Picture]) throws -> Report {
    var report = Report()
    let pageCount = (pictures.count + Self.capacity - 1) / Self.capacity
    for page in 0..<pageCount {
      let part = Array(pictures[page * Self.capacity..<min((page + 1) * Self.capacity, pictures.count)])
      let target = pageCount == 1 ? path : BatchNaming.numbered(path, page + 1)
      guard !pictures.contains(where: { FileContents.areSame($0.path, target) }) else {
        throw SafelightError(
          .invalidValue, "The contact sheet \(target) would replace a result",
          remedy: "give it a name of its own")
      }
      let cells = cells(of: part, &report)
      guard !cells.isEmpty else { continue }
      try ContactSheet(cells).render().write(to: target, overwrite: true)
      report.pages.append(target)
    }
    return report
  }

  private func cells(of pictures: [Picture], _ report: inout Report) -> [ContactSheet.Cell] {
    let cells = Mutex([Int: Result<ContactSheet.Cell, any Error>]())
    let large = Mutex(())
    DispatchQueue.concurrentPerform(iterations: pictures.count) { index in
      let cell = Result { try Self.cell(pictures[index], renderer, large) }
      cells.withLock { $0[index] = cell }
    }
    let made = cells.withLock { $0 }
    return pictures.indices.compactMap { index in
      do {
        return try made[index]?.get()
      } catch {
        report.warnings.append("\(pictures[index].name) is not on the contact sheet: \(error)")
        return nil
      }
    }
  }

  /// - Parameter large: held while a picture is in memory that could not be reduced on reading.
  private static func cell(
    _ picture: Picture, _ renderer: any Renderer, _ large: borrowing Mutex<Void>
  ) throws -> ContactSheet.Cell {
    // Twice the size that is needed: the rest is averaged in linear light.
    let reader = try PhotoReader(contentsOf: picture.path, scaledToLongEdge: 2 * edge)
    guard reader.size.longEdge > 8 * edge else { return try cell(reader, picture.name, renderer) }
    return try large.withLock { _ in try cell(reader, picture.name, renderer) }
  }

  private static func cell(
    _ reader: PhotoReader, _ name: String, _ renderer: any Renderer
  ) throws -> ContactSheet.Cell {
    let source = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    try reader.read(into: source)
    try reader.finish()
    let plan = try renderer.plan(
      Recipe(filters: [Resize(longEdge: min(edge, reader.size.longEdge))]),
      input: PlanInput(
        size: reader.size, format: reader.format, space: try ColorSpace(tags: reader.tags),
        orientation: reader.orientation, alpha: reader.alpha),
      output: PlanOutput(format: .rgba8, space: .sRGB))
    return ContactSheet.Cell(try centred(renderer.render(source, through: plan)), caption: name)
  }

  /// In the middle of a transparent square, through which the sheet's ground shows.
  private static func centred(_ picture: PixelBuffer) throws -> PixelBuffer {
    let cell = try PixelBuffer(
      size: PixelSize(width: edge, height: edge), format: .rgba8, tags: .sRGB, alpha: .straight)
    let (left, top) = ((edge - picture.width) / 2, (edge - picture.height) / 2)
    for y in 0..<edge {
      let row = UnsafeMutableRawBufferPointer(start: cell.planes[0].row(y), count: 4 * edge)
      row.initializeMemory(as: UInt8.self, repeating: 0)
      guard (0..<picture.height).contains(y - top) else { continue }
      let from = UnsafeRawBufferPointer(start: picture.planes[0].row(y - top), count: 4 * picture.width)
      UnsafeMutableRawBufferPointer(rebasing: row[(4 * left)...]).copyMemory(from: from)
    }
    withExtendedLifetime((cell, picture)) {}
    return cell
  }
}
