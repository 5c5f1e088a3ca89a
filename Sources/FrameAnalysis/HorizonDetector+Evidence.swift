import AnalysisKernels
import FrameCore

// Made only on request: the frame loop does not pay for it.
extension HorizonDetector {
  /// The evidence for the answer of the last `detect`: only what agrees with the answer is called upright, level,
  /// a vanishing point or the boundary. Without an answer, lines have no role.
  public func evidence() -> HorizonEvidence {
    var evidence = HorizonEvidence()
    evidence.gravityDegrees = gravity
    evidence.lines = lines.map { line in
      let half = line.direction * (line.length / 2)
      return HorizonEvidence.Line(
        from: position(line.middle - half), to: position(line.middle + half), role: role(of: line))
    }
    evidence.vanishingPoints = agreeing.compactMap { cue in
      cue.pencil.map { vanishingPoint(of: $0, role: cue.role, strength: cue.strength) }
    }
    if agreeing.contains(where: { $0.kind == .boundary }) { evidence.boundary = boundaryLine() }
    return evidence
  }

  /// The role of `line`: that of the first agreeing pencil it belongs to.
  private func role(of line: ImageLine) -> HorizonEvidence.Role {
    for cue in agreeing {
      guard let pencil = cue.pencil else { continue }
      let residual = pencil.residual(of: line, along: heading(pencil.angle))
      if abs(residual) < Pencil.reach * line.deviation { return cue.role }
    }
    return .other
  }

  private func vanishingPoint(of pencil: Pencil, role: HorizonEvidence.Role, strength: Double)
    -> HorizonEvidence.VanishingPoint
  {
    let direction = pencil.convergence < 0 ? pencil.angle + .pi : pencil.angle
    let degrees = direction * 180 / .pi
    // A hundred long edges are two hundred halves.
    let isNear = abs(pencil.convergence) > 1 / 200.0
    return HorizonEvidence.VanishingPoint(
      role: role, direction: degrees > 180 ? degrees - 360 : degrees,
      position: isNear ? position(heading(pencil.angle) / pencil.convergence) : nil, strength: strength)
  }

  /// The boundary, clipped to the picture.
  private func boundaryLine() -> HorizonEvidence.Line? {
    let (width, height) = (Double(size.width), Double(size.height))
    let (slope, middle) = (Double(boundary.slope), Double(boundary.middle))
    var (from, to) = (0.0, width)
    if abs(slope) > 1e-9 {
      let (top, bottom) = (width / 2 - middle / slope, width / 2 + (height - middle) / slope)
      from = max(from, min(top, bottom))
      to = min(to, max(top, bottom))
    }
    guard from < to else { return nil }
    func point(_ x: Double) -> SIMD2<Double> { inLongEdges(SIMD2(x, middle + (x - width / 2) * slope)) }
    return HorizonEvidence.Line(from: point(from), to: point(to), role: .level)
  }

  /// From halves of the long edge around the centre to long edges from the top left corner.
  private func position(_ point: SIMD2<Double>) -> SIMD2<Double> {
    inLongEdges(point * Double(size.longEdge) / 2 + SIMD2(Double(size.width), Double(size.height)) / 2)
  }

  /// From samples within the frame to long edges of the whole picture.
  private func inLongEdges(_ point: SIMD2<Double>) -> SIMD2<Double> {
    (point + SIMD2(Double(origin.x), Double(origin.y))) / Double(max(whole.longEdge, 1))
  }
}

extension RollCue {
  fileprivate var role: HorizonEvidence.Role { kind == .verticals ? .upright : .level }
}
