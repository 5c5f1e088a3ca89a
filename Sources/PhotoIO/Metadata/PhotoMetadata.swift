import FrameCore

/// What a photo file says about the photo beyond its pixels, as the blocks of bytes that it holds.
public struct PhotoMetadata: Sendable, Hashable {
  /// The EXIF block from its byte order mark (`II` or `MM`) on.
  public var exif: [UInt8]?
  /// The XMP packet, UTF-8.
  public var xmp: [UInt8]?
  /// The IPTC-IIM records.
  public var iptc: [UInt8]?
  /// The parts of an XMP packet too long for one JPEG marker, each the payload of one marker after its
  /// signature (GUID, length, offset, data); XMP specification part 3, section 1.1.3.1.
  public var extendedXMP: [[UInt8]]

  public init(
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil, extendedXMP: [[UInt8]] = []
  ) {
    self.exif = exif
    self.xmp = xmp
    self.iptc = iptc
    self.extendedXMP = extendedXMP
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { exif == nil && xmp == nil && iptc == nil && extendedXMP.isEmpty }

  /// EXIF's Software: the program that says that it made the file; nil where none does.
  package var software: String? { exif.flatMap { try? EXIFBlock($0) }?.software }

  /// What EXIF says of the colours of an edited photo.
  public enum EditedColorSpace: Sendable, Hashable {
    /// ColorSpace 1.
    case sRGB
    /// ColorSpace 65535 (uncalibrated) with DCF's interoperability index R03.
    case adobeRGB
    /// ColorSpace 65535; the ICC profile says more.
    case other
  }

  /// The metadata of the photo once it is edited, turned upright, and `size` large.
  ///
  /// EXIF is patched in place: Orientation, ImageWidth, ImageLength, PixelXDimension, PixelYDimension,
  /// ColorSpace and the interoperability index are set where they are present, and the thumbnail is unlinked
  /// and erased. XMP's copies of these properties follow, its pictures go, and so do the settings of Adobe's programs and
  /// what promises a gain map or a video; extended XMP goes as a whole where it holds any of these. JPEG pictures in maker notes are erased; cameras that keep previews there in forms of their own
  /// (encrypted or uncompressed, as a few of Casio, Kodak and Sanyo do) are not known. GPS data, IPTC and all the rest
  /// stay. A damaged EXIF block is left out; reading a file has warned of it then.
  ///
  /// - Parameter keepsLevel: whether the photo was turned by quarters at most, and not mirrored. Where it was, what the
  ///   camera said of its level would mislead: it is erased from where `gravityRoll` finds it.
  public func edited(size: PixelSize, colorSpace: EditedColorSpace, keepsLevel: Bool = true) -> PhotoMetadata
  {
    var edited = self
    let extensionIsOutdated = extendedXMPIsOutdated
    edited.exif = exif.flatMap { bytes in
      guard var block = try? EXIFBlock(bytes) else { return nil }
      do {
        if !keepsLevel { try block.eraseLevel() }
        try block.adapt(to: size, colorSpace: colorSpace)
      } catch {
        return nil
      }
      return block.bytes
    }
    edited.xmp = xmp.map { bytes in
      var packet = XMPPacket(bytes)
      packet.adapt(to: size, colorSpace: colorSpace)
      // Last, since it is to be gone whatever the thumbnails stood between.
      if !keepsLevel { packet.eraseLevel() }
      if extensionIsOutdated { packet.removeExtension() }
      return packet.bytes
    }
    if extensionIsOutdated { edited.extendedXMP = [] }
    return edited
  }

  /// Extended XMP is joined from its parts, which may be cut at any byte: each says its GUID (32 bytes), the length of the
  /// whole and its own offset (4 bytes each).
  private var extendedXMPIsOutdated: Bool {
    let parts = extendedXMP.filter { $0.count > 40 }.sorted {
      $0[36..<40].lexicographicallyPrecedes($1[36..<40])
    }
    return XMPPacket.holdsOutdated(parts.flatMap { $0[40...] })
  }

  /// Drops an EXIF block that cannot be patched later.
  ///
  /// - Returns: the good block and, where one was dropped, the warning that says so.
  mutating func examineEXIF() -> (block: EXIFBlock?, warning: String?) {
    guard let bytes = exif else { return (nil, nil) }
    do {
      let block = try EXIFBlock(bytes)
      for keepsLevel in [true, false] {
        var trial = block
        if !keepsLevel { try trial.eraseLevel() }
        try trial.adapt(to: PixelSize(width: 1, height: 1), colorSpace: .other)
      }
      return (block, nil)
    } catch {
      exif = nil
      let reason = (error as? MetadataDamage)?.reason ?? "it cannot be read"
      return (nil, "The EXIF data are damaged and were left out: \(reason)")
    }
  }
}
