import Libc
import PixelKernels
import TestSupport
import Testing

extension KernelTests {
  /// Moving pixels between sample types and layouts, on rows of 0 to 70 pixels at odd places.
  @Suite("Conversions")
  struct Conversions {
    static let lengths = Array(0...70)

    /// Runs `body` for every length with a generator and the parameters as a comment.
    func forRows(_ set: InstructionSet, _ body: (Int, Int, inout SeededRandom, Comment) -> Void) {
      set.limit {
        for n in Self.lengths {
          var random = SeededRandom(seed: UInt64(n))
          let offset = Int(random.next() % 5)
          body(n, offset, &random, "\(set), \(n) pixels, offset \(offset)")
        }
      }
    }

    static func row<Sample: KernelSample>(_ count: Int, _ random: inout SeededRandom) -> [Sample] {
      (0..<count).map { _ in Sample.random(using: &random) }
    }

    func unpack<Sample: KernelSample>(_ type: Sample.Type, _ set: InstructionSet) {
      forRows(set) { n, offset, random, comment in
        let source = GuardedRow<Sample>(Self.row(4 * n, &random), offset: offset)
        let planes = (0..<3).map { GuardedRow<Float>(n, offset: (offset + $0) % 4) }
        sl_unpack(source.pointer, Sample.type, planes[0].pointer, planes[1].pointer, planes[2].pointer, n)
        for channel in 0..<3 {
          #expect(planes[channel].isIntact, comment)
          for i in 0..<n {
            let (out, expected) = (Double(planes[channel].pointer[i]), source.pointer[4 * i + channel].value)
            if !isClose(out, expected, within: 1e-7) {
              Issue.record("\(comment), pixel \(i): \(out), not \(expected)")
            }
          }
        }
      }
    }

    @Test("Unpacking gives the samples of each channel, scaled to 1", arguments: InstructionSet.available)
    func unpack(set: InstructionSet) {
      unpack(UInt8.self, set)
      unpack(UInt16.self, set)
      unpack(Float.self, set)
    }

    func channels<Sample: KernelSample>(_ type: Sample.Type, opaque: Sample, _ set: InstructionSet) {
      forRows(set) { n, offset, random, comment in
        let gray = GuardedRow<Sample>(Self.row(n, &random), offset: offset)
        let rgb = GuardedRow<Sample>(Self.row(3 * n, &random), offset: offset)
        let rgba = GuardedRow<Sample>(Self.row(4 * n, &random), offset: offset)
        let fromGray = GuardedRow<Sample>(4 * n, offset: (offset + 1) % 5)
        let fromRGB = GuardedRow<Sample>(4 * n, offset: (offset + 2) % 5)
        let toRGB = GuardedRow<Sample>(3 * n, offset: (offset + 3) % 5)
        sl_gray_to_rgba(gray.pointer, Sample.type, fromGray.pointer, n)
        sl_rgb_to_rgba(rgb.pointer, Sample.type, fromRGB.pointer, n)
        sl_rgba_to_rgb(rgba.pointer, Sample.type, toRGB.pointer, n)
        #expect(fromGray.isIntact && fromRGB.isIntact && toRGB.isIntact, comment)
        for i in 0..<n {
          // Bit for bit: floats may be no numbers.
          func isSame(_ a: UnsafeMutablePointer<Sample>, _ b: UnsafeMutablePointer<Sample>) -> Bool {
            memcmp(a, b, MemoryLayout<Sample>.size) == 0
          }
          let isRight = (0..<3).allSatisfy { channel in
            isSame(fromGray.pointer + 4 * i + channel, gray.pointer + i)
              && isSame(fromRGB.pointer + 4 * i + channel, rgb.pointer + 3 * i + channel)
              && isSame(toRGB.pointer + 3 * i + channel, rgba.pointer + 4 * i + channel)
          }
          let isOpaque = fromGray.pointer[4 * i + 3] == opaque && fromRGB.pointer[4 * i + 3] == opaque
          #expect(isRight && isOpaque, "\(comment), pixel \(i)")
        }
      }
    }

