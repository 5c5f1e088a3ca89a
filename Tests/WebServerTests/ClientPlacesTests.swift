import FrameCore
import TestSupport
import Testing

@testable import WebServer

/// Time runs from left to right, a second a column; clients are letters. They connect, ask for a stream, stop taking
/// their parts (`stops`) and take them again (`takes`). What comes out is who leaves and who is refused.
@Suite("Places of clients")
struct ClientPlacesTests {
  private struct Timeline {
    var short = 2
    var long = 2
    var connects = ""
    var asks = ""
    var stops = ""
    var takes = ""
    /// The network of each client; those not in it have one of their own each.
    var networks: [Character: UInt8] = [:]

    func run() -> (leaves: String, refused: String) {
      var places = ClientPlaces(.init(short: short, long: long, patience: 2))
      var (leaves, refused) = ("", "")
      for column in 0..<max(connects.count, asks.count, stops.count, takes.count) {
        let now = Timestamp(nanoseconds: Int64(column) * 1_000_000_000)
        func client(_ row: String) -> Character? {
          let character = row.dropFirst(column).first
          return character == " " ? nil : character
        }
        var (left, turnedAway): (Character, Character) = ("-", "-")
        for (kind, name) in [(ClientPlaces.Kind.short, client(connects)), (.long, client(asks))] {
          guard let name else { continue }
          switch places.give(kind, to: Self.id(name), of: [networks[name] ?? UInt8(Self.id(name))], at: now) {
          case .granted: break
          case .grantedInstead(let other): left = Character(Unicode.Scalar(UInt8(other)))
          case .refused: turnedAway = name
          }
        }
        if let name = client(stops) { places.offered(Self.id(name), at: now) }
        if let name = client(takes) { places.took(Self.id(name)) }
        leaves.append(left)
        refused.append(turnedAway)
      }
      return (leaves, refused)
    }

    static func id(_ name: Character) -> ClientPlaces.ClientID { UInt64(name.asciiValue ?? 0) }
  }

  @Test("Of those who only connect, the oldest leaves")
  func connecting() {
    let result = Timeline(connects: "abcd").run()
    #expect(result == ("--ab", "----"))
  }

  @Test("Those who watch leave room for those who connect, and keep their places from them")
  func moving() {
    let result = Timeline(
      connects: "ab cdef",
      asks: "  a"
    ).run()
    #expect(result == ("----bcd", "-------"))
  }

  @Test("Where all watch and take their parts, the next is refused and keeps its short place")
  func full() {
    let result = Timeline(
      connects: "ab  c d",
      asks: "  ab c"
    ).run()
    #expect(result == ("-------", "-----c-"))
  }

  @Test("Who has not taken its part for two seconds leaves where somebody asks, not before")
  func stalled() {
    let result = Timeline(
      connects: "ab  cd",
      asks: "  ab cc d",
      stops: "    a"
    ).run()
    // c asks after one second, and again after two.
    #expect(result == ("------a--", "-----c--d"))
  }

  @Test("Of two, the one that has not taken its part for longer leaves first")
  func slowest() {
    let result = Timeline(
      connects: "ab  cd",
      asks: "  ab    cd",
      stops: "    ba"
    ).run()
    #expect(result == ("--------ba", "----------"))
  }

  @Test("Who takes its part late stays")
  func takesLate() {
    let result = Timeline(
      connects: "ab  c",
      asks: "  ab   c",
      stops: "    a",
      takes: "      a"
    ).run()
    #expect(result == ("--------", "-------c"))
  }

  @Test("The network with the most places gives one to another that has at least two fewer")
  func networks() {
    let result = Timeline(
      short: 9, long: 3,
      connects: "abcdefg",
      asks: "       abcdefg",
      networks: ["a": 1, "b": 1, "c": 1, "e": 1]
    ).run()
    // d takes the place of c, the last of the three; e is of the same network; f takes that of b; then all have one.
    #expect(result == ("----------c-b-", "-----------e-g"))
  }

  @Test(
    "Whatever happens, no place is given twice, and who takes its parts stays among those of its network")
  func random() {
    var random = SeededRandom(seed: 0x5AFE_1170)
    var places = ClientPlaces(.init(short: 5, long: 5, patience: 2))
    // 0 watches before anybody else, and never misses a frame.
    _ = places.give(.long, to: 0, of: [0], at: Timestamp(nanoseconds: 0))
    for step in 1...20_000 {
      let now = Timestamp(nanoseconds: Int64(step) * 100_000_000)
      let client = UInt64.random(in: 1...20, using: &random)
      var decision = ClientPlaces.Decision.granted
      switch Int.random(in: 0..<6, using: &random) {
      case 0: decision = places.give(.short, to: client, of: [0], at: now)
      case 1: decision = places.give(.long, to: client, of: [0], at: now)
      case 2: places.leave(client)
      case 3: places.took(client)
      default: places.offered(client, at: now)
      }
      #expect(decision != .grantedInstead(of: 0) && decision != .grantedInstead(of: client))
      #expect(places.count(.short) <= 5 && (1...5).contains(places.count(.long)))
    }
  }
}
