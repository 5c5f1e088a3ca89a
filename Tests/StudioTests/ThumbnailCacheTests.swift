import Foundation
import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("Small pictures on the disk")
struct ThumbnailCacheTests {
  private let picture = ThumbnailCache.Picture(
    width: 300, height: 2, jpeg: [0xFF, 0xD8] + [UInt8](repeating: 7, count: 900) + [0xFF, 0xD9])

  @Test("are read as they were kept, and not when they are damaged")
  func damage() throws {
    let scratch = try Scratch()
    let cache = ThumbnailCache(folder: scratch.path)
    let key = String(repeating: "ab", count: 16)
    #expect(cache.read(key) == nil)
    cache.write(picture, as: key)
    let known = try #require(cache.read(key))
    #expect(known.width == 300 && known.height == 2 && known.jpeg == picture.jpeg)
    let file = "ab/" + key.dropFirst(2)
    let bytes = try scratch.read(file)
    for broken in [Array(bytes.dropLast(5)), Array(bytes.dropFirst()), [], Array(bytes.prefix(9))] {
      try scratch.write(broken, to: file)
      #expect(cache.read(key) == nil)
    }
    // A folder that cannot be made costs only time.
    try scratch.write("a file", to: "cd")
    cache.write(picture, as: String(repeating: "cd", count: 16))
  }

  @Test("are others when the photo, its edit or the size is another")
  func keys() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(60, 40), as: "a.png")
    let cache = ThumbnailCache(folder: nil)
    let plain = try #require(try cache.key(scratch("a.png"), edge: 90))
    #expect(try cache.key(scratch("a.png"), edge: 90) == plain)
    #expect(try cache.key(scratch("a.png"), edge: 91) != plain)
    try RecipeSidecar.save(Recipe { Exposure(stops: 1) }, forPhoto: scratch("a.png"), .set)
    let edited = try cache.key(scratch("a.png"), edge: 90)
    #expect(edited != plain)
    try RecipeSidecar.undo(forPhoto: scratch("a.png"))
    #expect(try cache.key(scratch("a.png"), edge: 90) == plain)
    try scratch.write(scratch.read("a.png") + [0], to: "a.png")
    #expect(try cache.key(scratch("a.png"), edge: 90) != plain)
    #expect(try cache.key(scratch("none.png"), edge: 90) == nil)
  }

  @Test("take no more room than they may: those used longest ago go first")
  func limit() throws {
    let scratch = try Scratch()
    let cache = ThumbnailCache(folder: scratch.path, limit: 20_000)
    func key(_ number: Int) -> String {
      String(String(repeating: "0", count: 32) + "\(number)").suffix(32).description
    }
    for number in 0..<60 {
      cache.write(picture, as: key(number))
      // As if it were long ago.
      let path = scratch("00/" + key(number).dropFirst(2))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1e9 + Double(number))], ofItemAtPath: path)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch("00"))
    #expect(names.count <= 25 && !names.isEmpty)
    #expect(cache.read(key(59)) != nil && cache.read(key(0)) == nil)
  }
}
