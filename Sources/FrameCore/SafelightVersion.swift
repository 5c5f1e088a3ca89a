/// The version of the engine, as in reports, journals and sidecars.
public enum SafelightVersion {
  public static let current = "0.1.0"
  /// The value of EXIF's Software tag in an edited photo.
  public static let software = "Safelight \(current)"
}
