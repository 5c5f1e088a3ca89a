import FrameCore
import Rendering

/// What a device is to do: a rectangle of a plan's output, from a picture or from what is there already.
struct LaneJob {
  enum Source {
    /// To be copied to where the device reaches it.
    case picture(PixelBuffer, PictureTransfer)
    /// The device reaches it where it is. The picture is kept until the job is done.
    case imported(ImportedPicture, of: PixelBuffer)
    case resident(DeviceBuffer, DeviceLayout)

    /// Bytes of a buffer for the samples, where they need one.
    var bytes: Int {
      switch self {
      case .picture(_, let transfer): transfer.bytes
      case .imported(let picture, _): picture.bytes
      case .resident: 0
      }
    }
  }
  enum Target {
    /// Copied into the picture, whose first row is row `firstRow` of the output.
    case picture(PixelBuffer, PictureTransfer, firstRow: Int)
    case imported(ImportedPicture, of: PixelBuffer)

    var bytes: Int {
      switch self {
      case .picture(_, let transfer, _): transfer.bytes
      case .imported(let picture, _): picture.bytes
      }
    }
  }

  let plan: LoadedPlan
  let source: Source
  /// Whether the source is to be reduced first.
  let reduces: Bool
  let target: Target
  /// The whole frame that the job is, for whoever has to begin again.
  let frame: WholeFrame?
}

/// A frame as it was submitted.
struct WholeFrame {
  let source: PixelBuffer
  let plan: PreparedPlan
  let output: PixelBuffer
  /// Whether it was lost with a device before.
  let isSecondTry: Bool
}
