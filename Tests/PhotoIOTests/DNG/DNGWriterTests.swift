import ColorScience
import FrameCore
import Libc
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Digital negatives of mosaics", .libRawIsInstalled)
struct DNGWriterTests {
  /// The linear Rec. 2020 colour of linear sRGB: BT.2087-0, table 1, at the precision given there.
  private func rec2020(_ color: SIMD3<Double>) -> SIMD3<Double> {
    Matrix3x3(
      rows: SIMD3(0.6274, 0.3293, 0.0433), SIMD3(0.0691, 0.9195, 0.0114), SIMD3(0.0164, 0.0880, 0.8956))
      * color
  }

  /// The light of a pixel; 1 fills the sensor.
  private func color(_ photo: Photo, _ x: Int, _ y: Int) -> SIMD3<Double> {
    let row = row16(photo.buffer, y)
    let white = Double(photo.buffer.tags.scene?.white ?? .nan)
    return SIMD3((0..<3).map { Double(row[4 * x + $0]) / 65_535 / white })
  }

  private func write(
    _ fixture: BayerFixture, _ sensor: SensorColor? = nil, facts: CaptureFacts = CaptureFacts(),
    orientation: Orientation = .up, to scratch: Scratch
  ) throws -> [String] {
    try fixture.withPicture {
      try DNGWriter.write(
        $0, to: scratch("photo.dng"), facts, sensor: sensor ?? fixture.sensor, orientation: orientation,
        overwrite: true)
    }
  }

