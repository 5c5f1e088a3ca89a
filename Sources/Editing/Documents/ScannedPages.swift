import Files
import FrameAnalysis
import FrameCore
import PhotoIO
import PhotoPipeline

/// Where scanned pages go: one picture, or a PDF of any number. The file appears when it is complete.
public final class ScannedPages {
  private let path: String
  private let overwrite: Bool
  private let pdf: PDFFile?
  private var writer: PhotoWriter?
  private var hasPage = false

  /// The resolution of pages whose size is not known, in pixels per inch: that of scanners by default.
  private static let resolution = 200.0
  /// JPEG quality.
  private static let quality = 92

  /// - Parameter isPDF: nil goes by the path's extension.
  /// - Throws: `SafelightError`: `.file` if the folder is missing or not writable; `.exists` if an existing file may not be
  ///   replaced.
  public init(to path: String, isPDF: Bool? = nil, overwrite: Bool = false) throws {
    (self.path, self.overwrite) = (path, overwrite)
    pdf = isPDF ?? path.lowercased().hasSuffix(".pdf") ? try PDFFile(to: path, overwrite: overwrite) : nil
  }

  deinit {
    writer?.cancel()
  }

  /// Appends a page.
  ///
  /// - Parameter photo: the photo that the page is in, whose metadata a picture keeps; nil if it is from a live frame.
  /// - Throws: `SafelightError` if it cannot be written, or if a picture is to have a second page.
  public func append(_ page: DocumentScan.Page, of photo: Photo? = nil) throws {
    guard let pdf else {
      guard !hasPage else {
        throw SafelightError(.unsupported, "\(path) has room for one page", remedy: "write a .pdf")
      }
      hasPage = true
      let metadata = (photo?.metadata ?? PhotoMetadata()).edited(
        size: page.picture.size, colorSpace: .sRGB, keepsLevel: false)
      let writer = try PhotoWriter(
        to: path, size: page.picture.size, quality: Self.quality, metadata: metadata, threads: nil,
        overwrite: overwrite)
      try writer.write(page.picture)
      self.writer = writer
      return
    }
    // Ink on white paper has edges that JPEG frays, and few values.
    let isPlain = page.finish == .blackAndWhite
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let picture = FolderListing.path("page", in: folder.path)
    let writer = try PhotoWriter(
      to: picture, format: isPlain ? .png : .jpeg, size: page.picture.size, quality: Self.quality,
      threads: nil,
      overwrite: true)
    try writer.write(page.picture)
    try writer.finish(durable: false)
    let bytes = try FileContents.read(picture)
    try pdf.append(bytes, size: page.picture.size, points: points(of: page))
  }

  /// Completes the file, and returns its length in bytes.
  public func finish() throws -> Int {
    if let pdf { return try pdf.finish() }
    guard let writer else { return 0 }
    self.writer = nil
    let length = try writer.complete()
    try writer.finish()
    return length
  }

  /// The size of a page on paper, in points.
  private func points(of page: DocumentScan.Page) -> (width: Double, height: Double) {
    guard let paper = page.shape.paper else {
      let scale = 72 / Self.resolution
      return (Double(page.picture.width) * scale, Double(page.picture.height) * scale)
    }
    let (short, long) = paper.points
    return page.picture.width > page.picture.height ? (long, short) : (short, long)
  }
}

extension PageShape.Paper {
  /// Its sides in points of 1/72 inch. Sources: ISO 216, ANSI/ASME Y14.1, ISO/IEC 7810 (ID-1).
  fileprivate var points: (short: Double, long: Double) {
    switch self {
    case .a4: (210 / 25.4 * 72, 297 / 25.4 * 72)
    case .letter: (612, 792)
    case .card: (53.98 / 25.4 * 72, 85.60 / 25.4 * 72)
    }
  }
}
