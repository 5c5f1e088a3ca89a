/// The controls of a device as they were read at one time.
struct ControlSet {
  let all: [DeviceControl]
  private let byID: [UInt32: DeviceControl]

  init(_ controls: [DeviceControl]) {
    all = controls
    byID = Dictionary(controls.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  init(_ driver: any ControlDriver) throws { self.init(try driver.controls()) }

  subscript(_ id: UInt32) -> DeviceControl? { byID[id] }

  /// Returns the first of `ids` that the device has.
  func first(_ ids: UInt32...) -> DeviceControl? { ids.lazy.compactMap { byID[$0] }.first }

  /// Returns a control by its key, its driver's name or its number (`0x980911`).
  func named(_ name: String) -> DeviceControl? {
    if name.hasPrefix("0x") { return UInt32(name.dropFirst(2), radix: 16).flatMap { byID[$0] } }
    let key = name.replacing("-", with: "_")
    return all.first { $0.key == name || $0.key == key || $0.name == name }
  }

  /// Whether an automatic mode sets the control at present.
  func isAutomatic(_ control: DeviceControl) -> Bool {
    if control.isInactive { return true }
    // Older drivers do not say that it is inactive.
    return (ControlID.automatics[control.id] ?? []).contains { id in
      byID[id]?.value.map { !ControlID.isOff($0, for: id) } ?? false
    }
  }

  /// What can be set, by the field's names and the driver's keys, each once.
  var knownNames: [String] {
    let names = supportedKeys.map(\.rawValue)
    return names
      + all.filter { $0.kind != .other && $0.kind != .rectangle && !names.contains($0.key) }.map(\.key)
  }

  /// The values of all controls that can be read and set, by id.
  var settable: [UInt32: Int64] {
    var values: [UInt32: Int64] = [:]
    for control in all where !control.isReadOnly && control.kind != .button {
      if let value = control.value { values[control.id] = value }
    }
    return values
  }
}
