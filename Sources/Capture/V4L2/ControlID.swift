import CV4L2

/// Identifiers of V4L2's controls; <linux/v4l2-controls.h>.
public enum ControlID {
  private static let user: UInt32 = 0x0098_0900
  private static let camera: UInt32 = 0x009A_0900

  public static let brightness = user + 0
  public static let contrast = user + 1
  public static let saturation = user + 2
  public static let hue = user + 3
  public static let autoWhiteBalance = user + 12
  public static let redBalance = user + 14
  public static let blueBalance = user + 15
  public static let exposure = user + 17
  public static let autoGain = user + 18
  public static let gain = user + 19
  public static let autoHue = user + 25
  public static let whiteBalanceTemperature = user + 26
  public static let autoBrightness = user + 32
  /// The number of buffers that a driver retains while streaming.
  static let minimumBuffers = user + 39
  public static let autoExposure = camera + 1
  /// In units of 100 µs.
  public static let exposureTime = camera + 2
  public static let focus = camera + 10
  public static let autoFocus = camera + 12
  public static let zoom = camera + 13
  public static let cameraOrientation = camera + 34

  /// Controls that make another one inactive while they are on, by the inactive one.
  static let automatics: [UInt32: [UInt32]] = [
    exposureTime: [autoExposure], exposure: [autoExposure],
    gain: [autoGain, autoExposure],
    whiteBalanceTemperature: [autoWhiteBalance], redBalance: [autoWhiteBalance],
    blueBalance: [autoWhiteBalance],
    focus: [autoFocus],
    hue: [autoHue],
    brightness: [autoBrightness],
  ]

  /// Whether a control is an automatic mode that others depend on.
  static func isAutomatic(_ id: UInt32) -> Bool { automatics.values.contains { $0.contains(id) } }
}
