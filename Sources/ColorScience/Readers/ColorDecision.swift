import FrameCore

/// One correction of the ASC's Color Decision Lists: slope, offset and power of each channel, and saturation.
///
/// Source: ASC Color Decision List (ASC CDL) Transfer Functions and Interchange Syntax, release 1.2.
public struct ColorDecision: Hashable, Sendable {
  /// The correction's id in its file; may be empty.
  public var id: String
  /// Factors of red, green and blue, at least 0.
  public var slope: SIMD3<Double>
  /// What is added, 1.0 being white.
  public var offset: SIMD3<Double>
  /// Exponents, above 0.
  public var power: SIMD3<Double>
  /// The factor of saturation, at least 0.
  public var saturation: Double

  public init(
    id: String = "", slope: SIMD3<Double> = .one, offset: SIMD3<Double> = .zero, power: SIMD3<Double> = .one,
    saturation: Double = 1
  ) {
    (self.id, self.slope, self.offset, self.power) = (id, slope, offset, power)
    self.saturation = saturation
  }

  /// Reads all corrections of a `.cc`, `.ccc` or `.cdl` file, in order.
  ///
  /// - Parameters:
  ///   - bytes: XML: a ColorCorrection, a ColorCorrectionCollection or a ColorDecisionList.
  ///   - name: the file's name, for errors.
  /// - Throws: `SafelightError` whose text begins with `NAME:LINE:` if the file is malformed, has no correction, or a
  ///   number outside its range.
  public static func read(_ bytes: [UInt8], name: String) throws -> [ColorDecision] {
    try read(XMLTable(bytes, name: name))
  }

  /// The names of the elements that such files have at their root.
  static let roots: Set<String> = ["ColorCorrection", "ColorCorrectionCollection", "ColorDecisionList"]

  static func read(_ table: XMLTable) throws -> [ColorDecision] {
    let root = table.root
    let corrections: [XMLElement] =
      switch root.name.local {
      case "ColorCorrection": [root]
      case "ColorCorrectionCollection": root.children.filter { $0.name.local == "ColorCorrection" }
      case "ColorDecisionList":
        root.children.filter { $0.name.local == "ColorDecision" }.flatMap { decision in
          decision.children.filter { $0.name.local == "ColorCorrection" }
        }
      default:
        throw table.failure(
          at: root, "\(NearestName.shortened(root.name.local)) is no list of the ASC's",
          remedy: "check that this is a .cc, .ccc or .cdl file")
      }
    guard !corrections.isEmpty else {
      throw table.failure(
        at: root, "there is no ColorCorrection", remedy: "export the list again")
    }
    return try corrections.map {
      try ColorDecision($0, in: table, id: table.attribute("id", of: $0) ?? "")
    }
  }

  init(_ correction: XMLElement, in table: XMLTable, id: String) throws {
    self.init(id: id)
    // Older programs wrote ASC_SOP and ASC_SAT.
    func node(_ names: [String]) throws -> XMLElement? {
      let found = correction.children.filter { names.contains($0.name.local) }
      guard found.count <= 1 else {
        throw table.failure(
          at: found[1], "\(names[0]) is given \(found.count) times", remedy: "keep one of them")
      }
      return found.first
    }
    if let node = try node(["SOPNode", "ASC_SOP"]) {
      func triple(_ local: String, in range: PartialRangeFrom<Double>, isOpen: Bool = false) throws -> SIMD3<
        Double
      > {
        guard let element = try table.child(local, of: node) else {
          throw table.failure(at: node, "\(node.name.local) has no \(local)", remedy: "add it")
        }
        let numbers = try table.doubles(in: element, count: 3)
        for number in numbers where !range.contains(number) || isOpen && number == range.lowerBound {
          throw table.failure(
            at: element, "\(local) has \(PlainNumber.text(number)), outside its range",
            remedy: isOpen ? "give numbers above 0" : "give numbers of at least 0")
        }
        return SIMD3(numbers[0], numbers[1], numbers[2])
      }
      slope = try triple("Slope", in: 0...)
      offset = try triple("Offset", in: (-Double.greatestFiniteMagnitude)...)
      power = try triple("Power", in: 0..., isOpen: true)
    }
    if let node = try node(["SatNode", "SATNode", "ASC_SAT"]) {
      guard let element = try table.child("Saturation", of: node) else {
        throw table.failure(at: node, "\(node.name.local) has no Saturation", remedy: "add it")
      }
      saturation = try table.doubles(in: element, count: 1)[0]
      guard saturation >= 0 else {
        throw table.failure(
          at: element, "Saturation is \(PlainNumber.text(saturation)), outside its range",
          remedy: "give a number of at least 0")
      }
    }
  }

  /// The steps of the correction, or of its inverse.
  ///
  /// - Parameter clamps: whether values are clipped to 0…1, as the ASC has it.
  package func steps(clamps: Bool = true, isReverse: Bool = false) -> [ColorStep] {
    func curve(_ channel: Int) -> ChannelCurve {
      .decision(
        DecisionCurve(
          // An inverse of nothing: the least slope keeps numbers finite.
          slope: isReverse ? max(slope[channel], 1e-6) : slope[channel], offset: offset[channel],
          power: power[channel], clamps: clamps, isReverse: isReverse))
    }
    let curves = ColorStep.curves(curve(0), curve(1), curve(2))
    guard saturation != 1 else { return [curves] }
    let factor = isReverse ? 1 / max(saturation, 1e-6) : saturation
    let luma = SIMD3(0.2126, 0.7152, 0.0722) * (1 - factor)
    let mix = ColorStep.affine(
      Matrix3x3(rows: luma + SIMD3(factor, 0, 0), luma + SIMD3(0, factor, 0), luma + SIMD3(0, 0, factor)),
      offset: .zero)
    let clip = ColorStep.curve(.range(RangeCurve(low: 0, high: 1)))
    if isReverse { return (clamps ? [clip, mix] : [mix]) + [curves] }
    return [curves, mix] + (clamps ? [clip] : [])
  }
}
