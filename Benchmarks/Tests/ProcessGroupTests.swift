import BenchmarkSupport
import Testing

@Suite("Programs", .serialized) struct ProcessGroupTests {
  @Test("Programs have memory of their own, not that of who started them")
  func residentMemory() throws {
    let large = [UInt8](repeating: 1, count: 100 << 20)
    let cost = try ProcessGroup.run([["sleep", "0.1"]], watchesResidentMemory: true)
    #expect(large.last == 1 && cost.isSuccess)
    #expect(cost.residentMemory > 100_000 && cost.residentMemory < 10_000_000)
  }

  @Test("Programs that take too long are killed")
  func timeLimit() throws {
    let cost = try ProcessGroup.run([["sleep", "60"]], timeLimit: 0.2)
    #expect(!cost.isSuccess && cost.seconds >= 0.2 && cost.seconds < 30)
  }

  @Test(
    "What a program said last is the error, on one line and without folders",
    arguments: [
      ("", ""), ("reading\ncannot open file '/home/a/b.jpg'\n", "cannot open file 'b.jpg'"),
      ("/usr/bin/convert: no decode delegate\n", "convert: no decode delegate"),
      (
        """
        Traceback (most recent call last):
          File "/home/a/pyvips/voperation.py", line 302, in call
            raise Error('unable to call')
        pyvips.error.Error: unable to call jpegsave
          VipsJpeg: out of order read at line 7352

        """, "pyvips.error.Error: unable to call jpegsave VipsJpeg: out of order read at line 7352"
      ), ("12 / 13 frames", "12 / 13 frames"),
    ])
  func lastWordsOfPrograms(log: String, words: String) { #expect(lastWords(in: log) == words) }
}
