import ColorScience
import FrameCore
import Testing

@testable import FilterGraph

/// Passes move and join stages between barriers only: stages that look beside their pixel, or at where it lies.
@Suite("Barriers of passes")
struct BarrierTests {
  private static let size = OptimizerTests.size
  private static let (gain, decode, encode) = (
    OptimizerTests.gain, OptimizerTests.decode, OptimizerTests.encode
  )
  private static let shift = OptimizerTests.resample(.translation(3, 4))
  private static let half = OptimizerTests.resample(.scale(2, 2))
  private static let downsample = Stage.downsample(
    Downsample(inputSize: size, x: 0, y: 0, width: 600, height: 400, outputSize: size, linearLight: nil))
  private static func camera(_ format: PixelFormat) -> Stage {
    .ycbcr(YCbCrStage(format: format, encoding: YCbCrEncoding(matrix: .bt709, range: .limited)))
  }

  @Test(
    "Resamples are joined on each side of a barrier, and none is moved across",
    arguments: [downsample, camera(.nv12)])
  func geometry(barrier: Stage) {
    let both = OptimizerTests.resample(AffineMap(a: 2, b: 0, c: 3, d: 0, e: 2, f: 4))
    let stages = [Self.decode, Self.shift, Self.half, barrier, Self.gain, Self.shift, Self.encode, Self.half]
    #expect(
      Optimizer.joinGeometry(stages) == [both, Self.decode, barrier, both, Self.gain, Self.encode])
    #expect(Optimizer.joinGeometry([Self.gain, barrier]) == [Self.gain, barrier])
    #expect(Optimizer.joinGeometry([barrier, Self.gain, Self.shift]) == [barrier, Self.shift, Self.gain])
  }

  @Test(
    "Each run of colour between barriers is fused by itself", arguments: [downsample, shift, camera(.i444)])
  func colour(barrier: Stage) {
    let baker = Baker(evaluator: ExactEvaluator(), outputSpace: .sRGB)
    var remarks: [String] = []
    let (first, second) = ([Self.decode, Self.gain], [Self.gain, Self.encode])
    let fused = Optimizer.fuseColor(first + [barrier] + second, baker: baker, remarks: &remarks)
    #expect(fused == [.channelTables(first), barrier, .channelTables(second)])
    #expect(Optimizer.fuseColor(fused, baker: baker, remarks: &remarks) == fused)
    #expect(remarks.isEmpty)
  }

  @Test("A camera's picture is resampled as stored, but downsampled in RGB")
  func cameras() {
    let camera = Self.camera(.nv12)
    #expect(Optimizer.resampleAsStored([camera, Self.shift, Self.gain]) == [Self.shift, camera, Self.gain])
    for same in [
      [Self.shift, camera, Self.gain], [camera, Self.downsample, Self.shift], [camera, Self.gain], [camera],
    ] {
      #expect(Optimizer.resampleAsStored(same) == same)
    }
    let split = Optimizer.splitDownsample([camera, OptimizerTests.scale(4), Self.gain], encoding: [.sRGB])
    #expect(split.count == 4 && split[0] == camera && split[3] == Self.gain)
    #expect(split[1].usesPosition && split[1].footprint == .halo(x: 12, y: 12))
  }

  @Test("Each kind of stage says which pixels it needs")
  func footprints() {
    for stage in [Self.gain, Self.decode, .pointwise(.tone(ToneCurve(whites: 1)))] {
      #expect(stage.isPointwise && stage.footprint == .point && !stage.usesPosition)
    }
    for stage in [Self.shift, Self.half, Self.downsample, Self.camera(.gray8)] {
      #expect(stage.usesPosition && !stage.isPointwise)
    }
    // Whole pixels are moved; between pixels there are three on each side.
    #expect(
      OptimizerTests.resample(.translation(3, 4), to: PixelSize(width: 500, height: 300)).footprint == .point)
    #expect(OptimizerTests.resample(.translation(0.5, 0)).footprint == .halo(x: 3, y: 3))
    var turned = Geometry(
      inputSize: Self.size, outputSize: Self.size, map: AffineMap(a: 1, b: 0.2, c: 0, d: -0.2, e: 1, f: 0))
    turned.order = .rowsFirst
    #expect(Stage.geometry(turned).footprint == .halo(x: 4, y: 3))
    turned.interpolation = .bilinear
    #expect(Stage.geometry(turned).footprint == .halo(x: 2, y: 1))
    // Six colour differences about a pixel, each for one or two pixels each way.
    #expect(Self.camera(.gray8).footprint == .point && Self.camera(.i444).footprint == .point)
    #expect(Self.camera(.yuyv422).footprint == .halo(x: 7, y: 0))
    #expect(Self.camera(.i420).footprint == .halo(x: 7, y: 7))
  }
}
