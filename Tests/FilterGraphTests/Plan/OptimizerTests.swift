import ColorScience
import FrameCore
import TestSupport
import Testing

@testable import FilterGraph
import Libc

/// Each pass by itself: what it does, and where it must not act.
@Suite("Optimizer passes")
struct OptimizerTests {
  static let gain = Stage.matrix(.diagonal(SIMD3(2, 2, 2)))
  static let mix = Stage.matrix(ColorSpace.sRGB.matrix(to: .rec2020))
  static let decode = Stage.curve(.decode([.sRGB]))
  static let encode = Stage.curve(.encode([.sRGB]))
  static let size = PixelSize(width: 600, height: 400)

  static func resample(_ map: AffineMap, to output: PixelSize = size, outside: Outside = .clamp) -> Stage {
    .geometry(Geometry(inputSize: size, outputSize: output, map: map, outside: outside))
  }
  static func scale(_ factor: Double) -> Stage {
    let output = PixelSize(width: Int(600 / factor), height: Int(400 / factor))
    return resample(.scale(600 / Double(output.width), 400 / Double(output.height)), to: output)
  }

  // MARK: Colour

  @Test("Stages that change nothing are removed")
  func removesNoOps() {
    let noOps: [Stage] = [
      .matrix(.identity), .curve(.decode([.linear])), .curve(.encode([.linear, .linear, .linear])),
      .curve(.power(exponent: 1, pivot: 0.18)), .pointwise(.oklabChroma(chroma: 1, space: .linearRec2020)),
      .pointwise(.tone(ToneCurve())),
      .lut(LookupStage(lut: ColorLUT(), strength: 0, name: "")),
    ]
    #expect(Optimizer.removeNoOps(noOps + [Self.gain]) == [Self.gain])
  }

  @Test("Stages that change a little stay")
  func keepsSmallChanges() {
    let small: [Stage] = [
      .matrix(.diagonal(SIMD3(1, 1, 1.000_001))), .curve(.decode([.linear, .linear, .gamma(1.01)])),
      .curve(.power(exponent: 1.000_001, pivot: 0.18)),
      .pointwise(.oklabChroma(chroma: 0.999_999, space: .linearRec2020)),
      .lut(LookupStage(lut: ColorLUT(), strength: 0.01, name: "")),
    ]
    #expect(Optimizer.removeNoOps(small) == small)
  }

  @Test("Neighbouring curves that undo each other cancel, from the inside out")
  func cancelsInverses() {
    let power = Stage.curve(.power(exponent: 2, pivot: 0.18))
    let root = Stage.curve(.power(exponent: 0.5, pivot: 0.18))
    #expect(Optimizer.cancelInverses([Self.decode, Self.encode]).isEmpty)
    #expect(Optimizer.cancelInverses([Self.encode, Self.decode]).isEmpty)
    #expect(Optimizer.cancelInverses([Self.decode, power, root, Self.encode, Self.gain]) == [Self.gain])
  }

  @Test(
    "Curves that only look alike stay",
    arguments: [
      [decode, gain, encode], [decode, decode], [decode, .curve(.encode([.gamma(2.2)]))],
      [.curve(.decode([.sRGB, .sRGB, .linear])), .curve(.encode([.sRGB, .sRGB, .sRGB]))],
      [.curve(.power(exponent: 2, pivot: 0.18)), .curve(.power(exponent: 0.5, pivot: 0.5))],
      [.curve(.power(exponent: 2, pivot: 0.18)), .curve(.power(exponent: 0.51, pivot: 0.18))],
    ])
  func keepsOtherCurves(stages: [Stage]) {
    #expect(Optimizer.cancelInverses(stages) == stages)
  }

  @Test("Neighbouring matrices become their product, later ones on the left")
  func multipliesMatrices() {
    let a = Matrix3x3(rows: SIMD3(1, 2, 3), SIMD3(0, 1, 4), SIMD3(5, 6, 0))
    let b = Matrix3x3(rows: SIMD3(1, 0, 1), SIMD3(0, 2, 0), SIMD3(0, 0, 1))
    // b·a, by hand.
    let product = Matrix3x3(rows: SIMD3(6, 8, 3), SIMD3(0, 2, 8), SIMD3(5, 6, 0))
    #expect(Optimizer.multiplyMatrices([.matrix(a), .matrix(b)]) == [.matrix(product)])
    let apart = [Self.mix, Self.decode, Self.mix]
    #expect(Optimizer.multiplyMatrices(apart) == apart)
  }

