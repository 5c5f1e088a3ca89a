import Foundation
import LibraryTestSupport
import Libc
import Safelight
import Testing

@testable import Studio

@Suite("Handing over to a studio that runs")
struct StudioHandoverTests {
  /// A place for sockets, as XDG_RUNTIME_DIR is.
  private func makeFolder(_ scratch: Scratch) throws -> HandoverFolder {
    chmod(scratch.path, 0o700)
    return try #require(HandoverFolder(in: scratch.path))
  }

  private func start(_ path: String, camera: String? = nil) throws -> (studio: StudioServer, address: String)
  {
    var settings = StudioServer.Settings()
    (settings.port, settings.camera) = (0, camera)
    let studio = try StudioServer(path, settings)
    return (studio, try studio.start())
  }

  @Test("opens a photo of the folder that is shown, and the folder itself, but no other folder")
  func folder() throws {
    let (runtime, photos, other) = (try Scratch(), try Scratch(), try Scratch())
    for name in ["a.png", "b.png"] { try photos.save(gradient(60, 40), as: name) }
    try other.save(gradient(60, 40), as: "c.png")
    let folder = try makeFolder(runtime)
    let (studio, address) = try start(photos.path)
    defer { studio.stop() }
    let first = StudioHandover(folder)
    first.listen(for: studio)
    defer { first.close() }
    let second = StudioHandover(folder)
    for path in [photos("b.png"), photos.path, photos.path + "/"] {
      let place = second.place(for: .path(path))
      #expect(place?.address == address && place?.process == Int(getpid()), "\(path)")
    }
    for path in [other("c.png"), other.path, photos("none.png"), "/dev/null"] {
      #expect(second.place(for: .path(path)) == nil, "\(path)")
      second.letOthersAsk()
    }
    #expect(second.place(for: .camera("synthetic")) == nil && studio.photoCount == 2)
    second.letOthersAsk()
  }

  @Test("adds a photo to a studio that was started with one, and the next page opens it")
  func photo() throws {
    let (runtime, photos, other) = (try Scratch(), try Scratch(), try Scratch())
    for name in ["a.png", "b.png"] { try photos.save(gradient(60, 40), as: name) }
    try other.save(gradient(60, 40), as: "c.png")
    let list = try StudioPhotos(photos("a.png"))
    #expect(list.path(handedOver: photos("b.png")) == photos("b.png"))
    #expect(list.path(handedOver: other("c.png")) == other("c.png"))
    let cache = try Scratch()
    let room = try StudioRoom(list, cache: ThumbnailCache(folder: cache.path))
    defer { room.close() }
    room.open(other("c.png"))
    let peer = RecordedPeer()
    room.join(peer)
    let welcome = try #require(peer.next("welcome"))
    #expect(welcome.text("open") == StudioPhotos.id(of: other("c.png")) && list.entries.count == 2)
    #expect(room.joins == 1)
    let (studio, address) = try start(photos("a.png"))
    defer { studio.stop() }
    let first = StudioHandover(try makeFolder(runtime))
    first.listen(for: studio)
    defer { first.close() }
    let second = StudioHandover(try makeFolder(runtime))
    #expect(second.place(for: .path(other("c.png")))?.address == address)
    // Until a page is there.
    let place = try #require(second.place(for: .path(photos("a.png"))))
    let began = Timestamp.now
    second.waitForPage(at: place, seconds: 0.3)
    #expect(Timestamp.now.seconds(since: began) >= 0.3)
  }

  @Test("knows a camera by its name")
  func camera() throws {
    let (runtime, photos) = (try Scratch(), try Scratch())
    let folder = try makeFolder(runtime)
    let (studio, address) = try start(photos.path, camera: "synthetic")
    defer { studio.stop() }
    let first = StudioHandover(folder)
    first.listen(for: studio)
    defer { first.close() }
    #expect(StudioHandover(folder).place(for: .camera("synthetic"))?.address == address)
    #expect(StudioHandover(folder).place(for: .camera("default")) == nil)
    // What files are called depends on where the program was started.
    let here = try #require(FileContents.workingFolder)
    #expect(StudioTarget("shots-*.png", isCamera: true) == .camera(here + "/shots-*.png"))
    #expect(StudioTarget("/x/shots-*.png", isCamera: true) == .camera("/x/shots-*.png"))
    #expect(StudioTarget("synthetic", isCamera: true) == .camera("synthetic"))
  }

