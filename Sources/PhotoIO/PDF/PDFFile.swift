import Files
import FrameCore

/// Writes pages that are pictures into a PDF file, which appears when it is complete.
///
/// Pictures are stored as their encoders wrote them: JPEG as it is, and PNG by its compressed rows, which PDF reads with
/// the same filters. Source: ISO 32000-1:2008, 7.4.4.4 (predictors), 7.4.8 (DCTDecode), 7.5.4 (cross-reference table).
public final class PDFFile {
  private let output: OutputFile
  /// Where each object begins, from number 1 on.
  private var starts: [Int] = []
  private var length = 0
  private var pages: [Int] = []

  /// The objects that come first: the catalog and the list of pages, which are written last.
  private static let reserved = 2
  /// ISO 32000-1, annex C.2: the largest page, in points.
  private static let largestPage = 14_400.0

  /// - Throws: `SafelightError`: `.file` if the folder is missing or not writable; `.exists` if an existing file may not be
  ///   replaced.
  public init(to path: String, overwrite: Bool = false) throws {
    output = try OutputFile(path: path, overwrite: overwrite)
    starts = Array(repeating: 0, count: Self.reserved)
    // Bytes above 127 in the second line tell that the file is not text.
    try append(Array("%PDF-1.5\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A])
  }

  deinit { output.discard() }

  /// Appends a page that a picture fills.
  ///
  /// - Parameters:
  ///   - picture: the contents of a JPEG file of three components, or of a PNG file of 8 bits without alpha and without
  ///     interlacing.
  ///   - size: the picture's, in pixels.
  ///   - points: the width and the height of the page, in points of 1/72 inch.
  /// - Throws: `SafelightError` if the picture is neither, or cannot be written.
  public func append(_ picture: [UInt8], size: PixelSize, points: (width: Double, height: Double))
    throws
  {
    let (filter, data) = try Self.stream(of: picture, size: size)
    let most = max(points.width, points.height)
    let scale = min(1, Self.largestPage / most)
    let (width, height) = (
      PlainNumber.fixed(points.width * scale, 2), PlainNumber.fixed(points.height * scale, 2)
    )
    let image = try object(
      "<< /Type /XObject /Subtype /Image /Width \(size.width) /Height \(size.height) /ColorSpace /DeviceRGB "
        + "/BitsPerComponent 8 \(filter) /Length \(data.count) >>", stream: data)
    let drawing = Array("q \(width) 0 0 \(height) 0 0 cm /P Do Q\n".utf8)
    let contents = try object("<< /Length \(drawing.count) >>", stream: drawing)
    pages.append(
      try object(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] /Contents \(contents) 0 R "
          + "/Resources << /XObject << /P \(image) 0 R >> >> >>"))
  }

  /// Completes the file, and returns its length in bytes.
  public func finish() throws -> Int {
    let kids = pages.map { "\($0) 0 R" }.joined(separator: " ")
    try object("<< /Type /Catalog /Pages 2 0 R >>", number: 1)
    try object("<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>", number: 2)
    let table = length
    var text = "xref\n0 \(starts.count + 1)\n0000000000 65535 f \n"
    for start in starts { text += Self.tenDigits(start) + " 00000 n \n" }
    text += "trailer\n<< /Size \(starts.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
    try append(Array(text.utf8))
    try output.commit()
    return length
  }

  private static func tenDigits(_ number: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, 10 - digits.count)) + digits
  }

  /// Writes an object, and returns its number.
  @discardableResult
  private func object(_ text: String, stream: [UInt8]? = nil, number: Int? = nil) throws -> Int {
    if let number { starts[number - 1] = length } else { starts.append(length) }
    let number = number ?? starts.count
    try append(Array("\(number) 0 obj\n\(text)\n".utf8))
    if let stream {
      try append(Array("stream\n".utf8))
      try append(stream)
      try append(Array("\nendstream\n".utf8))
    }
    try append(Array("endobj\n".utf8))
    return number
  }

  private func append(_ bytes: [UInt8]) throws {
    try output.write(bytes)
    length += bytes.count
  }

  /// The entries of a picture's dictionary that say how its bytes are read, and these.
  private static func stream(of picture: [UInt8], size: PixelSize) throws -> (filter: String, data: [UInt8]) {
    if picture.starts(with: [0xFF, 0xD8]) { return ("/Filter /DCTDecode", picture) }
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    var (data, position, isPlain) = ([UInt8](), signature.count, false)
    if picture.starts(with: signature) {
      while position + 12 <= picture.count {
        let length = picture[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= picture.count - position - 12 else { break }
        let (type, body) = (
          picture[position + 4..<position + 8], picture[position + 8..<position + 8 + length]
        )
        // Eight bits of R, G and B, not interlaced.
        if type.elementsEqual("IHDR".utf8) {
          isPlain = body.count == 13 && body.suffix(5).elementsEqual([8, 2, 0, 0, 0])
        }
        if type.elementsEqual("IDAT".utf8) { data += body }
        position += 12 + length
      }
    }
    guard isPlain, !data.isEmpty else {
      throw SafelightError(
        .unsupported, "A page of a PDF is neither a JPEG nor a plain PNG", remedy: "report this")
    }
    return (
      "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 3 /BitsPerComponent 8 /Columns \(size.width) >>",
      data
    )
  }
}
