/// A value of one of a camera's controls, under the field's name for it.
///
/// Which settings a device has is told by `CaptureDevice.capabilities()`; `DeviceConfiguration.apply` sets
/// them.
public enum CameraSetting: Sendable, Hashable {
  case focus(FocusSetting)
  case exposure(ExposureSetting)
  /// Makes automatic exposure brighter or darker, in stops (EV); the nearest step of the device is taken.
  case exposureBias(stops: Double)
  case gain(GainSetting)
  case iso(ISOSetting)
  case whiteBalance(WhiteBalanceSetting)
  case zoom(ZoomSetting)
  case powerLineFrequency(PowerLineFrequency)
  /// The part of the picture that automatic focus looks at. Focus and exposure have one region if both have a point.
  case focusPoint(PointOfInterestSetting)
  /// The part of the picture that automatic exposure looks at.
  case exposurePoint(PointOfInterestSetting)
  /// Any control by `DeviceControl.key`, by its driver's name or by its number (`0x980900`). The value is a
  /// number, an entry of a menu, or `on` or `off`.
  case control(key: String, value: String)

  /// The field's names, as the command line spells them.
  public enum Key: String, Sendable, Hashable, Codable, CaseIterable {
    case focus, exposure
    case exposureBias = "ev"
    case gain, iso
    case whiteBalance = "white-balance"
    case zoom
    case powerLineFrequency = "power-line"
    case focusPoint = "focus-point"
    case exposurePoint = "exposure-point"
  }

  /// Nil for `control`.
  public var key: Key? {
    switch self {
    case .focus: .focus
    case .exposure: .exposure
    case .exposureBias: .exposureBias
    case .gain: .gain
    case .iso: .iso
    case .whiteBalance: .whiteBalance
    case .zoom: .zoom
    case .powerLineFrequency: .powerLineFrequency
    case .focusPoint: .focusPoint
    case .exposurePoint: .exposurePoint
    case .control: nil
    }
  }

  /// The key as the command line spells it: `white-balance`, `brightness`.
  public var name: String {
    if case .control(let key, _) = self { return key }
    return key?.rawValue ?? ""
  }
}

/// A focus setting.
public enum FocusSetting: Sendable, Hashable {
  /// Continuous autofocus.
  case automatic
  /// Focuses once and stays there.
  case once
  /// Stays where it is.
  case locked
  /// From 0, the nearest distance that the lens focuses on, to 1, the farthest.
  ///
  /// V4L2 says that larger values of the driver are closer; of a driver that counts distances, 0 is the
  /// farthest.
  case lensPosition(Double)
  /// In the device's own units.
  case manual(position: Int)
}

/// An exposure time setting.
public enum ExposureSetting: Sendable, Hashable {
  case automatic
  /// Keeps the exposure that was found automatically.
  case locked
  /// Rounded to the device's steps, multiples of 100 µs.
  case manual(seconds: Double)
}

/// A gain setting.
public enum GainSetting: Sendable, Hashable {
  case automatic
  case locked
  /// In the device's own units.
  case manual(Int)
}

/// A sensitivity setting.
public enum ISOSetting: Sendable, Hashable {
  case automatic
  /// ISO 12232; the nearest step of the device is taken.
  case manual(Double)
}

/// A white balance setting.
public enum WhiteBalanceSetting: Sendable, Hashable {
  case automatic
  /// Keeps the white balance that was found automatically.
  case locked
  /// The light's colour temperature.
  case manual(kelvin: Int)
}

/// A zoom setting.
public enum ZoomSetting: Sendable, Hashable {
  /// The magnification relative to the widest view, at least 1; for devices whose unit is a focal length.
  case factor(Double)
  /// From 0, the widest view, to 1, the narrowest: equal steps multiply the magnification equally where the
  /// device's unit is a focal length, and are equal in its units otherwise.
  case position(Double)
  /// In the device's own units.
  case manual(Int)
}

/// The mains frequency whose flicker the camera avoids; raw values are V4L2's.
public enum PowerLineFrequency: Int, Sendable, Hashable, Codable, CaseIterable {
  case off, hertz50, hertz60, automatic

  /// `off`, `50Hz`, `60Hz`, `auto`
  public var name: String {
    switch self {
    case .off: "off"
    case .hertz50: "50Hz"
    case .hertz60: "60Hz"
    case .automatic: "auto"
    }
  }
}
