import Files
import ColorScience
import Dispatch
import FilterGraph
import Filters
import FrameCore
import PhotoIO
import Rendering
import Synchronization

/// Contact sheets of the results of a batch: small pictures with their names, on as many pages as needed.
///
/// One page is in memory at a time. JPEG files are decoded at reduced size; other large files one at a time.
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
    /// Properties of replaced pages that could not be kept, such as their owner, one sentence each.
    public var notes: [String] = []
  }

  /// The number of pictures on a page: eight by six.
  public static let capacity = 48
  /// The long edge of each picture, in pixels.
  static let edge = 320

  /// The path of the page; if there are several, each gets a number: `sheet-1.jpg`.
  public let path: String
  private let renderer: any Renderer

  /// - Throws: `SafelightError(.unsupported)` if the path does not have the extension of a writable format.
  public init(path: String, renderer: any Renderer = CPURenderer(threads: 1)) throws {
    _ = try PhotoFileFormat(forWritingTo: path)
    self.path = path
    self.renderer = renderer
  }

  /// Rejects pages that would replace files that must be kept; to be called before the pictures are made.
  ///
  /// - Parameters:
  ///   - count: the maximum number of pictures.
  ///   - originals: paths of photos, which no page may replace.
  ///   - others: paths of other files that are read.
  ///   - overwrite: whether existing files that are not contact sheets may be replaced.
  /// - Throws: `SafelightError` that names the page.
  public func check(
    forAtMost count: Int, originals: [String], others: [String] = [], overwrite: Bool
  ) throws {
    try check(
      forAtMost: count, originals: originals, others: others, overwrite: overwrite,
      identity: FileIdentity.init)
  }

  /// - Parameter identity: how a file is examined; tests count how often that is done.
  package func check(
    forAtMost count: Int, originals: [String], others: [String], overwrite: Bool,
    identity: (String) -> FileIdentity?
  ) throws {
    // If pictures fail, there may be only one page, which has no number.
    let pages = Set([path] + pages(of: count)).sorted(by: naturallyPrecedes)
    let taken = Self.taken(of: pages, identity)
    guard !taken.isEmpty else { return }
    let photos = FileIdentity.paths(of: originals, identity: identity)
    let inputs = FileIdentity.paths(of: others, identity: identity)
    for page in taken {
      if inputs[page.file] != nil {
        throw SafelightError(
          .invalidValue, "\(page.path), where the contact sheet goes, is read by this run",
          remedy: "give another name")
      }
      try Self.check(page, photos, overwrite: overwrite)
    }
  }

  /// A page whose name is taken by a file.
  private struct TakenPage {
    let path: String
    let file: FileIdentity
  }

  private static func taken(
    of pages: [String], _ identity: (String) -> FileIdentity? = FileIdentity.init
  ) -> [TakenPage] {
    pages.compactMap { page in identity(page).map { TakenPage(path: page, file: $0) } }
  }

  private static func check(
    _ page: TakenPage, _ originals: [FileIdentity: String], overwrite: Bool
  ) throws {
    if let original = originals[page.file] {
      throw SafelightError(
        .invalidValue, "\(page.path) is an original, \(original)", remedy: "give another name")
    }
    guard !overwrite, !isSheet(page.path) else { return }
    throw SafelightError(
      .exists, "\(page.path), where the contact sheet goes, already exists",
      remedy: "give --overwrite to replace it, or another name")
  }

  /// The sheets' EXIF Software value: the next run may replace a file that has it.
  private static let signature = "Safelight contact sheet"

  /// Whether a file is a page that an earlier run drew.
  static func isSheet(_ path: String) -> Bool {
    // Only this field is checked: a file derived from a sheet may contain its former Software elsewhere in EXIF.
    (try? PhotoHeader.read(path))?.metadata.software?.hasPrefix(signature) ?? false
  }

  /// - Returns: properties that could not be kept, one sentence each.
  private static func write(_ page: PixelBuffer, to path: String, overwrite: Bool) throws -> [String] {
    let writer = try PhotoWriter(
      to: path, size: page.size, tags: page.tags,
      metadata: PhotoMetadata().signed(software: "\(signature) \(SafelightVersion.current)"),
      alpha: page.alpha, overwrite: overwrite || isSheet(path))
    try writer.write(page)
    try writer.finish()
    return writer.warnings
  }

  private func pages(of count: Int) -> [String] {
    let pages = (count + Self.capacity - 1) / Self.capacity
    return pages > 1 ? (1...pages).map { BatchNaming.numbered(path, $0) } : [path]
  }

  /// Draws the pages.
  ///
  /// - Parameters:
  ///   - originals: paths of files that no page may replace, besides the pictures.
  ///   - overwrite: whether existing files that are not contact sheets may be replaced.
  /// - Throws: `SafelightError` if a page cannot be written, or would replace a file that must be kept; in the
  ///   latter case no page is written.
  public func write(
    _ pictures: [Picture], originals: [String] = [], overwrite: Bool = false
  ) throws -> Report {
    var report = Report()
    let targets = pages(of: pictures.count)
    let taken = Self.taken(of: targets)
    if !taken.isEmpty {
      let results = FileIdentity.paths(of: pictures.map(\.path))
      let originals = FileIdentity.paths(of: originals)
      for page in taken {
        guard results[page.file] == nil else {
          throw SafelightError(
            .invalidValue, "The contact sheet \(page.path) would replace a result",
            remedy: "give it a name of its own")
        }
        try Self.check(page, originals, overwrite: overwrite)
      }
    }
    for (page, target) in targets.enumerated() {
      let part = Array(pictures[page * Self.capacity..<min((page + 1) * Self.capacity, pictures.count)])
      let cells = try cells(of: part, &report)
      guard !cells.isEmpty else { continue }
      report.notes += try Self.write(ContactSheet(cells).render(), to: target, overwrite: overwrite)
      report.pages.append(target)
    }
    return report
  }

  private func cells(of pictures: [Picture], _ report: inout Report) throws -> [ContactSheet.Cell] {
    let reduced = Mutex([Int: Result<PixelBuffer, any Error>]())
    let large = Mutex(())
    DispatchQueue.concurrentPerform(iterations: pictures.count) { index in
      let picture = Result { try Self.reduced(pictures[index].path, renderer, large) }
      reduced.withLock { $0[index] = picture }
    }
    let results = reduced.withLock { $0 }
    var made: [(name: String, picture: PixelBuffer)] = []
    for (index, picture) in pictures.enumerated() {
      do {
        if let reduced = try results[index]?.get() { made.append((picture.name, reduced)) }
      } catch {
        report.warnings.append("\(picture.name) is not on the contact sheet: \(error)")
      }
    }
    let size = PixelSize(
      width: made.map(\.picture.width).max() ?? 1, height: made.map(\.picture.height).max() ?? 1)
    return try made.map { ContactSheet.Cell(try Self.standing($0.picture, in: size), caption: $0.name) }
  }

  /// - Parameter large: a lock held while a picture is in memory that could not be reduced on reading.
  private static func reduced(
    _ path: String, _ renderer: any Renderer, _ large: borrowing Mutex<Void>
  ) throws -> PixelBuffer {
    // Twice the required size: the rest of the reduction averages in linear light.
    let reader = try PhotoReader(contentsOf: path, scaledToLongEdge: 2 * edge)
    guard reader.size.longEdge > 8 * edge else { return try reduced(reader, renderer) }
    return try large.withLock { _ in try reduced(reader, renderer) }
  }

  private static func reduced(_ reader: PhotoReader, _ renderer: any Renderer) throws -> PixelBuffer {
    let source = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    try reader.read(into: source)
    try reader.finish()
    let plan = try renderer.plan(
      Recipe(filters: [Resize(longEdge: min(edge, reader.size.longEdge))]),
      input: PlanInput(
        size: reader.size, format: reader.format, tags: reader.tags,
        orientation: reader.orientation, alpha: reader.alpha),
      output: PlanOutput(format: .rgba8, space: .sRGB))
    return try renderer.render(source, through: plan)
  }

  /// Returns the picture at the lower edge of a transparent cell, close to the caption; the background of the
  /// sheet shows through.
  private static func standing(_ picture: PixelBuffer, in size: PixelSize) throws -> PixelBuffer {
    let cell = try PixelBuffer(size: size, format: .rgba8, tags: .sRGB, alpha: .straight)
    let (left, top) = ((size.width - picture.width) / 2, size.height - picture.height)
    for y in 0..<size.height {
      let row = UnsafeMutableRawBufferPointer(start: cell.planes[0].row(y), count: 4 * size.width)
      row.initializeMemory(as: UInt8.self, repeating: 0)
      guard y >= top else { continue }
      let from = UnsafeRawBufferPointer(start: picture.planes[0].row(y - top), count: 4 * picture.width)
      UnsafeMutableRawBufferPointer(rebasing: row[(4 * left)...]).copyMemory(from: from)
    }
    withExtendedLifetime((cell, picture)) {}
    return cell
  }
}
