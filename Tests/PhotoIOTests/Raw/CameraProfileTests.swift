import ColorScience
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

/// The profile of a Canon EOS 5D Mark II, as in the documentation of colour-hdri, with a second forward matrix made up.
private enum Canon {
  static let colorMatrices = [
    [0.5309, -0.0229, -0.0336, -0.6241, 1.3265, 0.3337, -0.0817, 0.1215, 0.6664],
    [0.4716, 0.0603, -0.0830, -0.7798, 1.5474, 0.2480, -0.1496, 0.1937, 0.6651],
  ]
  static let forwardMatrices = [
    [0.8924, -0.1041, 0.1760, 0.4351, 0.6621, -0.0972, 0.0505, -0.1562, 0.9308],
    [0.7530, 0.0120, 0.1993, 0.2700, 0.8420, -0.1120, 0.0210, -0.0720, 0.8761],
  ]
  static let calibrations = [
    [1.02, 0.01, 0, 0, 1, 0.02, 0, 0, 0.98], [0.99, 0, 0, 0.01, 1, 0, 0, 0.02, 1.03],
  ]
  static let analogBalance = [1, 1, 1.1]

  static func tags(calibrated: Bool) -> [Int: DNGFile.Values] {
    var tags: [Int: DNGFile.Values] = [
      50_721: .signed(colorMatrices[0]), 50_722: .signed(colorMatrices[1]), 50_778: .short([17]),
      50_779: .short([21]), 50_964: .signed(forwardMatrices[0]), 50_965: .signed(forwardMatrices[1]),
    ]
    if calibrated {
      tags[50_723] = .signed(calibrations[0])
      tags[50_724] = .signed(calibrations[1])
      tags[50_727] = .signed(analogBalance)
    }
    return tags
  }
}

@Suite("Camera profiles in DNGs", .libRawIsInstalled)
struct CameraProfileTests {
  private func develop(_ file: DNGFile) throws -> Photo {
    let scratch = try Scratch()
    return try Photo(contentsOf: try scratch.write(file.bytes, to: "photo.dng"))
  }

  /// A sensor whose colours are interpolated already, half of each one's largest value.
  private func file(_ sensor: SIMD3<Double>, neutral: SIMD3<Double>, tags: [Int: DNGFile.Values]) -> DNGFile {
    var file = DNGFile(width: 32, height: 24) { _, _, channel in sensor[channel] }
    (file.linearChannels, file.neutral, file.tags) = (3, (0..<3).map { neutral[$0] }, tags)
    return file
  }

  private func color(_ photo: Photo) -> SIMD3<Double> {
    let row = row16(photo.buffer, 12)
    return SIMD3((0..<3).map { Double(row[4 * 16 + $0]) / 65_535 / 0.25 })
  }

  /// From balanced colours to XYZ of D50, by colour-hdri 0.2.6 (`camera_neutral_to_xy`, `matrix_camera_space_to_XYZ`, times
  /// the neutral): the matrices above for a white at noon, by a lamp, and between.
  @Test(
    "The forward matrix is between those of both lights as the white is",
    arguments: [
      (
        false, SIMD3(0.413070, 1, 0.646465),
        [0.768608, -0.000999, 0.196691, 0.288485, 0.821858, -0.110343, 0.024303, -0.081427, 0.882224]
      ),
      (
        false, SIMD3(0.55, 1, 0.42),
        [0.833275, -0.054858, 0.185882, 0.365075, 0.738402, -0.103477, 0.037988, -0.120488, 0.907600]
      ),
      (
        true, SIMD3(0.413070, 1, 0.646465),
        [0.781080, -0.017581, 0.200801, 0.297734, 0.816443, -0.114177, 0.026723, -0.113020, 0.911397]
      ),
      (
        true, SIMD3(0.48, 1, 0.53),
        [0.812859, -0.044088, 0.195529, 0.333476, 0.778483, -0.111958, 0.032917, -0.128747, 0.920929]
      ),
    ])
  func forwardMatrix(calibrated: Bool, neutral: SIMD3<Double>, expected: [Double]) throws {
    let toD50 = Matrix3x3(rows: (0..<3).map { SIMD3(expected[3 * $0..<3 * $0 + 3]) })
    let d50 = ColorSpace.proPhoto.toXYZ.inverse
    for balanced in [SIMD3(0.5, 0.5, 0.5), SIMD3(0.6, 0.4, 0.3), SIMD3(0.3, 0.5, 0.45)] {
      let photo = try develop(
        file(balanced * neutral, neutral: neutral, tags: Canon.tags(calibrated: calibrated)))
      #expect(photo.warnings == [])
      let found = color(photo)
      let wanted = ColorSpace.proPhoto.matrix(to: .linearRec2020) * (d50 * (toD50 * balanced))
      let difference = found - wanted
      #expect(max(difference.max(), -difference.min()) < 0.0008, "\(balanced): \(found), expected \(wanted)")
    }
  }

  /// A node that has a number of its own in each dimension.
  private static func node(_ hue: Int, _ saturation: Int, _ value: Int) -> [Float] {
    [
      Float((hue * 7 + saturation * 3 + value * 5) % 11 - 5) * 4,
      0.8 + 0.05 * Float((hue + 2 * saturation + value) % 7),
      0.9 + 0.04 * Float((2 * hue + saturation + 3 * value) % 5),
    ]
  }

  private static let nodes = (0..<2).flatMap { value in
    (0..<6).flatMap { hue in (0..<3).flatMap { saturation in node(hue, saturation, value) } }
  }

