/// A reader of movies for tests, written after ISO/IEC 14496-12 and not after the writer: it reads fragments
/// and ordinary files as players do, the first `moov` wins, and it stops at what is incomplete.
struct ParsedMovie {
  struct Sample: Equatable {
    /// In ticks of the track since the movie's start, after the edit list.
    var presentation: Int64
    var decode: Int64
    var bytes: [UInt8]
    var isKey: Bool
  }

  struct Track {
    var id = 0
    var handler = ""
    var entry = ""
    var timeScale: Int64 = 0
    var matrix: [Int32] = []
    var samples: [Sample] = []
    /// Duration, media time; in ticks of movie and track.
    var edits: [(Int64, Int64)] = []
    var duration: Int64 = 0
    fileprivate var defaults: (duration: Int, size: Int, flags: Int) = (0, 0, 0)

    /// Media time − movie time, in ticks of the track.
    fileprivate func shift(_ movieScale: Int64) -> Int64 {
      var empty: Int64 = 0
      for (duration, media) in edits {
        if media >= 0 { return media - (empty * timeScale + movieScale / 2) / movieScale }
        empty += duration
      }
      return 0
    }
  }

  var tracks: [Track] = []
  var topLevel: [(type: String, offset: Int, length: Int)] = []
  var isFragmented = false
  private var timeScale: Int64 = 1
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var (position, fragment) = (0, 0)
    var hasIndex = false
    scan: while let (type, header, length) = box(position, bytes.count) {
      topLevel.append((type, position, length))
      let content = position + header..<position + length
      switch type {
      case "moov" where !hasIndex:
        hasIndex = true
        readIndex(content)
      case "moof":
        // Players show a fragment only when its data are there.
        guard let data = box(position + length, bytes.count), data.0 == "mdat" else { break scan }
        fragment = position
        readFragment(content, fragment)
      default: break
      }
      position += length
    }
    finish()
  }

  private mutating func finish() {
    for index in tracks.indices {
      let shift = tracks[index].shift(timeScale)
      for sample in tracks[index].samples.indices {
        tracks[index].samples[sample].presentation -= shift
        tracks[index].samples[sample].decode -= shift
      }
    }
  }

  private func number(_ place: Int, _ count: Int) -> Int {
    bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private func box(_ place: Int, _ end: Int) -> (String, Int, Int)? {
    guard place + 8 <= end else { return nil }
    var (header, length) = (8, number(place, 4))
    if length == 1 {
      guard place + 16 <= end else { return nil }
      (header, length) = (16, number(place + 8, 8))
    } else if length == 0 {
      length = end - place
    }
    guard length >= header, length <= end - place else { return nil }
    return (String(decoding: bytes[place + 4..<place + 8], as: UTF8.self), header, length)
  }

  private func children(_ range: Range<Int>) -> [(type: String, content: Range<Int>)] {
    var (found, position): ([(String, Range<Int>)], Int) = ([], range.lowerBound)
    while let (type, header, length) = box(position, range.upperBound) {
      found.append((type, position + header..<position + length))
      position += length
    }
    return found
  }

  func content(_ path: [String], in range: Range<Int>) -> Range<Int>? {
    path.reduce(range as Range<Int>?) { range, type in
      range.flatMap { children($0).first { $0.type == type }?.content }
    }
  }

  private mutating func readIndex(_ moov: Range<Int>) {
    guard let header = content(["mvhd"], in: moov)?.lowerBound else { return }
    timeScale = Int64(number(header + (bytes[header] == 1 ? 20 : 12), 4))
    for (type, content) in children(moov) where type == "trak" { readTrack(content) }
    guard let extends = content(["mvex"], in: moov) else { return }
    isFragmented = true
    for (type, content) in children(extends) where type == "trex" {
      let place = content.lowerBound
      guard let track = tracks.firstIndex(where: { $0.id == number(place + 4, 4) }) else { continue }
      tracks[track].defaults = (number(place + 12, 4), number(place + 16, 4), number(place + 20, 4))
    }
  }

  private mutating func readTrack(_ trak: Range<Int>) {
    var track = Track()
    guard let header = content(["tkhd"], in: trak)?.lowerBound,
      let media = content(["mdia", "mdhd"], in: trak)?.lowerBound,
      let handler = content(["mdia", "hdlr"], in: trak)?.lowerBound,
      let table = content(["mdia", "minf", "stbl"], in: trak),
      let entry = content(["stsd"], in: table)?.lowerBound
    else { return }
    let isLong = bytes[header] == 1
    track.id = number(header + (isLong ? 20 : 12), 4)
    let matrix = header + (isLong ? 52 : 40)
    track.matrix = (0..<9).map { Int32(truncatingIfNeeded: number(matrix + 4 * $0, 4)) }
    track.timeScale = Int64(number(media + (bytes[media] == 1 ? 20 : 12), 4))
    track.duration = Int64(bytes[media] == 1 ? number(media + 24, 8) : number(media + 16, 4))
    track.handler = String(decoding: bytes[handler + 8..<handler + 12], as: UTF8.self)
    track.entry = String(decoding: bytes[entry + 12..<entry + 16], as: UTF8.self)
    if let list = content(["edts", "elst"], in: trak)?.lowerBound {
      let size = bytes[list] == 1 ? 8 : 4
      for index in 0..<number(list + 4, 4) {
        let place = list + 8 + index * (2 * size + 4)
        let media = number(place + size, size)
        track.edits.append(
          (Int64(number(place, size)), size == 8 ? Int64(media) : Int64(Int32(truncatingIfNeeded: media))))
      }
    }
    readSamples(table, into: &track)
    tracks.append(track)
  }

  private func readSamples(_ table: Range<Int>, into track: inout Track) {
    func list(_ type: String) -> Int? { content([type], in: table).map { $0.lowerBound + 4 } }
    func runs(_ place: Int?, signed: Bool = false) -> [Int64] {
      guard let place else { return [] }
      return (0..<number(place, 4)).flatMap { index -> [Int64] in
        let value = number(place + 8 + 8 * index, 4)
        return [Int64](
          repeating: signed ? Int64(Int32(truncatingIfNeeded: value)) : Int64(value),
          count: number(place + 4 + 8 * index, 4))
      }
    }
    guard let sizes = list("stsz"), let chunks = list("stsc") else { return }
    let (uniform, count) = (number(sizes, 4), number(sizes + 4, 4))
    let durations = runs(list("stts"))
    let shifts = runs(list("ctts"), signed: true)
    let keys = list("stss").map { place in Set((0..<number(place, 4)).map { number(place + 4 + 4 * $0, 4) }) }
    let (wide, place) = list("stco").map { (4, $0) } ?? (8, list("co64") ?? 0)
    guard place > 0 else { return }
    var (sample, decode): (Int, Int64) = (0, 0)
    let entries = (0..<number(chunks, 4)).map {
      (number(chunks + 4 + 12 * $0, 4), number(chunks + 8 + 12 * $0, 4))
    }
    for chunk in 0..<number(place, 4) {
      var offset = number(place + 4 + wide * chunk, wide)
      let perChunk = entries.last { $0.0 <= chunk + 1 }?.1 ?? 0
      for _ in 0..<perChunk where sample < count {
        let size = uniform > 0 ? uniform : number(sizes + 8 + 4 * sample, 4)
        let data = offset + size <= bytes.count ? Array(bytes[offset..<offset + size]) : []
        track.samples.append(
          Sample(
            presentation: decode + (shifts.isEmpty ? 0 : shifts[sample]), decode: decode, bytes: data,
            isKey: keys?.contains(sample + 1) ?? true))
        decode += durations[sample]
        offset += size
        sample += 1
      }
    }
  }

  private mutating func readFragment(_ moof: Range<Int>, _ base: Int) {
    for (type, traf) in children(moof) where type == "traf" {
      guard let header = content(["tfhd"], in: traf)?.lowerBound,
        let time = content(["tfdt"], in: traf)?.lowerBound,
        let run = content(["trun"], in: traf)?.lowerBound,
        let track = tracks.firstIndex(where: { $0.id == number(header + 4, 4) })
      else { continue }
      var defaults = tracks[track].defaults
      var place = header + 8
      func next(_ present: Bool, _ value: inout Int) {
        guard present else { return }
        value = number(place, 4)
        place += 4
      }
      let flags = number(header + 1, 3)
      next(flags & 0x8 != 0, &defaults.duration)
      next(flags & 0x10 != 0, &defaults.size)
      next(flags & 0x20 != 0, &defaults.flags)
      var decode = Int64(bytes[time] == 1 ? number(time + 4, 8) : number(time + 4, 4))
      let runFlags = number(run + 1, 3)
      var (offset, first) = (0, defaults.flags)
      place = run + 8
      next(runFlags & 0x1 != 0, &offset)
      offset += base
      next(runFlags & 0x4 != 0, &first)
      for index in 0..<number(run + 4, 4) {
        var (duration, size) = (defaults.duration, defaults.size)
        var (own, shift) = (index == 0 ? first : defaults.flags, 0)
        next(runFlags & 0x100 != 0, &duration)
        next(runFlags & 0x200 != 0, &size)
        next(runFlags & 0x400 != 0, &own)
        next(runFlags & 0x800 != 0, &shift)
        guard offset + size <= bytes.count else { return }
        tracks[track].samples.append(
          Sample(
            presentation: decode + Int64(Int32(truncatingIfNeeded: shift)), decode: decode,
            bytes: Array(bytes[offset..<offset + size]), isKey: own & 0x1_0000 == 0))
        decode += Int64(duration)
        offset += size
      }
    }
  }
}
