import FrameCore
import Libc

/// A microphone, loudspeaker, or other sound device of ALSA.
///
/// Its properties are those at discovery; a reconnected device may have another card number, which the
/// methods look up by `id`.
public struct AudioDevice: Sendable, Hashable {
  /// An identifier that survives re-plugging and rebooting: a USB card's name in /dev/snd/by-id or the place
  /// where a card is connected, and the device's number on the card, such as `usb-Blue_Yeti_0001-00#0` or
  /// `pci-0000:00:1f.3#0`. `default` and PCMs named by the user have their name.
  public let id: String
  /// The name shown to users.
  public let name: String
  /// ALSA's name at discovery, such as `hw:1,0`.
  public let pcm: String
  public let directions: Set<AudioDirection>
  /// Nil for `default` and PCMs named by the user.
  public let card: AudioCard?
  /// The number on its card; nil as for `card`.
  public let deviceNumber: Int?

  init(
    id: String, name: String, pcm: String, directions: Set<AudioDirection>, card: AudioCard? = nil,
    deviceNumber: Int? = nil
  ) {
    (self.id, self.name, self.pcm) = (id, name, pcm)
    (self.directions, self.card, self.deviceNumber) = (directions, card, deviceNumber)
  }

  /// ALSA's default device, which programs share; on desktops it leads to PipeWire or PulseAudio.
  public static let `default` = AudioDevice(
    id: "default", name: "Default", pcm: "default", directions: [.capture, .playback])
}

/// A sound card: one or several devices.
public struct AudioCard: Sendable, Hashable, Codable {
  /// The number at discovery.
  public var index: Int
  /// The kernel's identifier, such as `PCH`, for ALSA's `hw:CARD=PCH`.
  public var id: String
  public var name: String
  /// The name with the place where it is connected.
  public var longName: String
}

extension AudioDevice {
  /// Returns ALSA's default device and every device of every card. Opens none and disturbs none.
  public static func discover() -> [AudioDevice] { [.default] + SoundDirectory.system.devices() }

  /// Returns the device that `name` denotes: `default`, an id, a device's or a card's name, a node
  /// (`/dev/snd/pcmC0D0c`), ALSA's `hw:…` or `plughw:…` (which converts rates and formats), or `alsa:NAME`
  /// for a PCM of ALSA's configuration.
  ///
  /// - Throws: `CaptureFailure`, with the nearest name and all names, if there is none.
  public static func device(_ name: String = "default", _ direction: AudioDirection) throws -> AudioDevice {
    try device(name, direction, in: .system)
  }

  static func device(_ name: String, _ direction: AudioDirection, in directory: SoundDirectory) throws
    -> AudioDevice
  {
    if name == "default" { return .default }
    for prefix in ["hw:", "plughw:"] where name.hasPrefix(prefix) && name.count > prefix.count {
      return AudioDevice(id: name, name: name, pcm: name, directions: [direction])
    }
    if name.hasPrefix("alsa:"), name.count > 5 {
      return AudioDevice(
        id: name, name: name, pcm: String(name.dropFirst(5)), directions: [direction])
    }
    let devices = directory.devices()
    let usable = devices.filter { $0.directions.contains(direction) }
    if let found = match(name, usable, in: directory) { return found }
    if let found = match(name, devices, in: directory) {
      throw SoundErrors.wrongDirection(found.label, direction)
    }
    throw SoundErrors.unknown(
      name, direction, known: (["default"] + usable.flatMap { [$0.id, $0.name] }).unique())
  }

  private static func match(_ name: String, _ devices: [AudioDevice], in directory: SoundDirectory)
    -> AudioDevice?
  {
    if name.hasPrefix("/") {
      let node = DeviceDirectory.resolved(name) ?? name
      return devices.first { device in
        device.directions.contains { device.node($0, in: directory) == node }
      }
    }
    return devices.first { $0.id == name } ?? devices.first { $0.name == name }
      ?? devices.first { $0.card?.name == name || $0.card?.id == name }
  }

  /// Returns the formats that the device offers now, for which it opens the device briefly.
  ///
  /// - Throws: `CaptureFailure`, for example while another program uses it.
  public func formats(_ direction: AudioDirection) throws -> AudioDeviceFormats {
    let pcm = try open(direction, ALSADriver(), in: .system)
    defer { pcm.close() }
    do {
      return try pcm.formats()
    } catch {
      throw SoundErrors.failure(error, label, direction)
    }
  }

  /// Returns the processes that have the device open; for `default` and PCMs named by the user none are
  /// known.
  public func holders(_ direction: AudioDirection) -> [DeviceHolder] {
    use(direction, in: .system).holders
  }
}

extension AudioDevice {
  /// As errors call it.
  var label: String { name == pcm || name == id ? name : "\(name) (\(pcm))" }

  /// The device's current place, or nil if it is not connected or has no place of its own.
  func address(in directory: SoundDirectory) -> SoundDirectory.Address? {
    guard card != nil, let deviceNumber else { return nil }
    // The place is the id of a device found before udev had made its link.
    let now =
      directory.devices().first { $0.id == id } ?? directory.devices(usingLinks: false).first { $0.id == id }
    guard let index = now?.card?.index else { return nil }
    return SoundDirectory.Address(card: index, device: deviceNumber)
  }

  /// The path of the device's current node, or nil as for `address`.
  func node(_ direction: AudioDirection, in directory: SoundDirectory) -> String? {
    address(in: directory).map { "\(directory.nodes)/\(SoundDirectory.node(of: $0, direction))" }
  }

  func use(_ direction: AudioDirection, in directory: SoundDirectory) -> (
    holders: [DeviceHolder], format: AudioUse?
  ) {
    guard let address = address(in: directory) else { return ([], nil) }
    return directory.use(of: address, direction)
  }

  /// Opens the device where it is now.
  ///
  /// - Throws: `CaptureFailure`.
  func open(_ direction: AudioDirection, _ driver: any PCMDriver, in directory: SoundDirectory) throws
    -> any PCM
  {
    var pcm = pcm
    var node: String?
    if card != nil {
      guard let address = address(in: directory) else { throw SoundErrors.disconnected(label) }
      pcm = "hw:\(address.card),\(address.device)"
      node = "\(directory.nodes)/\(SoundDirectory.node(of: address, direction))"
    }
    do {
      return try driver.open(pcm, direction)
    } catch let error as PCMError {
      let isMissing = error.code == ENOENT || error.code == ENODEV || error.code == ENXIO
      if isMissing, self == .default { throw SoundErrors.noDefault(direction) }
      throw SoundErrors.failure(
        opening: label, node: node, holders: use(direction, in: directory).holders, errno: error.code)
    }
  }
}

extension Array where Element == String {
  /// The elements in their order, each once.
  fileprivate func unique() -> [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
