import Safelight

extension DeliveredPhoto {
  /// `photos/a.jpg  1920×1080  312 kB  4 ms before the press  …`
  var line: String {
    let distance = "\(PlainNumber.fixed(abs(offsetMilliseconds), 0)) ms"
    let moment = zeroShutterLag ? "" : " (\(reason))"
    return "\(path)  \(width)×\(height)  \(ByteText.text(bytes))  "
      + "\(made)\(distance) \(offsetMilliseconds > 0 ? "after" : "before") the press\(moment)  "
      + "in \(PlainNumber.fixed(milliseconds, 0)) ms"
  }

  private var made: String {
    if bracket != nil { return exposureText }
    if isProxy { return "proxy of \(frames) frame\(frames == 1 ? "" : "s"), " }
    let quality = frames > 1 ? "\(qualityPrioritization) of \(frames) frames, " : ""
    return deferredID == nil ? quality : "finished, \(quality)"
  }

  private var reason: String {
    switch zeroShutterLagReason.flatMap(ZeroShutterLag.Reason.init) {
    case .notAllowed: "not the moment of the press, as asked for"
    case .bracket: "the exposure was set first"
    case .tooLittleMemory: "not the moment of the press: too little memory to keep frames"
    case .noEarlierFrame, nil: "no earlier frame was there"
    }
  }
}
