import FrameCore

/// What a device has of one of the field's settings: its range and value, or why it lacks it.
public struct CameraCapability: Sendable, Hashable, Codable {
  public var key: CameraSetting.Key
  /// Why the device does not have it; nil if it does.
  public var unsupported: String?
  /// What can be set, as `CameraSetting(parsing:)` takes it: `auto, locked, 0.0001s…1s`. Nil if unsupported.
  public var range: String?
  /// The present value as it would be set, such as `auto` or `4600K`; nil if it cannot be read.
  public var value: String?
  /// The driver's controls behind it, by `DeviceControl.key`.
  public var driverKeys: [String]

  public var isSupported: Bool { unsupported == nil }
}

extension ControlSet {
  /// The settings that the device has in some form.
  var supportedKeys: [CameraSetting.Key] {
    CameraSetting.Key.allCases.filter { !parts($0).isEmpty && unsupported($0) == nil }
  }

  /// All settings, by the order of `CameraSetting.Key`.
  var capabilities: [CameraCapability] {
    CameraSetting.Key.allCases.map { key in
      let parts = parts(key)
      let reason = unsupported(key)
      return CameraCapability(
        key: key, unsupported: reason, range: reason == nil ? range(key) : nil,
        value: reason == nil ? text(key) : nil, driverKeys: parts.map(\.key))
    }
  }

  /// The driver's controls that a setting uses.
  private func parts(_ key: CameraSetting.Key) -> [DeviceControl] {
    let ids: [UInt32] =
      switch key {
      case .focus: [ControlID.autoFocus, ControlID.focus, ControlID.autoFocusStart]
      case .exposure: [ControlID.autoExposure, ControlID.exposureTime]
      case .exposureBias: [ControlID.exposureBias]
      case .gain: [ControlID.autoGain, ControlID.gain, ControlID.analogueGain]
      case .iso: [ControlID.autoISO, ControlID.isoSensitivity]
      case .whiteBalance:
        [ControlID.autoWhiteBalance, ControlID.whiteBalancePreset, ControlID.whiteBalanceTemperature]
      case .zoom: [ControlID.zoom]
      case .powerLineFrequency: [ControlID.powerLineFrequency]
      case .focusPoint, .exposurePoint:
        PointOfInterest.bit(key).flatMap { pointOfInterest($0) } == nil
          ? [] : [ControlID.regionOfInterest, ControlID.regionOfInterestModes]
      }
    return ids.compactMap { self[$0] }
  }

  private func unsupported(_ key: CameraSetting.Key) -> String? {
    let parts = parts(key)
    if parts.contains(where: { !$0.isReadOnly }) { return nil }
    if parts.isEmpty, PointOfInterest.bit(key) != nil {
      return "the driver tells no region of interest, which takes a camera of UVC 1.5 and Linux 6.16 or so"
    }
    return parts.isEmpty ? "the driver has no such control" : "the driver only lets it be read"
  }

  // MARK: Ranges

