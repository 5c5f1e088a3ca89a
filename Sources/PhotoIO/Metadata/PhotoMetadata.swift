import FrameCore

/// The metadata of a photo file, as the raw blocks that it contains.
public struct PhotoMetadata: Sendable, Hashable {
  /// The EXIF block, starting at its byte order mark (`II` or `MM`).
  public var exif: [UInt8]?
  /// The XMP packet, UTF-8.
  public var xmp: [UInt8]?
  /// The IPTC-IIM records.
  public var iptc: [UInt8]?
  /// The parts of an XMP packet too long for one JPEG marker, each the payload of a marker after its signature
  /// (GUID, length, offset, data); XMP specification part 3, section 1.1.3.1.
  public var extendedXMP: [[UInt8]]

  public init(
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil, extendedXMP: [[UInt8]] = []
  ) {
    self.exif = exif
    self.xmp = xmp
    self.iptc = iptc
    self.extendedXMP = extendedXMP
  }

  /// Whether there are no metadata.
  public var isEmpty: Bool { exif == nil && xmp == nil && iptc == nil && extendedXMP.isEmpty }

  /// EXIF's Software: the program that declares to have made the file; nil if none does.
  package var software: String? { exif.flatMap { try? EXIFBlock($0) }?.software }

  /// EXIF's Rating, 0…5 stars; nil if there is none.
  package var rating: Int? { exif.flatMap { try? EXIFBlock($0) }?.rating }

  /// The small JPEG that cameras put into EXIF, not turned upright and often with black bars; nil if there is none.
  package var thumbnail: [UInt8]? { exif.flatMap { try? EXIFBlock($0) }?.thumbnailJPEG.map(Array.init) }

  /// The colours of an edited photo as EXIF declares them.
  public enum EditedColorSpace: Sendable, Hashable {
    /// ColorSpace 1.
    case sRGB
    /// ColorSpace 65535 (uncalibrated) with DCF's interoperability index R03.
    case adobeRGB
    /// ColorSpace 65535; the ICC profile gives the details.
    case other
  }

  /// Returns the metadata of the edited photo, upright and of the given size.
  ///
  /// EXIF is patched in place: Orientation, ImageWidth, ImageLength, PixelXDimension, PixelYDimension, ColorSpace
  /// and the interoperability index are set if present, and the thumbnail is unlinked and erased. XMP's copies of
  /// these properties are updated; its pictures, the settings of Adobe's programs, and references to a gain map or
  /// video are removed. Extended XMP is removed entirely if it contains any of these. JPEG pictures in maker notes
  /// are erased; previews in proprietary forms (encrypted or uncompressed, in a few cameras by Casio, Kodak and
  /// Sanyo) are not recognized. GPS data, IPTC and everything else are kept. A damaged EXIF block is omitted;
  /// reading the file has already reported it.
  ///
  /// - Parameter keepsLevel: whether the photo was rotated by quarter turns only and not mirrored. Otherwise, the
  ///   level recorded by the camera would be misleading and is erased wherever `gravityRoll` finds it.
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
      // Last, since removing thumbnails may join the parts of a property around them.
      if !keepsLevel { packet.eraseLevel() }
      if extensionIsOutdated { packet.removeExtension() }
      return packet.bytes
    }
    if extensionIsOutdated { edited.extendedXMP = [] }
    return edited
  }

  /// Joins extended XMP from its parts, which may be split at any byte: each begins with its GUID (32 bytes), the
  /// total length and its own offset (4 bytes each).
  private var extendedXMPIsOutdated: Bool {
    let parts = extendedXMP.filter { $0.count > 40 }.sorted {
      $0[36..<40].lexicographicallyPrecedes($1[36..<40])
    }
    return XMPPacket.holdsOutdated(parts.flatMap { $0[40...] })
  }

  /// Removes an EXIF block that cannot be patched later.
  ///
  /// - Returns: the valid block, or a warning if one was removed.
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
