import FrameAnalysis
import FrameCore
import TestSupport
import Testing

@testable import Similarity

@Suite("Groups of photos that are alike")
struct SimilarGroupsTests {
  private static let second: Int64 = 1_000_000

  /// A photo that looks like nothing else, but for the bits that are turned.
  private static func photo(
    _ name: String, look: UInt64, turned: Int = 0, taken: Double? = nil, detail: Int = 100,
    camera: String = "A"
  ) -> SimilarityScan.Photo {
    var random = SeededRandom(seed: look)
    var words = SIMD4((0..<4).map { _ in random.next() })
    for bit in 0..<turned { words[bit % 4] ^= 1 << UInt64(bit / 4) }
    let small = SmallPicture(samples: (0..<256).map { _ in UInt8.random(in: 0...255, using: &random) })
    var signature = PhotoSignature(
      hash: PerceptualHash(words: words), detail: detail, small: small, size: PixelSize(width: 60, height: 40)
    )
    signature.taken = taken.map { Int64($0 * Double(second)) }
    signature.hasSubSeconds = true
    signature.camera = camera
    // Lengths that differ, so that no files are compared.
    return SimilarityScan.Photo(path: name, bytes: name.hashValue, written: 0, signature: signature)
  }

  private static func groups(_ photos: [SimilarityScan.Photo]) -> [[String]] {
    SimilarGroups(photos, threads: 2).groups.map { group in
      [group.kind.rawValue] + group.photos.map { photos[$0].path }
    }
  }

  @Test("are copies where hashes are near and pictures agree, through others too")
  func copies() {
    let photos = [
      Self.photo("a", look: 1), Self.photo("b", look: 2), Self.photo("a2", look: 1, turned: 31),
      Self.photo("a3", look: 1, turned: 62), Self.photo("a4", look: 1, turned: 94), Self.photo("c", look: 3),
      Self.photo("b2", look: 2),
    ]
    #expect(Self.groups(photos) == [["copies", "a", "a2", "a3"], ["copies", "b", "b2"]])
  }

