import FrameCore
import Libc
import TestSupport
import Testing

@testable import Vision

@Suite("A worker that is lost, hangs, lies or is attacked", .canFind(.codes))
struct WorkerTests {
  private let size = PixelSize(width: 64, height: 48)

  /// Asks for codes in a white frame.
  private func search(_ worker: VisionWorker) throws -> [VisionAnswer.Thing] {
    try worker.find(.codes, .plain, seconds: 30, size: size) { target in
      for index in 0..<size.pixelCount { target.base[index] = 255 }
    }
  }

  @Test(
    "One answer is lost and counted, the sentence says why, and the next frame is searched",
    arguments: [
      (VisionTrial.crash, "safelight-vision ended (segmentation fault)"),
      (.abort, "safelight-vision ended (aborted)"), (.end, "safelight-vision ended"),
      (.hugeLength, "safelight-vision gave an answer that is none"),
      (.half, "safelight-vision ended in the middle of its answer"),
      (.foreignSequence, "safelight-vision gave an answer that is none"),
      (.noise, "safelight-vision gave an answer that is none"),
    ])
  func lost(trial: VisionTrial, reason: String) throws {
    let worker = try Vision.worker(.codes)
    #expect(try search(worker).isEmpty)
    #expect(
      sentence { _ = try worker.attempt(trial, seconds: 30) }
        == "This picture's answer is lost: \(reason); other pictures are searched all the same.")
    #expect(worker.statistics == VisionWorker.Statistics(answers: 1, lost: 1, restarts: 0))
    #expect(try search(worker).isEmpty)
    #expect(worker.statistics == VisionWorker.Statistics(answers: 2, lost: 1, restarts: 1))
  }

  @Test("A worker that hangs is ended at the deadline")
  func hanging() throws {
    let worker = try Vision.worker(.codes)
    let found = sentence { _ = try worker.attempt(.hang, seconds: 0.2) }
    #expect(
      found
        == "This picture's answer is lost: safelight-vision took more than 0.2 s; other pictures are searched all the same."
    )
    #expect(try search(worker).isEmpty)
    #expect(worker.statistics == VisionWorker.Statistics(answers: 1, lost: 1, restarts: 1))
  }

  @Test("One that is killed from outside is replaced")
  func killed() throws {
    let worker = try Vision.worker(.codes)
    try worker.start()
    let process = try #require(worker.processIdentifier)
    for _ in 0..<2 {
      if let process = worker.processIdentifier { kill(process, SIGKILL) }
      #expect(
        sentence { _ = try search(worker) }.hasPrefix("This picture's answer is lost: safelight-vision ended")
      )
      #expect(try search(worker).isEmpty)
    }
    #expect(worker.processIdentifier != process)
    #expect(worker.statistics == VisionWorker.Statistics(answers: 2, lost: 2, restarts: 2))
  }

  @Test("Memory is bounded, and a worker that reaches the bound goes on")
  func memory() throws {
    let worker = try Vision.worker(.codes, memory: 256)
    #expect(
      sentence { _ = try worker.attempt(.allocate, seconds: 30) }
        == "The picture cannot be searched for trial: It took more memory than is allowed.")
    #expect(try search(worker).isEmpty)
    #expect(worker.statistics.restarts == 0)
  }

  @Test("Neither files nor the network nor other programs can be reached, nor can frames be changed")
  func confinement() throws {
    let worker = try Vision.worker(.codes)
    let report = try worker.start()
    #expect(
      report.confinement.keys.sorted() == ["landlock", "memory", "noCoreFiles", "noNewPrivileges", "seccomp"])
    #expect(
      report.confinement["memory"] == "active, 1024 MiB" && report.confinement["noCoreFiles"] == "active")
    #expect(report.confinement["noNewPrivileges"] == "active")
    let reach = try #require(worker.attempt(.reach, seconds: 30).first)
    #expect(
      reach.details.keys.sorted() == [
        "code", "exec", "fork", "frames", "read", "shared", "signal", "socket", "write",
      ])
    #expect(reach.details["frames"] == "Operation not permitted")
    // A kernel without them says so, and then these are possible.
    if report.confinement["seccomp"] == "active" {
      #expect(Set(reach.details.values) == ["Operation not permitted"], "\(reach.details)")
    } else if report.confinement["landlock"]?.hasPrefix("active") == true {
      #expect(reach.details["read"] == "Permission denied" && reach.details["write"] == "Permission denied")
    }
  }

  @Test("A worker that was not started for trials refuses them")
  func noTrials() throws {
    let worker = try VisionWorker(VisionWorker.Options([.codes]))
    #expect(
      sentence { _ = try worker.attempt(.crash, seconds: 30) }
        == "The picture cannot be searched for trial: This was not asked for when the worker was started.")
    #expect(worker.statistics == VisionWorker.Statistics(answers: 1, lost: 0, restarts: 0))
  }

  @Test("A report is JSON, and comes back")
  func report() throws {
    let report = try Vision.worker(.codes).start()
    #expect(report.abilities["codes"]?.isReady == true)
    #expect(report.abilities["codes"]?.detail.hasPrefix("zxing-cpp ") == true && report.abilities.count == 1)
    #expect(try report.json().contains("\"confinement\""))
  }
}

@Suite("Where the worker's program is, and when it is none")
struct VisionProgramTests {
  @Test("Beside the running program first, then on PATH; the working folder is none of them")
  func order() throws {
    let scratch = try Scratch()
    try scratch.write("#!/bin/sh\nexit 0\n", to: "safelight-vision")
    chmod(scratch("safelight-vision"), 0o755)
    let folder = String(scratch("safelight-vision").dropLast("/safelight-vision".count))
    #expect(try VisionProgram.find(beside: folder, path: "/usr/bin") == folder + "/safelight-vision")
    #expect(
      try VisionProgram.find(beside: "/none", path: "::/none:\(folder)") == folder + "/safelight-vision")
    let absence =
      "There is no program safelight-vision beside this one or on PATH, which finds codes, faces and text; install "
      + "its package, safelight-vision, or build it with make vision, which needs the packages libzxing-dev, "
      + "libopencv-objdetect-dev, libopencv-imgproc-dev and libtesseract-dev of Debian."
    for path in ["", "/none", ":", "."] {
      #expect(sentence { _ = try VisionProgram.find(beside: nil, path: path) } == absence)
    }
  }

  @Test("A program that is another one, or lacks a library, is told")
  func others() throws {
    let scratch = try Scratch()
    func start(_ script: String) throws -> String {
      // Written by another process: what this one has open for writing, a process that another test starts at that moment
      // has open too, and a program that is open for writing cannot be started.
      try scratch.write("#!/bin/sh\n\(script)\n", to: "script")
      let copy = "rm -f other; cp script other; chmod 755 other"
      _ = try ChildProcess("/bin/sh", ["-c", copy], folder: scratch.path).wait(seconds: 10)
      let worker = try VisionWorker(VisionWorker.Options([.codes]), program: scratch("other"))
      return sentence { try worker.start() }
    }
    let path = scratch("other")
    #expect(try start("exit 0") == "\(path) ended when it was started; build it again with make vision.")
    #expect(
      try start("echo 'error while loading shared libraries: libZXing.so.2: cannot open' >&2; exit 127")
        == "\(path) lacks the library libZXing.so.2; install the packages libzxing-dev of Debian, and build it again "
        + "with make vision.")
    #expect(
      sentence { try VisionWorker(VisionWorker.Options([.codes]), program: "/none").start() }
        == "Cannot start /none: No such file or directory; check that it may be run.")
  }
}