  @Test(
    "LibRaw finds the colours of all formats of V4L2, at odd sizes and with padding",
    arguments: BayerFixture.formats)
  func colors(format: BayerFormat) throws {
    let scratch = try Scratch()
    for (width, height, padding) in [(97, 83, 0), (98, 83, 5), (97, 84, 31)] {
      var fixture = BayerFixture.chart(format, width: width, height: height)
      (fixture.padding, fixture.black) = (padding, format.maximum / 16)
      fixture.white = format.maximum - format.maximum / 32
      #expect(try write(fixture, to: scratch) == [])
      let photo = try Photo(contentsOf: scratch("photo.dng"))
      #expect(photo.warnings == [])
      #expect(photo.buffer.size == fixture.size)
      // Half a step of the format, and 0.0008 as for other camera raws.
      let tolerance = 0.5 / Double(format.maximum) * 1.2 + 0.0008
      for (patch, sensor) in BayerFixture.patches.enumerated() {
        let (x, y) = BayerFixture.middle(of: patch, in: fixture.size)
        let difference = color(photo, x, y) - rec2020(sensor)
        #expect(
          max(difference.max(), -difference.min()) < tolerance,
          "\(format) \(width)×\(height): \(patch) \(difference)")
      }
    }
  }

  @Test(
    "Samples that are encoded as sRGB come with the table of their light, and the preview knows it",
    arguments: [BayerFormat.Packing.bits8, .bits10, .bits16])
  func encodedSamples(packing: BayerFormat.Packing) throws {
    let scratch = try Scratch()
    let light = SIMD3(0.5, 0.3, 0.1)
    // IEC 61966-2-1, above the linear part.
    let codes = SIMD3((0..<3).map { 1.055 * pow(light[$0], 1 / 2.4) - 0.055 })
    var fixture = BayerFixture(size: PixelSize(width: 48, height: 32), format: BayerFormat(.gbrg, packing)) {
      _, _ in codes
    }
    fixture.black = fixture.format.maximum / 16
    var sensor = fixture.sensor
    sensor.transfer = .sRGB
    #expect(try write(fixture, sensor, to: scratch) == [])
    let difference = color(try Photo(contentsOf: scratch("photo.dng")), 24, 16) - rec2020(light)
    #expect(max(difference.max(), -difference.min()) < (packing == .bits8 ? 0.004 : 0.0015), "\(difference)")
    let preview = try fixture.withPicture { try $0.preview(sensor) }
    let row = preview.row(8, of: 0, as: UInt8.self)
    for channel in 0..<3 { #expect(abs(Double(row[4 * 12 + channel]) - codes[channel] * 255) < 1.1) }
    // The samples themselves stay.
    #expect(try mosaic(scratch("photo.dng")).samples[0] == UInt16(fixture.sample(0, 0)))
  }

  /// The mosaic in a file, found with the directories' reader.
  private func mosaic(_ path: String) throws -> (
    directory: TIFFFile.Directory, tiff: TIFFFile, samples: [UInt16]
  ) {
    let file = try InputFile(path: path)
    let tiff = try #require(TIFFFile(file))
    let first = try #require(tiff.directory(at: tiff.firstDirectory))
    let raw = try #require(tiff.subdirectories(of: first).first)
    let offset = try #require(raw[.init(rawValue: 273)].flatMap(tiff.integers)?.first)
    let count = try #require(raw[.init(rawValue: 279)].flatMap(tiff.integers)?.first)
    let bytes = try file.bytes(count, at: offset)
    #expect(offset + count == file.byteCount)
    let samples = stride(from: 0, to: bytes.count, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
    return (raw, tiff, samples)
  }

  @Test("Every sample is in the file as the sensor gave it", arguments: BayerFixture.formats)
  func samples(format: BayerFormat) throws {
    let scratch = try Scratch()
    var generator = SeededRandom(seed: 5)
    let size = PixelSize(width: 61, height: 19)
    let values = (0..<size.pixelCount).map { _ in
      // Extremes more often than by chance.
      [0, 1, Double.random(in: 0...1, using: &generator)].randomElement(using: &generator) ?? 0
    }
    let fixture = BayerFixture(size: size, format: format) { x, y in SIMD3(repeating: values[y * 61 + x]) }
    _ = try write(fixture, to: scratch)
    let (directory, tiff, samples) = try mosaic(scratch("photo.dng"))
    let expected = (0..<size.height).flatMap { y in (0..<size.width).map { UInt16(fixture.sample($0, y)) } }
    #expect(samples == expected)
    #expect(directory[.init(rawValue: 33_422)].flatMap { tiff.bytes(of: $0) } == format.pattern.channels)
    #expect(directory[.init(rawValue: 50_717)].flatMap(tiff.integers) == [format.maximum])
  }

  @Test("Large mosaics are written band by band")
  func bands() throws {
    let scratch = try Scratch()
    let format = BayerFormat(.gbrg, .bits12Packed)
    // Several bands, the last one shorter.
    let fixture = BayerFixture(size: PixelSize(width: 801, height: 1403), format: format) { x, y in
      SIMD3(repeating: Double((x * 7 + y * 13) % 4096) / 4095)
    }
    _ = try write(fixture, to: scratch)
    let samples = try mosaic(scratch("photo.dng")).samples
    for (x, y) in [(0, 0), (800, 0), (0, 1402), (800, 1402), (400, 700), (13, 654), (13, 655)] {
      #expect(Int(samples[801 * y + x]) == fixture.sample(x, y), "(\(x), \(y))")
    }
  }

  @Test(
    "The camera's white balance makes its white neutral", arguments: [(2.1, 1.4), (1.0, 3.0), (0.8, 1.2)])
  func whiteBalance(red: Double, blue: Double) throws {
    let scratch = try Scratch()
    let white = SIMD3(1 / red, 1, 1 / blue) / max(1 / red, 1, 1 / blue)
    let fixture = BayerFixture(size: PixelSize(width: 48, height: 32), format: BayerFormat(.grbg, .bits14)) {
      x, _ in white * (x < 24 ? 0.8 : 0.1)
    }
    #expect(try write(fixture, SensorColor(redGain: red, blueGain: blue), to: scratch) == [])
    let photo = try Photo(contentsOf: scratch("photo.dng"))
    for (x, level) in [(12, 0.8), (36, 0.1)] {
      let found = color(photo, x, 16)
      #expect(found.max() - found.min() < 0.0005 && abs(found.y - level) < 0.0008, "\(found)")
    }
  }

  @Test("Without one, the picture is grey on average")
  func greyWorld() throws {
    let scratch = try Scratch()
    let cast = SIMD3(0.5, 1, 0.7)
    var fixture = BayerFixture.chart(BayerFormat(.rggb, .bits12))
    fixture.color = { x, y in BayerFixture.patches[(x / 11 + y / 7) % 3] * cast * 0.9 }
    var sensor = fixture.sensor
    sensor.neutral = nil
    #expect(try write(fixture, sensor, to: scratch) == [])
    let photo = try Photo(contentsOf: scratch("photo.dng"))
    var sum = SIMD3<Double>()
    for y in 4..<79 { for x in 4..<93 { sum += color(photo, x, y) } }
    #expect(sum.max() / sum.min() < 1.02, "\(sum)")
    // In the dark there is nothing to go by.
    fixture.color = { _, _ in SIMD3(repeating: 0.001) }
    #expect(
      try write(fixture, sensor, to: scratch) == [
        "The picture is too dark or too bright to estimate its white balance; none is applied"
      ])
  }

  @Test("A brighter rendering is asked for, and the samples stay")
  func baselineExposure() throws {
    let scratch = try Scratch()
    let fixture = BayerFixture(size: PixelSize(width: 32, height: 32), format: BayerFormat(.bggr, .bits16)) {
      _, _ in SIMD3(repeating: 0.2)
    }
    var sensor = fixture.sensor
    sensor.baselineExposure = 1.5
    _ = try write(fixture, sensor, to: scratch)
    let photo = try Photo(contentsOf: scratch("photo.dng"))
    #expect(abs(color(photo, 16, 16).y - 0.2) < 0.001)
    #expect(photo.buffer.tags.scene?.asked == 1.5)
    #expect(try mosaic(scratch("photo.dng")).samples.allSatisfy { $0 == 13_107 })
  }

  @Test("A calibrated matrix is the camera's: DNG's model, computed here")
  func matrix() throws {
    let scratch = try Scratch()
    let rows = stride(from: 0, to: 9, by: 3).map { SIMD3(DNGFile.nikonD65[$0..<$0 + 3]) }
    let toCamera = Matrix3x3(rows: rows)
    let white = toCamera * SIMD3(0.95047, 1, 1.08883)
    let sensorColor = SIMD3(0.16, 0.60, 0.50)
    let fixture = BayerFixture(size: PixelSize(width: 32, height: 32), format: BayerFormat(.rggb, .bits16)) {
      _, _ in sensorColor
    }
    var sensor = SensorColor()
    (sensor.colorMatrix, sensor.neutral) = (toCamera, white)
    _ = try write(fixture, sensor, to: scratch)
    // BT.2020-2's primaries and white as a matrix.
    let toXYZ = Matrix3x3(
      rows: SIMD3(0.636958, 0.144617, 0.168881), SIMD3(0.262700, 0.677998, 0.059302),
      SIMD3(0.000000, 0.028073, 1.060985))
    let expected = toXYZ.inverse * (toCamera.inverse * (sensorColor * white.max()))
    let difference = color(try Photo(contentsOf: scratch("photo.dng")), 16, 16) - expected
    #expect(max(difference.max(), -difference.min()) < 0.001, "\(difference)")
  }

  @Test("The facts, the orientation and the burst are in the file", arguments: Orientation.allCases)
  func facts(orientation: Orientation) throws {
    let scratch = try Scratch()
    let facts = CapturedPhotoTests.facts
    #expect(
      try write(.chart(BayerFormat(.rggb, .bits10)), facts: facts, orientation: orientation, to: scratch)
        == [])
    let photo = try Photo(contentsOf: scratch("photo.dng"))
    #expect(photo.orientation == orientation)
    #expect(photo.metadata.captureFacts == facts)
    #expect(photo.formatName == "DNG")
  }

  @Test("exiftool finds nothing wrong with the files", .installed(.exiftool))
  func validated() throws {
    let scratch = try Scratch()
    var paths: [String] = []
    for format in BayerFixture.formats {
      let path = scratch("\(format.pattern)-\(format.packing).dng")
      var sensor = SensorColor()
      sensor.transfer = paths.count % 3 == 0 ? .sRGB : .linear
      _ = try BayerFixture.chart(format).withPicture {
        try DNGWriter.write(
          $0, to: path, paths.count % 2 == 0 ? CapturedPhotoTests.facts : CaptureFacts(), sensor: sensor)
      }
      paths.append(path)
    }
    #expect(try ExifTool.complaints(paths) == [])
  }

  @Test("Nonsense is refused in a sentence, and nothing is written")
  func refusals() throws {
    let scratch = try Scratch()
    let fixture = BayerFixture.chart(BayerFormat(.rggb, .bits10))
    func refusal(_ change: (inout SensorColor) -> Void) -> String? {
      var sensor = fixture.sensor
      change(&sensor)
      return message { _ = try write(fixture, sensor, to: scratch) }
    }
    #expect(
      refusal { $0.blackLevel = 1023 }
        == "The sensor's black level is 1023 and its white level 1023; use 0 ≤ black < white ≤ 1023 for 10 bits."
    )
    #expect(refusal { $0.whiteLevel = 1024 }?.contains("white level 1024") == true)
    #expect(
      refusal { $0.neutral = SIMD3(1, 0, 1) }?.hasPrefix("The sensor's colour of white is 1.0, 0.0") == true)
    #expect(refusal { $0.neutral = SIMD3(1, .nan, 1) } != nil)
    #expect(refusal { $0.colorMatrix = .diagonal(SIMD3(1, 0, 1)) }?.contains("cannot be inverted") == true)
    #expect(
      refusal { $0.transfer = .pq } == "The sensor's samples are encoded as pq; use linear or sRGB.")
    #expect(refusal { $0.baselineExposure = 9 } == "The baseline exposure is 9.0 EV; use -8 to 8.")
    #expect(
      message {
        _ = try fixture.withPicture { try DNGWriter.write($0, to: scratch("a.jpg"), CaptureFacts()) }
      }
        == "Cannot write \(scratch("a.jpg")): a sensor's mosaic becomes a digital negative; use .dng.")
    #expect(try scratch.names == [])
    try scratch.write("mine", to: "photo.dng")
    #expect(
      message {
        _ = try fixture.withPicture { try DNGWriter.write($0, to: scratch("photo.dng"), CaptureFacts()) }
      }?.contains("already exists") == true)
    #expect(try scratch.read("photo.dng") == Array("mine".utf8))
  }
}
