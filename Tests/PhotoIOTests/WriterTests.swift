@testable import Files
import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO
import Libc

@Suite("Writing", .everyFormatIsWritable)
struct WriterTests {
  private static let size = PixelSize(width: 40, height: 30)

  private func writeError(
    _ path: String, format: PhotoFileFormat? = nil, size: PixelSize = size, bits: Int = 8, quality: Int = 92
  ) -> String? {
    message {
      _ = try PhotoWriter(to: path, format: format, size: size, bitsPerSample: bits, quality: quality)
    }
  }

  @Test("Bad places are refused in one sentence")
  func places() throws {
    let scratch = try Scratch()
    let missing = scratch("none/a.jpg")
    #expect(
      writeError(missing)
        == "Cannot write \(missing): the folder \(scratch("none")) does not exist; create it first.")
    let file = try scratch.write([1], to: "file")
    #expect(
      writeError(file + "/a.jpg")
        == "Cannot write \(file)/a.jpg: \(file) is not a folder; choose another place.")
    try FileManager.default.createDirectory(atPath: scratch("folder.jpg"), withIntermediateDirectories: false)
    let folder = scratch("folder.jpg")
    #expect(writeError(folder) == "Cannot write \(folder): it is a folder; give the name of a file.")
    let long = scratch(String(repeating: "x", count: 300) + ".jpg")
    #expect(writeError(long) == "Cannot write \(long): the name is too long; choose a shorter one.")
    #expect(try scratch.names == ["file", "folder.jpg"])
  }

  @Test("A folder without permission", .enabled(if: geteuid() != 0, "root may write everywhere"))
  func readOnlyFolder() throws {
    let scratch = try Scratch()
    let folder = scratch("locked")
    #expect(mkdir(folder, 0o500) == 0)
    #expect(
      writeError(folder + "/a.jpg")
        == "Cannot write \(folder)/a.jpg: the folder \(folder) is not writable; "
        + "choose another folder or change its permissions.")
  }

  @Test(
    "Unknown extensions are refused and the known ones named",
    arguments: [
      ("a.bmp", "the extension .bmp is unknown"), ("a", "its name has no extension"),
      (".jpg", "its name has no extension"), ("a.", "its name has no extension"),
    ])
  func extensions(name: String, problem: String) {
    #expect(
      writeError(name)
        == "Cannot write \(name): \(problem); "
        + "use one of .jpg, .jpeg, .jpe, .jfif, .png, .tif, .tiff, .webp, .heic, .heif, .hif, .avif, .jxl.")
  }

  @Test("Extensions are taken in any case")
  func upperCase() throws {
    #expect(try PhotoFileFormat(forWritingTo: "/a.b/PHOTO.TIFF") == .tiff)
    #expect(PhotoFileFormat(pathExtension: "JPeG") == .jpeg)
    #expect(PhotoFileFormat(pathExtension: "HIF") == .heic)
    #expect(PhotoFileFormat(pathExtension: "gif") == nil)
  }

  @Test("Values outside a format's bounds are refused")
  func bounds() {
    #expect(
      writeError("a.jpg", bits: 16)
        == "Cannot write a.jpg: JPEG stores 8 bits per sample, not 16; use PNG, TIFF or JPEG XL.")
    #expect(
      writeError("a.png", bits: 12)
        == "Cannot write a.png: PNG stores 8 or 16 bits per sample, not 12; use 8 or 16 bits.")
    #expect(writeError("a.jpg", quality: 0) == "The quality is 0; use 1 to 100.")
    #expect(writeError("a.jpg", quality: 101) == "The quality is 101; use 1 to 100.")
    #expect(
      writeError("a.webp", size: PixelSize(width: 16_384, height: 2))
        == "Cannot write a.webp: WebP holds at most 16383 pixels per edge, not 16384×2; "
        + "make it smaller or use TIFF.")
    #expect(writeError("a.jpg", size: PixelSize(width: 0, height: 2)) == "The picture is empty (0×2).")
  }

  @Test("A file that exists is replaced only where that is asked for")
  func overwriting() throws {
    let scratch = try Scratch()
    let path = try scratch.write([1, 2, 3], to: "a.jpg")
    #expect(chmod(path, 0o640) == 0)
    #expect(
      writeError(path)
        == "Cannot write \(path): the file already exists; allow overwriting or choose another name.")
    let buffer = try makeGradient(40, 30)
    let writer = try PhotoWriter(to: path, size: buffer.size, overwrite: true)
    try writer.write(buffer)
    #expect(try scratch.read("a.jpg") == [1, 2, 3])
    try writer.finish()
    #expect(try Photo(contentsOf: path).buffer.size == buffer.size)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try scratch.names == ["a.jpg"])
  }

  @Test("A file that another program makes meanwhile is not replaced", arguments: PhotoFileFormat.allCases)
  func race(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    let path = scratch("a")
    let buffer = try makeGradient(40, 30)
    let writer = try PhotoWriter(to: path, format: format, size: buffer.size)
    try writer.write(buffer)
    try scratch.write([9], to: "a")
    #expect(
      message { try writer.finish() }
        == "Cannot write \(path): the file already exists; allow overwriting or choose another name.")
    #expect(try scratch.read("a") == [9])
    #expect(try scratch.names == ["a"])
  }

  @Test("Behind a symbolic link the file is replaced and the link stays")
  func symbolicLink() throws {
    let scratch = try Scratch()
    try scratch.write([1], to: "target.jpg")
    #expect(symlink("target.jpg", scratch("link.jpg")) == 0)
    let buffer = try makeGradient(40, 30)
    try write(buffer, with: PhotoWriter(to: scratch("link.jpg"), size: buffer.size, overwrite: true))
    #expect(try Photo(contentsOf: scratch("target.jpg")).buffer.size == buffer.size)
    var status = stat()
    #expect(lstat(scratch("link.jpg"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(try scratch.names == ["link.jpg", "target.jpg"])
  }

  @Test("A link to a file that does not exist yet makes that file, without overwrite too")
  func danglingLink() throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(40, 30)
    for (name, target) in [("link.jpg", "target.jpg"), ("second.jpg", scratch("absolute.jpg"))] {
      #expect(symlink(target, scratch(name)) == 0)
      try write(buffer, with: PhotoWriter(to: scratch(name), size: buffer.size))
      var status = stat()
      #expect(lstat(scratch(name), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }
    #expect(try Photo(contentsOf: scratch("target.jpg")).buffer.size == buffer.size)
    #expect(try scratch.names == ["absolute.jpg", "link.jpg", "second.jpg", "target.jpg"])
    // Where links are not followed, one that is there is not replaced without a word.
    #expect(throws: SafelightError.self) {
      try PhotoWriter(to: scratch("link.jpg"), size: buffer.size, followsLinks: false)
    }
  }

  @Test("A file that is replaced keeps its permissions")
  func keptPermissions() throws {
    let scratch = try Scratch()
    try scratch.write([1], to: "a.jpg")
    #expect(chmod(scratch("a.jpg"), 0o604) == 0)
    let buffer = try makeGradient(40, 30)
    let writer = try PhotoWriter(to: scratch("a.jpg"), size: buffer.size, overwrite: true)
    try write(buffer, with: writer)
    #expect(writer.warnings == [])
    var status = stat()
    #expect(stat(scratch("a.jpg"), &status) == 0 && status.st_mode & 0o777 == 0o604)
  }

  @Test("Until it is finished a file has a hidden name, and a writer that goes leaves nothing")
  func abandoned() throws {
    for format in PhotoFileFormat.allCases {
      let scratch = try Scratch()
      do {
        let writer = try PhotoWriter(to: scratch("a"), format: format, size: Self.size)
        try writer.write(makeGradient(40, 30), rows: 0..<20)
        let names = try scratch.names
        #expect(names.count == 1 && names[0].hasPrefix(".a.") && names[0].hasSuffix(".tmp"))
        withExtendedLifetime(writer) {}
      }
      #expect(try scratch.names == [])
    }
  }

  @Test("Too few rows and too many are errors that leave nothing")
  func rowCount() throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(40, 30)
    let path = scratch("a.jpg")
    let short = try PhotoWriter(to: path, size: buffer.size)
    try short.write(buffer, rows: 0..<29)
    #expect(message { try short.finish() } == "Only 29 of the 30 rows of \(path) were written.")
    #expect(message { try short.write(buffer) } == "\(path) is closed and takes no more rows.")
    let long = try PhotoWriter(to: path, size: buffer.size)
    try long.write(buffer)
    #expect(
      message { try long.write(buffer, rows: 0..<1) } == "Row 31 is beyond the 30 rows of \(path).")
    #expect(
      message { try long.write(makeGradient(41, 30)) }
        == "Rows 0..<30 of 41×30 rgba8 do not fit a file of 40×30 rgba8.")
    long.cancel()
    #expect(try scratch.names == [])
  }

  @Test("Temporary names of long names that differ at their ends are told apart, and are not too long")
  func temporaryNames() {
    let stem = String(repeating: "ä", count: 120)
    let prefixes = ["1.jpg", "2.jpg"].map { OutputFile.temporaryPrefix(for: stem + $0) }
    #expect(prefixes[0] != prefixes[1])
    for prefix in prefixes {
      #expect(prefix.utf8.count + 13 + OutputFile.temporarySuffix.utf8.count <= 255)
      #expect(prefix.hasPrefix(".ä") && !prefix.contains("\u{FFFD}"))
    }
    #expect(OutputFile.temporaryPrefix(for: "a.jpg") == ".a.jpg.")
  }

  @Test("A full disk is one sentence and leaves nothing", arguments: PhotoFileFormat.allCases)
  func fullDisk(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    let path = scratch("a")
    let output = try OutputFile(path: path, overwrite: false)
    // /dev/full takes nothing, as a full disk does.
    let full = open("/dev/full", O_WRONLY)
    #expect(dup2(full, output.descriptor) == output.descriptor)
    close(full)
    let buffer = try makeGradient(400, 300)
    let text = message {
      if format == .jpeg {
        let writer = try JPEGRowWriter(output, size: buffer.size, quality: 92, chromaStep: 1, markers: [])
        try writer.write(300, from: buffer.planes[0].row(0), rowBytes: buffer.planes[0].rowBytes)
        try writer.finish()
      } else {
        let encoder = try VipsEncoder(
          output, format: format, size: buffer.size, bitsPerSample: 8, alpha: .opaque, quality: 92,
          iccProfile: nil, metadata: PhotoMetadata())
        for y in 0..<300 { encoder.append(buffer.planes[0].row(y)) }
        try encoder.finish()
      }
    }
    withExtendedLifetime(buffer) {}
    #expect(text == "Cannot write \(path): the disk is full; free some space and try again.")
    #expect(try scratch.names == [])
  }

  @Test("The permissions of a new file are what the umask leaves")
  func permissions() throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(40, 30)
    try write(buffer, with: PhotoWriter(to: scratch("a.jpg"), size: buffer.size))
    // The umask can only be read by setting it, which other tests would see; a plain file tells the same.
    close(open(scratch("plain"), O_CREAT | O_WRONLY, mode_t(0o666)))
    var written = stat()
    var plain = stat()
    #expect(stat(scratch("a.jpg"), &written) == 0 && stat(scratch("plain"), &plain) == 0)
    #expect(written.st_mode == plain.st_mode)
  }

  @Test(
    "A signal removes unfinished files and ends the process as it would have", arguments: [SIGINT, SIGTERM])
  func signals(number: Int32) async throws {
    let scratch = try Scratch()
    let folder = scratch.path
    await #expect(processExitsWith: .signal(number)) {
      [folder = folder as String, number = number as Int32] in
      TemporaryFiles.removeOnSignals()
      let writer = try PhotoWriter(
        to: folder + "/a.jpg", size: PixelSize(width: 40, height: 30))
      try writer.write(makeGradient(40, 30))
      // To the process, not to this thread: the threads of libdispatch block signals.
      kill(getpid(), number)
      sleep(10)
    }
    #expect(try scratch.names == [])
  }
}
