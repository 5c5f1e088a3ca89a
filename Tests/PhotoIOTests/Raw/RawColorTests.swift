import ColorScience
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

/// What the samples of a developed raw are, by the model of the DNG specification 1.4, chapter 6, computed here without
/// LibRaw.
private struct DNGModel {
  let cameraToXYZ: Matrix3x3
  /// The sensor's colour of white, its largest value 1.
  let neutral: SIMD3<Double>

  /// White is D65, the illuminant of the matrix: XYZ (0.95047, 1, 1.08883), ASTM E308 for two degrees.
  init(colorMatrix: [Double]) {
    let toCamera = Matrix3x3(rows: (0..<3).map { SIMD3(colorMatrix[(3 * $0)..<(3 * $0 + 3)]) })
    cameraToXYZ = toCamera.inverse
    let white = toCamera * SIMD3(0.95047, 1, 1.08883)
    neutral = white / white.max()
  }

  /// The linear Rec. 2020 colour of a sensor's colour, white at (1, 1, 1).
  func rec2020(_ sensor: SIMD3<Double>) -> SIMD3<Double> {
    let white = cameraToXYZ * neutral
    // BT.2020-2's primaries and white, as a matrix: ITU-R BT.2020-2, table 3; SMPTE RP 177.
    let toXYZ = Matrix3x3(
      rows: SIMD3(0.636958, 0.144617, 0.168881), SIMD3(0.262700, 0.677998, 0.059302),
      SIMD3(0.000000, 0.028073, 1.060985))
    return toXYZ.inverse * (cameraToXYZ * sensor) / white.y
  }
}

@Suite("Colours of camera raws", .libRawIsInstalled)
struct RawColorTests {
  private let model = DNGModel(colorMatrix: DNGFile.nikonD65)

  private func develop(_ file: DNGFile) throws -> Photo {
    let scratch = try Scratch()
    return try Photo(contentsOf: try scratch.write(file.bytes, to: "photo.dng"))
  }

  /// The mean of R, G and B over 3×3 pixels, as fractions of the light that fills the sensor.
  private func color(_ photo: Photo, _ x: Int, _ y: Int) -> SIMD3<Double> {
    var sum = SIMD3<Double>()
    for row in y - 1...y + 1 {
      let samples = row16(photo.buffer, row)
      for column in x - 1...x + 1 {
        sum += SIMD3((0..<3).map { Double(samples[4 * column + $0]) })
      }
    }
    return sum / 9 / 65_535 / 0.25
  }

  /// Sensor colours of 16×16 pixels each, four in a row. They lie inside Rec. 2020.
  private let patches: [SIMD3<Double>] = [
    SIMD3(0.30, 0.25, 0.12), SIMD3(0.10, 0.25, 0.20), SIMD3(0.16, 0.60, 0.50), SIMD3(0.30, 0.70, 0.30),
    SIMD3(0.40, 0.55, 0.25), SIMD3(0.02, 0.04, 0.03), SIMD3(0.15, 0.20, 0.14), SIMD3(0.33, 0.80, 0.55),
  ]

  private func chart(_ change: (inout DNGFile) -> Void = { _ in }) -> DNGFile {
    let patches = self.patches
    var file = DNGFile(width: 64, height: 32) { x, y, channel in patches[y / 16 * 4 + x / 16][channel] }
    file.neutral = (0..<3).map { model.neutral[$0] }
    change(&file)
    return file
  }

  /// 1/65535 of truncation for each of LibRaw's two integer steps, at most 2.6 times that after the matrix, and twice as
  /// much because LibRaw leaves room for the channel that is full last; 0.00013 where 12 bits were rounded; 0.0002 because
  /// its D65 has five digits. Neighbouring patches do not reach the middle ones.
  private let tolerance = 0.0009