  private func range(_ key: CameraSetting.Key) -> String {
    var parts: [String] = []
    func lock(_ bit: Int64, _ automatic: UInt32...) -> String? {
      let locks = self[ControlID.lock3A].map { $0.maximum & bit != 0 } ?? false
      return locks || automatic.contains { self[$0] != nil } ? "locked" : nil
    }
    switch key {
    case .focus:
      if self[ControlID.autoFocus] != nil { parts.append("auto") }
      if self[ControlID.autoFocusStart] != nil { parts.append("once") }
      if let word = lock(4, ControlID.autoFocus) { parts.append(word) }
      if let control = self[ControlID.focus] { parts += [control.rangeText, "0%…100%"] }
    case .exposure:
      if self[ControlID.autoExposure]?.first(of: [0, 3]) != nil { parts.append("auto") }
      let canLock = self[ControlID.autoExposure]?.first(of: [1, 2]) != nil
      if let word = canLock ? "locked" : lock(1) { parts.append(word) }
      if let control = self[ControlID.exposureTime] {
        let ends = [control.minimum, control.maximum].map { SettingNumber.text(Double($0) / 10_000) }
        parts.append("\(ends[0])s…\(ends[1])s")
      }
    case .exposureBias: parts += (self[ControlID.exposureBias]?.menuNumbers(scale: 1000)).map { [$0] } ?? []
    case .gain:
      if self[ControlID.autoGain] != nil { parts += ["auto", "locked"] }
      if let control = first(ControlID.gain, ControlID.analogueGain) { parts.append(control.rangeText) }
    case .iso:
      if self[ControlID.autoISO] != nil { parts.append("auto") }
      if let numbers = self[ControlID.isoSensitivity]?.menuNumbers(scale: 1000) { parts.append(numbers) }
    case .whiteBalance:
      if first(ControlID.autoWhiteBalance, ControlID.whiteBalancePreset) != nil { parts.append("auto") }
      if let word = lock(2, ControlID.autoWhiteBalance, ControlID.whiteBalancePreset) { parts.append(word) }
      if let control = self[ControlID.whiteBalanceTemperature] {
        parts.append("\(control.minimum)K…\(control.maximum)K")
      }
    case .zoom:
      guard let control = self[ControlID.zoom] else { break }
      if let largest = ZoomScale(control).largestFactor { parts.append("1x…\(SettingNumber.text(largest))x") }
      parts += ["0%…100%", control.rangeText]
    case .powerLineFrequency:
      let menu = self[ControlID.powerLineFrequency]?.menu ?? []
      parts = PowerLineFrequency.allCases.filter { entry in menu.contains { $0.value == entry.rawValue } }
        .map(\.name)
    case .focusPoint, .exposurePoint: parts += ["auto", "0,0…1,1"]
    }
    return parts.joined(separator: ", ")
  }

  // MARK: Values

  /// Returns the present value as it would be set; nil if it cannot be read.
  func text(_ key: CameraSetting.Key) -> String? {
    let values = CameraValues(self)
    switch key {
    case .focus: return values.focusMode?.word ?? values.focusPosition.map { "\($0)" }
    case .exposure:
      return values.exposureMode?.word ?? values.exposureSeconds.map { "\(SettingNumber.text($0))s" }
    case .exposureBias: return values.exposureBias.map { SettingNumber.text($0) }
    case .gain: return values.isGainAutomatic == true ? "auto" : values.gain.map { "\($0)" }
    case .iso: return values.isISOAutomatic == true ? "auto" : values.iso.map { SettingNumber.text($0) }
    case .whiteBalance:
      return values.whiteBalanceMode?.word ?? values.whiteBalanceKelvin.map { "\($0)K" }
    case .zoom:
      return values.zoomFactor.map { "\(SettingNumber.text($0))x" }
        ?? self[ControlID.zoom]?.value.map { "\($0)" }
    case .powerLineFrequency:
      return self[ControlID.powerLineFrequency]?.value.flatMap { PowerLineFrequency(rawValue: Int($0))?.name }
    case .focusPoint, .exposurePoint: return PointOfInterest.bit(key).flatMap { pointOfInterestText($0) }
    }
  }

  /// Returns the present value of what a setting sets, for a report of before and after.
  func text(_ setting: CameraSetting) -> String? {
    if let key = setting.key { return text(key) }
    guard case .control(let key, _) = setting, let control = named(key) else { return nil }
    return control.valueText
  }
}

extension DeviceControl {
  /// `0…250 by 5`
  var rangeText: String { "\(minimum)…\(maximum)" + (step > 1 ? " by \(step)" : "") }

  /// The numbers of a menu of numbers: `-2, -1, 0, 1, 2`; nil for another control.
  fileprivate func menuNumbers(scale: Double) -> String? {
    let numbers = menu.compactMap { Double($0.name) }
    guard !numbers.isEmpty else { return nil }
    return numbers.map { SettingNumber.text($0 / scale) }.joined(separator: ", ")
  }

  /// The value, with the name of a menu's entry; nil if it cannot be read.
  var valueText: String? {
    guard let value else { return nil }
    if kind == .boolean { return value == 0 ? "off" : "on" }
    guard kind == .menu, let item = menu.first(where: { $0.value == value }) else { return "\(value)" }
    return "\(value) (\(item.name))"
  }
}
