import AnalysisKernels
import FrameCore
import Synchronization

/// Blends Laplacian pyramids of pictures, each level weighted by a Gaussian pyramid of the pictures' shares,
/// after P. J. Burt and E. H. Adelson, A multiresolution spline, 1983.
///
/// Full size is never kept: its rows are read again when the result is written.
struct FusionPyramid {
  private let bracket: Bracket
  private let team: ThreadTeam
  /// From half size down; empty for pictures with an edge of one pixel.
  private let levels: [FusionLevel]

  /// - Throws: `SafelightError(.noMemory)` if memory is short.
  init(_ bracket: Bracket, team: ThreadTeam) throws {
    (self.bracket, self.team) = (bracket, team)
    var size = bracket.size
    var levels: [FusionLevel] = []
    for _ in 0..<Self.depth(of: size) {
      size = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
      levels.append(try FusionLevel(size: size, pictures: bracket.pictures.count))
    }
    self.levels = levels
  }

  /// The number of times that a picture is halved: log2 of its shorter edge, rounded down.
  static func depth(of size: PixelSize) -> Int {
    Int.bitWidth - 1 - min(size.width, size.height).leadingZeroBitCount
  }

  /// Writes the blend to `output`, which is `rgba16` and has the bracket's size.
  ///
  /// - Throws: `SafelightError(.noMemory)` if memory is short.
  func blend(into output: PixelBuffer) throws {
    if let first = levels.first { try reduce(into: first) }
    for (level, next) in zip(levels, levels.dropFirst()) { try reduce(level, into: next) }
    for index in levels.indices.reversed() {
      try collapse(levels[index], onto: index + 1 < levels.count ? levels[index + 1] : nil)
    }
    try write(to: output)
  }

  // MARK: Down

  private func reduce(into level: FusionLevel) throws {
    let (bracket, planes) = (bracket, bracket.pictures.count * FusionLevel.channels)
    try inBands(of: level.size) {
      (
        try BracketRows(bracket),
        try HalvedRows(columns: level.size.width, planes: planes, height: bracket.size.height)
      )
    } each: { band, scratch in
      let sources = scratch.1.sources(of: band)
      scratch.0.move(to: sources.lowerBound)
      for y in sources {
        scratch.0.read(y)
        for picture in bracket.pictures.indices {
          scratch.0.mirrorEnds(of: picture, row: y)
          let plane = picture * FusionLevel.channels
          for channel in 0..<3 {
            scratch.1.add(scratch.0.samples(channel, of: picture, row: y), y, plane: plane + channel)
          }
          scratch.1.add(scratch.0.weights(of: picture), y, plane: plane + 3)
        }
        Self.writeCompleted(by: y, in: band, from: scratch.1, to: level)
      }
    }
  }

  private func reduce(_ level: FusionLevel, into next: FusionLevel) throws {
    let planes = level.pictures * FusionLevel.channels
    try inBands(of: next.size) {
      try HalvedRows(columns: next.size.width, planes: planes, height: level.size.height)
    } each: { band, halved in
      for y in halved.sources(of: band) {
        for plane in 0..<planes {
          let row = level.row(y, plane % FusionLevel.channels, of: plane / FusionLevel.channels)
          halved.add(row, y, plane: plane)
        }
        Self.writeCompleted(by: y, in: band, from: halved, to: next)
      }
    }
  }

  private static func writeCompleted(
    by y: Int, in band: Range<Int>, from halved: HalvedRows, to level: FusionLevel
  ) {
    for row in halved.completed(by: y, in: band) {
      for picture in 0..<level.pictures {
        for channel in 0..<FusionLevel.channels {
          let plane = picture * FusionLevel.channels + channel
          halved.write(row, plane: plane, to: level.row(row, channel, of: picture))
          level.mirrorEnds(ofRow: row, channel, of: picture)
        }
      }
    }
  }

  // MARK: Up

  /// Makes a level of the result from the pictures' levels and from the result below, if there is one.
  private func collapse(_ level: FusionLevel, onto below: FusionLevel?) throws {
    let width = level.size.width
    try inBands(of: level.size) {
      try ExpandedRow(width: width)
    } each: { band, expanded in
      for y in band {
        for channel in 0..<3 {
          let sum = level.result(y, channel)
          expanded.add(
            of: level.pictures, onto: below, row: y, channel: channel, width: width, to: sum
          ) { picture in
            (level.row(y, channel, of: picture), level.row(y, 3, of: picture))
          }
        }
      }
    }
  }

