import Safelight
import Testing

@testable import Serving

@Suite("Presses of a page's shutter")
struct ShutterDeskTests {
  private func time(_ seconds: Double) -> Timestamp { Timestamp(nanoseconds: 0).advanced(bySeconds: seconds) }
  private let photo = RemoteShutter.Photo(path: "a.jpg", report: "{}", thumbnail: nil)

  @Test("are numbered, and become photos or failures once")
  func outcomes() throws {
    var desk = ShutterDesk()
    #expect(try desk.press(now: time(0)).get() == 1 && desk.press(now: time(0)).get() == 2)
    #expect(desk.outcome(of: 1)?.isUnderWay == true && desk.outcome(of: 3) == nil && desk.newest == nil)
    desk.end(2, .taken([photo]))
    desk.end(1, .failed("No frame came."))
    desk.end(2, .failed("Late."))
    guard case .taken? = desk.outcome(of: 2), case .failed("No frame came.")? = desk.outcome(of: 1) else {
      Issue.record("the outcomes are others")
      return
    }
    #expect(desk.newest == 2)
  }

  @Test("get the final photos of their proxies, if they had some")
  func replaced() throws {
    var desk = ShutterDesk()
    for _ in 0..<2 { _ = try desk.press(now: time(0)).get() }
    desk.end(1, .taken([photo]))
    let final = RemoteShutter.Photo(path: "final.jpg", report: "{}", thumbnail: nil)
    for number in 1...3 { desk.replace(number, [final]) }
    guard case .taken(let photos)? = desk.outcome(of: 1) else {
      Issue.record("it had one")
      return
    }
    #expect(photos.map(\.path) == ["final.jpg"])
    #expect(desk.outcome(of: 2)?.isUnderWay == true && desk.outcome(of: 3) == nil)
  }

  @Test("wait for at most eight photos")
  func underWay() throws {
    var desk = ShutterDesk()
    for _ in 0..<8 { _ = try desk.press(now: time(0)).get() }
    #expect(!desk.isFree && desk.press(now: time(9)) == .failure(RefusedPress(reason: .tooMany)))
    desk.end(3, .taken([photo]))
    #expect(try desk.isFree && desk.press(now: time(9)).get() == 9)
  }

  @Test("come thirty at once, and five a second in the long run")
  func rate() {
    var desk = ShutterDesk()
    func accepted(_ seconds: Double) -> Bool {
      guard case .success(let number) = desk.press(now: time(seconds)) else { return false }
      desk.end(number, .taken([photo]))
      return true
    }
    #expect((0..<40).count { _ in accepted(0) } == 30)
    // A hundred seconds, twenty presses each.
    #expect((0..<2000).count { accepted(Double($0) / 20 + 0.001) } == 499)
    #expect((0..<40).count { _ in accepted(1000) } == 30)
    // A clock that stands still gives nothing.
    #expect(!accepted(1000) && !accepted(500))
  }

  @Test("are forgotten after 64 further ones, but for those under way, and fail when the run ends")
  func forgetting() throws {
    var desk = ShutterDesk()
    let first = try desk.press(now: time(0)).get()
    for second in 1...100 {
      desk.end(try desk.press(now: time(Double(second))).get(), .taken([photo]))
    }
    #expect(desk.outcome(of: first)?.isUnderWay == true)
    #expect(desk.outcome(of: 30) == nil && desk.outcome(of: 101) != nil)
    desk.end()
    guard case .failed? = desk.outcome(of: first) else { Issue.record("it is still under way"); return }
    #expect(desk.press(now: time(200)) == .failure(RefusedPress(reason: .ended)))
  }
}
