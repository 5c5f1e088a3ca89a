import ColorScience
import Foundation
import FrameCore
import TestSupport
import Testing

/// The seeds of Tests/Fuzz, which are the tables that Fixtures/tables/generate.py and link.py wrote.
enum TableFixtures {
  static let folders = ["3dl", "csp", "look", "clf", "cdl", "link"]
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  static func corpus(_ folder: String) throws -> [(name: String, bytes: [UInt8])] {
    let place = tests.appendingPathComponent("Fuzz/\(folder)")
    return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted().map {
      ($0, [UInt8](try Data(contentsOf: place.appendingPathComponent($0))))
    }
  }

  static func seed(_ path: String) throws -> ColorLUT {
    let bytes = [UInt8](try Data(contentsOf: tests.appendingPathComponent("Fuzz/\(path)")))
    return try ColorLUT(file: bytes, name: path)
  }

  /// What another program makes of colours, by the file's path below Tests/Fuzz.
  static func expectations(_ file: String) throws -> [(
    path: String, cases: [(input: SIMD3<Double>, output: SIMD3<Double>)]
  )] {
    var found: [(path: String, cases: [(input: SIMD3<Double>, output: SIMD3<Double>)])] = []
    for line in String(decoding: try Fixtures.bytes("tables/\(file)"), as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      let n = words.dropFirst().compactMap { Double($0) }
      if found.last?.path != String(words[0]) { found.append((String(words[0]), [])) }
      found[found.count - 1].cases.append((SIMD3(n[0], n[1], n[2]), SIMD3(n[3], n[4], n[5])))
    }
    return found
  }
}

@Suite("Tables of other formats")
struct TableFileTests {
  // Made by Fixtures/tables/generate.py with PyOpenColorIO 2.6.0: no optimization; tetrahedral where the file does not
  // say trilinear.
  @Test("Colours come out as OpenColorIO makes them: .3dl, .csp, .look, .clf, lists of the ASC")
  func agreesWithOpenColorIO() throws {
    let files = try TableFixtures.expectations("tables.expected.txt")
    #expect(files.count == 30)
    for (path, cases) in files {
      let lut = try TableFixtures.seed(path)
      var worst = 0.0
      for (input, output) in cases {
        // Single precision of large numbers is their reader's.
        let scale = max(1, abs(output.x), abs(output.y), abs(output.z))
        worst = max(worst, distance(lut.evaluate(input), output) / scale)
      }
      #expect(worst < 1e-5, "\(path): \(worst)")
      #expect(cases.count == 99)
    }
  }

  // Made by Fixtures/tables/link.py: the profiles by the specification's layout, the colours by tetrahedra in numpy.
  @Test("Device links come out as their lattices say")
  func deviceLinks() throws {
    let files = try TableFixtures.expectations("link.expected.txt")
    #expect(files.count == 2)
    for (path, cases) in files {
      let lut = try TableFixtures.seed(path)
      for (input, output) in cases {
        #expect(distance(lut.evaluate(input), output) < 2e-5, "\(path) at \(input)")
      }
    }
  }

  @Test(
    "Each corpus is there, and says of each file whether it can be read", arguments: TableFixtures.folders)
  func corpora(folder: String) throws {
    let corpus = try TableFixtures.corpus(folder)
    #expect(corpus.count >= 6)
    for (name, bytes) in corpus where name != "two.ccc" {
      let isValid = (try? ColorLUT(file: bytes, name: name)) != nil
      #expect(isValid == !name.hasPrefix("bad-"), "\(folder)/\(name)")
    }
  }

  @Test("What is no more than curves and a lattice is not a chain")
  func simple() throws {
    #expect(try TableFixtures.seed("clf/shaper-lut3d.clf").sizeDescription == "1D 17 + 3³")
    #expect(try TableFixtures.seed("3dl/flame.3dl").sizeDescription == "5³")
    #expect(try TableFixtures.seed("3dl/shaper-curve.3dl").sizeDescription == "1D 4 + 4³")
    #expect(try TableFixtures.seed("csp/metadata.csp").sizeDescription == "1D 2 + 3³")
    #expect(try TableFixtures.seed("csp/metadata.csp").title == "Warm # 5")
    #expect(try TableFixtures.seed("csp/curves.csp").sizeDescription == "2 steps")
    #expect(try TableFixtures.seed("clf/chain.clf").sizeDescription == "7 steps")
  }

