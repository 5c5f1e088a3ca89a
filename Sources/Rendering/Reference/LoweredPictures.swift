import ColorScience
import FilterGraph
import FrameCore

/// Runs the stages that filters lowered to, before any pass: each in its place, each resample into a picture of
/// its own.
enum LoweredPictures {
  static func picture(of source: PixelBuffer, through plan: Plan) -> any ReferencePicture {
    var picture: any ReferencePicture = BufferPicture(buffer: source)
    // The encoding of the samples at this point; nil for linear light, whose averages need no decoding.
    var encoding: [TransferFunction]? = plan.input.space.transfer
    // Stored samples are clipped to the integer range, as in every renderer. Colours computed by filters are not.
    var clips = plan.input.format.isInteger
    for stage in plan.loweredStages {
      switch stage {
      case .geometry(let geometry):
        picture = resampled(picture, geometry, encoding: encoding, clips: clips)
      case .downsample(let downsample): picture = DownsampledPicture(picture, downsample, clips: clips)
      case .ycbcr(let camera): picture = CameraPicture(buffer: source, stage: camera, geometry: nil)
      case .curve(let curve):
        switch curve {
        case .decode: encoding = nil
        case .encode(let functions): encoding = functions
        case .power: break
        }
        (picture, clips) = (picture.colored(by: stage), false)
      case .matrix, .pointwise, .lut, .channelTables, .baked:
        (picture, clips) = (picture.colored(by: stage), false)
      }
    }
    return picture
  }

  /// Computes every pixel once: the next resample reads each one 36 times.
  private static func resampled(
    _ picture: any ReferencePicture, _ geometry: Geometry, encoding: [TransferFunction]?, clips: Bool
  ) -> any ReferencePicture {
    guard !geometry.isIdentity else { return picture }
    guard let (downsample, rest) = geometry.splittingDownsample(encoding: encoding ?? [.linear]) else {
      return StoredPicture(ResampledPicture(source: picture, geometry: geometry, clips: clips))
    }
    let downsampled = DownsampledPicture(picture, downsample, clips: clips)
    return rest.isIdentity
      ? downsampled : StoredPicture(ResampledPicture(source: downsampled, geometry: rest, clips: clips))
  }
}

/// Another picture with colour stages applied.
struct ColoredPicture: ReferencePicture {
  let source: any ReferencePicture
  private let stages: [Stage]
  var size: PixelSize { source.size }

  init(_ source: any ReferencePicture, _ stages: [Stage]) {
    (self.source, self.stages) = (source, stages)
  }

  func colored(by stage: Stage) -> any ReferencePicture { ColoredPicture(source, stages + [stage]) }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let pixel = source.pixel(x, y)
    return SIMD4(stages.reduce(SIMD3(pixel.x, pixel.y, pixel.z)) { $1.evaluate($0) }, pixel.w)
  }
}

/// Another picture, computed completely on creation.
private struct StoredPicture: ReferencePicture {
  let size: PixelSize
  private let pixels: [SIMD4<Double>]

  init(_ source: some ReferencePicture) {
    size = source.size
    let width = size.width
    pixels = (0..<size.pixelCount).map { source.pixel($0 % width, $0 / width) }
  }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> { pixels[y * size.width + x] }
}
