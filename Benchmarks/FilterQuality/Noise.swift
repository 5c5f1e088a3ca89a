import BenchmarkSupport
import Glibc
import Safelight

extension Evaluation {
  /// Parts of 256 × 256 pixels of photos that are known by name; of others, the middle.
  private static let places = ["astronaut.png": (120, 0), "chelsea.png": (100, 20), "coffee.png": (150, 60)]

  func reportNoise() throws {
    guard !options.photos.isEmpty else { return }
    report.heading("Noise reduction")
    report.say(
      "PSNR in dB of parts of 256 × 256 pixels with Gaussian noise of a standard deviation of 10 and 25 of 255 on each channel "
        + "(bars: 35.0 and 30.0 in the mean), at full strength and with the deviation told. OpenCV's fastNlMeansDenoisingColored "
        + "with the best of its strengths.")
    let size = PixelSize(width: 256, height: 256)
    var rows: [[String]] = []
    var sums = [Double](repeating: 0, count: 4)
    var count = 0.0
    for path in options.photos {
      let photo = try Photo(contentsOf: path)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      guard photo.buffer.width >= size.width, photo.buffer.height >= size.height else { continue }
      let place =
        Self.places[name] ?? ((photo.buffer.width - size.width) / 2, (photo.buffer.height - size.height) / 2)
      let clean = try LightPicture(photo: photo, left: place.0, top: place.1, size: size)
      var row = [name]
      for (index, sigma) in [10.0, 25].enumerated() {
        let noisy = try clean.noisy(sigma / 255)
        let ours = try noisy.edited(
          [NoiseReduction(luminance: 100, color: 100)], noise: NoiseLevel(deviation: sigma / 255))
        let rival = try options.python.map { try bestOfOpenCV(noisy, clean, python: $0) }
        sums[2 * index] += ours.quality(against: clean)
        sums[2 * index + 1] += rival ?? 0
        row += [
          fixed(noisy.quality(against: clean), 2), fixed(ours.quality(against: clean), 2),
          rival.map { fixed($0, 2) } ?? "–",
        ]
      }
      rows.append(row)
      count += 1
    }
    let means = sums.map { fixed($0 / max(count, 1), 2) }
    rows.append([
      "mean", "", means[0], options.python == nil ? "–" : means[1], "", means[2],
      options.python == nil ? "–" : means[3],
    ])
    report.table(["photo", "σ 10", "ours", "OpenCV", "σ 25", "ours", "OpenCV"], rows)
  }

  private func bestOfOpenCV(_ noisy: LightPicture, _ clean: LightPicture, python: String) throws -> Double {
    let script = #filePath.replacing("Noise.swift", with: "opencv_denoise.py")
    let folder = "/tmp/safelight-filters-\(getpid())"
    mkdir(folder, 0o700)
    let files = ["noisy", "clean", "log"].map { "\(folder)/\($0)" }
    defer {
      for file in files { unlink(file) }
      remove(folder)
    }
    for (picture, file) in [(noisy, files[0]), (clean, files[1])] {
      let samples = (0..<picture.size.height).flatMap {
        picture.buffer.row($0, as: Float.self).flatMap(bytes)
      }
      try FileContents.write(samples, to: file, overwrite: true)
    }
    let command = [python, "-B", script, "\(noisy.size.width)", "\(noisy.size.height)", files[0], files[1]]
    let cost = try ProcessGroup.run([command], log: files[2], timeLimit: 600)
    guard cost.isSuccess, let best = Double((textFile(files[2]) ?? "").trimmed) else {
      throw SafelightError(.unsupported, "OpenCV failed: \(lastWords(ofLog: files[2]))")
    }
    return best
  }

  private func bytes(_ value: Float) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
}

extension LightPicture {
  /// The same with Gaussian noise on each channel.
  func noisy(_ deviation: Double) throws -> LightPicture {
    var random = SplitMix64(seed: 5)
    func uniform() -> Double { (Double(random.next() >> 11) + 0.5) / Double(1 << 53) }
    func normal() -> Float {
      Float(deviation * (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform()))
    }
    return try LightPicture(size, space: space) { pixel($0, $1) + SIMD3(normal(), normal(), normal()) }
  }
}

extension String {
  fileprivate var trimmed: String { String(split(whereSeparator: \.isWhitespace).first ?? "") }
}
