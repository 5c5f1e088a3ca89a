extension EXIFBlock {
  /// The circumstances of the photo; fields of other types than EXIF's, and values without meaning, are
  /// skipped.
  var captureFacts: CaptureFacts {
    var facts = CaptureFacts(date: captureDate, camera: string(image[CaptureTag.model]))
    facts.make = string(image[CaptureTag.make])
    facts.serialNumber = string(photo?[CaptureTag.serialNumber])
    facts.lens = string(photo?[CaptureTag.lens])
    facts.exposureTime = positive(CaptureTag.exposureTime)
    facts.fNumber = positive(CaptureTag.fNumber)
    facts.exposureBias = photo?[CaptureTag.exposureBias].flatMap { structure.signedRationals(of: $0)?.first }
    facts.exposureMode = integer(CaptureTag.exposureMode).flatMap(CaptureFacts.ExposureMode.init)
    facts.exposureProgram = integer(CaptureTag.exposureProgram).flatMap(CaptureFacts.ExposureProgram.init)
    facts.iso = integer(CaptureTag.sensitivity).flatMap { $0 > 0 ? $0 : nil }
    facts.whiteBalance = integer(CaptureTag.whiteBalance).flatMap(CaptureFacts.WhiteBalanceMode.init)
    facts.focalLength = positive(CaptureTag.focalLength)
    facts.focalLengthIn35mmFilm = integer(CaptureTag.focalLengthIn35mmFilm).flatMap { $0 > 0 ? $0 : nil }
    facts.subjectDistance = subjectDistance
    // 0: digital zoom was not used.
    facts.digitalZoom = positive(CaptureTag.digitalZoom)
    facts.uniqueID = string(photo?[CaptureTag.uniqueID])
    facts.mergedFrames = photo?[CaptureTag.compositeCount].flatMap { structure.integers(of: $0)?.last }
    return facts
  }

  private var captureDate: CaptureFacts.Date? {
    let dates = [CaptureTag.dateTimeOriginal, CaptureTag.dateTimeDigitized].lazy.compactMap { tag in
      text(of: photo?[tag]).flatMap { CaptureFacts.Date(exif: $0) }
    }
    guard var date = dates.first else { return nil }
    if let digits = text(of: photo?[CaptureTag.subSecondsOriginal]) { date.setSubSeconds(exif: digits) }
    if let offset = text(of: photo?[CaptureTag.offsetOriginal]) { date.setOffset(exif: offset) }
    return date
  }

  /// 0 means unknown.
  private var subjectDistance: CaptureFacts.Distance? {
    guard let (numerator, denominator) = rational(CaptureTag.subjectDistance), numerator > 0 else {
      return nil
    }
    return numerator == CaptureTag.infinity ? .infinity : .metres(Double(numerator) / Double(denominator))
  }

  private func string(_ entry: TIFFDirectory.Entry?) -> String? {
    text(of: entry).map { String(decoding: $0, as: UTF8.self) }
  }

  private func integer(_ tag: UInt16) -> Int? {
    photo?[tag].flatMap { structure.integers(of: $0)?.first }
  }

  private func positive(_ tag: UInt16) -> Double? {
    guard let (numerator, denominator) = rational(tag), numerator > 0 else { return nil }
    return Double(numerator) / Double(denominator)
  }

  /// Returns the first value of a field of type RATIONAL; nil for other types, or if the denominator is 0.
  private func rational(_ tag: UInt16) -> (Int, Int)? {
    guard let entry = photo?[tag], entry.type == 5, entry.count > 0,
      let bytes = structure.rawValue(of: entry)
    else { return nil }
    let start = bytes.startIndex
    let denominator = structure.order.number(bytes[start + 4..<start + 8])
    guard denominator > 0 else { return nil }
    return (structure.order.number(bytes[start..<start + 4]), denominator)
  }
}
