import Safelight
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Workers that are shell scripts: they do what a broken codec would.
@Suite("Isolated editors")
struct IsolatedBatchEditorTests {
  private static let examined =
    #"{"examined":{"_0":{"width":100,"height":50,"memory":1000000,"resultWidth":100,"resultHeight":50,"facts":{}}}}"#

  private func editor(_ script: String, _ bounds: IsolatedBatchEditor.Bounds = .init(seconds: 20))
    -> IsolatedBatchEditor
  {
    IsolatedBatchEditor(
      .init(executable: "/bin/sh", arguments: ["-c", "echo '{\"ready\":{}}'; \(script)"]), bounds: bounds)
  }

  private func error(_ script: String, _ bounds: IsolatedBatchEditor.Bounds = .init(seconds: 20)) -> String? {
    let editor = editor(script, bounds)
    return #expect(throws: SafelightError.self) { _ = try editor.examine("a.jpg") }?.description
  }

  @Test("A worker that allocates without end runs out of memory, and its photo is told so")
  func memory() {
    let hungry = "read line; x=0123456789abcdef; while :; do x=$x$x; done"
    let text = error(hungry, .init(seconds: 60, memory: 1 << 20))
    #expect(text?.hasPrefix("a.jpg ran out of memory: its edit may take 513 MiB; ") == true, "\(text ?? "")")
  }

  @Test(
    "What ends a worker is told",
    arguments: [
      ("kill -SEGV $$", "a.jpg crashed the process that edited it (segmentation fault); "),
      ("kill -ABRT $$", "a.jpg crashed the process that edited it (aborted); "),
      ("kill -KILL $$", "The process that edited a.jpg was killed from outside, "),
      ("exit 3", "a.jpg crashed the process that edited it (exit code 3); "),
      ("echo nonsense; read more", "The process that edited a.jpg gave no sensible answer."),
      ("echo '{\"ready\":{}}'; read more", "The process that edited a.jpg gave no sensible answer."),
    ])
  func deaths(end: String, sentence: String) {
    let text = error("read line; \(end)")
    #expect(text?.hasPrefix(sentence) == true, "\(text ?? "")")
  }

  @Test("A worker that says nothing is given up")
  func hang() {
    #expect(
      error("read line; read more", .init(seconds: 0.3))?.hasPrefix(
        "a.jpg took more than 0.3 s and was given up") == true)
  }

  @Test("A photo whose worker was lost is tried once more in a new one")
  func secondChance() throws {
    let scratch = try Scratch()
    let editor = editor(
      "read line; if [ -e \(scratch("again")) ]; then echo '\(Self.examined)'; read more; "
        + "else touch \(scratch("again")); kill -SEGV $$; fi")
    #expect(try editor.examine("a.jpg").width == 100)
  }
}