  /// By Python's `colorsys` and an interpolation of its own.
  @Test(
    "The table of hues is interpolated in all three dimensions",
    arguments: [
      (false, SIMD3<Float>(0.3, 0.2, 0.1), SIMD3<Float>(0.296800, 0.207139, 0.104210)),
      (false, SIMD3(0.1, 0.5, 0.2), SIMD3(0.111116, 0.489500, 0.210127)),
      (false, SIMD3(0.7, 0.1, 0.9), SIMD3(0.656121, 0.162600, 0.859700)),
      (false, SIMD3(0.2, 0.2, 0.2), SIMD3(0.184800, 0.184800, 0.184800)),
      (false, SIMD3(1.6, 0.4, 0.2), SIMD3(1.510857, 0.146364, 0.169106)),
      (false, SIMD3(0.05, 0.06, 0.9), SIMD3(0.154262, 0.146273, 0.904541)),
      (true, SIMD3(0.3, 0.2, 0.1), SIMD3(0.290579, 0.199707, 0.099276)),
      (true, SIMD3(0.1, 0.5, 0.2), SIMD3(0.122375, 0.494963, 0.200869)),
      (true, SIMD3(0.7, 0.1, 0.9), SIMD3(0.613297, 0.152077, 0.810426)),
      (true, SIMD3(1.6, 0.4, 0.2), SIMD3(1.402816, 0.135898, 0.157013)),
      (true, SIMD3(0.05, 0.06, 0.9), SIMD3(0.167231, 0.148406, 0.921135)),
    ])
  func table(encoded: Bool, rgb: SIMD3<Float>, expected: SIMD3<Float>) throws {
    let map = try #require(HueSatMap(dimensions: [6, 3, 2], numbers: Self.nodes, isEncoded: encoded))
    let difference = map.apply(rgb) - expected
    #expect(max(difference.max(), -difference.min()) < 2e-5, "\(map.apply(rgb))")
  }

  @Test("Tables of other sizes than they claim, or of no numbers, are none")
  func damagedTable() {
    #expect(HueSatMap(dimensions: [6, 3, 1], numbers: Self.nodes, isEncoded: false) == nil)
    #expect(HueSatMap(dimensions: [36, 1, 1], numbers: Self.nodes, isEncoded: false) == nil)
    #expect(HueSatMap(dimensions: [6, 3], numbers: Self.nodes, isEncoded: false) == nil)
    #expect(HueSatMap(dimensions: [1 << 20, 1 << 20, 2], numbers: Self.nodes, isEncoded: false) == nil)
    var wild = Self.nodes
    wild[7] = 1e30
    #expect(HueSatMap(dimensions: [6, 3, 2], numbers: wild, isEncoded: false) == nil)
  }

  @Test("A photo goes through the table behind its matrix, and between two tables as its white is")
  func tableOfPhoto() throws {
    let neutral = SIMD3(0.55, 1, 0.42)
    var tags = Canon.tags(calibrated: false)
    let plain = color(try develop(file(SIMD3(0.3, 0.4, 0.1), neutral: neutral, tags: tags)))
    // Saturation times a factor at every node, and nothing else.
    func table(_ factor: Float) -> DNGFile.Values { .float((0..<12).flatMap { _ in [0, factor, 1] }) }
    (tags[50_937], tags[50_938]) = (.long([6, 2, 1]), table(0))
    let photo = try develop(file(SIMD3(0.3, 0.4, 0.1), neutral: neutral, tags: tags))
    let grey = color(photo)
    #expect(photo.warnings == [])
    // As bright as the brightest channel in ROMM RGB, which a grey of D65 is too.
    let romm = ColorSpace.linearRec2020.matrix(to: .proPhoto) * plain
    #expect(grey.max() - grey.min() < 0.0005, "\(grey)")
    #expect(abs(grey.y - romm.max()) < 0.0005)
    tags[50_939] = table(1)
    let between = color(try develop(file(SIMD3(0.3, 0.4, 0.1), neutral: neutral, tags: tags)))
    // colour-hdri: the white is at (0.39862, 0.40273), and the matrix of the second light counts for 0.4242.
    let rommBetween = ColorSpace.linearRec2020.matrix(to: .proPhoto) * between
    let saturation = { (rgb: SIMD3<Double>) in 1 - rgb.min() / rgb.max() }
    #expect(abs(saturation(rommBetween) / saturation(romm) - 0.4242) < 0.003)
  }

  @Test("What is damaged is named, and the photo still opens")
  func damaged() throws {
    let neutral = SIMD3(0.55, 1, 0.42)
    var tags = Canon.tags(calibrated: false)
    (tags[50_937], tags[50_938]) = (.long([6, 2, 1]), .float([1, 2, 3]))
    tags[50_940] = .float([0, 0, 0.5, 0.7, 0.4, 0.8, 1, 1])
    let photo = try develop(file(SIMD3(0.3, 0.4, 0.1), neutral: neutral, tags: tags))
    #expect(
      photo.warnings == [
        "Parts of the file's camera profile are damaged and not used: ProfileHueSatMap, ProfileToneCurve"
      ])
    #expect(photo.buffer.tags.scene?.toneCurve == [])
    tags[50_964] = .signed([0, 0, 0, 0, 0, 0, 0, 0, 0])
    tags[50_965] = nil
    #expect(throws: Never.self) { try develop(file(SIMD3(0.3, 0.4, 0.1), neutral: neutral, tags: tags)) }
  }

  @Test("The curve goes with the photo")
  func toneCurve() throws {
    var tags = Canon.tags(calibrated: false)
    tags[50_940] = .float([0, 0, 0.25, 0.5, 1, 1])
    let photo = try develop(file(SIMD3(0.3, 0.4, 0.1), neutral: SIMD3(0.55, 1, 0.42), tags: tags))
    #expect(photo.buffer.tags.scene?.toneCurve == [SIMD2(0, 0), SIMD2(0.25, 0.5), SIMD2(1, 1)])
  }
}