  @Test("To the working space and back leaves nothing once all passes have run")
  func roundTripVanishes() throws {
    var builder = PlanBuilder(size: Self.size, space: .displayP3)
    builder.enter(.linearRec2020)
    builder.enter(.displayP3)
    #expect(builder.stages.count == 6)
    var optimizer = Optimizer()
    #expect(try optimizer.run(Optimizer.algebraicPasses, on: builder.stages).isEmpty)
    #expect(Set(optimizer.records.map(\.pass)) == ["remove no-ops", "cancel inverses", "multiply matrices"])
    #expect(optimizer.records.allSatisfy { $0.after < $0.before })
  }

  @Test("Colour passes keep the meaning of random chains", arguments: 0..<200)
  func colorPassesKeepMeaning(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    var stages: [Stage] = []
    for _ in 0..<Int.random(in: 1...9, using: &random) { stages += Self.randomColor(using: &random) }
    var optimizer = Optimizer()
    let optimized = try optimizer.run(Optimizer.algebraicPasses, on: stages)
    #expect(optimized.count <= stages.count)
    for _ in 0..<20 {
      let color = SIMD3<Double>.random(in: -0.2...1.2, using: &random)
      let before = stages.reduce(color) { $1.evaluate($0) }
      let after = optimized.reduce(color) { $1.evaluate($0) }
      let tolerance = 1e-9 * max(1, (before * before).sum().squareRoot())
      #expect(
        (before - after).max() <= tolerance && (after - before).max() <= tolerance, "seed \(seed), \(color)")
    }
  }

  /// One stage or an inverse pair, with neutral ones among them.
  static func randomColor(using random: inout SeededRandom) -> [Stage] {
    let functions: [TransferFunction] = [.sRGB, .gamma(2.2), .bt709, .linear]
    let function = functions[Int(random.next() % 4)]
    switch random.next() % 7 {
    case 0: return [.curve(.decode([function]))]
    case 1: return [.curve(.encode([function])), .curve(.decode([function]))]
    case 2:
      let exponent = ([1, 2, 0.8, 1.25] as [Double]).randomElement(using: &random) ?? 1
      return [
        .curve(.power(exponent: exponent, pivot: 0.18)), .curve(.power(exponent: 1 / exponent, pivot: 0.18)),
      ]
    case 3:
      return [.pointwise(.oklabChroma(chroma: Double(random.next() % 3) / 2 + 0.5, space: .linearRec2020))]
    case 4: return [mix, .matrix(ColorSpace.rec2020.matrix(to: .sRGB))]
    case 5: return [.matrix(.diagonal(.random(in: 0.5...1.5, using: &random)))]
    default: return [mix]
    }
  }

  @Test("Colour is fused once, by itself or behind geometry; a list without colour is left alone")
  func fusesColor() {
    let baker = Baker(evaluator: ExactEvaluator(), outputSpace: .sRGB)
    var remarks: [String] = []
    func fuse(_ stages: [Stage]) -> [Stage] { Optimizer.fuseColor(stages, baker: baker, remarks: &remarks) }
    let turn = Self.resample(AffineMap(a: 0, b: 1, c: 0, d: -1, e: 0, f: 400))
    #expect(fuse([]) == [])
    #expect(fuse([turn]) == [turn])
    let perChannel = [Self.decode, Self.gain, Self.encode]
    #expect(fuse([turn] + perChannel) == [turn, .channelTables(perChannel)])
    #expect(fuse([turn, .channelTables(perChannel)]) == [turn, .channelTables(perChannel)])
    let baked = fuse([turn, Self.decode, Self.mix, Self.encode])
    #expect(baked.count == 2 && baked.first == turn)
    guard case .baked(let lut)? = baked.last else {
      Issue.record("not a table: \(baked)")
      return
    }
    #expect(lut.stages == [Self.decode, Self.mix, Self.encode])
    #expect(lut.error.isWithinBounds)
    #expect(fuse(baked) == baked)
    #expect(remarks.isEmpty)
  }

  // MARK: Geometry

  @Test("Resamples are joined ahead of the colour between them")
  func joinsGeometry() {
    let shift = Self.resample(.translation(3, 4))
    let half = Self.resample(.scale(2, 2))
    // Output (x, y) shows (2x, 2y) of the shifted picture, which shows (2x + 3, 2y + 4).
    let both = Self.resample(AffineMap(a: 2, b: 0, c: 3, d: 0, e: 2, f: 4))
    #expect(Optimizer.joinGeometry([Self.decode, shift, Self.gain, half]) == [both, Self.decode, Self.gain])
    #expect(Optimizer.joinGeometry([Self.decode, Self.gain]) == [Self.decode, Self.gain])
    #expect(Optimizer.joinGeometry([both, Self.gain]) == [both, Self.gain])
  }

  @Test("Transparent corners stay transparent when a later resample does not reach outside")
  func joinsTransparency() {
    let stages = [
      Self.resample(.translation(-9, 0), outside: .transparent), Self.resample(.translation(1, 0)),
    ]
    #expect(Optimizer.joinGeometry(stages) == [Self.resample(.translation(-8, 0), outside: .transparent)])
  }

  @Test("A resample that keeps its scale, enlarges or downsamples by a hair is not split")
  func doesNotSplit() {
    for factor in [0.5, 1, 1.0009] {
      let stages = [Self.resample(.scale(factor, factor)), Self.gain]
      #expect(Optimizer.splitDownsample(stages, encoding: [.sRGB]) == stages)
    }
    let behindColor = [Self.gain, Self.scale(4)]
    #expect(Optimizer.splitDownsample(behindColor, encoding: [.sRGB]) == behindColor)
  }

  @Test("Light is averaged beyond a factor of 1.5, encoded samples up to it")
  func splitsInTheRightLight() {
    let output = PixelSize(width: 300, height: 200)
    for (factor, light) in [(1.2, nil), (1.5, nil), (1.51, [.sRGB])] as [(Double, [TransferFunction]?)] {
      let split = Optimizer.splitDownsample(
        [Self.resample(.scale(factor, factor), to: output)], encoding: [.sRGB])
      guard case .downsample(let downsample)? = split.first else {
        Issue.record("÷\(factor) was not split: \(split)")
        continue
      }
      #expect(downsample.linearLight == light, "÷\(factor)")
      #expect(downsample.outputSize == output, "÷\(factor)")
      #expect(Optimizer.dropIdentityGeometry(split).count == 1, "÷\(factor)")
    }
  }

  @Test("Downsampling and what is left of the resample show what the resample showed", arguments: 0..<100)
  func splitKeepsMeaning(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let angle = seed % 3 == 0 ? 0 : Double.random(in: -3...3, using: &random)
    let factor = Double.random(in: 1.01...9, using: &random)
    let (cosine, sine) = (factor * cos(angle), factor * sin(angle))
    let output = PixelSize(
      width: Int.random(in: 1...90, using: &random), height: Int.random(in: 1...60, using: &random))
    let map = AffineMap.translation(-Double(output.width) / 2, -Double(output.height) / 2)
      .then(AffineMap(a: cosine, b: sine, c: 300, d: -sine, e: cosine, f: 200))
    let outside: Outside = seed % 2 == 0 ? .clamp : .transparent
    let split = Optimizer.splitDownsample(
      [Self.resample(map, to: output, outside: outside)], encoding: [.sRGB])
    guard split.count == 2, case .downsample(let downsample) = split[0], case .geometry(let rest) = split[1]
    else {
      Issue.record("seed \(seed): \(split)")
      return
    }
    #expect(rest.inputSize == downsample.outputSize && rest.outputSize == output)
    #expect(rest.outside == outside)
    #expect(downsample.x >= 0 && downsample.y >= 0)
    #expect(downsample.x + downsample.width <= 600 && downsample.y + downsample.height <= 400)
    for (x, y) in [(0.5, 0.5), (Double(output.width), 0), (3.25, 7.75)] {
      let before = map.apply(x, y)
      let between = rest.map.apply(x, y)
      let after = (
        x: downsample.x + between.x * downsample.factors.x, y: downsample.y + between.y * downsample.factors.y
      )
      #expect(abs(before.x - after.x) < 1e-9 && abs(before.y - after.y) < 1e-9, "seed \(seed), \(x), \(y)")
    }
  }

  @Test("An identity resample is dropped; a window of the same picture is not")
  func dropsIdentity() {
    let window = Self.resample(.identity, to: PixelSize(width: 600, height: 399))
    let halfPixel = Self.resample(.translation(0.5, 0))
    let stages = [Self.resample(.identity), window, halfPixel, Self.gain]
    #expect(Optimizer.dropIdentityGeometry(stages) == [window, halfPixel, Self.gain])
  }
}

extension SIMD3<Double> {
  static func random(in range: ClosedRange<Double>, using random: inout SeededRandom) -> SIMD3 {
    SIMD3(
      .random(in: range, using: &random), .random(in: range, using: &random),
      .random(in: range, using: &random))
  }
}