  @Test("are no copies where the pictures differ, detail is missing or the times differ")
  func noCopies() {
    var other = Self.photo("a2", look: 1)
    other.signature.small = Self.photo("b", look: 2).signature.small
    #expect(Self.groups([Self.photo("a", look: 1), other]) == [])
    #expect(Self.groups([Self.photo("a", look: 1, detail: 49), Self.photo("a2", look: 1, detail: 49)]) == [])
    #expect(Self.groups([Self.photo("a", look: 1, taken: 5), Self.photo("a2", look: 1, taken: 50)]) == [])
    #expect(
      Self.groups([Self.photo("a", look: 1, taken: 5), Self.photo("a2", look: 1, taken: 5)])
        == [["copies", "a", "a2"]])
    // A file without a time may be a copy of either.
    #expect(
      Self.groups([Self.photo("a", look: 1, taken: 5), Self.photo("a2", look: 1)]) == [["copies", "a", "a2"]])
  }

  @Test("never hold pictures of two moments, though a version without a time is like both")
  func moments() {
    let burst = [Self.photo("1", look: 1, taken: 100), Self.photo("2", look: 1, turned: 8, taken: 100.5)]
    let versions = [Self.photo("1 web", look: 1, turned: 2), Self.photo("2 web", look: 1, turned: 7)]
    for photos in [burst + versions, versions + burst, Array((versions + burst).reversed())] {
      let copies = Self.groups(photos).filter { $0[0] == "copies" }.map { Set($0.dropFirst()) }
      #expect(Set(copies) == [["1", "1 web"], ["2", "2 web"]], "\(copies)")
    }
    // Of one hash, the first says nothing of the others.
    let same = [
      Self.photo("1", look: 1, taken: 100), Self.photo("2", look: 1, taken: 107),
      Self.photo("1 copy", look: 1, taken: 100), Self.photo("2 copy", look: 1, turned: 3, taken: 107),
    ]
    #expect(Self.groups(same) == [["copies", "1", "1 copy"], ["copies", "2", "2 copy"]])
    // A version that lost the fraction of its second.
    var whole = Self.photo("whole", look: 1, taken: 100)
    whole.signature.hasSubSeconds = false
    #expect(Self.groups([Self.photo("a", look: 1, taken: 100.4), whole]) == [["copies", "a", "whole"]])
    #expect(Self.groups([Self.photo("a", look: 1, taken: 101.4), whole]) == [])
  }

  @Test("are copies where pictures of one moment are alike, as crops are")
  func crops() {
    var crop = Self.photo("crop", look: 1, turned: 80, taken: 5)
    let photo = Self.photo("a", look: 1, taken: 5)
    #expect(Self.groups([photo, crop]) == [["copies", "a", "crop"]])
    // Of whole seconds, another size shows that they are of no burst.
    crop.signature.hasSubSeconds = false
    #expect(Self.groups([photo, crop]) == [["burst", "a", "crop"]])
    crop.signature.size.width -= 4
    #expect(Self.groups([photo, crop]) == [["copies", "a", "crop"]])
    crop.signature.camera = "B"
    #expect(Self.groups([photo, crop]) == [])
  }

  @Test("are bursts where photos of one camera follow at once and look alike")
  func bursts() {
    let burst = [
      Self.photo("1", look: 1, turned: 40, taken: 100), Self.photo("2", look: 1, turned: 80, taken: 100.4),
      Self.photo("3", look: 1, turned: 120, taken: 101.4),
    ]
    #expect(Self.groups(burst) == [["burst", "1", "2", "3"]])
    #expect(Self.groups(burst.reversed()) == [["burst", "1", "2", "3"]])
    let late = Self.photo("4", look: 1, turned: 120, taken: 102.5)
    let elsewhere = Self.photo("5", look: 9, taken: 101.6)
    let another = Self.photo("6", look: 1, turned: 80, taken: 100.2, camera: "B")
    #expect(Self.groups(burst + [late]) == [["burst", "1", "2", "3"]])
    #expect(Self.groups(burst + [elsewhere]) == [["burst", "1", "2", "3"]])
    #expect(Self.groups(burst + [another]) == [["burst", "1", "2", "3"]])
  }

  @Test("are bursts where the camera says so")
  func toldBursts() {
    var photos = [
      Self.photo("1", look: 1, taken: 100), Self.photo("2", look: 2, taken: 105),
      Self.photo("3", look: 2, turned: 50, taken: 105.1),
    ]
    for place in 0..<2 { photos[place].signature.burst = "x" }
    #expect(Self.groups(photos) == [["burst", "1", "2"]])
  }

  @Test("have one photo of several copies in a burst")
  func burstOfCopies() {
    let photos = [
      Self.photo("1", look: 1, taken: 100), Self.photo("1 copy", look: 1, taken: 100),
      Self.photo("2", look: 1, turned: 50, taken: 100.5),
    ]
    #expect(Self.groups(photos) == [["burst", "1", "2"], ["copies", "1", "1 copy"]])
  }

  @Test("count days as calendars do")
  func time() throws {
    // Days between dates: 366 from 1 March 2023 to 1 March 2024, 1 across the end of a century that is no leap year.
    func day(_ year: Int, _ month: Int, _ day: Int) throws -> Int64 {
      try PhotoSignature.microseconds(#require(.init(year: year, month: month, day: day)))
        / (86400 * Self.second)
    }
    #expect(try day(2024, 3, 1) - day(2023, 3, 1) == 366)
    #expect(try day(1900, 3, 1) - day(1900, 2, 28) == 1)
    #expect(try day(2000, 3, 1) - day(2000, 2, 28) == 2)
    #expect(try day(2025, 1, 1) - day(2024, 12, 31) == 1)
    // `date -d 2026-11-26 +%s` over `date -d 1970-01-01 +%s`
    #expect(try day(2026, 11, 26) - day(1970, 1, 1) == 20783)
  }
}
