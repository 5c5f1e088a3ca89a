import FrameCore

/// The positions of luma and chroma samples in a camera's buffers.
struct CameraChannels: Sendable {
  /// One of Y, Cb, Cr: samples `step` bytes apart in a plane, the first `offset` bytes from the row's start.
  struct Channel: Sendable {
    var plane: Int
    var step: Int
    var offset: Int
  }
  let luma: Channel
  /// Equal to luma if the format has no chroma.
  let cb, cr: Channel
  let hasChroma: Bool

  /// Returns nil for RGBA.
  init?(_ format: PixelFormat) {
    func channel(_ plane: Int, _ step: Int, _ offset: Int) -> Channel {
      Channel(plane: plane, step: step, offset: offset)
    }
    let planar = channel(0, 1, 0)
    hasChroma = format != .gray8
    switch format {
    case .rgba8, .rgba16, .rgbaF32: return nil
    case .gray8: (luma, cb, cr) = (planar, planar, planar)
    case .yuyv422: (luma, cb, cr) = (channel(0, 2, 0), channel(0, 4, 1), channel(0, 4, 3))
    case .uyvy422: (luma, cb, cr) = (channel(0, 2, 1), channel(0, 4, 0), channel(0, 4, 2))
    case .nv12, .nv16: (luma, cb, cr) = (planar, channel(1, 2, 0), channel(1, 2, 1))
    case .nv21: (luma, cb, cr) = (planar, channel(1, 2, 1), channel(1, 2, 0))
    case .i420, .i422, .i444: (luma, cb, cr) = (planar, channel(1, 1, 0), channel(2, 1, 0))
    }
  }
}
