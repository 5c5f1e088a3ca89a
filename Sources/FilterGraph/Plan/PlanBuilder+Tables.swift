import ColorScience
import FrameCore

extension PlanBuilder {
  /// Appends a LUT whose table expects samples encoded as `encoding` and gives such samples.
  ///
  /// - Parameter strength: 0 keeps the samples, 1 is the table's output; in between they are mixed in `encoding`.
  /// - Throws: as `lut(_:from:to:strength:name:)`.
  public mutating func lut(
    _ lut: ColorLUT, encoding: ColorSpace, strength: Double, name: String
  ) throws {
    try self.lut(lut, from: .space(encoding), to: .space(encoding), strength: strength, name: name)
  }

  /// Appends a LUT whose table expects samples in one encoding and gives samples in another.
  ///
  /// A table of curves and a lattice is one stage. A chain of steps becomes several, and where its strength is less than
  /// 1, or the encodings differ at such a strength, one lattice is sampled from it; `notes` says how far that is from it.
  ///
  /// - Parameter strength: 0 keeps the picture, 1 is the table's output; in between they are mixed in `output`.
  /// - Throws: `SafelightError` if numbers of the table are too large to be computed.
  public mutating func lut(
    _ lut: ColorLUT, from input: SampleEncoding, to output: SampleEncoding, strength: Double, name: String
  ) throws {
    try enter(input)
    if let remark = lut.remark { notes.append("\(name) \(remark)") }
    if lut.steps.isEmpty, input == output || strength == 1 {
      append(.lut(LookupStage(lut: lut, strength: strength, name: name)))
    } else if strength == 1 {
      let chain = try ChainStages.of(lut, name: name)
      for stage in chain.stages { append(stage) }
      tell(chain.error, "the steps of \(name) are rendered as tables")
    } else {
      let mixed = try MixedTable.of(lut, from: input, to: output, strength: strength)
      append(.lut(LookupStage(lut: ColorLUT(cube: mixed.table), strength: 1, name: name)))
      let percent = PlainNumber.text(PlainNumber.rounded(strength * 100))
      tell(mixed.error, "\(name) at \(percent) % is rendered as a table of \(mixed.table.size)³")
    }
    guard input != output else { return }
    switch output {
    case .space(let next): (space, log) = (next, nil)
    case .log(let next): log = next
    }
  }

  /// Declares that the picture's own samples are in a log encoding, whatever its tags say. No stage is needed yet.
  ///
  /// - Throws: `SafelightError` behind filters that change colours, in groups, and for camera raws.
  public mutating func declareInput(_ encoding: LogEncoding) throws {
    guard !isInGroup, log == nil, !stages.contains(where: \.isColor) else {
      throw SafelightError(
        .unsupported,
        "The encoding of the input is declared behind a filter that changes colours, or in a group",
        remedy: "put it before all of them")
    }
    guard scene == nil else {
      throw SafelightError(
        .unsupported, "The picture is a camera raw, whose samples are light and not in a log encoding",
        remedy: "leave the encoding of the input out")
    }
    log = encoding
  }

  /// Converts the samples to an encoding.
  mutating func enter(_ encoding: SampleEncoding) throws {
    switch encoding {
    case .space(let space): enter(space)
    case .log(let next):
      applyLensLight()
      guard log != next else { return }
      enter(next.linearSpace)
      for stage in try LogTables.encoding(next) { append(stage) }
      log = next
    }
  }

  /// Converts samples in a log encoding to linear light.
  mutating func leaveLog() {
    guard let log else { return }
    self.log = nil
    guard let stages = try? LogTables.decoding(log) else {
      unusable = unusable ?? "has an encoding whose numbers are not finite"
      return
    }
    for stage in stages { append(stage) }
    space = log.linearSpace
  }

  /// Tells of a difference that could be seen in pictures of 12 bits.
  private mutating func tell(_ error: SampledLattice.Deviation, _ what: String) {
    guard error.maximum >= 1.0 / 8192 else { return }
    notes.append(
      "\(what), at most \(PlainNumber.fixed(error.maximum, 4)) from it, \(PlainNumber.fixed(error.mean, 5)) in the mean"
    )
  }
}
