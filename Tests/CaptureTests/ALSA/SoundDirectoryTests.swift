import FoundationEssentials
import FrameCore
import Libc
import TestSupport
import Testing

@testable import Capture

/// Folders as the kernel and udev make them, with files in place of nodes.
private struct FakeSystem {
  let scratch: Scratch
  let directory: SoundDirectory

  init() throws {
    scratch = try Scratch()
    for folder in ["dev/snd", "class", "proc"] { try scratch.makeFolder(folder) }
    directory = SoundDirectory(
      nodes: scratch("dev/snd"), links: scratch("dev/snd/by-id"), classes: scratch("class"),
      processes: scratch("proc"))
  }

  /// Texts as Linux 6.1 prints them.
  func setCards(_ text: String) throws { try scratch.write(text, to: "proc/cards") }

  func addNode(_ name: String) throws { try scratch.write("", to: "dev/snd/\(name)") }

  /// A card whose device is at a place in sysfs.
  func addCard(_ index: Int, at place: String) throws {
    try scratch.makeFolder("class/card\(index)")
    try scratch.makeFolder("devices/\(place)")
    #expect(symlink(scratch("devices/\(place)"), scratch("class/card\(index)/device")) == 0)
    try addNode("controlC\(index)")
  }

  func link(_ name: String, to card: Int) throws {
    try scratch.makeFolder("dev/snd/by-id")
    #expect(symlink("../controlC\(card)", scratch("dev/snd/by-id/\(name)")) == 0)
  }

  func removeAll(_ folder: String) throws {
    try FileManager.default.removeItem(atPath: scratch(folder))
    try scratch.makeFolder(folder)
  }
}

@Suite("Discovery of sound devices")
struct SoundDirectoryTests {
  private static let laptop = """
     0 [PCH            ]: HDA-Intel - HDA Intel PCH
                          HDA Intel PCH at 0x6040110000 irq 150
     1 [Yeti           ]: USB-Audio - Yeti - Stereo Microphone
                          Blue Yeti at usb-0000:00:14.0-1.2, full speed

    """

  private func laptop() throws -> FakeSystem {
    let system = try FakeSystem()
    try system.setCards(Self.laptop)
    try system.addCard(0, at: "pci0000:00/0000:00:1f.3")
    try system.addCard(1, at: "pci0000:00/0000:00:14.0/usb1/1-1/1-1.2/1-1.2:1.0")
    for node in ["pcmC0D0c", "pcmC0D0p", "pcmC0D3p", "pcmC1D0c", "pcmC1D0p", "seq", "timer"] {
      try system.addNode(node)
    }
    try system.scratch.makeFolder("proc/card0/pcm0c")
    try system.scratch.write("card: 0\ndevice: 0\nname: ALC257 Analog\n", to: "proc/card0/pcm0c/info")
    try system.scratch.makeFolder("proc/card0/pcm3p")
    try system.scratch.write("card: 0\ndevice: 3\nname: HDMI 0\n", to: "proc/card0/pcm3p/info")
    return system
  }

