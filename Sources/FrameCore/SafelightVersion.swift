/// The version of the engine: what reports, journals and sidecars name.
public enum SafelightVersion {
  public static let current = "0.1.0"
  /// What EXIF's Software says of an edited photo.
  public static let software = "Safelight \(current)"
}
