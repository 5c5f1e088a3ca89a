import FrameCore
import TestSupport
import Testing

@testable import Capture

/// What a microphone's stream makes of what happens to a card. The card's samples count its frames, so each
/// event is compared with what the card really did.
@Suite("The stream of a microphone")
struct MicrophoneStreamTests {
  private static let device = AudioDevice(id: "hw:9,0", name: "Mic", pcm: "hw:9,0", directions: [.capture])

  private func open(_ card: FakeCard, _ request: AudioRequest = AudioRequest()) throws -> any AudioStream {
    try MicrophoneInput(Self.device, card, in: .system).openStream(request)
  }

  /// What a stream said, and checks that hold for all streams.
  private struct Record {
    var sound: [AudioBuffer] = []
    var lost: [(count: Int, reason: SilenceReason, at: Timestamp)] = []
    /// `s` for sound, `o` for an overrun, `d` for a loss through disconnection, `i` for idle.
    var text = ""
    var failure: CaptureFailure?

    /// The first sample of a buffer as the number of the card's frame, modulo 2¹⁶.
    static func frame(_ buffer: AudioBuffer) -> Int { Int((buffer.samples[0] * 32_768).rounded()) & 0xFFFF }
  }

  /// Takes events for some seconds of the card's time; the reader is away where `absences` say so.
  private func record(
    _ stream: any AudioStream, _ card: FakeCard, seconds: Double,
    absences: [(at: Double, for: Double)] = []
  ) throws -> Record {
    var record = Record()
    var absences = absences
    let start = card.clock
    var position: Int64 = 0
    while card.clock.seconds(since: start) < seconds {
      if let next = absences.first, card.clock.seconds(since: start) >= next.at {
        absences.removeFirst()
        card.sleep(next.for)
      }
      let event: AudioEvent
      do {
        event = try stream.next(until: card.clock.advanced(bySeconds: 0.2))
      } catch let failure as CaptureFailure {
        record.failure = failure
        return record
      }
      switch event {
      case .sound(let buffer):
        #expect(buffer.position == position)
        position += Int64(buffer.frameCount)
        record.sound.append(buffer)
        record.text += "s"
      case .lost(let count, let reason, let at):
        #expect(count > 0)
        position += Int64(count)
        record.lost.append((count, reason, at))
        record.text += reason == .overrun ? "o" : "d"
      case .idle: record.text += "i"
      case .finished: return record
      }
    }
    return record
  }

  @Test("Sound comes in periods of 10 ms, each with the time at which its first sample was captured")
  func periods() throws {
    let card = FakeCard()
    let stream = try open(card)
    let start = card.clock
    #expect(stream.format == AudioFormat(sampleRate: 48_000, layout: .stereo))
    let record = try record(stream, card, seconds: 1)
    #expect(record.text == String(repeating: "s", count: record.sound.count))
    #expect(record.sound.count == 100)
    for (index, buffer) in record.sound.enumerated() {
      #expect(buffer.frameCount == 480)
      #expect(Record.frame(buffer) == index * 480)
      #expect(abs(buffer.time.seconds(since: start) - Double(index) * 0.01) < 1e-8)
      #expect(buffer.samples[0] == buffer.samples[1], "both channels")
    }
  }

  @Test("A reader that is late within the buffer loses nothing")
  func late() throws {
    let card = FakeCard()
    let stream = try open(card)
    let record = try record(stream, card, seconds: 1, absences: [(0.2, 0.35)])
    #expect(record.lost.isEmpty)
    for (index, buffer) in zip(record.sound, record.sound.dropFirst()).enumerated() {
      let (a, b) = buffer
      #expect(Record.frame(b) == (Record.frame(a) + a.frameCount) & 0xFFFF, "buffer \(index)")
      #expect(abs(b.time.seconds(since: a.time) - a.duration) < 1e-8)
    }
  }

  @Test("An overrun of hardware is counted to the sample", arguments: [0.41, 0.5, 1.0, 7.3])
  func overrun(seconds: Double) throws {
    let card = FakeCard()
    let stream = try open(card)
    let record = try record(stream, card, seconds: seconds + 1, absences: [(0.2, seconds)])
    try #require(record.lost.count == 1)
    let (count, reason, at) = record.lost[0]
    #expect(reason == .overrun)
    let index = try #require(record.text.firstIndex(of: "o"))
    let before = record.sound[record.text.distance(from: record.text.startIndex, to: index) - 1]
    let after = record.sound[record.text.distance(from: record.text.startIndex, to: index)]
    // The card numbers its frames, modulo 2¹⁶, which is 1.4 s.
    #expect((Record.frame(after) - Record.frame(before) - before.frameCount - count) & 0xFFFF == 0)
    #expect(Int(after.position - before.position) == before.frameCount + count)
    #expect(abs(at.seconds(since: before.time) - before.duration) < 1e-6)
    #expect(abs(after.time.seconds(since: at) - Double(count) / 48_000) < 1e-6)
  }

