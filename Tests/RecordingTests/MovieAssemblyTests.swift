import FrameCore
import TestSupport
import Testing

@testable import Recording

/// What came out of an assembly: for each file its start, pictures and sound.
private struct Output {
  struct File {
    var start: Int64
    var pictures: [(time: Int64, duration: Int64, number: Int, isKey: Bool)] = []
    var sound: [(position: Int64, samples: [Float])] = []
    var isClosed = false
  }
  var files: [Int: File] = [:]

  mutating func drain(_ assembly: inout MovieAssembly) {
    while let action = assembly.next() {
      switch action {
      case .open(let file, let start): files[file] = File(start: start)
      case .picture(let file, let picture, let time, let duration):
        #expect(files[file]?.isClosed == false)
        let number = Int(picture.bytes[0]) + 256 * Int(picture.bytes[1])
        files[file]?.pictures.append((time, duration, number, picture.isKey))
      case .sound(let file, let samples, let position):
        #expect(files[file]?.isClosed == false)
        files[file]?.sound.append((position, samples))
      case .close(let file): files[file]?.isClosed = true
      }
    }
  }

  var ordered: [File] { files.keys.sorted().compactMap { files[$0] } }
  var numbers: [Int] { ordered.flatMap { $0.pictures.map(\.number) } }
}

@Suite("Putting movies together")
struct MovieAssemblyTests {
  private static let frame: Int64 = 33_333_333
  private static let rate = 8000

  private func picture(_ number: Int, key: Bool) -> MovieAssembly.Picture {
    MovieAssembly.Picture(
      bytes: [UInt8(number & 255), UInt8(number >> 8)], time: 1_000_000_000 + Int64(number) * Self.frame,
      isKey: key)
  }

  /// Adds pictures and the sound of the same time; each sample's value is its own number.
  private func run(
    _ assembly: inout MovieAssembly, _ numbers: Range<Int>, keyEvery: Int = 30, withSound: Bool = true,
    soundLead: Int64 = 0, into output: inout Output
  ) {
    for number in numbers {
      let picture = picture(number, key: number.isMultiple(of: keyEvery))
      if withSound {
        let end = SampleTime.samples(picture.time + soundLead, rate: Self.rate)
        let begin = max(assembly.sound.end, SampleTime.samples(1_000_000_000, rate: Self.rate) - 8000)
        if end > begin { assembly.add(samples: (begin..<end).map { Float($0) }, position: begin) }
      }
      assembly.add(picture)
      output.drain(&assembly)
    }
  }

  private func settings(preRoll: Int64 = 0, segment: Int64? = nil, sound: Bool = true)
    -> MovieAssembly.Settings
  {
    MovieAssembly.Settings(preRoll: preRoll, segment: segment, sound: sound ? (Self.rate, 1) : nil)
  }

  private func checkSound(_ file: Output.File, until end: Int64) {
    let begin = SampleTime.samples(file.start, rate: Self.rate)
    var next: Int64 = 0
    for run in file.sound {
      #expect(run.position == next)
      for (index, sample) in run.samples.enumerated() {
        #expect(sample == Float(begin + run.position + Int64(index)))
      }
      next = run.position + Int64(run.samples.count)
    }
    #expect(next == SampleTime.samples(end, rate: Self.rate) - begin)
  }

  @Test("A recording begins with a key picture, and its sound with it", arguments: [Int64(0), 400_000_000])
  func beginsWithKey(lead: Int64) throws {
    var assembly = MovieAssembly(settings())
    var output = Output()
    run(&assembly, 0..<40, soundLead: lead, into: &output)
    #expect(output.files.isEmpty)
    assembly.begin()
    run(&assembly, 40..<100, soundLead: lead, into: &output)
    let end = picture(100, key: false).time
    run(&assembly, 100..<101, soundLead: 100_000_000, into: &output)
    assembly.end(at: end)
    output.drain(&assembly)
    let file = try #require(output.ordered.first)
    #expect(output.numbers == Array(60...100) && file.pictures[0].isKey && file.isClosed)
    #expect(file.pictures[0].time == 0 && file.pictures[1].time == Self.frame)
    checkSound(file, until: end)
  }

