import Capture
import FrameCore
import Libc
import Testing

extension CameraTests {
  @Suite("A microphone of snd-aloop", .driver(.sound))
  struct SoundLoopback {
    init() throws { try LoopbackCard.shiftRate(to: 100_000) }

    /// Takes events until `enough` says so, for at most two minutes.
    private func take(
      _ stream: any AudioStream, until enough: ([AudioEvent]) -> Bool
    ) throws -> [AudioEvent] {
      var events: [AudioEvent] = []
      let end = Timestamp.now.advanced(bySeconds: 120)
      while !enough(events) {
        guard Timestamp.now < end else { throw Guest.Expired(description: "no sound for 120 s") }
        switch try stream.next(until: .now.advanced(bySeconds: 1)) {
        case .idle: continue
        case let event: events.append(event)
        }
      }
      return events
    }

    private func buffers(_ events: [AudioEvent]) -> [AudioBuffer] {
      events.compactMap { if case .sound(let buffer) = $0 { buffer } else { nil } }
    }

    private func losses(_ events: [AudioEvent]) -> [Int] {
      events.compactMap { if case .lost(let count, .overrun, _) = $0 { count } else { nil } }
    }

    @Test("The card's devices are found by their place, with what they offer, and nobody holds them")
    func discovery() throws {
      let devices = AudioDevice.discover()
      #expect(devices.map(\.id) == ["default", LoopbackCard.loudspeakerID, LoopbackCard.microphoneID])
      let microphone = try LoopbackCard.microphone
      #expect(microphone.card?.id == "Loopback" && microphone.directions == [.capture, .playback])
      let formats = try microphone.formats(.capture)
      #expect(formats.sampleFormats.contains(.s16) && formats.sampleFormats.contains(.float32))
      #expect(formats.sampleRates.contains(48_000) && formats.channelCounts.contains(4))
      let report = AudioDeviceReport(microphone)
      #expect(report.sides.map(\.direction) == [.capture, .playback])
      #expect(report.sides.allSatisfy { $0.problem == nil && $0.holders.isEmpty && $0.use == nil })
    }

    @Test("A device that another program records from is busy, and the program is named")
    func busy() async throws {
      let recorder = try LoopbackCard.start("arecord -q -D hw:Loopback,1 -f S16_LE -r 48000 -c 2 /dev/null")
      defer { LoopbackCard.end(recorder) }
      let microphone = try LoopbackCard.microphone
      try await Guest.wait(for: "arecord") { !microphone.holders(.capture).isEmpty }
      #expect(microphone.holders(.capture) == [DeviceHolder(processID: Int(recorder), name: "arecord")])
      #expect(
        {
          do {
            _ = try MicrophoneInput(microphone).openStream(AudioRequest())
            return "opened"
          } catch {
            return "\(error)"
          }
        }().contains("is busy: it is in use by arecord (process \(recorder))"))
      // The report leaves a device alone that runs, and says in which format.
      try await Guest.wait(for: "arecord's format") {
        AudioDeviceReport(microphone).sides[0].use
          == AudioUse(sampleRate: 48_000, channelCount: 2, sampleFormat: "S16_LE")
      }
    }

    @Test("What a program plays is recorded sample by sample, in the format that the other side has")
    func samples() async throws {
      let ramp = try LoopbackCard.ramp(seconds: 20)
      let player = try LoopbackCard.start(
        "aplay -q -D hw:Loopback,0 -f S16_LE -r 48000 -c 1 -B 4000000 \(ramp)")
      defer { LoopbackCard.end(player) }
      // Its format is the only one while it runs.
      let loudspeaker = try LoopbackCard.loudspeaker
      try await Guest.wait(for: "aplay's format") { AudioDeviceReport(loudspeaker).sides[1].use != nil }
      let opened = try MicrophoneInput(LoopbackCard.microphone).openStream(AudioRequest())
      #expect(opened.format == AudioFormat(sampleRate: 48_000, layout: .mono))
      defer { opened.close() }
      let events = try take(opened) { buffers($0).contains { $0.samples.contains { $0 > 0.5 } } }
      let sound = buffers(events)
      // Until the player starts there is silence.
      let samples = sound.flatMap(\.samples).map { Int(($0 * 32_768).rounded()) }.drop { $0 == 0 }
      #expect(samples.count > 10_000)
      let steps = zip(samples, samples.dropFirst()).filter { ($1 - $0) & 0x7FFF != 1 }
      #expect(losses(events).isEmpty && steps.isEmpty, "\(steps.prefix(5))")
    }

