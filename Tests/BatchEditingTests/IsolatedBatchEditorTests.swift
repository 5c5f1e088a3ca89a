import LibraryTestSupport
import Safelight
import Synchronization
import Testing
import Libc

/// Workers that are shell scripts: they do what a broken codec would.
@Suite("Isolated editors")
struct IsolatedBatchEditorTests {
  private static let hello =
    #"{"protocol":1,"engine":"0","edit":"","longestLine":1,"mostBytes":1}"#
  private static let examined =
    #"{"examined":{"width":100,"height":50,"memory":1000000,"effort":0.01,"resultWidth":100,"resultHeight":50,"facts":{}}}"#

  private func editor(_ script: String, _ bounds: IsolatedBatchEditor.Bounds = .init(seconds: 20))
    -> IsolatedBatchEditor
  {
    IsolatedBatchEditor(
      .init(executable: "/bin/sh", arguments: ["-c", "echo '\(Self.hello)'; \(script)"]), bounds: bounds)
  }

  private func error(_ script: String, _ bounds: IsolatedBatchEditor.Bounds = .init(seconds: 20)) -> String? {
    let editor = editor(script, bounds)
    return #expect(throws: SafelightError.self) { _ = try editor.open("a.jpg") }?.description
  }

  @Test("A worker that allocates without end runs out of memory, and its photo is told so")
  func memory() {
    let hungry = "read line; x=0123456789abcdef; while :; do x=$x$x; done"
    let text = error(hungry, .init(seconds: 60, memory: 1 << 20))
    #expect(text?.hasPrefix("a.jpg ran out of memory: its edit may take 513 MiB; ") == true, "\(text ?? "")")
  }

  @Test("A worker may take the memory of a GPU's driver only once it may open one, and keeps it")
  func driverMemory() throws {
    let usesGPU = Mutex(false)
    // It says in KiB what it may take.
    let reply = Self.examined.replacing("1000000", with: "'$(ulimit -d)'")
    let editor = IsolatedBatchEditor(
      .init(
        executable: "/bin/sh",
        arguments: ["-c", "echo '\(Self.hello)'; while read line; do echo '\(reply)'; done"]),
      bounds: .init(seconds: 20, memory: 1 << 20)
    ) { usesGPU.withLock { $0 } }
    #expect(try editor.open("a.jpg").examination.memory == 513 << 10)
    usesGPU.withLock { $0 = true }
    #expect(try editor.open("a.jpg").examination.memory == (513 + 4096) << 10)
    usesGPU.withLock { $0 = false }
    #expect(try editor.open("a.jpg").examination.memory == (513 + 4096) << 10)
  }

  @Test(
    "What ends a worker is told",
    arguments: [
      ("kill -SEGV $$", "a.jpg crashed the process that edited it (segmentation fault); "),
      ("kill -ABRT $$", "a.jpg crashed the process that edited it (aborted); "),
      ("kill -KILL $$", "The process that edited a.jpg was killed from outside, "),
      ("exit 3", "a.jpg crashed the process that edited it (exit code 3); "),
      ("echo nonsense; read more", "The process that edited a.jpg gave no valid answer."),
      ("echo '\(Self.hello)'; read more", "The process that edited a.jpg gave no valid answer."),
    ])
  func deaths(end: String, sentence: String) {
    let text = error("read line; \(end)")
    #expect(text?.hasPrefix(sentence) == true, "\(text ?? "")")
  }

  @Test("A worker that crashes writes no backtrace, unless whoever runs the batch asks for it")
  func backtraces() throws {
    let expected = getenv("SWIFT_BACKTRACE").map { String(cString: $0) } ?? "enable=no"
    let editor = editor(
      "read line; if [ \"$SWIFT_BACKTRACE\" = '\(expected)' ] && [ \"$PATH\" != '' ]; then echo '\(Self.examined)'; fi"
    )
    #expect(try editor.open("a.jpg").examination.width == 100)
  }

