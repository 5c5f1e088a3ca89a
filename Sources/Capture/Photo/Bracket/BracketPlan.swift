import FrameCore
import Libc

/// What the exposures of a bracket mean for a device: settings for each, found before any is set.
///
/// The exposure time is doubled for each stop, from the one that automatic exposure has found. A device without one
/// has a bias for its automatic exposure, or a gain.
struct BracketPlan {
  struct Step {
    let settings: [CameraSetting]
    /// What the device comes to, in stops.
    let stops: Double
    /// The exposure time; nil if it is the camera's choice.
    let seconds: Double?
  }

  /// How far, in stops, a device's nearest exposure may be from the one asked for.
  static let tolerance = 0.5

  let means: BracketedExposure.Means
  let steps: [Step]

  /// - Throws: `SafelightError` if the device has no exposure that can be set, or not these.
  init(_ bracket: ExposureBracket, for controls: ControlSet, device: String) throws {
    let choices: [(BracketedExposure.Means, Choice)] = [
      (.exposureTime, Self.time(controls)), (.exposureBias, Self.bias(controls)),
      (.gain, Self.gain(controls)),
    ].compactMap { means, choice in choice.map { (means, $0) } }
    guard let (means, choice) = choices.first else {
      throw SafelightError(
        .unsupported, "\(device) has no exposure time, exposure bias or gain that can be set for a bracket",
        remedy: "use another camera, or take a photo without a bracket")
    }
    self.means = means
    steps = try bracket.stops.map { stops in
      guard let step = choice.step(stops), abs(step.stops - stops) <= Self.tolerance else {
        let (low, high) = (choice.range.lowerBound, choice.range.upperBound)
        throw SafelightError(
          .invalidValue,
          "\(device) cannot expose \(ExposureBracket.text(stops)) by its \(means.name) (\(choice.present))",
          remedy: high - low < 1
            ? "use another camera, or set another \(means.name) first"
            : "choose exposures from \(ExposureBracket.text(low)) to \(ExposureBracket.text(high))")
      }
      return step
    }
    for step in steps { _ = try ControlPlan(step.settings, for: controls, device: device) }
  }

  /// One control's exposures.
  private struct Choice {
    /// In stops, rounded inwards to tenths.
    var range: ClosedRange<Double>
    /// The present value, in a sentence.
    var present: String
    /// The nearest exposure to one in stops; nil if there is none.
    var step: (Double) -> Step?
  }

  private static func isSettable(_ control: DeviceControl) -> Bool {
    !control.isReadOnly && !control.isGrabbed && control.kind != .other
  }

  /// Tenths between two numbers of stops, which contain 0.
  private static func range(_ low: Double, _ high: Double) -> ClosedRange<Double> {
    let inner = ((low * 10).rounded(.up) / 10, (high * 10).rounded(.down) / 10)
    return min(inner.0, 0)...max(inner.1, 0)
  }

  private static func time(_ controls: ControlSet) -> Choice? {
    guard let time = controls[ControlID.exposureTime], isSettable(time), let present = time.value, present > 0
    else { return nil }
    if let mode = controls[ControlID.autoExposure] {
      guard isSettable(mode), mode.first(of: [1, 2]) != nil else { return nil }
    }
    let held = holdingSensitivity(controls)
    let (low, high) = (Double(max(1, time.minimum)), Double(time.maximum))
    return Choice(
      range: range(log2(low / Double(present)), log2(high / Double(present))),
      present: "\(SettingNumber.text(Double(present) / 10_000)) s now, "
        + "\(SettingNumber.text(low / 10_000))…\(SettingNumber.text(high / 10_000)) s"
    ) { stops in
      let wanted = Double(present) * exp2(stops)
      guard wanted.rounded() >= low, wanted.rounded() <= high else { return nil }
      let units = Double(time.snapped(wanted))
      let seconds = units / 10_000
      return Step(
        settings: [.exposure(.manual(seconds: seconds))] + held, stops: log2(units / Double(present)),
        seconds: seconds)
    }
  }

  /// Keeps automatic gain from making up for the exposure.
  private static func holdingSensitivity(_ controls: ControlSet) -> [CameraSetting] {
    var settings: [CameraSetting] = []
    if controls.first(ControlID.autoGain, ControlID.gain, ControlID.analogueGain) != nil {
      settings.append(.gain(.locked))
    }
    if let automatic = controls[ControlID.autoISO], automatic.value != 0 {
      settings.append(.control(key: automatic.key, value: "0"))
    }
    return settings
  }

  private static func bias(_ controls: ControlSet) -> Choice? {
    guard let control = controls[ControlID.exposureBias], isSettable(control), let value = control.value
    else { return nil }
    // With an exposure that was set by hand, the bias does nothing.
    if let mode = controls[ControlID.autoExposure]?.value, ControlID.isOff(mode, for: ControlID.autoExposure)
    {
      return nil
    }
    func thousandths(of item: DeviceControl.MenuItem) -> Double? { Double(item.name) }
    let menu = control.menu.compactMap(thousandths)
    let present = control.menu.first { $0.value == value }.flatMap(thousandths) ?? Double(value)
    let entries =
      menu.isEmpty
      ? stride(
        from: Double(control.minimum), through: Double(control.maximum), by: Double(max(1, control.step))
      )
      .prefix(10_000).map { $0 } : menu
    guard let low = entries.min(), let high = entries.max(), high > low else { return nil }
    return Choice(
      range: range((low - present) / 1000, (high - present) / 1000),
      present: "\(SettingNumber.text(present / 1000)) now, "
        + "\(SettingNumber.text(low / 1000))…\(SettingNumber.text(high / 1000)) EV"
    ) { stops in
      let wanted = present + stops * 1000
      guard let nearest = entries.min(by: { abs($0 - wanted) < abs($1 - wanted) }) else { return nil }
      return Step(
        settings: [.exposureBias(stops: nearest / 1000)], stops: (nearest - present) / 1000, seconds: nil)
    }
  }

  private static func gain(_ controls: ControlSet) -> Choice? {
    guard let control = controls.first(ControlID.gain, ControlID.analogueGain), isSettable(control),
      let present = control.value, present > 0, control.minimum >= 0
    else { return nil }
    var held: [CameraSetting] = []
    if let mode = controls[ControlID.autoExposure], mode.value.map({ $0 == 0 || $0 == 3 }) ?? true {
      // Automatic exposure would make up for the gain.
      let canLock = controls[ControlID.lock3A].map { $0.maximum & 1 != 0 } ?? false
      guard canLock || mode.first(of: [1, 2]) != nil else { return nil }
      held = [.exposure(.locked)]
    }
    let (low, high) = (Double(max(1, control.minimum)), Double(control.maximum))
    return Choice(
      range: range(log2(low / Double(present)), log2(high / Double(present))),
      present: "\(present) now, \(control.rangeText)"
    ) { stops in
      let wanted = Double(present) * exp2(stops)
      guard wanted.rounded() >= low, wanted.rounded() <= high else { return nil }
      let value = control.snapped(wanted)
      return Step(
        settings: held + [.gain(.manual(Int(value)))], stops: log2(Double(value) / Double(present)),
        seconds: nil)
    }
  }
}