    @Test("A clock that runs fast or slow shows in the times", arguments: [90_000, 100_000, 110_000])
    func drift(rate: Int) throws {
      try LoopbackCard.shiftRate(to: rate)
      defer { try? LoopbackCard.shiftRate(to: 100_000) }
      let stream = try MicrophoneInput(LoopbackCard.microphone).openStream(AudioRequest())
      defer { stream.close() }
      let sound = buffers(
        try take(stream) { events in
          guard let first = buffers(events).first, let last = buffers(events).last else { return false }
          return last.time.seconds(since: first.time) > 4
        })
      let (first, last) = (try #require(sound.first), try #require(sound.last))
      let measured = Double(last.position - first.position) / last.time.seconds(since: first.time)
      // Times are those of interrupts, which the emulated machine delivers some milliseconds late.
      #expect(abs(measured / 48_000 - 100_000 / Double(rate)) < 0.02, "\(measured) Hz")
    }

    @Test("What a sleeping reader misses is counted, and the sound goes on")
    func overrun() throws {
      let stream = try MicrophoneInput(LoopbackCard.microphone).openStream(AudioRequest())
      defer { stream.close() }
      var events = try take(stream) { buffers($0).count >= 3 }
      for _ in 0..<2 {
        usleep(1_500_000)
        let before = losses(events).count
        events += try take(stream) { losses($0).count >= 1 && buffers($0).count >= 3 }
        #expect(losses(events).count > before)
      }
      var position: Int64 = 0
      for event in events {
        switch event {
        case .sound(let buffer):
          #expect(buffer.position == position)
          position += Int64(buffer.frameCount)
        case .lost(let count, _, _): position += Int64(count)
        case .idle, .finished: break
        }
      }
      // Counts agree with the clock: nothing was lost in the counting.
      let sound = buffers(events)
      let (first, last) = (try #require(sound.first), try #require(sound.last))
      let measured = Double(last.position - first.position) / last.time.seconds(since: first.time)
      #expect(abs(measured / 48_000 - 1) < 0.05, "\(measured) Hz")
    }

    @Test("A card that goes ends the stream, and is awaited by its id until it is back")
    func unplugging() async throws {
      let input = MicrophoneInput(try LoopbackCard.microphone)
      let stream = try input.openStream(AudioRequest())
      _ = try take(stream) { buffers($0).count >= 3 }
      let unbinding = try LoopbackCard.unbind()
      var failure: CaptureFailure?
      do {
        _ = try take(stream) { _ in false }
      } catch let found as CaptureFailure {
        failure = found
      }
      stream.close()
      waitpid(unbinding, nil, 0)
      let found = try #require(failure)
      #expect(found.reason == .disconnected && found.description.contains("was disconnected"), "\(found)")
      #expect(!AudioDevice.discover().contains { $0.id == LoopbackCard.microphoneID })
      #expect(!input.awaitReturn(after: found, until: .now.advanced(bySeconds: 0.2)))
      #expect(throws: CaptureFailure.self) { try input.openStream(AudioRequest()) }
      try LoopbackCard.bind()
      try await Guest.wait(for: "the card") {
        input.awaitReturn(after: found, until: .now.advanced(bySeconds: 1))
      }
      let again = try input.openStream(AudioRequest())
      #expect(buffers(try take(again) { buffers($0).count >= 3 }).count >= 3)
      again.close()
    }

    @Test("A rate that the card lacks is refused with those that it has")
    func refusal() throws {
      #expect(
        {
          do {
            _ = try MicrophoneInput(LoopbackCard.microphone).openStream(AudioRequest(sampleRate: 1_000))
            return ""
          } catch {
            return "\(error)"
          }
        }().contains("does not record at 1000 Hz; ask for "))
    }

    @Test(
      "What the monitor plays is heard, and its latency is measured",
      .disabled("an emulated machine may be too slow to render a block in the time that it lasts"))
    func monitor() throws {
      let format = AudioFormat(sampleRate: 48_000, layout: .mono)
      let monitor = try AudioMonitor(LoopbackCard.loudspeaker, format: format)
      defer { monitor.stop() }
      let stream = try MicrophoneInput(LoopbackCard.microphone).openStream(AudioRequest())
      defer { stream.close() }
      // A microphone that hears a constant half, in real time.
      let start = Timestamp.now
      var position: Int64 = 0
      var latency: MonitorLatency?
      let heard = try take(stream) { events in
        while Timestamp.now.seconds(since: start) > Double(position + 480) / 48_000 {
          monitor.play(
            AudioBuffer(
              format: format, samples: [Float](repeating: 0.5, count: 480),
              time: start.advanced(bySeconds: Double(position) / 48_000), position: position))
          position += 480
        }
        latency = monitor.latency ?? latency
        // The emulated machine may be too slow for more than moments of it.
        return buffers(events).last?.samples.contains { abs($0 - 0.5) < 0.05 } == true && latency != nil
      }
      #expect(!heard.isEmpty && monitor.failure == nil)
      let measured = try #require(latency)
      #expect(measured.total > 0.01, "a chunk is 10 ms")
    }

    @Test(
      "A loudspeaker that goes is named, and played to again once it is back",
      .disabled("an emulated machine may be too slow to render a block in the time that it lasts"))
    func loudspeakerReturns() async throws {
      let monitor = try AudioMonitor(
        LoopbackCard.loudspeaker, format: AudioFormat(sampleRate: 48_000, layout: .mono))
      defer { monitor.stop() }
      let unbinding = try LoopbackCard.unbind()
      try await Guest.wait(for: "the failure") { monitor.failure?.reason == .disconnected }
      waitpid(unbinding, nil, 0)
      #expect(monitor.latency == nil)
      try LoopbackCard.bind()
      try await Guest.wait(for: "the loudspeaker") { monitor.failure == nil }
      #expect(monitor.statistics.failures >= 1)
    }
  }
}