  @Test("Devices have the name of their place, or of what they are, and tell directions")
  func places() throws {
    let system = try laptop()
    var devices = system.directory.devices()
    #expect(devices.map(\.id) == ["pci-0000:00:1f.3#0", "pci-0000:00:1f.3#3", "usb-0000:00:14.0-1.2#0"])
    #expect(
      devices.map(\.name) == [
        "HDA Intel PCH: ALC257 Analog", "HDA Intel PCH: HDMI 0", "Yeti - Stereo Microphone",
      ])
    #expect(devices.map(\.pcm) == ["hw:0,0", "hw:0,3", "hw:1,0"])
    #expect(devices.map(\.directions) == [[.capture, .playback], [.playback], [.capture, .playback]])
    #expect(devices[2].card?.longName == "Blue Yeti at usb-0000:00:14.0-1.2, full speed")
    try system.link("usb-Blue_Microphones_Yeti_0001-00", to: 1)
    devices = system.directory.devices()
    #expect(devices[2].id == "usb-Blue_Microphones_Yeti_0001-00#0")
  }

  @Test("A device is found again with another number, whether udev had named it or not")
  func replugging() throws {
    let system = try laptop()
    let byPlace = try #require(system.directory.devices().last)
    try system.link("usb-Yeti-00", to: 1)
    let byName = try #require(system.directory.devices().last)
    #expect(byPlace.id != byName.id)
    try system.removeAll("dev/snd")
    #expect(byPlace.address(in: system.directory) == nil && byName.address(in: system.directory) == nil)
    // It comes back as card 2, in another socket.
    try system.setCards(Self.laptop.replacing(" 1 [Yeti", with: " 2 [Yeti"))
    try system.addCard(2, at: "pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0")
    try system.link("usb-Yeti-00", to: 2)
    try system.addNode("pcmC2D0c")
    #expect(byName.node(.capture, in: system.directory) == system.directory.nodes + "/pcmC2D0c")
    #expect(byPlace.address(in: system.directory) == nil, "something else may be there")
    try system.addNode("pcmC1D0c")
    #expect(byPlace.node(.capture, in: system.directory) == system.directory.nodes + "/pcmC1D0c")
  }

  @Test("Several cards at one place have different ids")
  func twins() throws {
    let system = try FakeSystem()
    try system.setCards(" 0 [One            ]: Dummy - Dummy\n 1 [Two            ]: Dummy - Dummy\n")
    for card in 0...1 {
      try system.addCard(card, at: "platform/snd_dummy.0")
      try system.addNode("pcmC\(card)D0c")
    }
    #expect(system.directory.devices().map(\.id) == ["snd_dummy.0#0", "snd_dummy.0-Two#0"])
  }

  @Test("Without /proc/asound the devices are found all the same")
  func withoutProc() throws {
    let system = try FakeSystem()
    try system.addCard(3, at: "platform/snd_aloop.0")
    try system.scratch.write("Loopback\n", to: "class/card3/id")
    try system.addNode("pcmC3D1p")
    let devices = system.directory.devices()
    #expect(devices.map(\.id) == ["snd_aloop.0#1"] && devices.map(\.name) == ["Loopback"])
  }

  @Test("A name is an id, a device's or a card's name, a node, or ALSA's own")
  func names() throws {
    let system = try laptop()
    let directory = system.directory
    func id(_ name: String, _ direction: AudioDirection = .capture) throws -> String {
      try AudioDevice.device(name, direction, in: directory).id
    }
    #expect(try id("default") == "default")
    #expect(try id("pci-0000:00:1f.3#0") == "pci-0000:00:1f.3#0")
    #expect(try id("Yeti - Stereo Microphone") == "usb-0000:00:14.0-1.2#0")
    #expect(try id("Yeti") == "usb-0000:00:14.0-1.2#0")
    #expect(try id(directory.nodes + "/pcmC0D0c") == "pci-0000:00:1f.3#0")
    #expect(try id("HDA Intel PCH: HDMI 0", .playback) == "pci-0000:00:1f.3#3")
    let named = try AudioDevice.device("plughw:1,0", .capture, in: directory)
    #expect(named.pcm == "plughw:1,0" && named.id == "plughw:1,0")
    #expect(try AudioDevice.device("alsa:studio", .capture, in: directory).pcm == "studio")
  }

  @Test("An unknown name is answered with the nearest one, a wrong direction with what is wrong")
  func unknown() throws {
    let system = try laptop()
    let typo = message {
      _ = try AudioDevice.device("Yeti - Stereo Micorphone", .capture, in: system.directory)
    }
    #expect(typo?.contains("did you mean “Yeti - Stereo Microphone”?") == true, "\(typo ?? "")")
    #expect(typo?.contains("Unknown microphone") == true)
    #expect(
      message { _ = try AudioDevice.device("HDA Intel PCH: HDMI 0", .capture, in: system.directory) }
        == "HDA Intel PCH: HDMI 0 (hw:0,3) does not record sound; name a microphone or an input.")
  }

  @Test("Who holds a device, and in which format, is read from the kernel")
  func use() throws {
    let system = try laptop()
    let yeti = try #require(system.directory.devices().last)
    #expect(yeti.use(.capture, in: system.directory).holders.isEmpty)
    // As Linux 6.1 prints them; the owner is a thread.
    try system.scratch.makeFolder("proc/card1/pcm0c/sub0")
    try system.scratch.write(
      "state: RUNNING\nowner_pid   : \(getpid())\ntrigger_time: 363.4\navail       : 288\n",
      to: "proc/card1/pcm0c/sub0/status")
    try system.scratch.write(
      "access: RW_INTERLEAVED\nformat: S24_3LE\nsubformat: STD\nchannels: 2\nrate: 44100 (44100/1)\n",
      to: "proc/card1/pcm0c/sub0/hw_params")
    let use = yeti.use(.capture, in: system.directory)
    #expect(use.holders.map(\.processID) == [Int(getpid())])
    #expect(use.format == AudioUse(sampleRate: 44_100, channelCount: 2, sampleFormat: "S24_3LE"))
    try system.scratch.write("closed\n", to: "proc/card1/pcm0c/sub0/status")
    #expect(yeti.use(.capture, in: system.directory).holders.isEmpty)
  }

  @Test("Opening goes to where the device is now, and failures name it")
  func opening() throws {
    let system = try laptop()
    let yeti = try #require(system.directory.devices().last)
    let card = FakeCard()
    _ = try MicrophoneInput(yeti, card, in: system.directory).openStream(AudioRequest())
    #expect(card.opened == ["hw:1,0"])
    let expected: [(Int32, CaptureFailure.Reason, String)] = [
      (
        EBUSY, .busy,
        "Yeti - Stereo Microphone (hw:1,0) is busy: another program uses it; "
          + "close the program that uses it (sudo fuser \(system.directory.nodes)/pcmC1D0c names it)."
      ),
      (
        ENODEV, .disconnected,
        "There is no sound device Yeti - Stereo Microphone (hw:1,0); connect it or name another one."
      ),
      (
        EIO, .inputOutput,
        "Cannot open Yeti - Stereo Microphone (hw:1,0): Input/output error; connect the device again."
      ),
    ]
    for (code, reason, text) in expected {
      card.openError = code
      let input = MicrophoneInput(yeti, card, in: system.directory)
      do {
        _ = try input.openStream(AudioRequest())
        Issue.record("opened")
      } catch let failure as CaptureFailure {
        #expect(failure.reason == reason && failure.description == text)
      }
    }
    try system.removeAll("dev/snd")
    card.openError = nil
    let input = MicrophoneInput(yeti, card, in: system.directory)
    #expect(
      message { _ = try input.openStream(AudioRequest()) }
        == "Yeti - Stereo Microphone (hw:1,0) was disconnected; connect it again.")
    let gone = CaptureFailure(.disconnected, SafelightError(.device, ""))
    #expect(!input.awaitReturn(after: gone, until: .now.advanced(bySeconds: 0.05)))
    try system.addNode("pcmC1D0c")
    #expect(input.awaitReturn(after: gone, until: .now.advanced(bySeconds: 0.05)))
    let refused = CaptureFailure(.unsupported, SafelightError(.device, ""))
    #expect(!input.awaitReturn(after: refused, until: .now.advanced(bySeconds: 60)))
  }

  @Test("A device that comes back while it is awaited is noticed")
  func awaiting() async throws {
    let system = try laptop()
    let yeti = try #require(system.directory.devices().last)
    try system.removeAll("dev/snd")
    let input = MicrophoneInput(yeti, FakeCard(), in: system.directory)
    let gone = CaptureFailure(.disconnected, SafelightError(.device, ""))
    let returned = Task.detached { input.awaitReturn(after: gone, until: .now.advanced(bySeconds: 60)) }
    try await Task.sleep(for: .milliseconds(50))
    try system.addNode("pcmC1D0c")
    #expect(await returned.value)
  }

  @Test("20,000 mutated files of the kernel are read or passed over, and say nothing impossible")
  func mutations() {
    var random = SeededRandom(seed: 0x5AFE_1818)
    let corpus = Self.laptop + "state: RUNNING\nowner_pid   : 4711\nrate: 48000 (48000/1)\nchannels: 2\n"
    var found = 0
    for round in 0..<20_000 {
      var bytes = Array(corpus.utf8)
      for _ in 0...round % 4 { Self.mutate(&bytes, using: &random) }
      let text = String(decoding: bytes, as: UTF8.self)
      let cards = SoundProcText.cards(text)
      found += cards.count
      #expect(cards.allSatisfy { $0.index >= 0 && !$0.id.isEmpty && !$0.name.isEmpty }, "round \(round)")
      if let owner = SoundProcText.owner(text) { #expect(owner > 0, "round \(round)") }
      if let use = SoundProcText.use(text) {
        #expect(use.sampleRate > 0 && use.channelCount > 0, "round \(round)")
      }
    }
    // Were everything passed over, nothing would have been tried.
    #expect(found > 20_000 && found < 60_000, "\(found)")
  }

  private static func mutate(_ bytes: inout [UInt8], using random: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let position = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &random)
    case 1: bytes.removeSubrange(position..<min(bytes.count, position + 9))
    case 2: bytes.removeSubrange(position...)
    default: bytes.insert(contentsOf: Array("[]: - \n99999999999999999999".utf8), at: position)
    }
  }
}
