import FoundationEssentials
import LibraryTestSupport
import Libc
import Safelight
import Testing

@testable import SafelightCLI

/// The program with what fires its shutter, as people press it.
@Suite("What fires the shutter of safelight capture", .timeLimit(.minutes(2)))
struct ShutterProgramTests {
  private let scratch: Scratch
  private let screen: PseudoTerminal

  init() throws { (scratch, screen) = (try Scratch(), try PseudoTerminal()) }

  /// Starts the program in the terminal; what it says goes to the file `log`.
  private func start(_ arguments: String) throws -> Process {
    let line =
      "exec setsid --ctty --wait \"$SAFELIGHT\" capture --source synthetic --size 160x90 \(arguments) --json "
      + "< \(screen.device) 2> log"
    return try Process("/bin/sh", ["-c", line], in: scratch, environment: [:])
  }

  private func shell(_ script: String) throws -> Program.Outcome {
    try Process("/bin/bash", ["-c", script], in: scratch, environment: [:]).wait(seconds: 100)
  }

  /// Polls until `condition` holds, for a minute at most.
  private func wait(for what: String, _ condition: () throws -> Bool) throws {
    for _ in 0..<6000 {
      if try condition() { return }
      usleep(10_000)
    }
    throw ChildProcess.Failed(description: "\(what) never came")
  }

  private func log() -> String { (try? String(decoding: scratch.read("log"), as: UTF8.self)) ?? "" }

