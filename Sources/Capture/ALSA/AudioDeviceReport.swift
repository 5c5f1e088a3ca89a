import FrameCore

/// What a sound device can do and who uses it; `safelight audio devices --json` prints a list of these.
public struct AudioDeviceReport: JSONReport, Hashable {
  /// One direction of the device.
  public struct Side: Codable, Sendable, Hashable {
    public var direction: AudioDirection
    /// What it offers; nil if it cannot be opened now.
    public var formats: AudioDeviceFormats?
    /// The format in which a program uses it now; nil if none does, or if it is not known.
    public var use: AudioUse?
    /// The programs that have it open, such as `obs (process 4711)`.
    public var holders: [String]
    /// Why the formats are not known; nil if they are.
    public var problem: String?
  }

  /// As in `AudioDevice`.
  public var id: String
  public var name: String
  public var pcm: String
  public var card: AudioCard?
  public var deviceNumber: Int?
  /// Capture first.
  public var sides: [Side]

  /// Asks the device for its formats, for which it opens it briefly; one that a program uses is left alone.
  public init(_ device: AudioDevice) { self.init(device, ALSADriver(), in: .system) }

  init(_ device: AudioDevice, _ driver: any PCMDriver, in directory: SoundDirectory) {
    (id, name, pcm) = (device.id, device.name, device.pcm)
    (card, deviceNumber) = (device.card, device.deviceNumber)
    sides = AudioDirection.allCases.filter(device.directions.contains).map { direction in
      Side(device, direction, driver, in: directory)
    }
  }
}

extension AudioDeviceReport.Side {
  fileprivate init(
    _ device: AudioDevice, _ direction: AudioDirection, _ driver: any PCMDriver, in directory: SoundDirectory
  ) {
    self.direction = direction
    let used = device.use(direction, in: directory)
    (use, holders) = (used.format, used.holders.map(\.description))
    do {
      let pcm = try device.open(direction, driver, in: directory)
      defer { pcm.close() }
      formats = try pcm.formats()
    } catch let error as PCMError {
      problem = SoundErrors.failure(error, device.label, direction).description
    } catch {
      problem = "\(error)"
    }
  }
}
