import FrameCore
import Libc

/// The folders in which the kernel and udev describe sound devices.
struct SoundDirectory: Sendable {
  /// `/dev/snd`
  let nodes: String
  /// `/dev/snd/by-id`: udev's links by vendor, model and serial number, to the cards' control nodes. Not all
  /// systems have it, and only USB cards are there.
  let links: String
  /// `/sys/class/sound`
  let classes: String
  /// `/proc/asound`
  let processes: String

  static let system = SoundDirectory(
    nodes: "/dev/snd", links: "/dev/snd/by-id", classes: "/sys/class/sound", processes: "/proc/asound")

  /// Returns all devices, by card and number. Opens none.
  ///
  /// - Parameter usingLinks: false names USB cards by their place too, as before udev has made its links.
  func devices(usingLinks: Bool = true) -> [AudioDevice] {
    let cards = cards()
    var found: [Address: Set<AudioDirection>] = [:]
    for name in Directory.names(nodes) {
      guard let (address, direction) = Self.address(of: name) else { continue }
      found[address, default: []].insert(direction)
    }
    let stems = stems(Set(found.keys.map(\.card)), cards, usingLinks: usingLinks)
    return found.keys.sorted().map { address in
      let card = cards[address.card] ?? unknownCard(address.card)
      return AudioDevice(
        id: "\(stems[address.card] ?? card.id)#\(address.device)",
        name: name(of: address, found[address] ?? [], card, isOnly: isOnly(address, among: found.keys)),
        pcm: "hw:\(address.card),\(address.device)", directions: found[address] ?? [],
        card: AudioCard(index: card.index, id: card.id, name: card.name, longName: card.longName),
        deviceNumber: address.device)
    }
  }

  /// A device of a card, which may have a PCM in each direction.
  struct Address: Hashable, Comparable {
    var card: Int
    var device: Int

    static func < (a: Address, b: Address) -> Bool { (a.card, a.device) < (b.card, b.device) }
  }

  /// Returns what a node is: `pcmC1D0c` is the capture direction of device 0 on card 1.
  static func address(of node: String) -> (Address, AudioDirection)? {
    guard node.hasPrefix("pcmC"), let last = node.last, last == "c" || last == "p" else { return nil }
    let parts = node.dropFirst(4).dropLast().split(separator: "D", omittingEmptySubsequences: false)
    guard parts.count == 2, let card = Int(parts[0]), let device = Int(parts[1]), card >= 0, device >= 0
    else { return nil }
    return (Address(card: card, device: device), last == "c" ? .capture : .playback)
  }

  static func node(of address: Address, _ direction: AudioDirection) -> String {
    "pcmC\(address.card)D\(address.device)\(direction == .capture ? "c" : "p")"
  }

  // MARK: Names

  private func cards() -> [Int: SoundProcText.Card] {
    let cards = SoundProcText.cards(Self.text("\(processes)/cards"))
    return Dictionary(cards.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Without /proc/asound, sysfs has the card's identifier.
  private func unknownCard(_ index: Int) -> SoundProcText.Card {
    let id = SystemFile.line("\(classes)/card\(index)/id") ?? "card\(index)"
    return SoundProcText.Card(index: index, id: id, driver: "", name: id, longName: "")
  }

  private func isOnly(_ address: Address, among all: some Sequence<Address>) -> Bool {
    !all.contains { $0.card == address.card && $0.device != address.device }
  }

  /// Returns the card's name, with the device's own if the card has several.
  private func name(
    of address: Address, _ directions: Set<AudioDirection>, _ card: SoundProcText.Card, isOnly: Bool
  ) -> String {
    guard !isOnly else { return card.name }
    let names = AudioDirection.allCases.filter(directions.contains).compactMap {
      SoundProcText.fields(Self.text(folder(of: address, $0) + "/info"))["name"]
    }
    guard let own = names.first(where: { !$0.isEmpty }) else { return "\(card.name), \(address.device)" }
    return "\(card.name): \(own)"
  }

  /// Returns for each card what its devices' ids begin with; unique.
  private func stems(_ indices: Set<Int>, _ cards: [Int: SoundProcText.Card], usingLinks: Bool) -> [Int:
    String]
  {
    var named: [Int: String] = [:]
    for link in usingLinks ? Directory.names(links).sorted() : [] {
      guard let target = DeviceDirectory.resolved("\(links)/\(link)"),
        let node = target.split(separator: "/").last, node.hasPrefix("controlC"),
        let index = Int(node.dropFirst(8)), named[index] == nil
      else { continue }
      named[index] = link
    }
    var stems: [Int: String] = [:]
    var used: Set<String> = []
    for index in indices.sorted() {
      let id = cards[index]?.id ?? unknownCard(index).id
      var stem = named[index] ?? place(of: index) ?? id
      // A device may have several cards at one place.
      if !used.insert(stem).inserted {
        stem += "-\(id)"
        used.insert(stem)
      }
      stems[index] = stem
    }
    return stems
  }

  /// Returns where a card is connected, such as `usb-0000:00:14.0-1.2`, `pci-0000:00:1f.3` or `snd_aloop.0`.
  private func place(of index: Int) -> String? {
    guard let device = DeviceDirectory.resolved("\(classes)/card\(index)/device") else { return nil }
    let parts = device.split(separator: "/").map(String.init)
    guard let last = parts.last else { return nil }
    if let hub = parts.lastIndex(where: { $0.hasPrefix("usb") && Int($0.dropFirst(3)) != nil }),
      hub > parts.startIndex, let port = last.split(separator: ":").first?.split(separator: "-").last
    {
      // As V4L2 writes the place of a USB camera.
      return "usb-\(parts[hub - 1])-\(port)"
    }
    return last.contains(":") && last.contains(".") ? "pci-\(last)" : last
  }

  // MARK: Use

  private func folder(of address: Address, _ direction: AudioDirection) -> String {
    "\(processes)/card\(address.card)/pcm\(address.device)\(direction == .capture ? "c" : "p")"
  }

  /// Returns the processes that have the device open, by number, and the format that they use; from
  /// /proc/asound, which shows all users' to everyone, otherwise from the processes' descriptors.
  func use(of address: Address, _ direction: AudioDirection) -> (holders: [DeviceHolder], format: AudioUse?) {
    let folder = folder(of: address, direction)
    let parts = Directory.names(folder).filter { $0.hasPrefix("sub") }.sorted()
    guard !parts.isEmpty else {
      return (DeviceHolder.holders(of: "\(nodes)/\(Self.node(of: address, direction))"), nil)
    }
    var holders: Set<DeviceHolder> = []
    var format: AudioUse?
    for part in parts {
      guard let thread = SoundProcText.owner(Self.text("\(folder)/\(part)/status")) else { continue }
      holders.insert(Self.holder(thread: thread))
      format = format ?? SoundProcText.use(Self.text("\(folder)/\(part)/hw_params"))
    }
    return (holders.sorted { $0.processID < $1.processID }, format)
  }

  /// The kernel names the thread that opened the device.
  private static func holder(thread: Int) -> DeviceHolder {
    let process = SoundProcText.fields(text("/proc/\(thread)/status"))["Tgid"].flatMap { Int($0) } ?? thread
    return DeviceHolder(
      processID: process, name: SystemFile.line("/proc/\(process)/comm") ?? "a program")
  }

  /// Returns the text of a small file, at most 64 KiB; empty if it cannot be read.
  static func text(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      while bytes.count < 65_536 {
        let count = read(file, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        bytes.append(contentsOf: buffer[..<count])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
