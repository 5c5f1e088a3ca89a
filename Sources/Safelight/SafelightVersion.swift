/// The version of the engine: what reports, journals and sidecars name.
public enum SafelightVersion {
  public static let current = "0.1.0"
}