    @Test("Channels are added and left out", arguments: InstructionSet.available)
    func channels(set: InstructionSet) {
      channels(UInt8.self, opaque: 255, set)
      channels(UInt16.self, opaque: 65535, set)
      channels(Float.self, opaque: 1, set)
    }

    @Test("Splitting gives the codes of each channel", arguments: InstructionSet.available)
    func split(set: InstructionSet) {
      forRows(set) { n, offset, random, comment in
        let bytes = GuardedRow<UInt8>(Self.row(4 * n, &random), offset: offset)
        let words = GuardedRow<UInt16>(Self.row(4 * n, &random), offset: offset)
        let planes = (0..<6).map { GuardedRow<UInt16>(n, offset: (offset + $0) % 4) }
        sl_split_rgba8(bytes.pointer, planes[0].pointer, planes[1].pointer, planes[2].pointer, n)
        sl_split_rgba16(words.pointer, planes[3].pointer, planes[4].pointer, planes[5].pointer, n)
        for channel in 0..<3 {
          #expect(planes[channel].isIntact && planes[3 + channel].isIntact, comment)
          let codes = (0..<n).map { 257 * UInt16(bytes.pointer[4 * $0 + channel]) }
          #expect(planes[channel].samples == codes, comment)
          #expect(planes[3 + channel].samples == (0..<n).map { words.pointer[4 * $0 + channel] }, comment)
        }
      }
    }

    /// A stored colour sample against the value that it should hold.
    func check<Out: KernelSample>(
      _ out: Out, _ value: Double, dither: Double, _ comment: @autoclosure () -> String
    ) {
      if Out.full == 1 {
        if !isClose(out.value, value, within: abs(value) * 1e-7) {
          Issue.record("\(comment()): \(out), not \(value)")
        }
        return
      }
      // Half a code, and what float rounding before it may add.
      let exact = clippedCode(value * Out.full + dither, full: Out.full)
      if abs(out.value * Out.full - exact) > 0.5 + Out.full * 2e-7 {
        Issue.record("\(comment()): \(out), not \(exact)")
      }
    }

    func pack<Alpha: KernelSample, Out: KernelSample>(_: Alpha.Type, _: Out.Type, _ set: InstructionSet) {
      forRows(set) { n, offset, random, comment in
        let planes = (0..<3).map { GuardedRow<Float>(Self.row(n, &random), offset: (offset + $0) % 4) }
        let alpha = GuardedRow<Alpha>(Self.row(4 * n, &random), offset: offset)
        let dithers = random.next() % 2 == 0
        let noise = GuardedRow<Float>((0..<n).map { _ in Float.random(in: -0.5...0.5, using: &random) })
        let out = GuardedRow<Out>(4 * n, offset: offset)
        sl_pack(
          planes[0].pointer, planes[1].pointer, planes[2].pointer, alpha.pointer, Alpha.type,
          dithers ? UnsafePointer(noise.pointer) : nil, out.pointer, Out.type, n)
        #expect(out.isIntact, comment)
        for i in 0..<n {
          let dither = dithers ? Double(noise.pointer[i]) : 0
          for channel in 0..<3 {
            check(
              out.pointer[4 * i + channel], planes[channel].pointer[i].value, dither: dither,
              "\(comment), dither \(dithers), \(Alpha.self) alpha, pixel \(i), channel \(channel)")
          }
          check(
            out.pointer[4 * i + 3], alpha.pointer[4 * i + 3].value, dither: 0,
            "\(comment), pixel \(i), alpha \(Alpha.self)")
        }
      }
    }

    @Test(
      "Packing clips, rounds, dithers and copies alpha; not-a-number is 0",
      arguments: InstructionSet.available
    )
    func pack(set: InstructionSet) {
      func from<Alpha: KernelSample>(_ alpha: Alpha.Type) {
        pack(alpha, UInt8.self, set)
        pack(alpha, UInt16.self, set)
        pack(alpha, Float.self, set)
      }
      from(UInt8.self)
      from(UInt16.self)
      from(Float.self)
    }

