import Libc
import Safelight
import TestSupport
import Testing

@testable import CapturedPhotos

extension PhotoNames {
  /// The path that a photo gets.
  fileprivate func place(
    _ number: Int, at date: CaptureFacts.Date?, camera: String? = nil, preset: String? = nil,
    size: PixelSize? = nil
  ) throws -> String {
    try unused(name(number, at: date, camera: camera, preset: preset, size: size))
  }
}

@Suite struct PhotoNamesTests {
  private let time: CaptureFacts.Date

  init() throws {
    // 2026-11-23 12:34:56.789 UTC, half past nine in the evening somewhere east.
    time = try #require(
      CaptureFacts.Date(unixNanoseconds: 1_795_437_296_789_000_000, minutesFromUTC: 9 * 60))
  }

  @Test("A folder gets names by date and time, and a second photo of one moment a number")
  func folder() throws {
    let folder = try Scratch()
    let names = try PhotoNames(folder.path)
    #expect(try names.place(1, at: time) == folder("safelight-\(time.fileName).jpg"))
    #expect(try names.place(1, at: time) == folder("safelight-\(time.fileName)-2.jpg"))
    #expect(names.format == .jpeg)
    // It is created.
    let new = try PhotoNames(folder("a/b/"), format: .png)
    #expect(try new.place(1, at: time) == folder("a/b/safelight-\(time.fileName).png"))
  }

  @Test("Photos that get a movie end in .MP.jpg, once, and numbers and originals keep that in order")
  func motionPhotos() throws {
    let folder = try Scratch()
    let named = try PhotoNames(folder("a.jpg"), isMotionPhoto: true)
    #expect(try named.place(1, at: time) == folder("a.MP.jpg"))
    #expect(try named.place(2, at: time) == folder("a-2.MP.jpg"))
    #expect(try PhotoNames(folder("b.MP.JPG"), isMotionPhoto: true).place(1, at: time) == folder("b.MP.JPG"))
    let inFolder = try PhotoNames(folder.path, isMotionPhoto: true)
    #expect(try inFolder.place(1, at: time) == folder("safelight-\(time.fileName).MP.jpg"))
    let template = try PhotoNames(folder("{index:04}.jpg"), isMotionPhoto: true)
    #expect(try template.place(7, at: time) == folder("0007.MP.jpg"))
    #expect(PhotoDelivery.originalName("c/a.MP.jpg") == "c/a-original.jpg")
    #expect(PhotoDelivery.originalName("c.MP/a.jpg") == "c.MP/a-original.jpg")
    #expect(PhotoNames.numbered(".MP.jpg", 2) == ".MP-2.jpg")
  }

  @Test("A name of its own is kept as written, and counted up for further photos")
  func ownName() throws {
    let folder = try Scratch()
    let names = try PhotoNames(folder("Booth.JPG"))
    #expect(try names.place(1, at: time) == folder("Booth.JPG"))
    #expect(try names.place(1, at: time) == folder("Booth-2.JPG"))
    #expect(try PhotoNames(folder("plain"), format: .tiff).place(1, at: time) == folder("plain.tif"))
    #expect(try PhotoNames(folder("{index}-3.5m"), format: .png).place(1, at: time) == folder("1-3.5m.png"))
  }

  @Test("Numbers follow the order of the photos, though those of a burst are processed at the same time")
  func order() throws {
    let folder = try Scratch()
    try folder.write("mine", to: "a-2.jpg")
    let names = try PhotoNames(folder("a.jpg"))
    func place(_ number: Int) throws -> String { try names.unused(names.name(number, at: time), of: number) }
    #expect(try [3, 1, 2].map(place) == [folder("a-4.jpg"), folder("a.jpg"), folder("a-3.jpg")])
    // The second photo failed before it had a name, and the fifth's is asked for again.
    #expect(try [5, 5, 4].map(place) == [folder("a-6.jpg"), folder("a-7.jpg"), folder("a-5.jpg")])
    // Where each has a name of its own, none is kept for another.
    let own = try PhotoNames(folder("{index}.jpg"))
    #expect(try own.unused(own.name(2, at: time), of: 2) == folder("2.jpg"))
    #expect(try own.unused(own.name(1, at: time), of: 1) == folder("1.jpg"))
  }

  @Test("Folders appear with the first photo, or when asked for, and again if they are removed")
  func folders() throws {
    let folder = try Scratch()
    let names = try PhotoNames(folder("a/b.jpg"))
    #expect(try folder.names == [])
    for _ in 0..<2 {
      _ = try names.name(1, at: time)
      #expect(try folder.names == ["a"])
      rmdir(folder("a"))
    }
    try names.makeFolder()
    #expect(try folder.names == ["a"])
  }

  @Test(
    "An extension that names no format that is written is refused, with those that are",
    arguments: ["a.bmp", "{index}.bmp", "a.nef", "a.gif"])
  func formats(name: String) throws {
    let folder = try Scratch()
    let sentence = try #require(message { _ = try PhotoNames(folder(name)) })
    #expect(sentence.hasPrefix("Cannot write \(folder(name)): ") && sentence.contains("use one of .jpg"))
    #expect(try folder.names == [])
  }

  @Test("Fields are filled in, and folders among them created")
  func template() throws {
    let folder = try Scratch()
    let names = try PhotoNames(folder("{camera}/{index:04}-{preset}-{width}.png"))
    let size = PixelSize(width: 640, height: 480)
    #expect(
      try names.place(1, at: time, camera: "C920", preset: "noir", size: size)
        == folder("C920/0001-noir-640.png")
    )
    #expect(
      try names.place(2, at: time, camera: "C920", preset: "noir", size: size)
        == folder("C920/0002-noir-640.png")
    )
    #expect(try folder.names == ["C920"])
    #expect(names.format == .png)
  }

  @Test("What is there is not replaced: refused for one photo, counted up for several")
  func existing() throws {
    let folder = try Scratch()
    try folder.write("mine", to: "a.jpg")
    #expect(
      message { _ = try PhotoNames(folder("a.jpg"), isSingle: true) }
        == "\(folder("a.jpg")) already exists, and photos replace nothing; give another name, or a folder.")
    #expect(try PhotoNames(folder("a.jpg")).place(1, at: time) == folder("a-2.jpg"))
    // Also if the format adds the extension.
    try folder.write("mine", to: "b.png")
    #expect(throws: SafelightError.self) { try PhotoNames(folder("b"), format: .png, isSingle: true) }
  }

  @Test("A name that another program takes first gets a number, and an edit left over takes its photo's name")
  func races() throws {
    let folder = try Scratch()
    let names = try PhotoNames(folder("a.jpg"))
    var tried: [String] = []
    try names.placing(names.name(1, at: time)) { path in
      tried.append(path)
      if tried.count < 3 { throw SafelightError(.exists, "It exists") }
    }
    #expect(tried == [folder("a.jpg"), folder("a-2.jpg"), folder("a-3.jpg")])
    try folder.write("{}", to: "b.jpg.safelight.json")
    #expect(try PhotoNames(folder("b.jpg")).place(1, at: time) == folder("b-2.jpg"))
  }

  @Test("A link to nothing is in the way as a file is")
  func danglingLink() throws {
    let folder = try Scratch()
    let names = try PhotoNames(folder("a.jpg"))
    #expect(symlink("nowhere", folder("a.jpg")) == 0)
    #expect(names.unused(folder("a.jpg")) == folder("a-2.jpg"))
  }

  @Test("A template that leads out of its folder, or has an unknown field, is refused")
  func hostile() throws {
    let folder = try Scratch()
    #expect(throws: SafelightError.self) { try PhotoNames(folder("{stem}/../../x{index}.jpg")) }
    #expect(throws: SafelightError.self) { try PhotoNames(folder("{sten}.jpg")) }
    try folder.write("a file", to: "file")
    #expect(throws: SafelightError.self) { try PhotoNames(folder("file/x.jpg")).makeFolder() }
  }

  @Test("Times are written with their milliseconds and their distance from UTC")
  func times() throws {
    #expect(time.fileName == "20261123-213456-789")
    #expect(time.iso8601 == "2026-11-23T21:34:56.789+09:00")
    let west = try #require(
      CaptureFacts.Date(unixNanoseconds: 1_795_437_296_007_000_000, minutesFromUTC: -210))
    #expect(west.iso8601 == "2026-11-23T09:04:56.007-03:30")
    let folder = try Scratch()
    #expect(try PhotoNames(folder.path).place(1, at: nil) == folder("safelight.jpg"))
  }
}
