import ColorScience

/// The colours of a camera, as the profile in a DNG describes them.
///
/// With two calibration lights, all is interpolated by the reciprocal of the temperature of the light that the camera
/// took for white (`CameraWhite`).
///
/// Source: DNG 1.7.1.0, chapter 6, "Mapping Camera Color Space to CIE XYZ Space".
struct CameraProfile {
  /// Balanced colours of the sensor, white at (1, 1, 1), to XYZ whose white is D50; nil where the file has no matrix
  /// for it (ForwardMatrix).
  private(set) var toD50: Matrix3x3?
  /// Moves colours behind that matrix; nil where the file has none.
  private(set) var hueSatMap: HueSatMap?
  /// How the profile shows light: points from (0, 0) to (1, 1), x increasing; empty where the file has none.
  private(set) var toneCurve: [SIMD2<Float>] = []
  /// Parts that are damaged, as the specification names them.
  private(set) var damaged: [String] = []

  /// - Parameter picture: the directory with the profile.
  init(_ picture: TIFFFile.Directory?, in tiff: TIFFFile?) {
    guard let picture, let tiff else { return }
    let tags = Tags(picture: picture, tiff: tiff)
    let white = CameraWhite(tags)
    toD50 = white.flatMap { Self.forward(tags, $0) }
    readHueSatMap(tags, part: white?.part ?? 0)
    readToneCurve(tags)
  }

  /// What users are to be told; nil if nothing is damaged.
  var warning: String? {
    guard !damaged.isEmpty else { return nil }
    return "Parts of the file's camera profile are damaged and not used: " + damaged.joined(separator: ", ")
  }

  /// A forward matrix makes XYZ of D50 of (1, 1, 1); rounded ones are scaled to do so.
  private static func forward(_ tags: Tags, _ white: CameraWhite) -> Matrix3x3? {
    let matrices = [TIFFFile.Tag.forwardMatrix1, .forwardMatrix2].map { tags.matrix($0).flatMap(normalized) }
    guard let first = matrices[0] ?? matrices[1] else { return nil }
    let forward = first.blended(with: matrices[1] ?? first, by: white.part)
    // From the individual camera's colours to those of the reference that the matrix was made for.
    let reference = white.toReference * white.neutral
    let matrix =
      forward * .diagonal(SIMD3(repeating: 1) / reference) * white.toReference * .diagonal(white.neutral)
    return matrix.isFinite ? matrix : nil
  }

  private static func normalized(_ matrix: Matrix3x3) -> Matrix3x3? {
    let white = matrix * SIMD3(repeating: 1)
    let scaled = Matrix3x3.diagonal(Chromaticity.d50.XYZ / white) * matrix
    return white.min() > 0 && scaled.isFinite ? scaled : nil
  }

  private mutating func readHueSatMap(_ tags: Tags, part: Double) {
    let stored = [TIFFFile.Tag.hueSatMap1, .hueSatMap2].filter { tags.picture[$0] != nil }
    guard !stored.isEmpty || tags.picture[.hueSatMapDimensions] != nil else { return }
    let dimensions = tags.picture[.hueSatMapDimensions].flatMap(tags.tiff.integers) ?? []
    let isEncoded = tags.picture[.hueSatMapEncoding].flatMap(tags.tiff.integers)?.first == 1
    func map(_ tag: TIFFFile.Tag) -> HueSatMap? {
      guard let numbers = tags.floats(tag) else { return nil }
      return HueSatMap(dimensions: dimensions, numbers: numbers, isEncoded: isEncoded)
    }
    let maps = stored.compactMap(map)
    guard !maps.isEmpty, maps.count == stored.count else { return damaged.append("ProfileHueSatMap") }
    hueSatMap = maps.count == 2 ? maps[0].blended(with: maps[1], by: part) : maps[0]
  }

  private mutating func readToneCurve(_ tags: Tags) {
    guard tags.picture[.toneCurve] != nil else { return }
    let numbers = tags.floats(.toneCurve) ?? []
    let points = stride(from: 0, to: numbers.count - 1, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
    guard numbers.count % 2 == 0, (2...65_536).contains(points.count), points[0] == SIMD2(0, 0),
      points.last == SIMD2(1, 1), numbers.allSatisfy({ (0...1).contains($0) }),
      zip(points, points.dropFirst()).allSatisfy({ $0.x < $1.x && $0.y <= $1.y })
    else { return damaged.append("ProfileToneCurve") }
    toneCurve = points
  }
}

extension CameraProfile {
  /// Reads the numbers of a profile.
  struct Tags {
    let picture: TIFFFile.Directory
    let tiff: TIFFFile

    /// Bytes of a table: cameras' have some ten thousand nodes.
    private static let largest = 1 << 24

    func bytes(_ tag: TIFFFile.Tag) -> [UInt8]? { picture[tag].flatMap { tiff.bytes(of: $0) } }

    func numbers(_ tag: TIFFFile.Tag) -> [Double]? { picture[tag].flatMap(tiff.numbers) }

    /// Nine numbers, row by row; nil if there are others.
    func matrix(_ tag: TIFFFile.Tag) -> Matrix3x3? {
      guard let numbers = numbers(tag), numbers.count == 9 else { return nil }
      return Matrix3x3(rows: (0..<3).map { SIMD3(numbers[3 * $0..<3 * $0 + 3]) })
    }

    /// Finite numbers of type FLOAT; nil if there are others.
    func floats(_ tag: TIFFFile.Tag) -> [Float]? {
      guard let entry = picture[tag], entry.type == 11,
        let bytes = tiff.bytes(of: entry, limit: Self.largest)
      else { return nil }
      let numbers = stride(from: 0, to: bytes.count, by: 4).map { start in
        Float(bitPattern: UInt32(tiff.order.number(bytes[start..<start + 4])))
      }
      return numbers.allSatisfy(\.isFinite) ? numbers : nil
    }
  }
}
