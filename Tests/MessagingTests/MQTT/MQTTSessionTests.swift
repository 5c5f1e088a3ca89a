import FrameCore
import Testing

@testable import Messaging

/// The bytes are those of the standard's own figures, and of a conversation of mosquitto 2.0 with its own
/// mosquitto_pub.
@Suite("Conversations with a broker") struct MQTTSessionTests {
  private static func time(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 0).advanced(bySeconds: seconds)
  }

  private static let identity = MQTTSession.Identity(client: "ab", statusTopic: "p/status")

  private func openSession() throws -> MQTTSession {
    var session = MQTTSession(Self.identity)
    _ = session.opened(at: Self.time(0))
    try session.received([0x20, 2, 0, 0], at: Self.time(0))
    return session
  }

  /// PUBLISH of quality 1, written out by hand.
  private func publish(_ topic: String, _ payload: String, id: UInt8, isRetained: Bool = false) -> [UInt8] {
    [isRetained ? 0x33 : 0x32, UInt8(topic.utf8.count + payload.utf8.count + 4), 0, UInt8(topic.utf8.count)]
      + Array(topic.utf8) + [0, id] + Array(payload.utf8)
  }

  @Test("The first packet has the protocol's name and level, the will, and who connects")
  func connect() {
    var session = MQTTSession(Self.identity)
    var expected: [UInt8] =
      [0x10, 33, 0, 4] + Array("MQTT".utf8) + [4, 0x2E, 0, 30, 0, 2] + Array("ab".utf8)
    expected += [0, 8] + Array("p/status".utf8) + [0, 7] + Array("offline".utf8)
    #expect(session.opened(at: Self.time(0)) == expected)
    var named = Self.identity
    (named.user, named.password) = ("me", "pw")
    session = MQTTSession(named)
    let bytes = session.opened(at: Self.time(0))
    #expect(
      bytes[9] == 0xEE && Array(bytes.suffix(8)) == [0, 2] + Array("me".utf8) + [0, 2] + Array("pw".utf8))
  }

  @Test("After the answer it says that it is online, then sends what waits, until each is confirmed")
  func publishes() throws {
    var session = MQTTSession(Self.identity)
    session.publish(MQTTMessage("p/a", "1"))
    _ = session.opened(at: Self.time(0))
    #expect(try session.step(at: Self.time(0)).isEmpty && !session.isOpen)
    // The answer comes in pieces.
    for byte: UInt8 in [0x20, 2, 0, 0] { try session.received([byte], at: Self.time(0.1)) }
    #expect(session.isOpen)
    #expect(
      try session.step(at: Self.time(0.1)) == publish("p/status", "online", id: 1, isRetained: true)
        + publish("p/a", "1", id: 2))
    #expect(!session.isIdle)
    try session.received([0x40, 2, 0, 1, 0x40, 2, 0, 2], at: Self.time(0.2))
    #expect(session.isIdle)
  }

  @Test(
    "After a break, what was not confirmed comes again, and retained states anew, only the newest of each")
  func again() throws {
    var session = try openSession()
    _ = try session.step(at: Self.time(0))
    for text in ["OFF", "ON"] { session.publish(MQTTMessage("p/m", text, isRetained: true)) }
    session.publish(MQTTMessage("p/e", "x"))
    _ = try session.step(at: Self.time(1))
    session.closed()
    #expect(!session.isOpen)
    session.publish(MQTTMessage("p/m", "OFF", isRetained: true))
    _ = session.opened(at: Self.time(2))
    try session.received([0x20, 2, 0, 0], at: Self.time(2))
    let bytes = try session.step(at: Self.time(2))
    let first = 5 - 1
    #expect(
      bytes == publish("p/status", "online", id: UInt8(first), isRetained: true)
        + publish("p/m", "OFF", id: UInt8(first + 1), isRetained: true)
        + publish("p/e", "x", id: UInt8(first + 2)))
  }

  @Test("While nobody answers a bounded number waits; states are not lost before events")
  func bounded() throws {
    var session = try openSession()
    session.publish(MQTTMessage("p/m", "ON", isRetained: true))
    for number in 0..<1000 { session.publish(MQTTMessage("p/e", "\(number)")) }
    #expect(session.lost == 1000 + 2 - MQTTSession.mostWaiting)
    // Only so many are sent before some are confirmed.
    let bytes = try session.step(at: Self.time(1))
    #expect(bytes.count { $0 == 0x32 || $0 == 0x33 } >= MQTTSession.mostSent)
    #expect(String(decoding: bytes, as: UTF8.self).contains("p/m"))
    #expect(try session.step(at: Self.time(1)).isEmpty)
  }

  @Test("A quiet connection is kept alive; a broker that does not answer is given up")
  func keepAlive() throws {
    var session = try openSession()
    _ = try session.step(at: Self.time(0))
    try session.received([0x40, 2, 0, 1], at: Self.time(0))
    #expect(try session.step(at: Self.time(14)).isEmpty)
    #expect(try session.step(at: Self.time(15)) == [0xC0, 0])
    try session.received([0xD0, 0], at: Self.time(15.1))
    #expect(try session.step(at: Self.time(30)) == [0xC0, 0])
    #expect(throws: MQTTSession.Problem.silent) { try session.step(at: Self.time(40.1)) }
  }

  @Test(
    "A broker that refuses, or that is none, is told from one that works",
    arguments: [
      ([0x20, 2, 0, 5], .refused(5)), ([0x20, 2, 0, 1], .refused(1)), (Array("HTTP/1.1 400".utf8), .garbage),
      ([0x40, 2, 0, 1], .garbage), ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .garbage),
      ([0x30, 0xFF, 0xFF, 0xFF, 0x7F], .garbage),
      ([0x20, 3, 0, 0, 0], .garbage),
    ] as [([UInt8], MQTTSession.Problem)])
  func wrong(_ bytes: [UInt8], _ problem: MQTTSession.Problem) {
    var session = MQTTSession(Self.identity)
    _ = session.opened(at: Self.time(0))
    #expect(throws: problem) { try session.received(bytes, at: Self.time(0)) }
    #expect("\(problem)".isEmpty == false)
  }

  @Test("Long messages have lengths of several bytes")
  func lengths() throws {
    var session = try openSession()
    _ = try session.step(at: Self.time(0))
    session.publish(MQTTMessage("t", String(repeating: "x", count: 321)))
    // The standard's own example of a length: 321 is 0xC1 0x02; here topic and number come to it.
    #expect(try Array(session.step(at: Self.time(0)).prefix(3)) == [0x32, 0xC6, 0x02])
  }

  @Test("Addresses are read with their defaults, and others refused")
  func addresses() throws {
    #expect(try MQTTAddress("broker") == MQTTAddress("broker:1883/safelight"))
    let address = try MQTTAddress("[::1]:1884/home/door")
    #expect(address.host == "::1" && address.port == 1884 && address.prefix == "home/door")
    #expect(try MQTTAddress("[fe80::1]").host == "fe80::1")
    for text in [
      "", ":1", "a:0", "a:99999", "a:b", "a b", "a/", "a//b", "a/b/", "a/+", "a/#", "me:pw@a", "a/b c",
    ] {
      #expect(throws: SafelightError.self) { try MQTTAddress(text) }
    }
  }

  @Test("A broker that is silent is noticed also while it takes nothing, and nothing is sent then")
  func silentWhileFull() throws {
    var session = try openSession()
    _ = try session.step(at: Self.time(0))
    session.publish(MQTTMessage("p/e", "x"))
    #expect(try session.step(at: Self.time(9), isFull: true).isEmpty)
    #expect(throws: MQTTSession.Problem.silent) { _ = try session.step(at: Self.time(10.5), isFull: true) }
    // One that confirms is not silent, and gets the rest once it has room.
    try session.received([0x40, 2, 0, 1], at: Self.time(11))
    #expect(try session.step(at: Self.time(22), isFull: true).isEmpty)
    #expect(try session.step(at: Self.time(22)) == publish("p/e", "x", id: 2))
  }
}
