/// The circumstances of a photo: when, with which camera and with which settings it was taken.
///
/// Each fact is nil unless it is known. In files they are EXIF fields, whose names stand in brackets, but for
/// the few that EXIF lacks (see `CaptureXMP`). Source: EXIF 2.32, sections 4.6.4 and 4.6.5.
public struct CaptureFacts: Sendable, Hashable, Codable {
  /// When the exposure began [DateTimeOriginal, otherwise DateTimeDigitized].
  public var date: Date?
  /// The camera's maker, trimmed [Make].
  public var make: String?
  /// The camera's model, trimmed [Model].
  public var camera: String?
  /// The serial number of the camera's body [BodySerialNumber].
  public var serialNumber: String?
  /// The lens's model, trimmed [LensModel].
  public var lens: String?

  /// In seconds, above 0 [ExposureTime].
  public var exposureTime: Double?
  /// The aperture as the focal length divided by its diameter [FNumber].
  public var fNumber: Double?
  /// In EV relative to the metered exposure; within a bracket, that of this photo [ExposureBiasValue].
  public var exposureBias: Double?
  /// [ExposureMode]
  public var exposureMode: ExposureMode?
  /// [ExposureProgram]
  public var exposureProgram: ExposureProgram?
  /// The sensitivity, 1…65535 [PhotographicSensitivity]; see `iso(ofGain:)`.
  public var iso: Int?

  /// [WhiteBalance]
  public var whiteBalance: WhiteBalanceMode?
  /// The colour temperature that white is balanced for, in kelvins [LightSource, and `CaptureXMP`].
  public var colorTemperature: Double?

  /// In millimetres [FocalLength].
  public var focalLength: Double?
  /// In millimetres, for the same angle of view on 35 mm film [FocalLengthIn35mmFilm].
  public var focalLengthIn35mmFilm: Int?
  /// The distance in focus [SubjectDistance].
  public var subjectDistance: Distance?
  /// How many times the picture is enlarged without the lens, from 1 on [DigitalZoomRatio].
  public var digitalZoom: Double?

  /// 128 bits of which no other photo has the same, as 32 hexadecimal digits [ImageUniqueID]; see
  /// `makeUniqueID()`.
  public var uniqueID: String?
  /// The burst that the photo belongs to.
  public var burst: Burst?
  /// How many frames were merged into the photo; 1 for an ordinary one [SourceImageNumberOfCompositeImage].
  public var mergedFrames: Int?

  public init(date: Date? = nil, camera: String? = nil) {
    self.date = date
    self.camera = camera
  }

  public enum ExposureMode: Int, Sendable, Hashable, CaseIterable, Codable {
    case automatic = 0
    case manual = 1
    /// One of several photos with different exposures.
    case autoBracket = 2
  }

  public enum ExposureProgram: Int, Sendable, Hashable, CaseIterable, Codable {
    case notDefined = 0
    case manual = 1
    /// Exposure time and aperture are both the camera's choice.
    case normal = 2
    case aperturePriority = 3
    case shutterPriority = 4
    case creative = 5
    case action = 6
    case portrait = 7
    case landscape = 8
  }

  public enum WhiteBalanceMode: Int, Sendable, Hashable, CaseIterable, Codable {
    case automatic = 0
    case manual = 1
  }

  public enum Distance: Sendable, Hashable, Codable {
    /// Above 0.
    case metres(Double)
    case infinity
  }

  /// Photos that were taken in one go.
  public struct Burst: Sendable, Hashable, Codable {
    /// The same text for all photos of the burst, and for no other; a UUID is usual.
    public var id: String
    /// Whether this photo stands for the burst in overviews.
    public var isPrimary: Bool

    public init(id: String, isPrimary: Bool = false) {
      self.id = id
      self.isPrimary = isPrimary
    }
  }

  /// Returns a new `uniqueID`.
  public static func makeUniqueID() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Returns the sensitivity that cameras without a calibrated one record for a gain: 100 without
  /// amplification, as Raspberry Pi's rpicam-apps and Android's camera drivers do; nil for gains that are not
  /// above 0 and finite.
  ///
  /// - Parameter gain: the product of analogue and digital gain, a factor. Many webcams count their gain in
  ///   units of their own, which are no factor.
  public static func iso(ofGain gain: Double) -> Int? {
    guard gain.isFinite, gain > 0 else { return nil }
    return Int(min(max(gain * 100, 1), 65_535).rounded())
  }
}

extension PhotoMetadata {
  /// The facts in the EXIF block and the XMP packet; none of those that are missing or damaged.
  public var captureFacts: CaptureFacts {
    var facts = CaptureFacts()
    if let exif, let block = try? EXIFBlock(exif) { facts = block.captureFacts }
    if let xmp { CaptureXMP.read(xmp, into: &facts) }
    return facts
  }
}
