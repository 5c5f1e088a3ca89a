import FrameCore

/// The rotation and mirroring between an input and one output.
///
/// No pixels are moved: the orientation of the delivered frames records them, and renderers combine it with the
/// resampling that they do anyway.
public struct Connection: Sendable, Hashable {
  /// A clockwise rotation of the upright picture, in degrees.
  public enum Rotation: Int, Sendable, Hashable, Codable, CaseIterable {
    case degrees0 = 0
    case degrees90 = 90
    case degrees180 = 180
    case degrees270 = 270
  }

  /// Whether left and right are exchanged.
  public enum Mirroring: String, Sendable, Hashable, Codable, CaseIterable {
    /// On for a front camera's preview, otherwise off: people know themselves from mirrors, but captured text must
    /// be readable.
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

  /// Whether pictures of a camera facing `facing` are mirrored for an output with this purpose.
  public func isMirrored(facing: CameraFacing, purpose: OutputPurpose) -> Bool {
    switch mirroring {
    case .automatic: facing == .front && purpose == .preview
    case .on: true
    case .off: false
    }
  }

  /// Returns the orientation to apply after a frame's own: rotation, then mirroring, so that the viewer's left and
  /// right are exchanged however the camera is mounted.
  public func orientation(facing: CameraFacing, purpose: OutputPurpose) -> Orientation {
    let turn = Orientation(mirrored: false, quarterTurns: rotation.rawValue / 90)
    return isMirrored(facing: facing, purpose: purpose) ? turn.then(.upMirrored) : turn
  }
}
