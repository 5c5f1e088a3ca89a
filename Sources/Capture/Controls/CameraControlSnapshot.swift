/// The values of a device's controls at one time, to be put back later.
///
/// `CaptureDevice.restoringControls` takes one and puts it back whatever happens in between.
public struct CameraControlSnapshot: Sendable, Hashable {
  /// By `DeviceControl.id`: all that can be read and set.
  public let values: [UInt32: Int64]
  /// What a stream sets again after a reconnection, as of then.
  let remembered: [UInt32: Int64]
}
