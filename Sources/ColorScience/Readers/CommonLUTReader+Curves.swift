import FrameCore

/// Functions of the Common LUT Format, whose numbers do not depend on bit depths.
extension CommonLUTReader {
  func exponent(_ process: XMLElement) throws -> ColorStep {
    let name = try style(of: process)
    var rest = Substring(name)
    let isReverse = rest.hasSuffix("Rev")
    guard isReverse || rest.hasSuffix("Fwd") else { throw unknownStyle(name, of: process) }
    rest = rest.dropLast(3)
    let style: ExponentCurve.Style
    switch rest {
    case "basic": style = .init(shape: .basic, negative: .plain, isReverse: isReverse)
    case "basicMirror": style = .init(shape: .basic, negative: .mirror, isReverse: isReverse)
    case "basicPassThru": style = .init(shape: .basic, negative: .pass, isReverse: isReverse)
    case "monCurve": style = .init(shape: .monitor, negative: .plain, isReverse: isReverse)
    case "monCurveMirror": style = .init(shape: .monitor, negative: .mirror, isReverse: isReverse)
    default: throw unknownStyle(name, of: process)
    }
    guard process.children.contains(where: { $0.name.local == "ExponentParams" }) else {
      throw missing("ExponentParams", in: process)
    }
    return try channels("ExponentParams", of: process) { element in
      guard let element else { return .identity }
      guard let exponent = try table.number("exponent", of: element) else {
        throw missing("exponent", in: element)
      }
      let offset = try table.number("offset", of: element)
      let exponents = style.shape == .basic ? 0.01...100.0 : 1.0...10.0
      try check(exponent, "exponent", in: exponents, of: element)
      guard style.shape == .monitor || offset == nil else {
        throw table.failure(
          at: element, "the style \(name) has no offset", remedy: "take the offset out, or use monCurve")
      }
      if style.shape == .monitor, offset == nil { throw missing("offset", in: element) }
      try check(offset ?? 0, "offset", in: 0...0.9, of: element)
      return .exponent(ExponentCurve(style: style, exponent: exponent, offset: offset ?? 0))
    }
  }

  func log(_ process: XMLElement) throws -> ColorStep {
    let name = try style(of: process)
    let plain: LogCurve? =
      switch name {
      case "log10": LogCurve(base: 10)
      case "log2": LogCurve(base: 2)
      case "antiLog10": LogCurve(base: 10, isReverse: true)
      case "antiLog2": LogCurve(base: 2, isReverse: true)
      default: nil
      }
    if let plain {
      try refuseOthers(than: [], in: process)
      return .curve(.log(plain))
    }
    let known = ["linToLog", "logToLin", "cameraLinToLog", "cameraLogToLin"]
    guard known.contains(name) else { throw unknownStyle(name, of: process) }
    guard process.children.contains(where: { $0.name.local == "LogParams" }) else {
      throw missing("LogParams", in: process)
    }
    let isCamera = name.hasPrefix("camera")
    return try channels("LogParams", of: process) { element in
      guard let element else {
        throw table.failure(
          at: process, "LogParams are missing for a channel",
          remedy: "give them for R, G and B, or once for all")
      }
      var curve = LogCurve(isReverse: name == "logToLin" || name == "cameraLogToLin")
      curve.base = try table.number("base", of: element) ?? 2
      curve.logSlope = try table.number("logSideSlope", of: element) ?? 1
      curve.logOffset = try table.number("logSideOffset", of: element) ?? 0
      curve.linSlope = try table.number("linSideSlope", of: element) ?? 1
      curve.linOffset = try table.number("linSideOffset", of: element) ?? 0
      curve.linBreak = try table.number("linSideBreak", of: element)
      curve.lineSlope = try table.number("linearSlope", of: element)
      try check(curve, isCamera: isCamera, at: element)
      return .log(curve)
    }
  }

  private func check(_ curve: LogCurve, isCamera: Bool, at element: XMLElement) throws {
    guard isCamera == (curve.linBreak != nil), isCamera || curve.lineSlope == nil else {
      throw table.failure(
        at: element,
        isCamera
          ? "the camera's curve has no linSideBreak"
          : "the curve has a line, which only those of cameras have",
        remedy: isCamera ? "give linSideBreak" : "write cameraLinToLog or cameraLogToLin")
    }
    guard curve.base > 0, curve.base != 1, curve.logSlope != 0, curve.linSlope != 0, curve.lineSlope != 0
    else {
      throw table.failure(
        at: element, "a base of 0, 1 or less, or a slope of 0, has no inverse", remedy: "export the LUT again"
      )
    }
    if let start = curve.linBreak, curve.linSlope * start + curve.linOffset <= 0 {
      throw table.failure(
        at: element, "the curve's logarithm is not defined at linSideBreak", remedy: "export the LUT again")
    }
  }

  func decision(_ process: XMLElement) throws -> [ColorStep] {
    let name = table.attribute("style", of: process) ?? "Fwd"
    let styles = ["Fwd", "Rev", "FwdNoClamp", "RevNoClamp"]
    // Older files name the version of the ASC's list.
    let plain = [
      "v1.2_Fwd": "Fwd", "v1.2_Rev": "Rev", "noClampFwd": "FwdNoClamp", "noClampRev": "RevNoClamp",
    ]
    let style = plain[name] ?? name
    guard styles.contains(style) else { throw unknownStyle(name, of: process) }
    try refuseOthers(than: ["SOPNode", "SatNode", "SATNode"], in: process)
    let decision = try ColorDecision(process, in: table, id: "")
    return decision.steps(clamps: !style.hasSuffix("NoClamp"), isReverse: style.hasPrefix("Rev"))
  }

  // MARK: Errors

  private func style(of process: XMLElement) throws -> String {
    guard let style = table.attribute("style", of: process) else { throw missing("style", in: process) }
    return style
  }

  private func unknownStyle(_ style: String, of process: XMLElement) -> SafelightError {
    table.failure(
      at: process,
      "\(process.name.local) has the style “\(NearestName.shortened(style))”, which is not known",
      remedy: "export the LUT as CLF 3.0", code: .unsupported)
  }

  private func missing(_ what: String, in element: XMLElement) -> SafelightError {
    table.failure(
      at: element, "\(element.name.local) has no \(what)", remedy: "add it, or export the LUT again")
  }

  private func check(
    _ number: Double, _ what: String, in range: ClosedRange<Double>, of element: XMLElement
  ) throws {
    guard range.contains(number) else {
      throw table.failure(
        at: element,
        "\(what) of \(element.name.local) is \(PlainNumber.text(number)), outside \(PlainNumber.text(range.lowerBound))…\(PlainNumber.text(range.upperBound))",
        remedy: "give a value in this range")
    }
  }
}
