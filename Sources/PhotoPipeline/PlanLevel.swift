import FilterGraph

extension Plan {
  /// Whether level lines of the photo are horizontal or vertical in the output and it is not mirrored, so that the
  /// level recorded by the camera still applies.
  var keepsLevel: Bool {
    // What a projection levels is not what the camera felt.
    guard projected?.projection == nil else { return false }
    var map = AffineMap.identity
    for stage in stages {
      switch stage {
      case .geometry(let geometry): map = geometry.map.then(map)
      // A downsampling only scales along the axes.
      case .downsample, .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen,
        .channelTables, .baked:
        continue
      }
    }
    // A rotation by 0.001° gives 2e-5.
    let limit = 1e-5 * (abs(map.a) + abs(map.b))
    let isUpright = abs(map.b) < limit && abs(map.d) < limit
    let isOnItsSide = abs(map.a) < limit && abs(map.e) < limit
    return (isUpright || isOnItsSide) && map.a * map.e - map.b * map.d > 0
  }
}
