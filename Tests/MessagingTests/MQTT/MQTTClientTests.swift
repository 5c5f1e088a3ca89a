import FrameCore
import Libc
import TestSupport
import Testing

@testable import Messaging

extension ExternalProgram {
  fileprivate static let mosquitto = ExternalProgram("mosquitto", debianPackage: "mosquitto")
  fileprivate static let mosquittoSub = ExternalProgram("mosquitto_sub", debianPackage: "mosquitto-clients")
}

@Suite("Publishing by MQTT") struct MQTTClientTests {
  /// A socket that listens on this machine.
  private final class Listener {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var port: UInt16 = 0

    init() throws {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          bind(descriptor, pointer, size) + listen(descriptor, 8) + getsockname(descriptor, pointer, &size)
        }
      }
      try #require(status == 0)
      port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
  }

  private func notes(of client: MQTTClient, until words: String) -> [String] {
    var notes: [String] = []
    let deadline = Timestamp.now.advanced(bySeconds: 60)
    while !notes.contains(where: { $0.contains(words) }), Timestamp.now < deadline {
      notes += client.takeNotes()
      usleep(10_000)
    }
    return notes
  }

  @Test(
    "A broker that is away, refuses, or is none, is told of, and holds nobody up",
    arguments: [
      (nil, "refused"), ([0x20, 2, 0, 5], "MQTT_USERNAME"),
      (Array("HTTP/1.1 400 Bad".utf8), "no MQTT broker"),
      ([], "has closed the connection"),
    ] as [([UInt8]?, String)])
  func wrong(_ answer: [UInt8]?, _ words: String) throws {
    var listener: Listener? = try Listener()
    let port = try #require(listener?.port)
    if answer == nil { listener = nil }
    let client = try MQTTClient(MQTTAddress("127.0.0.1:\(port)"))
    for number in 0..<1000 { client.publish(MQTTMessage("t", "\(number)")) }
    if let answer, let listener {
      let peer = accept(listener.descriptor, nil, nil)
      var bytes = [UInt8](repeating: 0, count: 256)
      #expect(recv(peer, &bytes, bytes.count, 0) > 0)
      _ = send(peer, answer, answer.count, 0)
      if answer.isEmpty { close(peer) }
      let notes = notes(of: client, until: words)
      #expect(notes.last?.contains(words) == true, "\(notes)")
      if !answer.isEmpty { close(peer) }
    } else {
      #expect(notes(of: client, until: words).last?.contains(words) == true)
    }
    #expect(client.lost > 0)
    client.finish(patience: 0.1)
  }

  @Test(
    "mosquitto delivers what is published, keeps states, and tells of the end and of a client that is killed",
    .installed(.mosquitto, .mosquittoSub))
  func mosquitto() throws {
    // A port that was free a moment ago.
    let port = try Listener().port
    let scratch = try Scratch()
    try scratch.write("listener \(port) 127.0.0.1\nallow_anonymous true\n", to: "conf")
    let client = try MQTTClient(MQTTAddress("127.0.0.1:\(port)/home/door"))
    client.publish(MQTTMessage("home/door/motion", "OFF", isRetained: true))
    // The broker comes later than the client.
    let broker = try ChildProcess(
      try #require(ExternalProgram.mosquitto.path), ["-c", scratch("conf")], hasOwnGroup: true)
    defer { broker.signal(SIGTERM) }
    #expect(notes(of: client, until: "connected").last == "MQTT: connected to 127.0.0.1:\(port)")
    let long = String(repeating: "x", count: 100_000)
    let reader = try ChildProcess(
      try #require(ExternalProgram.mosquittoSub.path),
      ["-p", "\(port)", "-h", "127.0.0.1", "-q", "1", "-t", "home/#", "-F", "%r %t %l %p", "-C", "7"])
    // What is retained comes at once; the rest once it has subscribed.
    usleep(2_000_000)
    client.publish(MQTTMessage("home/door/motion", "ON", isRetained: true))
    client.publish(MQTTMessage("home/door/event", "{\"text\":\"é\"}"))
    client.publish(MQTTMessage("home/door/event", long))
    client.finish(patience: 10)
    // A second client is killed by its socket: the last will says so.
    let second = try MQTTClient(MQTTAddress("127.0.0.1:\(port)/home/door"))
    #expect(notes(of: second, until: "connected").count == 1)
    let lines = try reader.wait(seconds: 60).text.split(separator: "\n").map { String($0.prefix(60)) }
    #expect(
      lines.contains("1 home/door/status 6 online") && lines.contains("1 home/door/motion 3 OFF"), "\(lines)")
    let live = lines.filter { $0.hasPrefix("0 ") }
    #expect(
      live == [
        "0 home/door/motion 2 ON", "0 home/door/event 13 {\"text\":\"é\"}",
        "0 home/door/event 100000 " + String(repeating: "x", count: 35), "0 home/door/status 7 offline",
        "0 home/door/status 6 online",
      ], "\(lines)")
    second.finish(patience: 5)
  }
}
