import FrameCore
import Libc
import TestSupport
import Testing

@testable import Messaging

@Suite("Running commands") struct CommandRunnerTests {
  /// What came of runs, in the order of their ends.
  private final class Ends: Sendable {
    let all = Monitor<[CommandRunner.Failure?]>([])

    func wait(for count: Int) -> [CommandRunner.Failure?] {
      all.wait(until: Timestamp.now.advanced(bySeconds: 60)) { $0.count >= count ? $0 : nil } ?? []
    }
  }

  private func run(_ line: String, input: String = "", deadline: Double = 60) throws -> CommandRunner.Failure?
  {
    let (runner, ends) = (CommandRunner(deadline: deadline), Ends())
    #expect(
      runner.start(try ExternalCommand(line), input: input) { end in ends.all.update { $0.append(end) } })
    let result = try #require(ends.wait(for: 1).first)
    runner.finish(patience: 60)
    #expect(runner.running == 0)
    return result
  }

  @Test("A command gets its text on standard input, and its words as they are")
  func input() throws {
    let scratch = try Scratch()
    // More than a pipe holds.
    let text = String(repeating: "{\"text\":\"$(touch bad); `id` 'x'\"}\n", count: 10_000)
    let failure = try run(
      "sh -c 'cat > \"$0/got\"; printf %s \"$1\" > \"$0/word\"' \(scratch.path) '$HOME; rm *'", input: text)
    #expect(failure == nil)
    #expect(try scratch.read("got") == Array(text.utf8) && scratch.read("word") == Array("$HOME; rm *".utf8))
  }

  @Test("A command that does not read, or prints without end, harms nothing")
  func unread() throws {
    let text = String(repeating: "x", count: 1 << 20)
    #expect(try run("true", input: text) == nil)
    #expect(try run("sh -c 'exec 0<&-; sleep 0.2'", input: text) == nil)
    guard case .late = try run("sh -c 'yes & yes >&2'", input: text, deadline: 0.5) else {
      Issue.record("an endless command ended")
      return
    }
    #expect(try run("sh -c 'yes | head -c 20000000 >&2'") == nil)
    #expect(try run("sh -c 'exec 2>&-; sleep 0.2'") == nil)
  }

  @Test("A failure is told with the exit code and the last line of standard error")
  func failures() throws {
    #expect(try run("sh -c 'echo one >&2; echo two >&2; echo three; exit 3'") == .exited(3, "two"))
    #expect(try run("false") == .exited(1, ""))
    #expect(try run("sh -c 'kill -TERM $$'") == .signalled(15))
    let failure = try run("sh -c 'sleep 60 & sleep 60'", deadline: 0.3)
    guard case .late(let seconds) = failure else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(seconds >= 0.3)
    #expect("\(CommandRunner.Failure.late(10))" == "was killed, because it still ran after 10 s")
  }

  @Test(
    "At the deadline, and when it ends by itself, all of its processes are killed", arguments: [true, false])
  func group(isLate: Bool) throws {
    let scratch = try Scratch()
    let child = "sh -c \"echo \\$\\$ > \(scratch.path)/child; exec sleep 600\" &"
    let end = isLate ? "wait" : "until test -s \(scratch.path)/child; do sleep 0.01; done"
    let failure = try run("sh -c '\(child) \(end)'", deadline: isLate ? 1 : 60)
    if isLate {
      guard case .late = failure else {
        Issue.record("the command ended by itself: \(failure as Any)")
        return
      }
    } else {
      #expect(failure == nil)
    }
    try expectGone(in: scratch)
  }

  private func expectGone(in scratch: Scratch) throws {
    let child = try #require(
      Int32(String(decoding: try scratch.read("child"), as: UTF8.self).filter(\.isNumber)))
    // Its parent is gone too, so it takes a moment until somebody else has waited for it.
    var isGone = false
    for _ in 0..<500 where !isGone {
      isGone = kill(child, 0) != 0
      let status = state(of: child)
      isGone = isGone || status.contains(") Z ")
      if !isGone { usleep(10_000) }
    }
    #expect(isGone)
  }

  private func state(of process: Int32) -> String {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return "" }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 256)
    guard fgets(&bytes, 255, file) != nil else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test("Only so many run at once, none begins after the end, and the end does not wait for ever")
  func limits() throws {
    let (runner, ends) = (CommandRunner(mostAtOnce: 2, deadline: 60), Ends())
    let sleep = try ExternalCommand("sleep 60")
    func start() -> Bool { runner.start(sleep, input: "") { end in ends.all.update { $0.append(end) } } }
    #expect(start() && start() && !start())
    #expect(runner.running == 2)
    runner.finish(patience: 0.1)
    #expect(runner.running == 0 && ends.wait(for: 2).count == 2 && !start())
  }

  @Test("Blocked signals are not passed on, so that a command can be ended as usual")
  func signals() throws {
    var blocked = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    #expect(try run("sh -c 'kill -TERM $$; sleep 0.1'") == .signalled(15))
  }
}