  @Test("A worker that says nothing is given up")
  func hang() {
    #expect(
      error("read line; read more", .init(seconds: 0.3))?.hasPrefix(
        "a.jpg took more than 0.3 s and was abandoned") == true)
  }

  @Test("A photo whose worker was lost is tried once more in a new one")
  func secondChance() throws {
    let scratch = try Scratch()
    let editor = editor(
      "read line; if [ -e \(scratch("again")) ]; then echo '\(Self.examined)'; read more; "
        + "else touch \(scratch("again")); kill -SEGV $$; fi")
    #expect(try editor.open("a.jpg").examination.width == 100)
  }

  @Test(
    "An answer with values that no photo has is no sensible answer, and no arithmetic is done with it",
    arguments: [
      (#""width":100"#, #""width":9223372036854775807"#), (#""height":50"#, #""height":-1"#),
      (#""memory":1000000"#, #""memory":9223372036854775807"#),
      (#""memory":1000000"#, #""memory":-1000000"#),
      (#""effort":0.01"#, #""effort":1e300"#), (#""resultWidth":100"#, #""resultWidth":0"#),
    ])
  func nonsense(value: String, other: String) {
    let answer = Self.examined.replacing(value, with: other)
    #expect(answer != Self.examined)
    let text = error("read line; echo '\(answer)'; read more")
    #expect(text?.hasPrefix("The process that edited a.jpg gave no valid answer") == true, "\(text ?? "")")
  }

  private static func edited(_ content: String, width: Int = 100, seconds: String = "0.5") throws -> String {
    let fingerprint = try FileFingerprint(of: Array(content.utf8))
    return #"{"edited":{"width":\#(width),"height":50,"seconds":\#(seconds),"warnings":[],"#
      + #""fingerprint":{"bytes":\#(fingerprint.bytes),"hash":"\#(fingerprint.hash)"}}}"#
  }

  @Test(
    "A result that cannot be is no sensible answer",
    arguments: [(0, "0.5"), (100, "-1"), (Int.max, "0.5"), (100, "1e30")])
  func impossibleResult(width: Int, seconds: String) throws {
    let answer = try Self.edited("x", width: width, seconds: seconds)
    let editor = editor("read line; echo '\(Self.examined)'; read line; echo '\(answer)'; read more")
    let photo = try editor.open("a.jpg")
    let error = #expect(throws: SafelightError.self) {
      _ = try photo.edit(to: "/nowhere/a.jpg", overwrite: false)
    }
    #expect(error?.problem == "The process that edited a.jpg gave no valid answer")
  }

  /// An editor whose first worker runs `death` in place of its first edit; the next writes `content`, as it does for every
  /// photo, without a look at what is there.
  private func losing(_ scratch: Scratch, _ death: String, content: String = "new") throws
    -> IsolatedBatchEditor
  {
    try scratch.write(
      """
      echo '\(Self.hello)'
      while read -r line; do
        case "$line" in
        *examine*) echo '\(Self.examined)' ;;
        *)
          if [ ! -e \(scratch("lost")) ]; then touch \(scratch("lost")); \(death); kill -SEGV $$; fi
          printf '\(content)' > "$(printf '%s' "$line" | sed 's/.*"output":"\\([^"]*\\)".*/\\1/; s#[\\]/#/#g')"
          echo '\(try Self.edited(content))' ;;
        esac
      done
      """, to: "worker")
    return IsolatedBatchEditor(
      .init(executable: "/bin/sh", arguments: [scratch("worker")]), bounds: .init(seconds: 20))
  }

  @Test("A worker that is lost before its file has a name costs nothing")
  func lostBefore() throws {
    let scratch = try Scratch()
    let editor = try losing(scratch, "true")
    let photo = try editor.open("a.jpg")
    #expect(try photo.edit(to: scratch("out.jpg"), overwrite: false).fingerprint.bytes == 3)
    #expect(try scratch.names == ["lost", "out.jpg", "worker"])
    #expect(try scratch.read("out.jpg") == Array("new".utf8))
  }

  @Test("What a worker has finished before it was lost is the result")
  func lostAfter() throws {
    let scratch = try Scratch()
    let editor = try losing(scratch, "printf new > \(scratch("out.jpg"))")
    let photo = try editor.open("a.jpg")
    #expect(try photo.edit(to: scratch("out.jpg"), overwrite: false).fingerprint.bytes == 3)
    #expect(try scratch.names == ["lost", "out.jpg", "worker"])
  }

  @Test("A file of somebody else that came while a worker was lost stays")
  func foreignFile() throws {
    let scratch = try Scratch()
    let editor = try losing(scratch, "printf 'not yours' > \(scratch("out.jpg"))")
    let photo = try editor.open("a.jpg")
    let error = #expect(throws: SafelightError.self) {
      _ = try photo.edit(to: scratch("out.jpg"), overwrite: false)
    }
    #expect(error?.problem.hasSuffix("was made by another program while its photo was edited") == true)
    #expect(try scratch.read("out.jpg") == Array("not yours".utf8))
    #expect(try scratch.names == ["lost", "out.jpg", "worker"])
  }
}
