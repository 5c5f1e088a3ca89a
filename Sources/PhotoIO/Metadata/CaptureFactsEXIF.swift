import FrameCore

/// The fields of an EXIF block that hold `CaptureFacts`.
///
/// Source: EXIF 2.32, sections 4.6.4 (first directory), 4.6.5 (Exif directory) and 4.6.8 (what each file
/// needs).
enum CaptureTag {
  static let make: UInt16 = 0x010F
  static let model: UInt16 = 0x0110
  static let orientation: UInt16 = 0x0112
  static let xResolution: UInt16 = 0x011A
  static let yResolution: UInt16 = 0x011B
  static let resolutionUnit: UInt16 = 0x0128
  static let software: UInt16 = 0x0131
  static let dateTime: UInt16 = 0x0132
  static let chromaPositioning: UInt16 = 0x0213

  static let exposureTime: UInt16 = 0x829A
  static let fNumber: UInt16 = 0x829D
  static let exposureProgram: UInt16 = 0x8822
  static let sensitivity: UInt16 = 0x8827
  static let sensitivityType: UInt16 = 0x8830
  static let exifVersion: UInt16 = 0x9000
  static let dateTimeOriginal: UInt16 = 0x9003
  static let dateTimeDigitized: UInt16 = 0x9004
  static let offsets: [UInt16] = [0x9010, 0x9011, 0x9012]
  static let offsetOriginal: UInt16 = 0x9011
  static let components: UInt16 = 0x9101
  static let exposureBias: UInt16 = 0x9204
  static let subjectDistance: UInt16 = 0x9206
  static let lightSource: UInt16 = 0x9208
  static let focalLength: UInt16 = 0x920A
  static let subSeconds: [UInt16] = [0x9290, 0x9291, 0x9292]
  static let subSecondsOriginal: UInt16 = 0x9291
  static let flashpixVersion: UInt16 = 0xA000
  static let colorSpace: UInt16 = 0xA001
  static let width: UInt16 = 0xA002
  static let height: UInt16 = 0xA003
  static let exposureMode: UInt16 = 0xA402
  static let whiteBalance: UInt16 = 0xA403
  static let digitalZoom: UInt16 = 0xA404
  static let focalLengthIn35mmFilm: UInt16 = 0xA405
  static let uniqueID: UInt16 = 0xA420
  static let serialNumber: UInt16 = 0xA431
  static let lens: UInt16 = 0xA434
  static let compositeImage: UInt16 = 0xA460
  static let compositeCount: UInt16 = 0xA461

  /// SubjectDistance's numerator for infinity.
  static let infinity = 0xFFFF_FFFF
}

extension EXIFWriter {
  /// What a file stores, on which some fields depend.
  enum StoredSamples {
    case yCbCr
    /// Of a picture without colour.
    case luma
    case rgb
    /// A TIFF or DNG, whose own fields say it.
    case tiff
  }

  /// Sets the fields of a new photo.
  ///
  /// - Parameters:
  ///   - size: as stored.
  ///   - samples: what the file stores.
  /// - Returns: the facts that EXIF cannot hold, one sentence each.
  mutating func set(
    _ facts: CaptureFacts, size: PixelSize, orientation: Orientation, isSRGB: Bool, samples: StoredSamples
  ) -> [String] {
    self[.image, CaptureTag.orientation] = short(Int(orientation.rawValue))
    self[.image, CaptureTag.software] = text(SafelightVersion.software)
    // EXIF wants a resolution even where there is none: 72 dpi.
    self[.image, CaptureTag.xResolution] = rationals([72])
    self[.image, CaptureTag.yResolution] = rationals([72])
    self[.image, CaptureTag.resolutionUnit] = short(2)
    self[.photo, CaptureTag.exifVersion] = undefined(Array("0232".utf8))
    self[.photo, CaptureTag.colorSpace] = short(isSRGB ? 1 : 0xFFFF)
    self[.photo, CaptureTag.flashpixVersion] = undefined(Array("0100".utf8))
    if samples != .tiff {
      self[.photo, CaptureTag.width] = long(size.width)
      self[.photo, CaptureTag.height] = long(size.height)
    }
    if samples == .yCbCr || samples == .luma {
      self[.photo, CaptureTag.components] = undefined(samples == .luma ? [1, 0, 0, 0] : [1, 2, 3, 0])
      // Chroma lies between the pixels that share it, as libjpeg and Motion JPEG have it.
      self[.image, CaptureTag.chromaPositioning] = samples == .luma ? nil : short(1)
    }
    setDate(facts.date)
    for (directory, tag, value) in [
      (Directory.image, CaptureTag.make, facts.make), (.image, CaptureTag.model, facts.camera),
      (.photo, CaptureTag.serialNumber, facts.serialNumber), (.photo, CaptureTag.lens, facts.lens),
    ] {
      if let value, !value.isEmpty { self[directory, tag] = text(value) }
    }
    return setExposure(facts) + setOptics(facts) + setIdentity(facts)
  }

