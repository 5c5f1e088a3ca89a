import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("The choice of a sound format")
struct AudioDeviceFormatsTests {
  private func formats(
    _ rates: [Int], _ channels: [Int], low: Int? = nil, high: Int? = nil,
    _ samples: [AudioSampleFormat] = [.s32, .s16]
  ) -> AudioDeviceFormats {
    AudioDeviceFormats(
      sampleRates: rates, lowestRate: low ?? rates.first ?? 0, highestRate: high ?? rates.last ?? 0,
      channelCounts: channels, sampleFormats: samples)
  }

  private func choose(_ formats: AudioDeviceFormats, _ rate: Int? = nil, _ channels: Int? = nil) throws
    -> [Int]
  {
    let chosen = try formats.configuration(
      for: AudioRequest(sampleRate: rate, channelCount: channels), period: 0.01, buffer: 0.4,
      direction: .capture, device: "Mic")
    return [chosen.sampleRate, chosen.channelCount, chosen.period, chosen.buffer]
  }

  @Test("Without a request the rate is 48 kHz and the sound stereo, or what is nearest")
  func usual() throws {
    #expect(try choose(formats([44_100, 48_000, 96_000], [1, 2, 8])) == [48_000, 2, 480, 19_200])
    #expect(try choose(formats([16_000], [1])) == [16_000, 1, 160, 6_400])
    #expect(try choose(formats([44_100, 96_000], [4, 8])) == [44_100, 4, 441, 17_640])
    // Some converters have one rate that nobody tries.
    #expect(try choose(formats([], [2], low: 31_250, high: 31_250)) == [31_250, 2, 313, 12_500])
  }

  @Test("A request is met exactly, and any rate where the device converts")
  func requests() throws {
    #expect(try choose(formats([44_100, 48_000], [1, 2]), 44_100, 1) == [44_100, 1, 441, 17_640])
    let all = formats(AudioDeviceFormats.usualRates, [1, 2, 4], low: 4_000, high: 192_000)
    #expect(try choose(all, 12_345, 4) == [12_345, 4, 123, 4_938])
  }

  @Test("What a device lacks is refused with what it has")
  func refusals() {
    let webcam = formats([16_000, 48_000], [2])
    #expect(
      message { _ = try choose(webcam, 44_100) }
        == "Mic does not record at 44100 Hz; ask for 16000 or 48000 Hz.")
    #expect(message { _ = try choose(webcam, nil, 4) } == "Mic does not record 4 channels; ask for 2.")
    #expect(
      message { _ = try choose(formats([48_000], [1, 2, 3, 4]), nil, 1 + 7) }
        == "Mic does not record 8 channels; ask for 1 to 4.")
    #expect(
      message { _ = try choose(formats([48_000], [2], [])) }
        == "Mic has none of the sample formats FLOAT_LE, S32_LE, S24_LE, S24_3LE, S16_LE; "
        + "name it as plughw:CARD,DEVICE, which converts.")
  }

  @Test("Errors of devices are one sentence with a remedy")
  func errors() {
    #expect(
      SoundErrors.libraryMissing("libasound.so.2: cannot open").description
        == "Sound needs ALSA's library, which cannot be opened (libasound.so.2: cannot open); "
        + "install it (Debian and Ubuntu: apt-get install libasound2).")
    #expect(
      SoundErrors.failure(opening: "Default", node: nil, holders: [], errno: 13).description
        == "You are not allowed to open Default; "
        + "join the group audio (sudo usermod -aG audio \"$USER\") and log in again.")
    #expect(
      SoundErrors.busy("Mic", node: nil, holders: [DeviceHolder(processID: 7, name: "obs")]).description
        == "Mic is busy: it is in use by obs (process 7); "
        + "close that program, or use the device default, which programs share.")
    #expect(
      SoundErrors.failure(PCMError(code: 22, step: .rate), "Mic", .capture).description
        == "Cannot set the sample rate of Mic together with what was set before; "
        + "ask for another rate or number of channels.")
  }
}
