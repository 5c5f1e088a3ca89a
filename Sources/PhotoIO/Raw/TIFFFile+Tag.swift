extension TIFFFile {
  /// Tags of pictures; the metadata copied from raws do not need them.
  struct Tag: RawRepresentable, Hashable {
    let rawValue: UInt16
    init(rawValue: UInt16) { self.rawValue = rawValue }

    static let newSubfileType = Tag(rawValue: 254)
    static let photometricInterpretation = Tag(rawValue: 262)
    static let subdirectories = Tag(rawValue: 330)
    static let xmp = Tag(rawValue: 700)
    static let iptc = Tag(rawValue: 33_723)
    static let exifDirectory = Tag(rawValue: 34_665)
    static let gpsDirectory = Tag(rawValue: 34_853)
    static let makerNote = Tag(rawValue: 37_500)
    static let dngVersion = Tag(rawValue: 50_706)
    static let defaultCropOrigin = Tag(rawValue: 50_719)
    static let defaultCropSize = Tag(rawValue: 50_720)
    static let linearizationTable = Tag(rawValue: 50_712)
    /// OpcodeList1, 2 and 3: corrections for the sensor's values and the lens.
    static let opcodeLists = [51_008, 51_009, 51_022].map(Tag.init)

    /// Of camera profiles.
    static let colorMatrix1 = Tag(rawValue: 50_721)
    static let colorMatrix2 = Tag(rawValue: 50_722)
    static let cameraCalibration1 = Tag(rawValue: 50_723)
    static let cameraCalibration2 = Tag(rawValue: 50_724)
    static let analogBalance = Tag(rawValue: 50_727)
    static let asShotNeutral = Tag(rawValue: 50_728)
    static let illuminant1 = Tag(rawValue: 50_778)
    static let illuminant2 = Tag(rawValue: 50_779)
    static let calibrationSignature = Tag(rawValue: 50_931)
    static let profileCalibrationSignature = Tag(rawValue: 50_932)
    static let hueSatMapDimensions = Tag(rawValue: 50_937)
    static let hueSatMap1 = Tag(rawValue: 50_938)
    static let hueSatMap2 = Tag(rawValue: 50_939)
    static let toneCurve = Tag(rawValue: 50_940)
    static let forwardMatrix1 = Tag(rawValue: 50_964)
    static let forwardMatrix2 = Tag(rawValue: 50_965)
    static let hueSatMapEncoding = Tag(rawValue: 51_107)

    /// Tags for the offsets and lengths of a picture's data: strips, then tiles.
    static let data = [
      (Tag(rawValue: 273), Tag(rawValue: 279)), (Tag(rawValue: 324), Tag(rawValue: 325)),
    ]
    /// Tags that DNG needs for correct colours: CFAPattern, LinearizationTable, black and white levels, crop,
    /// matrices, analog balance and neutral.
    static let essential = Set(
      [
        33_422, 50_712, 50_713, 50_714, 50_717, 50_719, 50_720, 50_721, 50_722, 50_723, 50_724, 50_727,
        50_728,
      ]
      .map(Tag.init))
  }
}