  @Test(
    "A damaged table is refused with its place and a remedy",
    arguments: [
      (
        "3dl/bad-row-of-two.3dl", "3dl/bad-row-of-two.3dl:2: a row has 2 of 3 values; export the LUT again."
      ),
      (
        "csp/bad-uneven.csp",
        "csp/bad-uneven.csp:6: the lattice has 2 and 3 nodes along its edges; export a LUT with as many along each edge."
      ),
      (
        "look/bad-mask.look",
        "look/bad-mask.look:8: the look has a mask, which is not applied; export the look without its mask."
      ),
      (
        "clf/bad-truncated-array.clf",
        "clf/bad-truncated-array.clf:3: the Array has 48 of the 51 values that dim calls for; export the LUT again."
      ),
      (
        "clf/bad-depths.clf",
        "clf/bad-depths.clf:6: Matrix takes 12i, but what precedes it gives 10i; give each process the inBitDepth that the one before it puts out."
      ),
      (
        "clf/bad-html.clf",
        "clf/bad-html.clf:1: html is no table of colours; give a Common LUT Format, a look of Iridas or a list of the ASC."
      ),
      (
        "cdl/bad-power.cc",
        "cdl/bad-power.cc:1: Power has 0, outside its range; give numbers above 0."
      ),
      (
        "cdl/two.ccc",
        "cdl/two.ccc:1: there are 2 corrections: cc0001, cc0002; choose one with “safelight recipe import --id”, or keep one in the file."
      ),
      (
        "link/bad-display.icc",
        "link/bad-display.icc is an ICC profile of a device or a space, not a device link; make a link from it and the space of its output, or give it to the program that made it."
      ),
      (
        "link/bad-cmyk.icc",
        "link/bad-cmyk.icc is a device link that does not lead from RGB to RGB; give a link between RGB."
      ),
    ])
  func messages(path: String, message: String) throws {
    let error = #expect(throws: SafelightError.self) { try TableFixtures.seed(path) }
    #expect(error?.description == message)
  }

  @Test("Contents decide on the format, and a text without a signature is read by its extension")
  func kinds() throws {
    let clf = try TableFixtures.corpus("clf").first { $0.name == "matrix.clf" }?.bytes ?? []
    #expect(try TableFileKind(clf, name: "matrix.cube") == .xml)
    #expect(try TableFileKind(Array("1 2 3".utf8), name: "a.3DL") == .threeDL)
    #expect(throws: SafelightError.self) { try TableFileKind(Array("1 2 3".utf8), name: "a.clf") }
    #expect(try TableFileKind([0x89, 0x50, 0x4E, 0x47], name: "a.cube") == .picture)
  }

  @Test("A Hald is a square of a cubed number, red fastest")
  func hald() throws {
    let pixels = (0..<64).map { (index: Int) -> SIMD3<Float> in
      let (red, green, blue) = (Float(index % 4), Float(index / 4 % 4), Float(index / 16))
      return SIMD3<Float>(red, green, blue) / 3
    }
    let picture = TablePicture(size: PixelSize(width: 8, height: 8), pixels: pixels)
    let lut = try ColorLUT(hald: picture, name: "a.png")
    #expect(distance(lut.evaluate(SIMD3(0.2, 0.5, 0.9)), SIMD3(0.2, 0.5, 0.9)) < 1e-6)
    let error = #expect(throws: SafelightError.self) {
      try ColorLUT(
        hald: TablePicture(size: PixelSize(width: 16, height: 4), pixels: pixels), name: "a.png")
    }
    #expect(
      error?.description
        == "a.png is a picture of 16×4, which is no Hald; give a square one with edges of 8, 27, 64, 125, 216, 343, 512, … pixels that was not cropped or scaled."
    )
  }
}