  @Test("A sound server that stops is started again, and the time without sound is counted")
  func serverStops() throws {
    let card = FakeCard()
    card.isHardware = false
    card.serverDelay = 960
    card.events = [.stops(at: 0.305)]
    let stream = try open(card)
    let start = card.clock
    let record = try record(stream, card, seconds: 1)
    try #require(record.lost.count == 1)
    #expect(record.lost[0].reason == .overrun)
    // 30 periods were read; the card starts again at 0.305 s at the earliest.
    #expect(record.lost[0].count == Int((0.305 - 0.3) * 48_000))
    // The delay of the server is before the buffer.
    #expect(abs(record.sound[0].time.seconds(since: start) + 0.02) < 1e-8)
    #expect(record.text.hasPrefix(String(repeating: "s", count: 30) + "os"))
  }

  @Test("After the machine slept sound goes on, and the sleep is counted", arguments: [true, false])
  func sleep(canResume: Bool) throws {
    let card = FakeCard()
    card.events = [.asleep(from: 0.3, to: 2.3, canResume: canResume)]
    let record = try record(try open(card), card, seconds: 3)
    try #require(record.lost.count == 1)
    #expect(record.lost[0].reason == .disconnected)
    // Nothing tells when the device is back, so it is asked every 50 ms.
    #expect((96_000...(96_000 + 2_400 + 480)).contains(record.lost[0].count), "\(record.lost[0].count)")
    let positions = record.sound.map { Int($0.position) & 0xFFFF }
    for (position, buffer) in zip(positions, record.sound) {
      #expect(abs(position - Record.frame(buffer)) <= 2, "positions stay those of the world's clock")
    }
    #expect(record.text.contains("i"), "the stream answers while the machine sleeps")
  }

  @Test("An unplugged device ends the stream at once, with its name")
  func unplugged() throws {
    let card = FakeCard()
    card.events = [.unplugged(at: 0.5)]
    let start = card.clock
    let stream = try open(card)
    let record = try record(stream, card, seconds: 2)
    #expect(record.failure?.reason == .disconnected)
    #expect(
      record.failure?.description
        == "hw:9,0 was disconnected; connect it again.".replacing("hw:9,0", with: "Mic (hw:9,0)"))
    #expect(card.clock.seconds(since: start) < 0.5 + 0.3)
    #expect(record.sound.count == 49 || record.sound.count == 50)
    stream.close()
    #expect(card.pcm?.isClosed == true)
  }

  @Test("A device that stands still without a word is said to be stalled after a second")
  func frozen() throws {
    let card = FakeCard()
    card.events = [.freezes(at: 0.5)]
    let start = card.clock
    let record = try record(try open(card), card, seconds: 5)
    #expect(record.failure?.reason == .stalled)
    let after = card.clock.seconds(since: start) - 0.5
    #expect(after > 0.99 && after < 1.5)
  }

  @Test("Waking ends a wait, and the deadline does")
  func waking() throws {
    let card = FakeCard()
    let stream = try open(card)
    stream.wake()
    guard case .idle = try stream.next(until: card.clock.advanced(bySeconds: 1)) else {
      Issue.record("not woken")
      return
    }
    let deadline = card.clock.advanced(bySeconds: 0.005)
    guard case .idle = try stream.next(until: deadline) else {
      Issue.record("no period is over")
      return
    }
    #expect(card.clock == deadline)
    stream.close()
    guard case .finished = try stream.next(until: .now) else {
      Issue.record("closed")
      return
    }
  }

  @Test("Positions stay exact through any mixture of absences", arguments: 0..<20)
  func mixtures(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let card = FakeCard()
    card.rateRatio = Double.random(in: 0.9999...1.0001, using: &random)
    card.jitter = 0.002
    var absences: [(Double, Double)] = []
    var at = 0.0
    for _ in 0..<10 {
      at += Double.random(in: 0.05...1.5, using: &random)
      absences.append((at, Double.random(in: 0...1.2, using: &random)))
    }
    let record = try record(try open(card), card, seconds: 12, absences: absences)
    #expect(record.failure == nil)
    for buffer in record.sound {
      #expect(Record.frame(buffer) == Int(buffer.position) & 0xFFFF)
    }
    let end = record.sound.last.map { Int($0.position) + $0.frameCount } ?? 0
    #expect(record.lost.reduce(0) { $0 + $1.count } + record.sound.reduce(0) { $0 + $1.frameCount } == end)
  }
}