  @Test("leaves nothing behind, and takes what a killed studio left for nothing")
  func leftovers() throws {
    let (runtime, photos) = (try Scratch(), try Scratch())
    try photos.save(gradient(60, 40), as: "a.png")
    let folder = try makeFolder(runtime)
    // No process has this number.
    let dead = folder.socket(of: 99_999_999)
    _ = try LocalSocket.listening(at: dead)
    #expect(StudioHandover(folder).place(for: .path(photos.path)) == nil && folder.sockets.isEmpty)
    let (studio, _) = try start(photos.path)
    defer { studio.stop() }
    let first = StudioHandover(folder)
    first.listen(for: studio)
    var status = stat()
    #expect(stat(folder.sockets[0], &status) == 0 && status.st_mode & 0o777 == 0o600)
    first.close()
    #expect(folder.sockets.isEmpty)
  }

  @Test("takes no line that is damaged or too long, and goes on")
  func damage() throws {
    let (runtime, photos) = (try Scratch(), try Scratch())
    try photos.save(gradient(60, 40), as: "a.png")
    let folder = try makeFolder(runtime)
    let (studio, address) = try start(photos.path)
    defer { studio.stop() }
    let first = StudioHandover(folder)
    first.listen(for: studio)
    defer { first.close() }
    for line in [
      "", "{", "[]", "{\"open\": 1}", "{\"open\": {\"path\": \"a.png\"}}",
      String(repeating: "x", count: 70_000),
    ] {
      let socket = try LocalSocket.connected(to: folder.sockets[0])
      try? socket.send(line)
      let answer = (try? socket.line()) ?? ""
      #expect(!answer.contains("token"), "\(line.prefix(40))")
    }
    #expect(StudioHandover(folder).place(for: .path(photos.path))?.address == address)
  }

  @Test("is left out where others could reach the socket, or where there is no place for it")
  func places() throws {
    let runtime = try Scratch()
    #expect(HandoverFolder(in: nil) == nil && HandoverFolder(in: "run") == nil)
    #expect(HandoverFolder(in: runtime("none")) == nil)
    chmod(runtime.path, 0o777)
    #expect(HandoverFolder(in: runtime.path) == nil)
    // A path that is too long for a socket.
    let deep = runtime(String(repeating: "d", count: 120))
    mkdir(deep, 0o700)
    chmod(runtime.path, 0o700)
    let folder = try #require(HandoverFolder(in: deep))
    #expect(
      message { _ = try LocalSocket.listening(at: folder.socket(of: 1)) }?.contains("too long") ?? false)
  }

  @Test("makes programs that start at once take turns")
  func turns() throws {
    let runtime = try Scratch()
    let folder = try makeFolder(runtime)
    let held = Monitor(folder.lock())
    let got = Monitor(false)
    let waiting = Joinable(
      try WorkerThread(name: "second") {
        _ = folder.lock()
        got.update { $0 = true }
      })
    usleep(100_000)
    #expect(!got.read { $0 })
    held.update { $0 = nil }
    waiting.join()
    #expect(got.read { $0 })
  }

  @Test("takes the next port where the usual one is taken")
  func ports() throws {
    let photos = try Scratch()
    try photos.save(gradient(60, 40), as: "a.png")
    let (first, second) = (try StudioServer(photos.path), try StudioServer(photos.path))
    let addresses = [try first.start(), try second.start()].map { $0.split(separator: "/#")[0] }
    first.stop()
    second.stop()
    #expect(Set(addresses).count == 2 && addresses.allSatisfy { $0.hasPrefix("http://localhost:85") })
  }
}