  private func write(to output: PixelBuffer) throws {
    let (bracket, below) = (bracket, levels.first)
    let width = bracket.size.width
    try inBands(of: bracket.size) {
      (
        try BracketRows(bracket), try ExpandedRow(width: width), try SampleRows(width: width, count: 3)
      )
    } each: { band, scratch in
      scratch.0.move(to: band.lowerBound)
      for y in band {
        scratch.0.read(y)
        let rows = scratch.0
        for channel in 0..<3 {
          scratch.1.add(
            of: bracket.pictures.count, onto: below, row: y, channel: channel, width: width,
            to: scratch.2(channel)
          ) { picture in
            (rows.samples(channel, of: picture, row: y), rows.weights(of: picture))
          }
        }
        let row = output.row(y, as: UInt16.self).baseAddress
        sla_store_rgba16(scratch.2(0), scratch.2(1), scratch.2(2), Int32(width), row)
      }
    }
  }

  // MARK: Threads

  /// Calls `each` for bands of rows, each thread with scratch memory of its own.
  private func inBands<Scratch: Sendable>(
    of size: PixelSize, scratch make: () throws -> Scratch,
    each: @escaping @Sendable (Range<Int>, inout Scratch) -> Void
  ) throws {
    // Bands overlap in what they read, and waking a thread takes as long as some thousand pixels.
    let rows = size.height
    let height = max(rows / (4 * team.threads), 16, 16_384 / size.width)
    let bands = (rows + height - 1) / height
    let pool = ScratchPool(try (0..<min(team.threads, bands)).map { _ in try make() })
    team.run(bands) { band in
      guard var scratch = pool.take() else { preconditionFailure("more threads than scratch memory") }
      each(band * height..<min((band + 1) * height, rows), &scratch)
      pool.give(scratch)
    }
  }
}

/// Memory for as many threads as there are.
private final class ScratchPool<Scratch: Sendable>: Sendable {
  private let unused: Mutex<[Scratch]>

  init(_ items: [Scratch]) { unused = Mutex(items) }

  func take() -> Scratch? { unused.withLock { $0.popLast() } }
  func give(_ scratch: Scratch) { unused.withLock { $0.append(scratch) } }
}

/// Doubles rows of a level, and adds the detail of the pictures that it lacks.
private struct ExpandedRow {
  private let between: SampleRows
  private let whole: SampleRows

  init(width: Int) throws {
    between = try SampleRows(width: (width + 1) / 2, count: 1)
    whole = try SampleRows(width: width + 1, count: 1)
  }

  /// sum = expand(result below) + Σ share · (samples - expand(samples below)), or Σ share · samples at the
  /// lowest level.
  func add(
    of pictures: Int, onto below: FusionLevel?, row y: Int, channel: Int, width: Int,
    to sum: UnsafeMutablePointer<Float>,
    _ row: (Int) -> (samples: UnsafeMutablePointer<Float>, share: UnsafeMutablePointer<Float>)
  ) {
    if let below {
      expand(y, below.size, to: sum) { below.result($0, channel) }
    } else {
      sum.update(repeating: 0, count: width)
    }
    for picture in 0..<pictures {
      let (samples, share) = row(picture)
      if let below {
        expand(y, below.size, to: whole(0)) { below.row($0, channel, of: picture) }
        sla_add_detail(share, samples, whole(0), Int32(width), sum)
      } else {
        sla_add_weighted(share, samples, Int32(width), sum)
      }
    }
  }

  /// Writes row `y` of a plane at twice its size. Beyond its first row and column, the plane is mirrored;
  /// beyond its last, they are repeated.
  private func expand(
    _ y: Int, _ size: PixelSize, to out: UnsafeMutablePointer<Float>,
    _ row: (Int) -> UnsafeMutablePointer<Float>
  ) {
    let (middle, last, columns) = (y / 2, size.height - 1, size.width)
    let below = row(min(middle + 1, last))
    let half = between(0)
    if y % 2 == 0 {
      let above = row(middle > 0 ? middle - 1 : min(1, last))
      sla_expand_even(above, row(middle), below, Int32(columns), half)
    } else {
      sla_expand_odd(row(middle), below, Int32(columns), half)
    }
    half[-1] = half[min(1, columns - 1)]
    half[columns] = half[columns - 1]
    sla_expand_row(half, Int32(columns), out)
  }
}