  private func photos(_ outcome: Program.Outcome) throws -> [DeliveredPhoto] {
    try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(DeliveredPhoto.self, from: Data($0.utf8))
    }
  }

  private func count(in folder: String) -> Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: scratch(folder))) ?? []).count {
      $0.hasSuffix(".jpg")
    }
  }

  @Test("The space bar takes photos, q ends, and the terminal is asked nothing and left as it was")
  func keys() throws {
    let process = try start("-o k/ --on key")
    try wait(for: "Ready") { log().contains("Ready: the space bar takes a photo, q ends.") }
    screen.type("x \r\u{1B}[A")
    try wait(for: "two photos") { count(in: "k") == 2 }
    screen.type("q")
    let outcome = try process.wait(seconds: 60)
    #expect(outcome.exitCode == 0 && outcome.output.split(separator: "\n").count == 2, "\(log())")
    #expect(!screen.read().contains(0x1B) && screen.isCooked)
  }

  @Test("A key of a terminal that tells releases takes every frame until it is released")
  func releases() throws {
    let process = try start("-o '{index}.jpg' --burst-while space --count 1")
    var asked: [UInt8] = []
    try wait(for: "the question") {
      asked += screen.read()
      return String(decoding: asked, as: UTF8.self).contains("\u{1B}[?u\u{1B}[c")
    }
    screen.type("\u{1B}[?0u\u{1B}[?62;c")
    try wait(for: "Ready") { log().contains("Ready: the key takes photos as long as it is held, q ends.") }
    screen.type(" ")
    try wait(for: "a burst") { count(in: ".") >= 4 }
    screen.type("\u{1B}[32;1:3u")
    let outcome = try process.wait(seconds: 60)
    #expect(outcome.exitCode == 0, "\(log())")
    let photos = try photos(outcome)
    #expect(photos.count >= 4 && photos.map(\.burstIndex) == photos.indices.map { $0 })
    // Told to begin and to end.
    let told = String(decoding: screen.read(), as: UTF8.self)
    #expect(told.contains("\u{1B}[>2u") && told.contains("\u{1B}[<u"), "\(told.debugDescription)")
  }

  @Test("A key of another terminal takes every frame until it is not repeated any more")
  func repetitions() throws {
    let process = try start("-o '{index}.jpg' --burst-while space --count 1")
    try wait(for: "Ready") { log().contains("This terminal does not tell when it is released") }
    screen.type("x ")
    let outcome = try process.wait(seconds: 60)
    let photos = try photos(outcome)
    #expect(outcome.exitCode == 0 && photos.count >= 2, "\(log())")
    #expect(zip(photos, photos.dropFirst()).allSatisfy { $1.sequence > $0.sequence })
    #expect(!String(decoding: screen.read(), as: UTF8.self).contains("\u{1B}[>"))
  }

  @Test("A key of an input device takes every frame until it goes up; other keys do nothing")
  func inputDevice() throws {
    let zeros = String(repeating: "\\0", count: 16)
    func event(_ code: String, _ value: Int) -> String { zeros + "\\1\\0\\\(code)\\0\\\(value)\\0\\0\\0" }
    let outcome = try shell(
      """
      mkfifo keys
      (
        exec > keys
        printf '\(event("36", 1))\(event("71", 1))'
        until [ -e 3.jpg ]; do sleep 0.05; done
        printf '\(event("36", 0))\(event("71", 0))'
      ) &
      "$SAFELIGHT" capture --source synthetic --size 160x90 -o '{index}.jpg' --burst-while space \\
        --on input:keys --json
      """)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let photos = try photos(outcome)
    #expect(photos.count >= 3 && Set(photos.compactMap(\.burstIndex)).count == photos.count)
  }

  @Test("A press over HTTP is answered with the report of its photo, which can be fetched")
  func http() throws {
    let outcome = try shell(
      """
      "$SAFELIGHT" capture --source synthetic --size 160x90 -o h/ --on http:0 --count 2 2> log & p=$!
      until grep -q Ready log; do sleep 0.05; done
      port=$(sed -n 's|.*127.0.0.1:\\([0-9]*\\)/.*|\\1|p' log)
      ask() {
        exec 3<>/dev/tcp/127.0.0.1/$port
        printf '%s HTTP/1.1\\r\\nHost: localhost\\r\\nX-Safelight: 1\\r\\n\\r\\n' "$1" >&3
        cat <&3
      }
      ask 'POST /photo?age=20' > answer
      ask 'GET /photo/1' | tail -c "$(stat -c %s h/*.jpg)" | cmp - h/*.jpg && echo same
      ask 'GET /photo/1/thumbnail' | head -c 15
      ask 'POST /photo' > /dev/null
      wait $p
      """)
    #expect(outcome.exitCode == 0, "\(outcome.errors)\(log())")
    #expect(outcome.output.hasPrefix("same\nHTTP/1.1 200 OK"), "\(outcome.output)")
    let answer = String(decoding: try scratch.read("answer"), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\n"))
    let report = try #require(answer.split(separator: "\r\n\r\n").last)
    let photo = try JSONDecoder().decode(DeliveredPhoto.self, from: Data(report.utf8))
    #expect(FileManager.default.fileExists(atPath: scratch(photo.path)))
    #expect(count(in: "h") == 2)
  }

  @Test("The page of a stream takes photos as the key s does, if it may")
  func stream() throws {
    let outcome = try shell(
      """
      for flag in --shutter ''; do
        rm -f log
        "$SAFELIGHT" live --source synthetic --size 160x90 --to stream:0 $flag > log 2>&1 & p=$!
        until grep -qs 'Stream .*at http' log; do sleep 0.05; done
        port=$(sed -n 's|.*127.0.0.1:\\([0-9]*\\)/.*|\\1|p' log)
        exec 3<>/dev/tcp/127.0.0.1/$port
        printf 'POST /photo HTTP/1.1\\r\\nHost: localhost\\r\\nX-Safelight: 1\\r\\n\\r\\n' >&3
        head -n 1 <&3
        kill -INT $p
        wait $p
        echo $?
      done
      ls | grep -c '^safelight-.*jpg$'
      """)
    #expect(
      outcome.output.split { $0.isNewline }
        == ["HTTP/1.1 201 Created", "0", "HTTP/1.1 405 Method Not Allowed", "0", "1"],
      "\(outcome.output)\(outcome.errors)\(log())")
  }

  @Test("A timer delays the photo, and Ctrl-C ends the wait for it without one")
  func timer() throws {
    let outcome = try Program.run(
      ["capture", "--source", "synthetic", "--size", "160x90", "-o", "a.jpg", "--timer", "50ms", "--json"],
      in: scratch)
    #expect(try outcome.exitCode == 0 && photos(outcome).map(\.path) == ["a.jpg"], "\(outcome.errors)")
    let process = try Process(
      Program.path, ["capture", "--source", "synthetic", "--size", "160x90", "-o", "t/", "--timer", "1000s"],
      in: scratch, environment: [:])
    try wait(for: "the folder") { FileManager.default.fileExists(atPath: scratch("t")) }
    process.signal(SIGINT)
    let ended = try process.wait(seconds: 60)
    #expect(ended.exitCode == 130, "\(ended.output)\(ended.errors)")
    #expect(count(in: "t") == 0)
  }

  @Test("Without a terminal, its keys cannot fire, which says what else can")
  func noTerminal() throws {
    let outcome = try shell(
      "setsid --wait \"$SAFELIGHT\" capture --source synthetic --size 160x90 -o a/ --on key < /dev/null")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.error
        == "There is no terminal whose keys could fire the shutter; run in a terminal, or use --on input:DEVICE; "
        + "without --burst-while also --on signal:USR1 or http:8080.")
  }
}