  @Test(
    "Patches land at the colours that ColorMatrix says",
    arguments: [12, 14, 16], ["RGGB", "BGGR", "GRBG", "GBRG"])
  func patches(bits: Int, pattern: String) throws {
    let photo = try develop(
      chart {
        ($0.bits, $0.pattern) = (bits, pattern)
        $0.black = (1 << bits) / 64
        $0.white = (1 << bits) * 15 / 16
      })
    #expect(photo.buffer.format == .rgba16)
    #expect(
      photo.buffer.tags == .linearRec2020(SceneLight(exposure: 0.7, asked: 0, white: 0.25)))
    #expect(photo.warnings == [])
    for (index, sensor) in patches.enumerated() {
      let expected = model.rec2020(sensor)
      let found = color(photo, index % 4 * 16 + 8, index / 4 * 16 + 8)
      let difference = found - expected
      #expect(
        max(difference.max(), -difference.min()) < tolerance, "\(sensor): \(found), expected \(expected)")
    }
  }

  @Test("So do those of an X-Trans sensor")
  func xTrans() throws {
    let patches = self.patches
    // LibRaw wants one of its tiles, 512 pixels an edge, at least.
    var file = DNGFile(width: 520, height: 514) { x, y, channel in patches[y / 257 * 4 + x / 130][channel] }
    (file.pattern, file.bits, file.white) = (DNGFile.xTrans, 14, 15_000)
    file.neutral = (0..<3).map { model.neutral[$0] }
    let photo = try develop(file)
    #expect(photo.buffer.size == PixelSize(width: 520, height: 514))
    for (index, sensor) in patches.enumerated() {
      let difference = color(photo, index % 4 * 130 + 65, index / 4 * 257 + 128) - model.rec2020(sensor)
      #expect(max(difference.max(), -difference.min()) < tolerance, "\(sensor)")
    }
  }

  @Test(
    "What the camera took for white is neutral, whatever the light",
    arguments: [[0.47, 1, 0.69], [0.75, 1, 0.33], [0.38, 1, 0.85], [1, 0.9, 0.5]])
  func neutral(neutral: [Double]) throws {
    let levels = [0.9, 0.5, 0.18, 0.01]
    var file = DNGFile(width: 64, height: 24) { x, _, channel in levels[x / 16] * neutral[channel] }
    file.neutral = neutral
    let photo = try develop(file)
    for (index, level) in levels.enumerated() {
      let found = color(photo, index * 16 + 8, 12)
      #expect(found.max() - found.min() < 4.5 / 65_535, "\(level): \(found)")
      // The largest component of AsShotNeutral reaches the white level first: there is 1.
      #expect(abs(found.y - level) < 0.0005, "\(level): \(found)")
    }
  }

  @Test(
    "Blown parts are white, though the sensor's colours end at the same value", arguments: ["RGGB", "GBRG"])
  func blown(pattern: String) throws {
    // Sensor colours of a lamp that are all beyond the white level, and beside it grey.
    var file = DNGFile(width: 48, height: 24) { x, _, channel in x < 24 ? 1.2 : [0.2, 0.4, 0.25][channel] }
    (file.bits, file.white, file.pattern) = (14, 15_000, pattern)
    file.neutral = [0.5, 1, 0.625]
    let photo = try develop(file)
    // Balanced, red is full at twice the light and blue at 1.6 times; green becomes what lies between.
    let blown = color(photo, 10, 12)
    #expect(blown.min() > 1.5, "\(blown)")
    let gray = color(photo, 38, 12)
    #expect(abs(gray.x - 0.4) < 0.0005 && abs(gray.z - 0.4) < 0.0005)
  }

  @Test("Exposures stay comparable: the brightest pixel does not set the white level")
  func noAutomaticBrightness() throws {
    for level in [0.2, 0.8, 0.95] {
      var file = DNGFile(width: 32, height: 32) { _, _, _ in level }
      file.neutral = [1, 1, 1]
      let found = color(try develop(file), 16, 16)
      #expect(abs(found.y - level) < 0.0002, "\(level): \(found)")
    }
  }

  @Test("Without the camera's balance, daylight is white, with a warning")
  func daylight() throws {
    let photo = try develop(chart { $0.neutral = nil })
    #expect(
      photo.warnings
        == ["The file does not state the camera's white balance; that of daylight is used"])
    // Daylight is the matrix' illuminant.
    let expected = model.rec2020(patches[0])
    let difference = color(photo, 8, 8) - expected
    #expect(max(difference.max(), -difference.min()) < tolerance)
  }

  /// White at the neutral's sensor colour, on the left 0.09, in the middle 0.6, on the right the white level.
  private func greys(_ stops: Double) throws -> Photo {
    var file = DNGFile(width: 48, height: 24) { x, _, channel in
      [0.09, 0.6, 1][x / 16] * [0.5, 1, 0.7][channel]
    }
    (file.neutral, file.baselineExposure) = ([0.5, 1, 0.7], stops)
    return try develop(file)
  }

  @Test("BaselineExposure is for the plan: samples stay what the sensor saw", arguments: [1.25, 0.25, -1])
  func baselineExposure(stops: Double) throws {
    let photo = try greys(stops)
    #expect(photo.warnings == [])
    #expect(
      photo.buffer.tags.scene
        == SceneLight(exposure: Float(stops) + 0.7, asked: Float(stops), white: 0.25))
    #expect(abs(color(photo, 8, 8).y - 0.09) < tolerance)
    #expect(abs(color(photo, 24, 8).y - 0.6) < tolerance)
  }

  @Test("A BaselineExposure that no camera asks for is told and not applied")
  func senselessBaselineExposure() throws {
    let photo = try greys(40)
    #expect(
      photo.warnings == [
        "The file asks to be shown brighter by 40.0 EV (BaselineExposure), which is implausible and is ignored"
      ])
    #expect(photo.buffer.tags.scene?.asked == 0)
    #expect(abs(color(photo, 8, 8).y - 0.09) < tolerance)
  }

  @Test("Corrections that are not made are told, empty lists are not", arguments: [51_008, 51_009, 51_022])
  func opcodes(tag: Int) throws {
    // One opcode: 6 (TrimBounds) of DNG 1.3, optional, with eight bytes of parameters; DNG 1.4, chapter 7.
    let list: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 6, 1, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]
    let photo = try develop(chart { $0.opcodeList = (tag, list) })
    #expect(
      photo.warnings == [
        "The file asks for corrections (opcode lists), of which these are not made: TrimBounds"
      ])
    #expect(try develop(chart { $0.opcodeList = (tag, [0, 0, 0, 0]) }).warnings == [])
  }

  @Test("What had to be guessed is told once, however often reading is finished")
  func finishedTwice() throws {
    let scratch = try Scratch()
    let path = try scratch.write(chart { $0.neutral = nil }.bytes, to: "photo.dng")
    let reader = try PhotoReader(contentsOf: path)
    let buffer = try PixelBuffer(size: reader.size, format: reader.format, tags: reader.tags)
    try reader.read(into: buffer)
    try reader.finish()
    try reader.finish()
    #expect(reader.warnings.count == 1)
  }

  @Test("A DNG whose colours are interpolated already is only balanced and converted")
  func linearRaw() throws {
    let photo = try develop(chart { $0.linearChannels = 3 })
    #expect(!photo.isGray)
    for (index, sensor) in patches.enumerated() {
      let difference = color(photo, index % 4 * 16 + 8, index / 4 * 16 + 8) - model.rec2020(sensor)
      #expect(max(difference.max(), -difference.min()) < tolerance, "\(sensor)")
    }
  }

  @Test("A sensor without colour filters gives grey")
  func monochrome() throws {
    var file = DNGFile(width: 32, height: 24) { x, _, _ in Double(x) / 40 }
    file.linearChannels = 1
    let photo = try develop(file)
    #expect(photo.isGray)
    for x in [3, 17, 30] {
      let pixel = row16(photo.buffer, 9)[4 * x..<4 * x + 3].map { Double($0) / 65_535 / 0.25 }
      for sample in pixel { #expect(abs(sample - Double(x) / 40) < 0.0001, "\(x): \(pixel)") }
    }
  }
}
