import Safelight

/// What a live run publishes by MQTT, and how Home Assistant learns of it.
///
/// | topic | is |
/// |---|---|
/// | `PREFIX/status` | `online`, `offline` |
/// | `PREFIX/motion`, `PREFIX/motion/ZONE` | `ON` while something moves there, otherwise `OFF` |
/// | `PREFIX/code/count`, `PREFIX/face/count` … | how many of a kind are there |
/// | `PREFIX/event` | each event as `--json` prints it, but without updates |
struct LiveBroadcast {
  private struct Device: Codable, Sendable {
    var identifiers: [String]
    var name: String
  }

  /// A message by which Home Assistant finds an entity ("MQTT discovery").
  private struct Discovery: JSONReport {
    var name: String
    var uniqueID: String
    var stateTopic: String
    var availabilityTopic: String
    var device: Device
    var deviceClass: String?
    var unit: String?

    private enum CodingKeys: String, CodingKey {
      case name, device
      case uniqueID = "unique_id"
      case stateTopic = "state_topic"
      case availabilityTopic = "availability_topic"
      case deviceClass = "device_class"
      case unit = "unit_of_measurement"
    }
  }

  private let prefix: String
  private var presences: [DetectionPresence] = []
  /// The kinds of which the number is told.
  private var counts: [DetectionPresence] = []

  init(prefix: String, kinds: [Detection.Kind], zones: [Zone]) {
    self.prefix = prefix
    for kind in kinds {
      if kind == .motion {
        presences = ([nil] + zones.map(\.name)).map { DetectionPresence(of: .motion, in: $0) }
      } else {
        counts.append(DetectionPresence(of: kind))
      }
    }
  }

  /// What is told at the beginning: what there is, and that nothing is there yet.
  func announcements() throws -> [MQTTMessage] {
    let node = Self.identifier(prefix)
    let device = Device(identifiers: [node], name: "Safelight \(prefix)")
    func announce(
      _ component: String, _ id: String, _ name: String, _ topic: String, deviceClass: String?, unit: String?
    ) throws -> MQTTMessage {
      let discovery = Discovery(
        name: name, uniqueID: "\(node)_\(id)", stateTopic: topic, availabilityTopic: "\(prefix)/status",
        device: device, deviceClass: deviceClass, unit: unit)
      return MQTTMessage(
        "homeassistant/\(component)/\(node)/\(id)/config", try discovery.jsonLine(), isRetained: true)
    }
    return try presences.flatMap { presence in
      let place = presence.zone.map { " \($0)" } ?? ""
      let id = "motion" + (presence.zone.map { "_" + Self.identifier($0) } ?? "")
      return [
        try announce(
          "binary_sensor", id, "Motion\(place)", topic(presence), deviceClass: "motion", unit: nil),
        MQTTMessage(topic(presence), "OFF", isRetained: true),
      ]
    }
      + counts.flatMap { count in
        let kind = count.kind.rawValue
        return [
          try announce(
            "sensor", kind, kind.prefix(1).uppercased() + kind.dropFirst() + "s", topic(count),
            deviceClass: nil, unit: kind + "s"),
          MQTTMessage(topic(count), "0", isRetained: true),
        ]
      }
  }

  /// What an event changes.
  mutating func messages(of event: LiveEvent) throws -> [MQTTMessage] {
    var messages: [MQTTMessage] = []
    var isUpdate = false
    if case .detection(let found) = event.subject {
      isUpdate = found.phase == .update
      for index in presences.indices {
        guard let change = presences[index].take(found) else { continue }
        messages.append(
          MQTTMessage(topic(presences[index]), change == .start ? "ON" : "OFF", isRetained: true))
      }
      for index in counts.indices {
        let before = counts[index].count
        _ = counts[index].take(found)
        guard counts[index].count != before else { continue }
        messages.append(MQTTMessage(topic(counts[index]), "\(counts[index].count)", isRetained: true))
      }
    }
    if !isUpdate {
      messages.append(MQTTMessage("\(prefix)/event", try LiveEventReport.complete(event).jsonLine()))
    }
    return messages
  }

  private func topic(_ presence: DetectionPresence) -> String {
    guard presence.kind == .motion else { return "\(prefix)/\(presence.kind.rawValue)/count" }
    return "\(prefix)/motion" + (presence.zone.map { "/\($0)" } ?? "")
  }

  /// A name of the characters that Home Assistant takes in identifiers; different names stay different.
  static func identifier(_ name: String) -> String {
    name.unicodeScalars.map { scalar in
      scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-"
        ? String(scalar) : scalar == "/" ? "_" : "_\(String(scalar.value, radix: 16))_"
    }.joined()
  }
}
