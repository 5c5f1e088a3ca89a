import LibraryTestSupport
import Safelight
import Foundation
import TestSupport
import Testing

@testable import Serving

/// Damaged requests: whatever the bytes, they are understood in one way, refused or waited for.
@Suite("Damaged HTTP requests")
struct HTTPRequestFuzzTests {
  private static let seeds: [(name: String, bytes: [UInt8])] = {
    let folder = packageFolder + "/Tests/Fuzz/http"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasSuffix(".md") }.sorted().compactMap { name in
      (try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))).map { (name, Array($0)) }
    }
  }()

  private static let tokens = [
    "\r", "\n", "\r\n", "\r\n\r\n", "\n\n", " ", "\t", "\0", ":", "Host: ", "Host:localhost\r\n", "localhost",
    "127.", "127.0.0.1", ".evil.example", "@", "[", "]", "[::1]", "%", "#", "?", "/", "http://", "HTTP/1.1",
    "HTTP/1.0", "\u{FF}", "Sec-Fetch-Site: cross-site\r\n", "Origin: null\r\n", "00",
    "POST ", "/photo?", "age=", "at=", "wait=0", "&", "X-Safelight: 1\r\n",
  ].map { Array($0.utf8) }

  @Test("Seeds are understood or not as their names say")
  func seeds() {
    #expect(Self.seeds.count >= 30)
    for (name, bytes) in Self.seeds {
      var isUnderstood = false
      if case .complete = HTTPRequest.parse(bytes) { isUnderstood = true }
      #expect(isUnderstood == name.hasPrefix("good-"), "\(name)")
    }
  }

  @Test("30,000 mutated requests: no other name than this machine's own sees a stream for this machine only")
  func mutations() throws {
    var random = SeededRandom(seed: 0x5AFE_1169)
    let access = StreamAccess(isLoopback: true, machineName: "booth")
    // A plain way to tell such a name, beside the reader's own.
    let ownName = #/(localhost\.?|127\.\d+\.\d+\.\d+|\[[0:]+1\])(:\d+)?/#.ignoresCase()
    let now = Timestamp(nanoseconds: 81_235_000_000_000)
    var (understood, allowed) = (0, 0)
    for round in 0..<30_000 {
      var bytes = Self.seeds[round % Self.seeds.count].bytes
      for _ in 0...(round / Self.seeds.count % 4) { Self.mutate(&bytes, using: &random) }
      let parsing = HTTPRequest.parse(bytes)
      // What follows the empty line changes nothing.
      if parsing != .incomplete {
        #expect(HTTPRequest.parse(bytes + Array("Host: x\r\n\r\n".utf8)) == parsing)
      }
      guard case .complete(let request) = parsing else { continue }
      understood += 1
      if let press = try? PressRequest(query: request.query), let moment = try? press.moment(now: now) {
        #expect((0...2).contains(now.seconds(since: moment)), "\(request.query)")
      }
      #expect(request.path.hasPrefix("/") && request.path.utf8.allSatisfy { (0x21...0x7E).contains($0) })
      guard access.refusal(of: request) == nil else { continue }
      allowed += 1
      let text = String(decoding: bytes, as: UTF8.self)
      let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      let head = lines.prefix { !$0.isEmpty }
      let names = head.dropFirst().filter { $0.lowercased().hasPrefix("host:") }
      let target = try #require(head.first?.split(separator: " ").dropFirst().first)
      if target.lowercased().hasPrefix("http://") {
        let authority = target.dropFirst("http://".count).prefix { $0 != "/" && $0 != "?" }
        #expect(authority.wholeMatch(of: ownName) != nil, "round \(round): \(text.debugDescription)")
      } else if head.first?.contains("HTTP/1.0") == false || !names.isEmpty {
        let name = try #require(names.first, "round \(round): \(text.debugDescription)")
        let value = name.dropFirst("host:".count).trimmingCharacters(in: .whitespaces)
        #expect(
          names.count == 1 && value.wholeMatch(of: ownName) != nil, "round \(round): \(text.debugDescription)"
        )
      }
    }
    // Were everything refused at its first byte, nothing would have been tried.
    #expect(understood > 800 && allowed > 300, "\(understood) \(allowed)")
  }

  private static func mutate(_ bytes: inout [UInt8], using random: inout SeededRandom) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4: bytes.replaceSubrange(place..<end, with: tokens.randomElement(using: &random) ?? [])
    default: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: place)
    }
  }
}
