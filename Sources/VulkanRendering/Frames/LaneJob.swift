import FrameCore
import Rendering

/// A job for a device: a rectangle of a plan's output, from a picture or from data already on the device.
struct LaneJob {
  enum Source {
    /// To be copied to memory that the device can access.
    case picture(PixelBuffer, PictureTransfer)
    /// Accessed by the device in place. The picture is retained until the job is done.
    case imported(ImportedPicture, of: PixelBuffer)
    case resident(DeviceBuffer, DeviceLayout)

    /// The bytes of a buffer for the samples, if they need one.
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
  /// Whether the source is the plan's input, whose noise is removed and which is downsampled first if the plan says so.
  let fromInput: Bool
  let target: Target
  /// The light around the pixels of the whole picture, if the plan has local tone.
  let light: LightMemory?
  /// The bytes of the picture in between, if the plan sharpens.
  var inBetweenBytes: Int {
    guard let whole = plan.inBetweenTransfer else { return 0 }
    // Whole frames compute nothing anew.
    guard frame == nil, case .picture(_, let transfer, _) = target else { return whole.bytes }
    return plan.program.transferInBetween(for: transfer.layout)?.bytes ?? 0
  }
  /// The whole frame that the job renders, for starting over after a failure.
  let frame: WholeFrame?
}

/// A frame as submitted.
struct WholeFrame {
  let source: PixelBuffer
  let plan: VulkanPlan
  let output: PixelBuffer
  let light: LightMemory?
  /// Whether the frame was already lost with a device once.
  let isSecondTry: Bool
}
