import FrameCore
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(20))) struct SoundInterruptionTests {
  private let output = AudioDataOutput(keepingNewest: 600)
  private static let disconnected = ScriptedAudioInput.failure(.disconnected)

  @Test("Unplugged: silence goes on in its time while nobody knows of a return, even while opening blocks")
  func silenceMeanwhile() async throws {
    let input = ScriptedAudioInput()
    let session = try await CaptureSession.started(input, output)
    input.send(.sound(480))
    #expect(runs(output.take { _ in true }) == "s480")
    input.script.update { $0.isPresent = false }
    input.send(.failure(Self.disconnected))
    for _ in 0..<5 {
      let block = try #require(output.nextBuffer(until: Timestamp.now.advanced(bySeconds: 60)))
      #expect(block.silence == .disconnected && block.frameCount == 480)
      #expect(block.samples.allSatisfy { $0 == 0 })
      #expect(block.time.advanced(bySeconds: 0.01) <= .now, "not before its time")
    }
    await session.wait { $0.reason == .disconnected }
    #expect(session.audioState == .interrupted(Self.disconnected))
    // It is there again, but opening takes as long as this test wants.
    input.script.update {
      $0.isStuck = true
      $0.isPresent = true
    }
    input.script.wait { $0.openingsBegun == 2 ? true : nil }
    let before = session.audioStatistics.silentDisconnected
    while session.audioStatistics.silentDisconnected < before + 9600 {
      #expect(output.nextBuffer(until: Timestamp.now.advanced(bySeconds: 60))?.silence == .disconnected)
    }
    input.script.update {
      $0.isStuck = false
      $0.number = Int(Timestamp.now.seconds(since: input.start) * 48_000) + 4800
    }
    input.send(.sound(480))
    let rest = output.take { $0.silence == nil }
    // The sample is its number since the script's start, where the first sound was at 0.
    let sound = try #require(rest.last)
    #expect(abs(Double(sound.position) - Double(sound.samples[0])) <= 1)
    await session.wait { $0 == .running }
    #expect(session.audioStatistics.disconnections == 1)
    await session.stop()
  }

  @Test("A microphone that comes back in another format is refused and named, until it has the former one")
  func otherFormat() async throws {
    let input = ScriptedAudioInput()
    input.script.update {
      $0.formats = [
        ScriptedAudioInput.format, AudioFormat(sampleRate: 44_100, layout: .mono), ScriptedAudioInput.format,
      ]
    }
    let session = try await CaptureSession.started(input, output)
    input.send(.sound(480))
    #expect(runs(output.take { _ in true }) == "s480")
    let states = session.audioStates
    input.send(.failure(Self.disconnected))
    var refusal: CaptureFailure?
    for await state in states where state.reason == .unsupported {
      refusal = state.failure
      break
    }
    #expect(
      refusal?.description
        == "microphone came back with 44100 Hz and 1 channel instead of 48000 Hz and 2 channels; set it as it "
        + "was, or start the session again.")
    input.script.wait { $0.opened >= 3 ? true : nil }
    #expect(
      input.script.read { $0.requests.dropFirst() }
        == [
          AudioRequest(sampleRate: 48_000, channelCount: 2),
          AudioRequest(sampleRate: 48_000, channelCount: 2),
        ])
    input.script.update { $0.number = Int(Timestamp.now.seconds(since: input.start) * 48_000) + 4800 }
    input.send(.sound(480))
    let rest = output.take { $0.silence == nil }
    #expect(rest.last?.format == ScriptedAudioInput.format)
    #expect(!runs(rest).contains("gap"))
    await session.wait { $0 == .running }
    #expect(session.audioStatistics.disconnections == 1)
    await session.stop()
  }

  @Test("A source that never returns has failed, and its outputs end")
  func neverReturns() async throws {
    let input = ScriptedAudioInput()
    let session = try await CaptureSession.started(input, output)
    input.send(.sound(480))
    #expect(runs(output.take { _ in true }) == "s480")
    input.script.update { $0.isPresent = nil }
    input.send(.failure(ScriptedAudioInput.failure(.inputOutput)))
    _ = output.takeAll()
    await session.wait { $0.isFinal }
    #expect(session.audioState == .failed(ScriptedAudioInput.failure(.inputOutput)))
    // Another start begins anew.
    input.script.update { $0.isPresent = true }
    try await session.start()
    input.send(.sound(100))
    #expect(output.take { _ in true }.first?.position == 0)
    await session.stop()
  }

  @Test(
    "A microphone that is not there yet is waited for if asked; a connection it cannot serve is refused then")
  func waiting() async throws {
    let input = ScriptedAudioInput()
    let probe = SoundProbe()
    let session = CaptureSession()
    try await session.configure {
      try $0.add(input)
      try $0.add(probe, audioConnection: AudioConnection(channels: .indices([1])))
    }
    input.script.update {
      $0.openings = [Self.disconnected]
      $0.isPresent = false
    }
    try await session.start(waitingForSource: true)
    await session.wait { $0.reason == .disconnected }
    #expect(probe.events == ["open later"])
    input.script.update { $0.isPresent = true }
    input.send(.sound(480))
    probe.wait { $0.samples == 480 }
    #expect(probe.events == ["open later"])
    #expect(session.audioFormat == ScriptedAudioInput.format)
    await session.stop()

    let refusal = "A sound connection asks for channel 2 of a source with 2; ask for some of 0 to 1."
    try await session.configure { try $0.setConnection(AudioConnection(channels: .indices([2])), to: probe) }
    let error = await #expect(throws: CaptureFailure.self) { try await session.start(waitingForSource: true) }
    #expect(error?.description == refusal)
    try await session.configure { try $0.setConnection(AudioConnection(), to: probe) }
    try await session.start()
    let running = await #expect(throws: SafelightError.self) {
      try await session.configure {
        try $0.setConnection(AudioConnection(channels: .indices([2])), to: probe)
      }
    }
    #expect(running?.description == refusal)
    await session.stop()
  }

  @Test("Muting and gain act from the next buffer on and fade; other channels begin a new run")
  func connection() async throws {
    let input = ScriptedAudioInput()
    let probe = SoundProbe()
    let session = try await CaptureSession.started(input, probe)
    input.script.update { $0.number = 1000 }
    input.send(.sound(480))
    probe.wait { $0.samples == 480 }
    #expect(probe.state.read { $0.newest.first } == 1000)
    try await session.configure { try $0.setConnection(AudioConnection(isMuted: true), to: probe) }
    input.send(.sound(480))
    probe.wait { $0.samples == 960 }
    let faded = probe.state.read { $0.newest }
    // 5 ms are 240 samples; the first is 239/240 of its value.
    #expect(faded[0] == 1480 * (1 - Float(1) / 240))
    #expect(faded[478...].allSatisfy { $0 == 0 })
    try await session.configure { try $0.setConnection(AudioConnection(channels: .mono), to: probe) }
    #expect(probe.events == ["open 48000 2", "close", "open 48000 1"])
    await session.stop()
  }

  @Test("Simulated faults, unpaced: an unplugged device and overruns are silence of exactly their length")
  func exactCounts() async throws {
    let faults = SyntheticAudioFaults(
      overruns: [0.1..<0.125, 2.0..<2.001], unplugged: [0.5..<0.8, 1.0..<1.5])
    let input = try SyntheticAudio(
      format: AudioFormat(sampleRate: 44_100, layout: .mono), paced: false,
      startTime: Timestamp(nanoseconds: 5_000_000_000), duration: 2.5, faults: faults)
    let session = try await CaptureSession.started(input, output)
    let buffers = output.takeAll()
    // 0.025 s are 1102.5 samples: those from 4410 on before 5512.5.
    #expect(
      runs(buffers)
        == "s4410 overrun1103 s16537 disconnected13230 s8820 disconnected22050 s22050 overrun45 s22005")
    #expect(buffers.last.map { $0.position + Int64($0.frameCount) } == 110_250)
    await session.wait { $0.isFinal }
    let statistics = session.audioStatistics
    #expect(statistics.captured == 4410 + 16_537 + 8820 + 22_050 + 22_005)
    #expect([statistics.silentOverrun, statistics.silentDisconnected] == [1148, 35_280])
    #expect([statistics.overruns, statistics.disconnections] == [2, 2])
    // Each beep is where its second is, whatever was lost before: at 0, 2 s (lost in part), not at 1 s.
    let samples = buffers.flatMap(\.samples)
    #expect(samples[Int(1.0 * 44_100)..<Int(1.5 * 44_100)].allSatisfy { $0 == 0 })
    #expect(samples[Int(2.01 * 44_100)..<Int(2.04 * 44_100)].contains { $0 > 0.2 })
  }

  @Test("A session in real time: unplugged for 0.3 s, beeps stay at their seconds")
  func realTime() async throws {
    let input = try SyntheticAudio(
      format: AudioFormat(sampleRate: 16_000, layout: .mono), duration: 3.2,
      faults: SyntheticAudioFaults(unplugged: [0.4..<0.7]))
    let session = try await CaptureSession.started(input, output)
    let buffers = output.takeAll()
    await session.wait { $0.isFinal }
    #expect(!runs(buffers).contains("gap"))
    let silent = session.audioStatistics.silentDisconnected
    #expect(silent >= 4800, "at least while it was away; longer if the machine was busy")
    let first = try #require(buffers.first)
    let onsets = BeatMeasurement.beepOnsets(in: buffers.flatMap(\.samples), sampleRate: 16_000)
    let isCaptured = buffers.flatMap { Array(repeating: $0.silence == nil, count: $0.frameCount) }
    let phase = Double(first.time.nanoseconds % 1_000_000_000) / 1e9
    var whole = 0
    for second in 1...3 {
      let expected = (Double(second) - phase) * 16_000
      let around = Int(expected) - 160..<Int(expected) + 960
      // A beep that begins or ends in silence has no edge to be found by.
      guard isCaptured.indices.contains(around.upperBound), around.lowerBound >= 0,
        isCaptured[around].allSatisfy({ $0 })
      else { continue }
      whole += 1
      #expect(onsets.contains { abs($0 - expected) < 8 }, "half a millisecond")
    }
    #expect(whole > 0)
  }
}