  @Test("The pre-roll is at least as long as asked, and not a key picture longer")
  func preRoll() throws {
    var assembly = MovieAssembly(settings(preRoll: 2_000_000_000))
    var output = Output()
    run(&assembly, 0..<400, into: &output)
    assembly.begin()
    output.drain(&assembly)
    run(&assembly, 400..<410, into: &output)
    assembly.end(at: picture(410, key: false).time)
    output.drain(&assembly)
    // Two seconds before picture 399 is picture 339; the key picture before it is 330.
    #expect(output.numbers == Array(330..<410))
    let file = try #require(output.ordered.first)
    #expect(file.start == picture(330, key: true).time)
    checkSound(file, until: picture(409, key: false).time)
  }

  @Test("A pre-roll that is not complete yet is used as it is")
  func shortPreRoll() {
    var assembly = MovieAssembly(settings(preRoll: 60_000_000_000))
    var output = Output()
    run(&assembly, 5..<50, into: &output)
    assembly.begin()
    run(&assembly, 50..<60, into: &output)
    #expect(output.numbers == Array(30..<59))
  }

  @Test("Segments hold every picture and every sample once", arguments: [true, false])
  func segments(withSound: Bool) {
    var assembly = MovieAssembly(settings(segment: 3_000_000_000, sound: withSound))
    var output = Output()
    assembly.begin()
    run(&assembly, 0..<1000, withSound: withSound, soundLead: 50_000_000, into: &output)
    let end = picture(1000, key: false).time
    run(&assembly, 1000..<1001, withSound: withSound, soundLead: 50_000_000, into: &output)
    assembly.end(at: end)
    output.drain(&assembly)
    #expect(output.numbers == Array(0...1000))
    #expect(output.files.count == 12 && output.ordered.allSatisfy { $0.isClosed && $0.pictures[0].isKey })
    for (index, file) in output.ordered.enumerated() {
      let next = index + 1 < output.files.count ? output.ordered[index + 1].start : end
      // Pictures fill the file to its last moment.
      for (a, b) in zip(file.pictures, file.pictures.dropFirst()) { #expect(a.time + a.duration == b.time) }
      if let last = file.pictures.last, index + 1 < output.files.count {
        #expect(file.start + last.time + last.duration == next)
      }
      if withSound { checkSound(file, until: next) }
    }
  }

  @Test("Sound goes on while pictures are away, and no segment begins in what is already written")
  func missingPictures() throws {
    var assembly = MovieAssembly(settings(segment: 1_000_000_000))
    var output = Output()
    assembly.begin()
    run(&assembly, 0..<20, into: &output)
    for block in 0..<100 {
      let begin = assembly.sound.end
      assembly.add(samples: (begin..<begin + 800).map { Float($0) }, position: begin)
      output.drain(&assembly)
      if block == 99 { #expect(output.files[0]?.sound.last.map { $0.position > 7 * 8000 } == true) }
    }
    run(&assembly, 330..<400, into: &output)
    let end = picture(399, key: false).time
    assembly.end(at: end)
    output.drain(&assembly)
    #expect(output.numbers == Array(0..<20) + Array(330..<400))
    for (index, file) in output.ordered.enumerated() {
      checkSound(file, until: index + 1 < output.files.count ? output.ordered[index + 1].start : end)
    }
  }

  @Test("A recording that ends before its first picture leaves no file")
  func nothing() {
    var assembly = MovieAssembly(settings())
    var output = Output()
    assembly.begin()
    run(&assembly, 1..<20, into: &output)
    assembly.end(at: picture(20, key: false).time)
    output.drain(&assembly)
    #expect(output.files.isEmpty)
  }

  @Test("Sound in pieces of any size comes out as it went in", arguments: 0..<30)
  func pendingSound(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let channels = Int.random(in: 1...4, using: &random)
    var sound = PendingSound(channels: channels)
    var position = Int64.random(in: 0...1000, using: &random)
    let first = position
    var taken: [Float] = []
    var limit = first
    for _ in 0..<200 {
      if Bool.random(using: &random) {
        let count = Int64.random(in: 1...50, using: &random)
        // Sometimes samples come again.
        let overlap = min(Int64.random(in: 0...3, using: &random), position - first)
        let samples = (position - overlap..<position + count).flatMap { number in
          (0..<channels).map { Float(number * 10 + Int64($0)) }
        }
        sound.append(samples, at: position - overlap)
        position += count
      } else {
        limit += .random(in: 0...40, using: &random)
        limit = min(limit, position)
        taken += sound.take(until: limit).flatMap(\.samples)
      }
    }
    taken += sound.take(until: .max).flatMap(\.samples)
    let expected = (first..<position).flatMap { number in
      (0..<channels).map { Float(number * 10 + Int64($0)) }
    }
    #expect(taken == expected)
  }
}
