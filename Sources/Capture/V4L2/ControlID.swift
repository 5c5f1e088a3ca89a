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
  public static let powerLineFrequency = user + 24
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
  /// A menu, in units of 0.001 EV.
  public static let exposureBias = camera + 19
  /// Automatic white balance or one of several presets.
  public static let whiteBalancePreset = camera + 20
  /// A menu, in units of 0.001 ISO.
  public static let isoSensitivity = camera + 23
  public static let autoISO = camera + 24
  /// A bit mask: exposure 1, white balance 2, focus 4.
  public static let lock3A = camera + 27
  /// A button that focuses once.
  public static let autoFocusStart = camera + 28
  public static let cameraOrientation = camera + 34
  /// A rectangle that automatic modes look at, and a bit mask of those that do: exposure 1, focus 8. Of the uvcvideo
  /// driver.
  public static let regionOfInterest = UInt32(cv4l2_region_of_interest)
  public static let regionOfInterestModes = UInt32(cv4l2_region_of_interest_modes)
  public static let analogueGain: UInt32 = 0x009E_0900 + 3

  /// Controls that make another one inactive while they are on, by the inactive one.
  static let automatics: [UInt32: [UInt32]] = [
    exposureTime: [autoExposure], exposure: [autoExposure],
    gain: [autoGain, autoExposure], analogueGain: [autoGain, autoExposure],
    isoSensitivity: [autoISO],
    whiteBalanceTemperature: [autoWhiteBalance, whiteBalancePreset],
    redBalance: [autoWhiteBalance, whiteBalancePreset],
    blueBalance: [autoWhiteBalance, whiteBalancePreset],
    focus: [autoFocus],
    hue: [autoHue],
    brightness: [autoBrightness],
  ]

  /// Whether a control is an automatic mode that others depend on.
  static func isAutomatic(_ id: UInt32) -> Bool { automatics.values.contains { $0.contains(id) } }

  /// Whether `value` turns the automatic mode `id` off, so that the controls that depend on it can be set.
  static func isOff(_ value: Int64, for id: UInt32) -> Bool {
    // Of the exposure modes, V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_SHUTTER_PRIORITY leave the time to the
    // user.
    id == autoExposure ? value == 1 || value == 2 : value == 0
  }
}
