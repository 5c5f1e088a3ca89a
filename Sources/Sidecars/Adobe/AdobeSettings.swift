import Files
import FilterGraph
import FrameCore
import PhotoIO

/// The develop settings that Lightroom and Camera Raw keep in XMP: in an `.xmp` file beside a raw, or in a JPEG,
/// TIFF or DNG.
///
/// Source: Adobe, "Camera Raw namespace", XMP namespaces (the names); names missing there, such as `Exposure2012`,
/// are those written by process version 2012 (6.7) and later.
public struct AdobeSettings: Sendable {
  static let namespace = "http://ns.adobe.com/camera-raw-settings/1.0/"

  /// The name of the file that contains them.
  public let file: String
  /// Values by name without the prefix: `Exposure2012`.
  var values: [String: XMPProperties.Value] = [:]
  /// The orientation in which the program shows the photo, which may differ from the photo's own; nil if not
  /// given.
  var orientation: Orientation?

  /// Whether they are already applied to the file's pixels, as in an exported JPEG.
  public var areApplied: Bool { flag("AlreadyApplied") }

  /// - Parameter path: the path of an `.xmp` file, or of a photo that contains XMP.
  /// - Throws: `SafelightError` if the file cannot be read or contains no develop settings.
  public init(contentsOf path: String) throws {
    guard !path.lowercased().hasSuffix(".xmp") else {
      try self.init(
        packet: FileContents.read(path, .fileOrPipe, atMost: XMLLimits.packet.bytes), file: path,
        isSidecar: true)
      return
    }
    let metadata = try PhotoHeader.read(path).metadata
    guard let packet = metadata.xmp else { throw Self.none(in: path) }
    try self.init(packet: packet, extended: metadata.extendedXMP, file: path)
  }

  /// - Parameters:
  ///   - packet: an XMP packet as found in files.
  ///   - extended: the parts that did not fit into the packet, as in `PhotoMetadata.extendedXMP`.
  ///   - file: the name of the file, for errors.
  ///   - isSidecar: whether the packet is its own file; only there does the orientation reflect the user's
  ///     rotation.
  package init(packet: [UInt8], extended: [[UInt8]] = [], file: String, isSidecar: Bool = false) throws {
    self.file = file
    var properties = try XMPProperties(packet: packet, file: file)
    if let rest = try Self.join(extended, of: properties, file: file) {
      properties.merge(try XMPProperties(packet: rest, file: file))
    }
    for (name, value) in properties.values where name.namespace == Self.namespace {
      values[name.local] = value
    }
    guard !values.isEmpty, text("HasSettings").map(Self.isTrue) ?? true else { throw Self.none(in: file) }
    if isSidecar,
      case .text(let text)? = properties.values[XMLName("http://ns.adobe.com/tiff/1.0/", "Orientation")]
    {
      guard let number = UInt8(text), let known = Orientation(rawValue: number) else {
        throw SafelightError(
          .corruptData, "\(file): tiff:Orientation is “\(text.prefix(60))”", remedy: "it is a number in 1…8")
      }
      orientation = known
    }
  }

  /// The texts that describe a preset: some programs write them twice, as an attribute and as an element.
  static let descriptions = Set(
    ["Name", "ShortName", "SortName", "Group", "Description", "Cluster"].map { XMLName(namespace, $0) })

  /// Settings among the properties of a preset.
  init(_ properties: XMPProperties, file: String) throws {
    self.file = file
    for (name, value) in properties.values where name.namespace == Self.namespace {
      values[name.local] = value
    }
    guard !values.isEmpty, text("HasSettings").map(Self.isTrue) ?? true else { throw Self.none(in: file) }
  }

  /// Settings by name, as in the templates of Lightroom 6 and earlier.
  init(values: [String: XMPProperties.Value], file: String) throws {
    (self.values, self.file) = (values, file)
    guard !values.isEmpty else { throw Self.none(in: file) }
  }

  static func none(in file: String) -> SafelightError {
    SafelightError(
      .corruptData, "\(file) holds no develop settings of Lightroom or Camera Raw",
      remedy: "save them to the file there (Ctrl-S), or name the .xmp file beside the photo")
  }

  /// Joins the parts that did not fit into the packet; nil if there are none. Each part begins with the packet's
  /// identifier for them (32 bytes), the total length and the part's offset (4 bytes each, big-endian).
  ///
  /// Source: XMP specification part 3, section 1.1.3.1.
  private static func join(_ parts: [[UInt8]], of packet: XMPProperties, file: String) throws -> [UInt8]? {
    let note = XMLName("http://ns.adobe.com/xmp/note/", "HasExtendedXMP")
    guard case .text(let mark)? = packet.values[note] else { return nil }
    func number(_ part: [UInt8], at place: Int) -> Int {
      part[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let own = parts.filter { $0.count >= 40 && $0.starts(with: Array(mark.utf8)) }
      .sorted { number($0, at: 36) < number($1, at: 36) }
    var joined: [UInt8] = []
    for part in own where number(part, at: 36) == joined.count { joined += part[40...] }
    guard let length = own.first.map({ number($0, at: 32) }), joined.count == length else {
      throw SafelightError(
        .corruptData, "A part of the XMP in \(file) is missing",
        remedy: "save it again with the program that wrote it")
    }
    return joined
  }

  // MARK: Values

  func text(_ name: String) -> String? {
    if case .text(let text)? = values[name] { text } else { nil }
  }

  /// The value of a flag; false if absent.
  func flag(_ name: String) -> Bool { text(name).map(Self.isTrue) ?? false }

  private static func isTrue(_ text: String) -> Bool { ["true", "1"].contains(text.lowercased()) }

  /// Returns the value of a setting; nil if absent.
  ///
  /// - Throws: `SafelightError(.corruptData)` if it is not a number, or outside `range`.
  func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let value = values[name] else { return nil }
    func wrong(_ text: String) -> SafelightError {
      SafelightError(
        .corruptData, "\(file): crs:\(name) is \(text)",
        remedy:
          "it is a number in \(PlainNumber.text(range.lowerBound))…\(PlainNumber.text(range.upperBound))")
    }
    guard case .text(let text) = value else { throw wrong("a list") }
    guard let number = Self.number(text), range.contains(number) else { throw wrong("“\(text.prefix(60))”") }
    return number
  }

  /// Parses a number as Adobe writes it: `+0.35`, `-12`, `5500`.
  static func number(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }), let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }
}
