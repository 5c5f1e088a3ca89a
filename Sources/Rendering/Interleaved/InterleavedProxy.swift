import FilterGraph
import FrameCore

extension LightProxy {
  /// The proxy of a whole picture in somebody's memory: only the rows that are sampled are repacked, by all threads.
  ///
  /// - Throws: `SafelightError` if memory is short.
  init(_ picture: InterleavedPicture, input: PlanInput, isFine: Bool, on pool: WorkerPool) throws {
    let colors = try (isFine ? [false, true] : [false]).map {
      try InterleavedProxy(picture, ProxySampling(input, isFine: $0), threads: pool.threads).sampled(on: pool)
    }
    self.init(colors[0], colors.count > 1 ? colors[1] : nil)
  }
}

/// Samples one grid of a proxy; each thread has its own rows of the grid.
private struct InterleavedProxy: @unchecked Sendable {
  private let picture: InterleavedPicture
  private let sampling: ProxySampling
  /// One row of the picture for each part of the grid.
  private let bands: [PixelBuffer]

  init(_ picture: InterleavedPicture, _ sampling: ProxySampling, threads: Int) throws {
    (self.picture, self.sampling) = (picture, sampling)
    // A few parts a thread, because another program may slow one of the threads.
    let parts = threads == 1 ? 1 : min(4 * threads, sampling.size.height)
    bands = try (0..<parts).map { _ in
      try PixelBuffer(size: PixelSize(width: picture.size.width, height: 1), format: picture.format)
    }
  }

  func sampled(on pool: WorkerPool) -> LightProxy.Colors {
    var planes = [Float](repeating: 0, count: 3 * sampling.size.pixelCount)
    planes.withUnsafeMutableBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      // Parts write different rows.
      nonisolated(unsafe) let planes = first
      pool.forEach(bands.count) { sample(part: $0, planes) }
    }
    return LightProxy.Colors(sampling.size, planes: planes)
  }

  private func sample(part: Int, _ planes: UnsafeMutablePointer<Float>) {
    let (band, height, width) = (bands[part], sampling.size.height, picture.size.width)
    var repacked: Int?
    for row in height * part / bands.count..<height * (part + 1) / bands.count {
      for place in sampling.pictureRows(of: row) {
        if place != repacked {
          picture.copy(Region(columns: 0..<width, rows: place..<place + 1), into: band)
          repacked = place
        }
        sampling.add(band, row: 0, toRow: row, of: planes)
      }
    }
  }
}