    func convert<In: KernelSample, Out: KernelSample>(_: In.Type, _: Out.Type, _ set: InstructionSet) {
      forRows(set) { n, offset, random, comment in
        let source = GuardedRow<In>(Self.row(4 * n, &random), offset: offset)
        let out = GuardedRow<Out>(4 * n, offset: 4 - offset)
        sl_convert(source.pointer, In.type, out.pointer, Out.type, n)
        #expect(out.isIntact, comment)
        for i in 0..<4 * n {
          check(out.pointer[i], source.pointer[i].value, dither: 0, "\(comment), \(In.self), sample \(i)")
        }
      }
    }

    @Test("Converting keeps all four channels", arguments: InstructionSet.available)
    func convert(set: InstructionSet) {
      func from<In: KernelSample>(_ type: In.Type) {
        convert(type, UInt8.self, set)
        convert(type, UInt16.self, set)
        convert(type, Float.self, set)
      }
      from(UInt8.self)
      from(UInt16.self)
      from(Float.self)
    }

    @Test("Every code of 8 bit becomes its own of 16 bit and back; 16 bit is rounded to the nearest of 8")
    func everyCode() {
      let codes = (0...65_535).map { UInt16($0) }
      var narrow = [UInt8](repeating: 0, count: codes.count)
      sl_convert(codes, SL_U16, &narrow, SL_U8, codes.count / 4)
      // 257 is odd, so no code lies between two.
      #expect(narrow == codes.map { UInt8((Double($0) / 257).rounded()) })
      let bytes = (0...255).map { UInt8($0) }
      var wide = [UInt16](repeating: 0, count: 256)
      sl_convert(bytes, SL_U8, &wide, SL_U16, 64)
      #expect(wide == bytes.map { UInt16($0) * 257 })
    }

    func tables<In: KernelSample & BinaryInteger, Out: KernelSample>(
      _: In.Type, _: Out.Type, _ set: InstructionSet
    ) {
      let entries = Int(In.full) + 1
      var random = SeededRandom(seed: 1)
      let table = GuardedRow<Out>(Self.row(3 * entries, &random))
      forRows(set) { n, offset, random, comment in
        let source = GuardedRow<In>(Self.row(4 * n, &random), offset: offset)
        let out = GuardedRow<Out>(4 * n, offset: 4 - offset)
        sl_apply_tables(source.pointer, In.type, table.pointer, out.pointer, Out.type, n)
        #expect(out.isIntact, comment)
        for i in 0..<n {
          for channel in 0..<3 {
            let expected = table.pointer[channel * entries + Int(source.pointer[4 * i + channel])].value
            #expect(
              isClose(out.pointer[4 * i + channel].value, expected, within: 0), "\(comment), pixel \(i)")
          }
          check(
            out.pointer[4 * i + 3], source.pointer[4 * i + 3].value, dither: 0,
            "\(comment), alpha of pixel \(i)")
        }
      }
    }

    @Test(
      "Tables give each channel its own entry, and alpha is only scaled",
      arguments: InstructionSet.available)
    func tables(set: InstructionSet) {
      tables(UInt8.self, UInt8.self, set)
      tables(UInt8.self, UInt16.self, set)
      tables(UInt8.self, Float.self, set)
      tables(UInt16.self, UInt8.self, set)
      tables(UInt16.self, UInt16.self, set)
      tables(UInt16.self, Float.self, set)
    }

