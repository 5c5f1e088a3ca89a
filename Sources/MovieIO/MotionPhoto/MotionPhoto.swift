import FrameCore

/// A JPEG with the seconds around it: a movie at its end, which the picture's XMP tells of.
///
/// Source: Motion Photo format 1.0, https://developer.android.com/media/platform/motion-photo-format.
public enum MotionPhoto {
  /// Returns a JPEG followed by its movie. What the picture's XMP says besides is kept, other items of its
  /// directory (such as a gain map) too.
  ///
  /// - Parameters:
  ///   - movie: a whole .mp4 file, finished.
  ///   - jpeg: a whole JPEG file.
  ///   - presentation: the picture's moment in the movie in microseconds; nil if unknown.
  /// - Throws: `SafelightError`: `.corruptData` if the picture is no JPEG or its XMP is damaged,
  ///   `.invalidValue` if it has a movie already or the movie is not one, `.tooLarge` if its XMP grows too
  ///   long for a JPEG.
  public static func append(movie: [UInt8], to jpeg: [UInt8], presentation: Int64?) throws -> [UInt8] {
    guard MP4BoxReader.header(movie)?.type == "ftyp" else {
      throw SafelightError(.invalidValue, "The movie of a motion photo must be an .mp4 file")
    }
    let head = try JPEGHead(jpeg)
    let packet = try MotionPhotoXMP.packet(
      head.content(JPEGHead.xmpSignature), movieBytes: movie.count, presentation: presentation ?? -1)
    return try head.replacing(JPEGHead.xmpSignature, by: packet, name: "XMP") + movie
  }

  /// Returns the place of the movie in a motion photo; nil if there is none.
  ///
  /// - Throws: `SafelightError(.corruptData)` if the file is no JPEG.
  public static func movie(in file: [UInt8]) throws -> Range<Int>? {
    guard let xmp = try JPEGHead(file).content(JPEGHead.xmpSignature),
      let length = MotionPhotoXMP.movieBytes(xmp), length > 8, length < file.count
    else { return nil }
    let range = file.count - length..<file.count
    return MP4BoxReader.header(Array(file[range].prefix(16)))?.type == "ftyp" ? range : nil
  }

  /// Returns the name that galleries expect: `IMG_1.jpg` becomes `IMG_1.MP.jpg`.
  public static func fileName(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name + ".MP" }
    return name[..<dot].hasSuffix(".MP") ? name : "\(name[..<dot]).MP\(name[dot...])"
  }
}

/// The XMP of motion photos, as text: what else a packet says stays byte for byte.
enum MotionPhotoXMP {
  private static let camera = "http://ns.google.com/photos/1.0/camera/"
  private static let container = "http://ns.google.com/photos/1.0/container/"
  private static let item = "http://ns.google.com/photos/1.0/container/item/"
  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  /// Returns a packet that tells of a movie.
  ///
  /// - Parameters:
  ///   - old: the packet so far; nil if there is none.
  ///   - presentation: in microseconds; −1 if unknown, as the format wants.
  static func packet(_ old: [UInt8]?, movieBytes: Int, presentation: Int64) throws -> [UInt8] {
    let movie = entry(mime: "video/mp4", semantic: "MotionPhoto", length: movieBytes)
    let properties =
      "xmlns:GCamera=\"\(camera)\" GCamera:MotionPhoto=\"1\" GCamera:MotionPhotoVersion=\"1\" "
      + "GCamera:MotionPhotoPresentationTimestampUs=\"\(presentation)\""
    let primary = entry(mime: "image/jpeg", semantic: "Primary", length: 0)
    let directory =
      "<Container:Directory xmlns:Container=\"\(container)\"><rdf:Seq>\(primary)\(movie)</rdf:Seq>"
      + "</Container:Directory>"
    guard let old else {
      return Array(
        ("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
          + "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
          + "<rdf:RDF xmlns:rdf=\"\(rdf)\"><rdf:Description rdf:about=\"\" \(properties)>\(directory)"
          + "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>").utf8)
    }
    guard !names(old, "MotionPhoto"), !names(old, "MicroVideo") else {
      throw SafelightError(
        .invalidValue, "The picture already has a movie", remedy: "take the picture without its movie")
    }
    guard let end = last("</rdf:RDF", in: old, before: old.count) else {
      throw SafelightError(
        .corruptData, "The XMP data of the picture are damaged", remedy: "remove them first")
    }
    // A directory may be there, such as that of a gain map; the movie is one more item, and the last one of
    // the file.
    if let prefix = prefix(of: container, in: old),
      let start = last("<\(prefix):Directory", in: old, before: end)
    {
      guard let close = first("</\(prefix):Directory", in: old, from: start),
        let place = last("</rdf:Seq", in: old, before: close), place > start
      else {
        throw SafelightError(
          .corruptData, "The XMP data of the picture are damaged", remedy: "remove them first")
      }
      let more = "<rdf:Description rdf:about=\"\" xmlns:rdf=\"\(rdf)\" \(properties)/>"
      return Array(old[..<place]) + movie.utf8 + old[place..<end] + more.utf8 + old[end...]
    }
    let description =
      "<rdf:Description rdf:about=\"\" xmlns:rdf=\"\(rdf)\" \(properties)>\(directory)</rdf:Description>"
    return Array(old[..<end]) + description.utf8 + old[end...]
  }

