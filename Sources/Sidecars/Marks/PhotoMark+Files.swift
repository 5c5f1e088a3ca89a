import Files
import FrameCore
import Libc
import PhotoIO

extension PhotoMark {
  /// Reads the mark of a photo: from the XMP beside it and, for what that does not say, from the photo's own.
  ///
  /// - Throws: `SafelightError` if the photo does not exist, or if the XMP beside it cannot be read.
  public static func read(forPhoto photo: String) throws -> PhotoMark {
    guard FileContents.kind(of: photo) != .missing else { throw missing(photo) }
    return try read(forPhoto: photo, MarkFiles())
  }

  /// As `read(forPhoto:)`, for many photos of a folder.
  package static func read(forPhoto photo: String, _ files: MarkFiles) throws -> PhotoMark {
    let said = try find(photo, files).flatMap { $0.properties }.map { XMPMark($0) } ?? XMPMark()
    // The photo need not be opened where nothing is missing.
    if said.rating != nil, said.flag != nil, said.color != nil { return said.mark(over: XMPMark()) }
    return said.mark(over: XMPMark(ofPhoto: photo))
  }

  /// Changes the mark of a photo, in the XMP beside it, which is made if there is none.
  ///
  /// Everything else in an existing file stays as it is. Programs that change marks at the same time take turns, and the
  /// file appears whole or not at all.
  ///
  /// - Parameter warn: called with a sentence for each attribute of the previous file that could not be kept, such as its
  ///   owner.
  /// - Returns: the new mark.
  /// - Throws: `SafelightError`, with nothing changed, if the photo does not exist, or if the XMP beside it cannot be read
  ///   or written; `.invalidValue` if the stars are not in 0…5.
  @discardableResult
  public static func change(
    forPhoto photo: String, _ change: Change, warn: (_ sentence: String) -> Void = { _ in }
  ) throws -> PhotoMark {
    if let rating = change.rating, !ratings.contains(rating) {
      throw SafelightError(.invalidValue, "A photo cannot have \(rating) stars", remedy: "give 0 to 5")
    }
    guard FileContents.kind(of: photo) != .missing else { throw missing(photo) }
    let lock = try SidecarLock(forPhoto: photo)
    defer { withExtendedLifetime(lock) {} }
    let own = XMPMark(ofPhoto: photo)
    for _ in 0..<mostAttempts {
      let found = try find(photo, MarkFiles())
      let known = found?.properties.map { XMPMark($0) } ?? XMPMark()
      let mark = known.mark(over: own).applying(change)
      // Nothing was said, and nothing is to be said.
      if mark == known.mark(over: own), found?.properties == nil || change.isEmpty { return mark }
      let path = found?.path ?? MarkFiles.newPath(forPhoto: photo, isTaken: false)
      let base = found?.bytes ?? newPacket(forPhoto: photo, isShort: path != photo + MarkFiles.suffix)
      var editor = XMPPacketEditor(base, file: path)
      let properties = try XMPProperties(packet: base, file: path)
      try editor.apply(XMPMark.changes(for: mark, after: change, in: properties, over: own))
      if editor.bytes == found?.bytes { return mark }
      let file = try OutputFile(path: path, overwrite: true)
      try file.write(editor.bytes)
      // Programs that do not know of the lock may write at any time.
      guard try contents(path) == found?.bytes else { continue }
      try file.commit()
      file.warnings.forEach(warn)
      return mark
    }
    throw SafelightError(
      .file, "Cannot change the mark of \(photo): another program keeps writing beside it",
      remedy: "end that program, or try again")
  }

  private static let mostAttempts = 20

  private static func missing(_ photo: String) -> SafelightError {
    SafelightError(.file, "Cannot read \(photo): there is no such file", remedy: "check the spelling")
  }

  // MARK: Files

  /// The XMP beside a photo; without bytes if it is to be made.
  private struct Found {
    let path: String
    let bytes: [UInt8]?
    let properties: XMPProperties?
  }

  private static func find(_ photo: String, _ files: MarkFiles) throws -> Found? {
    var isTaken = false
    for path in try files.candidates(forPhoto: photo) {
      guard let bytes = try contents(path) else { continue }
      let properties = try XMPProperties(packet: bytes, file: path)
      // A short name may be another photo's.
      if path.dropLast(MarkFiles.suffix.count) != photo,
        case .text(let other)? = properties.values[MarkProperty.sidecarForExtension], !other.isEmpty,
        other.lowercased() != MarkFiles.pathExtension(photo)
      {
        isTaken = true
        continue
      }
      return Found(path: path, bytes: bytes, properties: properties)
    }
    guard isTaken else { return nil }
    return Found(path: MarkFiles.newPath(forPhoto: photo, isTaken: true), bytes: nil, properties: nil)
  }

  /// Nil if there is no such file.
  private static func contents(_ path: String) throws -> [UInt8]? {
    guard FileContents.kind(of: path) != .missing else { return nil }
    return try FileContents.read(path, .regularFile, atMost: XMLLimits.packet.bytes)
  }

  /// A packet as XMP specification part 1, 7.3 has it, which can be written into a file as it is.
  private static func newPacket(forPhoto photo: String, isShort: Bool) -> [UInt8] {
    let name = MarkFiles.pathExtension(photo).uppercased()
    let owner =
      isShort
      ? "\n    xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\"\n    photoshop:SidecarForExtension=\"\(name)\""
      : ""
    return Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Safelight \(SafelightVersion.current)">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""
          xmlns:xmp="http://ns.adobe.com/xap/1.0/"\(owner)/>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>

      """.utf8)
  }
}
