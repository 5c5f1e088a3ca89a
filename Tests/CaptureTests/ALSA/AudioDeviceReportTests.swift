import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import Capture

/// What `safelight audio devices --json` will print.
@Suite("Reports of sound devices")
struct AudioDeviceReportTests {
  @Test("The JSON of a microphone, and of a device that does not answer, is that recorded and is read back")
  func recorded() throws {
    let nowhere = SoundDirectory(
      nodes: "/nowhere/snd", links: "/nowhere/by-id", classes: "/nowhere/class", processes: "/nowhere/proc")
    let card = FakeCard()
    let named = AudioDevice(id: "hw:9,0", name: "hw:9,0", pcm: "hw:9,0", directions: [.capture])
    let answered = AudioDeviceReport(named, card, in: nowhere)
    #expect(answered.sides[0].formats == card.formats)
    var gone = AudioDeviceReport(
      AudioDevice(
        id: "usb-Yeti-00#0", name: "Yeti", pcm: "hw:1,0", directions: [.playback, .capture],
        card: AudioCard(index: 1, id: "Yeti", name: "Yeti", longName: "Blue Yeti"), deviceNumber: 0),
      card, in: nowhere)
    #expect(gone.sides.map(\.direction) == [.capture, .playback])
    #expect(gone.sides[0].problem == "Yeti (hw:1,0) was disconnected; connect it again.")
    gone.sides[1].use = AudioUse(sampleRate: 44_100, channelCount: 2, sampleFormat: "S16_LE")
    gone.sides[1].holders = ["obs (process 4711)"]
    let text = try [answered, gone].json()
    #expect(try JSONDecoder().decode([AudioDeviceReport].self, from: Data(text.utf8)) == [answered, gone])
    try expectRecorded(text: text + "\n", as: "audio-devices")
  }
}
