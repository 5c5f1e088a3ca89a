import FrameCore

/// How an input's pictures reach one output: turned and mirrored.
///
/// No pixel is moved: the orientation of the delivered frames says it, and renderers fold it into the one resample
/// they do anyway.
public struct Connection: Sendable, Hashable {
  /// A clockwise turn of the upright picture, in degrees.
  public enum Rotation: Int, Sendable, Hashable, Codable, CaseIterable {
    case degrees0 = 0
    case degrees90 = 90
    case degrees180 = 180
    case degrees270 = 270
  }

  /// Whether left and right are exchanged.
  public enum Mirroring: String, Sendable, Hashable, Codable, CaseIterable {
    /// On for a preview of a front camera, off for everything else: people know themselves from mirrors, and
    /// what is captured must show letters the right way round.
    case automatic
    case on
    case off
  }

  public var rotation: Rotation
  public var mirroring: Mirroring

  public init(rotation: Rotation = .degrees0, mirroring: Mirroring = .automatic) {
    self.rotation = rotation
    self.mirroring = mirroring
  }

  /// Whether pictures of a camera that looks `facing` are mirrored for an output with this purpose.
  public func isMirrored(facing: CameraFacing, purpose: OutputPurpose) -> Bool {
    switch mirroring {
    case .automatic: facing == .front && purpose == .preview
    case .on: true
    case .off: false
    }
  }

  /// What follows a frame's own orientation: the turn, then the mirror, so that the viewer's left and right are
  /// exchanged whichever way the camera is mounted.
  public func orientation(facing: CameraFacing, purpose: OutputPurpose) -> Orientation {
    let turn = Orientation(mirrored: false, quarterTurns: rotation.rawValue / 90)
    return isMirrored(facing: facing, purpose: purpose) ? turn.then(.upMirrored) : turn
  }
}