  private static func entry(mime: String, semantic: String, length: Int) -> String {
    #"<rdf:li rdf:parseType="Resource"><Container:Item xmlns:Container="\#(container)" "#
      + #"xmlns:Item="\#(item)" Item:Mime="\#(mime)" Item:Semantic="\#(semantic)" "#
      + #"Item:Length="\#(length)" Item:Padding="0"/></rdf:li>"#
  }

  /// Returns the length of the movie that a packet tells of.
  static func movieBytes(_ packet: [UInt8]) -> Int? {
    guard let place = first("\"MotionPhoto\"", in: packet, from: 0),
      let start = last("<", in: packet, before: place), let end = first(">", in: packet, from: place),
      let name = first(":Length=\"", in: packet, from: start), name < end
    else { return nil }
    let digits = packet[(name + 9)...].prefix { (0x30...0x39).contains($0) }
    return digits.count <= 18 ? Int(String(decoding: digits, as: UTF8.self)) : nil
  }

  /// Whether a packet has a property of this name, under whatever prefix, or an item's kind.
  private static func names(_ packet: [UInt8], _ name: String) -> Bool {
    [":\(name)=", ":\(name)>", "\"\(name)\""].contains { first($0, in: packet, from: 0) != nil }
  }

  /// The prefix that a packet declares for a namespace.
  private static func prefix(of namespace: String, in packet: [UInt8]) -> String? {
    for quote in ["\"", "'"] {
      guard let end = first("=\(quote)\(namespace)\(quote)", in: packet, from: 0),
        let start = last("xmlns:", in: packet, before: end)
      else { continue }
      let name = packet[start + 6..<end]
      let isName = name.allSatisfy {
        $0 >= 0x80 || $0 == 0x2D || $0 == 0x5F || Character(Unicode.Scalar($0)).isLetter
      }
      if !name.isEmpty, isName { return String(decoding: name, as: UTF8.self) }
    }
    return nil
  }

  private static func first(_ text: String, in bytes: [UInt8], from start: Int) -> Int? {
    let pattern = Array(text.utf8)
    guard bytes.count - pattern.count >= start else { return nil }
    return (start...bytes.count - pattern.count).first { matches(pattern, bytes, $0) }
  }

  private static func last(_ text: String, in bytes: [UInt8], before end: Int) -> Int? {
    let pattern = Array(text.utf8)
    guard end >= pattern.count else { return nil }
    return (0...end - pattern.count).last { matches(pattern, bytes, $0) }
  }

  private static func matches(_ pattern: [UInt8], _ bytes: [UInt8], _ place: Int) -> Bool {
    bytes[place] == pattern[0] && bytes[place..<place + pattern.count].elementsEqual(pattern)
  }
}
