import FrameCore

/// The kinds of files that hold tables of colours, told by their contents, and where these say nothing by the extension.
package enum TableFileKind: Hashable, Sendable {
  case cube, threeDL, cineSpace
  /// XML: Iridas' looks, the Common LUT Format, the ASC's lists; told apart by the root element.
  case xml
  /// An ICC profile.
  case profile
  /// A picture in which each colour of a lattice is a pixel: a Hald.
  case picture

  /// All extensions, in lower case and without the dot.
  package static let extensions = [
    "cube", "3dl", "csp", "look", "clf", "cc", "ccc", "cdl", "icc", "icm", "png", "tif", "tiff",
  ]

  package init(_ bytes: [UInt8], name: String) throws {
    func begins(_ text: String) -> Bool { bytes.starts(with: Array(text.utf8)) }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let first = text.first { !ASCII.isBlank($0) && !ASCII.isLineEnd($0) }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) || begins("II*\0") || begins("MM\0*") {
      self = .picture
    } else if bytes.count >= 40, Array(bytes[36..<40]) == Array("acsp".utf8) {
      self = .profile
    } else if text.starts(with: Array("CSPLUTV100".utf8)) {
      self = .cineSpace
    } else if first == UInt8(ascii: "<") {
      self = .xml
    } else {
      switch name.split(separator: ".").last?.lowercased() ?? "" {
      case "cube": self = .cube
      case "3dl": self = .threeDL
      case "csp": self = .cineSpace
      case let other:
        throw SafelightError(
          .corruptData, "\(name) is not what its extension says: the contents are no \(other.uppercased())",
          remedy: "check the file, or give it the extension of its format")
      }
    }
  }
}

extension ColorLUT {
  /// Reads a table of colours from the bytes of a file other than a picture.
  ///
  /// Formats: `.cube`, `.3dl`, `.csp`, Iridas' `.look`, the Common LUT Format, lists of the ASC with one correction, and
  /// ICC device links of RGB.
  ///
  /// - Parameter name: the file's name; its extension says which format a text without a signature is in.
  /// - Throws: `SafelightError` naming the file, and the line if there are lines.
  package init(file bytes: [UInt8], name: String) throws {
    switch try TableFileKind(bytes, name: name) {
    case .cube: try self.init(cube: bytes, name: name)
    case .threeDL:
      self = try bytes.withUnsafeBytes { bytes in
        var parser = try ThreeDLParser(text: bytes, name: name)
        return try parser.parse()
      }
    case .cineSpace:
      self = try bytes.withUnsafeBytes { bytes in
        var parser = try CineSpaceParser(text: bytes, name: name)
        return try parser.parse()
      }
    case .xml: try self.init(xml: XMLTable(bytes, name: name))
    case .profile: try self.init(deviceLink: bytes, name: name)
    case .picture:
      throw SafelightError(
        .unsupported, "\(name) is a picture, and pictures are not read here", remedy: "give a table")
    }
  }

  private init(xml table: XMLTable) throws {
    let root = table.root.name.local
    if root == "look" {
      self = try IridasLookReader(table: table).lut()
    } else if root == "ProcessList" {
      self = try CommonLUTReader(table: table).lut()
    } else if ColorDecision.roots.contains(root) {
      let decisions = try ColorDecision.read(table)
      guard decisions.count == 1 else {
        let ids = decisions.map { $0.id.isEmpty ? "one without an id" : $0.id }
        throw table.failure(
          at: table.root,
          "there are \(decisions.count) corrections: \(NearestName.shortened(ids.joined(separator: ", ")))",
          remedy: "choose one with “safelight recipe import --id”, or keep one in the file")
      }
      self.init(title: decisions[0].id, steps: decisions[0].steps())
    } else {
      throw table.failure(
        at: table.root, "\(NearestName.shortened(root)) is no table of colours",
        remedy: "give a Common LUT Format, a look of Iridas or a list of the ASC")
    }
  }
}
