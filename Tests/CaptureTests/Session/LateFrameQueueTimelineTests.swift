import FrameCore
import Testing

@testable import Capture

/// Time is drawn as text, one column a tick; within a tick the consumer acts first, then the source.
///
/// Source: a letter is captured, a capital is lost by the source, `|` closes, `^` opens again.
/// Consumer: `.` asks for the next frame, `#` still works on the last one, `z` is away.
/// What comes out: delivered frames and `|` for the end, frames dropped late, out of buffers, lost.
struct Timeline: Equatable, CustomStringConvertible {
  var delivered = ""
  var late = ""
  var outOfBuffers = ""
  var lost = ""

  var description: String {
    "delivered \(delivered)  late \(late)  outOfBuffers \(outOfBuffers)  lost \(lost)"
  }

  init(delivered: String, late: String = "", outOfBuffers: String = "", lost: String = "") {
    func padded(_ line: String) -> String {
      line + String(repeating: "-", count: delivered.count - line.count)
    }
    self.delivered = delivered
    self.late = padded(late)
    self.outOfBuffers = padded(outOfBuffers)
    self.lost = padded(lost)
  }

  init(_ policy: LateFramePolicy, source: String, consumer: String) {
    var queue = LateFrameQueue<Character>(policy)
    for (event, action) in zip(source, consumer) {
      var column: (delivered: Character, late: Character, out: Character, lost: Character) =
        ("-", "-", "-", "-")
      switch action {
      case ".":
        switch queue.ready() {
        case .deliver(let frame): column.delivered = frame
        case .finished: column.delivered = "|"
        case .wait: break
        }
      case "z": queue.pause()
      default: break
      }
      switch event {
      case "-": break
      case "|": if queue.close() { column.delivered = "|" }
      case "^": queue.reopen()
      case _ where event.isUppercase:
        queue.sourceDropped(.discontinuity, count: 1)
        column.lost = event
      default:
        switch queue.captured(event) {
        case .deliver(let frame): column.delivered = frame
        case .drop(let frame, .late): column.late = frame
        case .drop(let frame, .outOfBuffers): column.out = frame
        case .drop(_, let reason): Issue.record("a queue does not drop for the reason \(reason)")
        case .keep, .ignore: break
        }
      }
      delivered.append(column.delivered)
      late.append(column.late)
      outOfBuffers.append(column.out)
      lost.append(column.lost)
    }
  }
}

@Suite struct LateFrameQueueTimelineTests {
  @Test("A consumer that is always ready gets every frame when it is captured")
  func readyConsumer() {
    for policy: LateFramePolicy in [.discard(keepingNewest: 1), .discardWhileBusy, .keepAll(limit: 4)] {
      #expect(
        Timeline(policy, source: "abcdef|", consumer: ".......") == Timeline(delivered: "abcdef|"))
    }
  }

  @Test("Keeping the newest: a busy consumer's next frame is the newest, the one between is late")
  func keepingNewest() {
    #expect(
      Timeline(.discard(keepingNewest: 1), source: "abcdef|-", consumer: ".#.#....")
        == Timeline(delivered: "a-b-def|", late: "---c"))
  }

  @Test("Keeping two: the two newest wait, older ones are late")
  func keepingTwo() {
    #expect(
      Timeline(.discard(keepingNewest: 2), source: "abcdef|--", consumer: ".####....")
        == Timeline(delivered: "a----def|", late: "---bc"))
  }

  @Test("Keeping none: only a frame that the consumer waits for reaches it")
  func keepingNone() {
    #expect(
      Timeline(.discard(keepingNewest: 0), source: "abc|", consumer: ".#..")
        == Timeline(delivered: "a-c|", late: "-b"))
  }

  @Test(
    "Discarding while busy: what is captured during the work is late, as with alwaysDiscardsLateVideoFrames")
  func discardWhileBusy() {
    #expect(
      Timeline(.discardWhileBusy, source: "abcdef|", consumer: ".#.#...")
        == Timeline(delivered: "a-c-ef|", late: "-b-d"))
  }

  @Test("Keeping all: frames wait in order, and beyond the limit the new ones are out of buffers")
  func keepAll() {
    #expect(
      Timeline(.keepAll(limit: 2), source: "abcdef|--", consumer: ".####....")
        == Timeline(delivered: "a----bcf|", outOfBuffers: "---de"))
  }

  @Test("A consumer that is away is not busy: the newest frame waits for it")
  func awayConsumer() {
    #expect(
      Timeline(.discardWhileBusy, source: "abc|", consumer: "zz..")
        == Timeline(delivered: "--b|", late: "-ac"))
  }

  @Test("Frames that the source lost pass no consumer and are counted with their reason")
  func sourceLoss() {
    #expect(
      Timeline(.discard(keepingNewest: 1), source: "aBCd|", consumer: ".....")
        == Timeline(delivered: "a--d|", lost: "-BC"))
    var queue = LateFrameQueue<Character>(.discardWhileBusy)
    queue.sourceDropped(.corrupt, count: 3)
    #expect(queue.statistics.captured == 3)
    #expect(queue.statistics.droppedCorrupt == 3)
  }

  @Test("What waits is delivered after the source ends, and frames come again when it opens again")
  func closingAndReopening() {
    #expect(
      Timeline(.discard(keepingNewest: 1), source: "ab|-^cd|", consumer: ".##.....")
        == Timeline(delivered: "a--b|cd|"))
  }

  @Test("A closed queue ignores frames and counts none of them")
  func closedQueueIgnores() {
    var queue = LateFrameQueue<Character>(.keepAll(limit: 2))
    _ = queue.close()
    guard case .ignore = queue.captured("a") else {
      Issue.record("the frame was taken")
      return
    }
    #expect(queue.statistics == FrameStatistics())
  }

  @Test("Two frames that wait may be what the source lacks; one that waits is how things should be")
  func heldFrames() {
    var unread = LateFrameQueue<Int>(.discard(keepingNewest: 1))
    for frame in 0..<9 { _ = unread.captured(frame) }
    #expect(!unread.holdsFrames)
    var queue = LateFrameQueue<Int>(.keepAll(limit: 3))
    _ = queue.captured(0)
    #expect(!queue.holdsFrames)
    _ = queue.captured(1)
    #expect(queue.holdsFrames)
    _ = queue.ready()
    #expect(!queue.holdsFrames)
  }

  @Test("There is room exactly where a frame would push no other out and not be dropped")
  func room() {
    for policy: LateFramePolicy in [
      .discard(keepingNewest: 0), .discard(keepingNewest: 2), .discardWhileBusy, .keepAll(limit: 2),
    ] {
      var queue = LateFrameQueue<Int>(policy)
      for step in 0..<40 {
        let hadRoom = queue.hasRoom
        let isDropped = if case .drop = queue.captured(step) { true } else { false }
        #expect(hadRoom == !isDropped, "\(policy) at step \(step)")
        if step % 3 == 2 { _ = queue.ready() }
        if step % 11 == 10 { queue.pause() }
      }
    }
  }
}