  private mutating func setDate(_ date: CaptureFacts.Date?) {
    guard let date else { return }
    self[.image, CaptureTag.dateTime] = text(date.exifText)
    self[.photo, CaptureTag.dateTimeOriginal] = text(date.exifText)
    self[.photo, CaptureTag.dateTimeDigitized] = text(date.exifText)
    for tag in CaptureTag.subSeconds { self[.photo, tag] = date.exifSubSeconds.map(text) }
    for tag in CaptureTag.offsets { self[.photo, tag] = date.exifOffset.map(text) }
  }

  private mutating func setExposure(_ facts: CaptureFacts) -> [String] {
    var warnings: [String] = []
    if let time = facts.exposureTime {
      warnings += setRational(CaptureTag.exposureTime, time, in: 1e-6...1e6, "exposure time", "seconds")
    }
    if let bias = facts.exposureBias {
      if abs(bias) <= 100 {
        self[.photo, CaptureTag.exposureBias] = signedRational(bias)
      } else {
        warnings.append(Self.omission("exposure bias", bias, "EV"))
      }
    }
    self[.photo, CaptureTag.exposureMode] = facts.exposureMode.map { short($0.rawValue) }
    self[.photo, CaptureTag.exposureProgram] = facts.exposureProgram.map { short($0.rawValue) }
    if let iso = facts.iso {
      if (1...65_535).contains(iso) {
        self[.photo, CaptureTag.sensitivity] = short(iso)
        // 0: which of the standard's measures of sensitivity it is, is unknown.
        self[.photo, CaptureTag.sensitivityType] = short(0)
      } else {
        warnings.append(Self.omission("sensitivity", Double(iso), "ISO"))
      }
    }
    self[.photo, CaptureTag.whiteBalance] = facts.whiteBalance.map { short($0.rawValue) }
    if facts.whiteBalance == .manual, let kelvins = facts.colorTemperature {
      self[.photo, CaptureTag.lightSource] = short(Self.lightSource(kelvins))
    }
    return warnings
  }

  private mutating func setOptics(_ facts: CaptureFacts) -> [String] {
    var warnings: [String] = []
    if let number = facts.fNumber {
      warnings += setRational(CaptureTag.fNumber, number, in: 0.1...1000, "f-number", "")
    }
    if let length = facts.focalLength {
      warnings += setRational(CaptureTag.focalLength, length, in: 0.01...100_000, "focal length", "mm")
    }
    if let length = facts.focalLengthIn35mmFilm {
      if (1...65_535).contains(length) {
        self[.photo, CaptureTag.focalLengthIn35mmFilm] = short(length)
      } else {
        warnings.append(Self.omission("focal length on 35 mm film", Double(length), "mm"))
      }
    }
    switch facts.subjectDistance {
    case .metres(let distance):
      warnings += setRational(
        CaptureTag.subjectDistance, distance, in: 1e-4...1e6, "subject distance", "m")
    case .infinity:
      self[.photo, CaptureTag.subjectDistance] = Field(
        type: 5, count: 1, bytes: order.bytes(CaptureTag.infinity, 4) + order.bytes(1, 4))
    case nil: break
    }
    if let zoom = facts.digitalZoom {
      warnings += setRational(CaptureTag.digitalZoom, zoom, in: 1...1000, "digital zoom", "")
    }
    return warnings
  }

  private mutating func setIdentity(_ facts: CaptureFacts) -> [String] {
    var warnings: [String] = []
    if let id = facts.uniqueID {
      if id.utf8.count == 32, id.allSatisfy(\.isHexDigit) {
        self[.photo, CaptureTag.uniqueID] = text(id)
      } else {
        warnings.append(
          "The unique id “\(id)” is not 32 hexadecimal digits and was left out of the EXIF data")
      }
    }
    if let count = facts.mergedFrames, count > 1 {
      // 3: the frames were taken in one go. Two counts: frames taken, and frames used.
      let frames = min(count, 65_535)
      self[.photo, CaptureTag.compositeImage] = short(3)
      self[.photo, CaptureTag.compositeCount] = Field(
        type: 3, count: 2, bytes: order.bytes(frames, 2) + order.bytes(frames, 2))
    }
    return warnings
  }

  private mutating func setRational(
    _ tag: UInt16, _ value: Double, in range: ClosedRange<Double>, _ name: String, _ unit: String
  ) -> [String] {
    guard range.contains(value) else { return [Self.omission(name, value, unit)] }
    self[.photo, tag] = fraction(value)
    return []
  }

  private static func omission(_ name: String, _ value: Double, _ unit: String) -> String {
    let value = unit.isEmpty ? "\(value)" : "\(value) \(unit)"
    return "The \(name) (\(value)) is implausible and was left out of the EXIF data"
  }

  /// Returns EXIF's light source of a colour temperature: standard light A, studio tungsten, D50, D55, D65 or
  /// D75 within 2 %, otherwise another light.
  private static func lightSource(_ kelvins: Double) -> Int {
    let known = [(17, 2856.0), (24, 3200), (23, 5003), (20, 5503), (21, 6504), (22, 7504)]
    return known.first { abs(kelvins / $0.1 - 1) <= 0.02 }?.0 ?? 255
  }
}
