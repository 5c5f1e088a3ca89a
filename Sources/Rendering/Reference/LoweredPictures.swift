import ColorScience
import FilterGraph
import FrameCore

/// Runs the stages that filters lowered to, before any pass: each in its place, each resample into a picture of
/// its own.
enum LoweredPictures {
  static func picture(of source: PixelBuffer, through plan: Plan, _ light: [LightGrid])
    -> any ReferencePicture
  {
    var light = light[...]
    var picture: any ReferencePicture = BufferPicture(buffer: source)
    // The encoding of the samples at this point; nil for linear light, whose averages need no decoding.
    var encoding: [TransferFunction]? = plan.input.space.transfer
    // Stored samples are clipped to the integer range, as in every renderer. Colours computed by filters are not.
    var clips = plan.input.format.isInteger
    // From the picture as stored to the one at this point.
    var placed: Geometry?
    for stage in plan.loweredStages {
      switch stage {
      case .geometry(let geometry):
        picture = resampled(picture, geometry, encoding: encoding, clips: clips)
        placed = placed?.then(geometry) ?? geometry
      case .downsample(let downsample): picture = DownsampledPicture(picture, downsample, clips: clips)
      case .denoise(let denoising): picture = DenoisedPicture(picture, denoising, clips: clips)
      case .ycbcr(let camera): picture = CameraPicture(buffer: source, stage: camera, geometry: nil)
      case .curve(let curve):
        switch curve {
        case .decode: encoding = nil
        case .encode(let functions): encoding = functions
        case .power: break
        }
        (picture, clips) = (picture.colored(by: stage), false)
      case .sharpen(let sharpening):
        picture = SharpenedPicture(picture, sharpening, clips: plan.output.colorFormat.isInteger)
      case .matrix, .pointwise, .field, .masked, .lut, .channelTables, .baked:
        let around = stage.gridField == nil ? nil : light.popFirst()
        let projected = placed?.isAffine ?? true ? nil : placed
        (picture, clips) = (picture.colored(by: stage, in: around, projected), false)
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
  /// Each with the grid of its local tone.
  private let stages: [(stage: Stage, light: LightGrid?)]
  /// From the picture as stored to this one, if it has a projection.
  private let projected: Geometry?
  var size: PixelSize { source.size }

  init(
    _ source: any ReferencePicture, _ stages: [(stage: Stage, light: LightGrid?)], _ projected: Geometry?
  ) {
    (self.source, self.stages, self.projected) = (source, stages, projected)
  }

  func colored(
    by stage: Stage, in light: LightGrid? = nil, _ projected: Geometry? = nil
  ) -> any ReferencePicture {
    ColoredPicture(source, stages + [(stage, light)], projected ?? self.projected)
  }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let pixel = source.pixel(x, y)
    let place = (x: Double(x) + 0.5, y: Double(y) + 0.5)
    let stored = projected?.place(place.x, place.y)
    let color = stages.reduce(SIMD3(pixel.x, pixel.y, pixel.z)) {
      $1.stage.evaluate($0, at: place, stored: stored, in: $1.light)
    }
    return SIMD4(color, pixel.w)
  }
}

/// Another picture, computed completely on creation.
struct StoredPicture: ReferencePicture {
  let size: PixelSize
  private let pixels: [SIMD4<Double>]

  init(_ source: any ReferencePicture) {
    size = source.size
    let width = size.width
    pixels = (0..<size.pixelCount).map { source.pixel($0 % width, $0 / width) }
  }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> { pixels[y * size.width + x] }
}
