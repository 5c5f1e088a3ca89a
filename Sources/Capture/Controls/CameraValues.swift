/// The present values of a camera's controls in the field's units, for the metadata of a photo.
///
/// They are as the driver tells them. While a mode is automatic, many cameras tell the value that they have
/// found, and some the last one that was set by hand. What the device lacks is nil.
public struct CameraValues: Sendable, Hashable, Codable {
  public enum Mode: String, Sendable, Hashable, Codable {
    case automatic
    /// Automatic, and held by the device's lock.
    case locked
    /// A value that was set.
    case manual

    /// As a setting spells it; nil for a value.
    var word: String? {
      switch self {
      case .automatic: "auto"
      case .locked: "locked"
      case .manual: nil
      }
    }
  }

  /// Nil also if the device has no automatic exposure.
  public var exposureMode: Mode?
  public var exposureSeconds: Double?
  /// In stops.
  public var exposureBias: Double?
  public var isGainAutomatic: Bool?
  /// In the driver's unit.
  public var gain: Int?
  public var isISOAutomatic: Bool?
  /// ISO 12232.
  public var iso: Double?
  public var whiteBalanceMode: Mode?
  public var whiteBalanceKelvin: Int?
  public var focusMode: Mode?
  /// In the driver's unit.
  public var focusPosition: Int?
  /// From 0, nearest, to 1, farthest; see `FocusSetting.lensPosition`.
  public var lensPosition: Double?
  /// Relative to the widest view; nil also if the driver's unit is not known.
  public var zoomFactor: Double?
  /// From 0, widest, to 1, narrowest.
  public var zoomPosition: Double?

  /// No values: those of a source without controls.
  public init() {}
}

extension CameraValues {
  /// The controls that `init(_:)` reads.
  static let controlIDs: [UInt32] = [
    ControlID.autoExposure, ControlID.exposureTime, ControlID.exposureBias, ControlID.autoGain,
    ControlID.gain,
    ControlID.analogueGain, ControlID.autoISO, ControlID.isoSensitivity, ControlID.autoWhiteBalance,
    ControlID.whiteBalancePreset, ControlID.whiteBalanceTemperature, ControlID.autoFocus, ControlID.focus,
    ControlID.zoom, ControlID.lock3A,
  ]

  init(_ controls: ControlSet) {
    func value(_ ids: UInt32...) -> Int64? { ids.lazy.compactMap { controls[$0]?.value }.first }
    func number(_ id: UInt32) -> Double? {
      guard let control = controls[id], let value = control.value else { return nil }
      return control.menu.first { $0.value == value }.flatMap { Double($0.name) } ?? Double(value)
    }
    func mode(_ bit: Int64, _ ids: UInt32...) -> Mode? {
      guard let id = ids.first(where: { controls[$0] != nil }), let setting = value(id) else { return nil }
      if ControlID.isOff(setting, for: id) { return .manual }
      return (value(ControlID.lock3A) ?? 0) & bit == 0 ? .automatic : .locked
    }
    exposureMode = mode(1, ControlID.autoExposure)
    exposureSeconds = value(ControlID.exposureTime).map { Double($0) / 10_000 }
    exposureBias = number(ControlID.exposureBias).map { $0 / 1000 }
    isGainAutomatic = value(ControlID.autoGain).map { $0 != 0 }
    gain = value(ControlID.gain, ControlID.analogueGain).map(Int.init)
    isISOAutomatic = value(ControlID.autoISO).map { $0 != 0 }
    iso = number(ControlID.isoSensitivity).map { $0 / 1000 }
    whiteBalanceMode = mode(2, ControlID.autoWhiteBalance, ControlID.whiteBalancePreset)
    whiteBalanceKelvin = value(ControlID.whiteBalanceTemperature).map(Int.init)
    focusMode = mode(4, ControlID.autoFocus)
    focusPosition = value(ControlID.focus).map(Int.init)
    if let control = controls[ControlID.focus], let value = control.value, control.maximum > control.minimum {
      let span = Double(control.maximum) - Double(control.minimum)
      lensPosition = min(max((Double(control.maximum) - Double(value)) / span, 0), 1)
    }
    if let control = controls[ControlID.zoom], let value = control.value {
      let scale = ZoomScale(control)
      zoomFactor = scale.factor(of: value)
      zoomPosition = scale.position(of: value)
    }
  }
}
