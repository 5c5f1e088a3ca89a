import Testing

/// What is tried against real kernel drivers, in the virtual machine of `Tests/CameraVM`.
///
/// One test after the other: they share the devices.
@Suite("Cameras", .serialized) enum CameraTests {}