    func interleave<Alpha: KernelSample>(_: Alpha.Type, _ set: InstructionSet) {
      forRows(set) { n, offset, random, comment in
        let planes = (0..<3).map { _ in
          GuardedRow<Float>((0..<n).map { _ in Float.random(in: -0.5...1.5, using: &random) }, offset: offset)
        }
        let alpha = GuardedRow<Alpha>(
          (0..<4 * n).map { _ in Alpha(code: Double(random.next() % 2) * Alpha.full) })
        for i in 0..<n where random.next() % 2 == 0 {
          alpha.pointer[4 * i + 3] = Alpha(code: (Alpha.full / 3).rounded(.up))
        }
        let premultiplies = random.next() % 2 == 0
        let mixed = GuardedRow<Float>(4 * n, offset: offset)
        sl_interleave(
          planes[0].pointer, planes[1].pointer, planes[2].pointer, alpha.pointer, Alpha.type,
          premultiplies ? 1 : 0,
          mixed.pointer, n)
        #expect(mixed.isIntact, comment)
        let back = (0..<4).map { _ in GuardedRow<Float>(n, offset: offset) }
        sl_deinterleave(
          mixed.pointer, premultiplies ? 1 : 0, back[0].pointer, back[1].pointer, back[2].pointer,
          back[3].pointer, n)
        for row in back { #expect(row.isIntact, comment) }
        for i in 0..<n {
          let coverage = alpha.pointer[4 * i + 3].value
          #expect(isClose(Double(back[3].pointer[i]), coverage, within: 1e-7), comment)
          for channel in 0..<3 {
            let color = Double(planes[channel].pointer[i])
            let weighted = premultiplies ? color * coverage : color
            #expect(isClose(Double(mixed.pointer[4 * i + channel]), weighted, within: 2e-7), comment)
            let expected = premultiplies && coverage == 0 ? 0 : color
            #expect(isClose(Double(back[channel].pointer[i]), expected, within: 1e-6), comment)
          }
        }
      }
    }

    @Test(
      "Interleaving weighs colour by alpha, and deinterleaving undoes it", arguments: InstructionSet.available
    )
    func interleave(set: InstructionSet) {
      interleave(UInt8.self, set)
      interleave(UInt16.self, set)
      interleave(Float.self, set)
    }

    @Test("Pixels of 4, 8 and 16 bytes are copied from any step, backwards too")
    func copyStrided() {
      for (pixel, step) in [(4, 4), (4, -4), (4, 52), (8, 8), (8, -24), (16, -16), (16, 160)] {
        for n in [0, 1, 2, 3, 17, 70] {
          let source = (0..<abs(step) * 71).map { (index: Int) -> UInt8 in
            UInt8(truncatingIfNeeded: index &* 37 ^ (index >> 7))
          }
          let first = step < 0 ? abs(step) * 70 : 0
          let out = GuardedRow<UInt8>(pixel * n)
          source.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            sl_copy_strided(base + first, step, out.pointer, pixel, n)
          }
          #expect(out.isIntact)
          var expected: [UInt8] = []
          for index in 0..<n {
            let start = first + index * step
            expected += source[start..<start + pixel]
          }
          #expect(out.samples == expected, "\(pixel) bytes, step \(step), \(n) pixels")
        }
      }
    }
  }

  @Suite("Instruction sets")
  struct InstructionSets {
    @Test("A name lowers the choice, never raises it; an unknown one changes nothing")
    func limits() { ProcessWideLock.instructionSet.withLock(checkLimits) }

    private func checkLimits() {
      let best = String(cString: sl_instruction_set())
      let order = [
        "EMU128", "SSE2", "SSSE3", "SSE4", "AVX2", "AVX3", "AVX3_DL", "AVX3_ZEN4", "AVX3_SPR", "AVX10_2",
      ]
      guard let rank = order.firstIndex(of: best) else {
        // Not x86: there is one set beside the plain one.
        InstructionSet.scalar.limit { #expect(String(cString: sl_instruction_set()) == "EMU128") }
        return
      }
      for (set, ceiling) in [
        (InstructionSet.scalar, "EMU128"), (.sse4, "SSE4"), (.avx2, "AVX2"), (.avx512, "AVX3"),
      ] {
        set.limit {
          let name = String(cString: sl_instruction_set())
          let expected = min(rank, order.firstIndex(of: ceiling) ?? rank)
          #expect(order.firstIndex(of: name) == expected, "\(set) gives \(name) on a machine with \(best)")
          #expect(sl_limit_instruction_set("mmx") == 0)
          #expect(String(cString: sl_instruction_set()) == name)
        }
      }
      #expect(String(cString: sl_instruction_set()) == best)
    }
  }
}
