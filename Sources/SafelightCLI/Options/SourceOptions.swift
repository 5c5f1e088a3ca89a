import ArgumentParser
import Safelight

/// What is requested of a live source.
struct RequestOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Size to request from the source", valueName: "WxH"),
    transform: SizeText.parse)
  var size: PixelSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames per second to request from the source", valueName: "rate"),
    transform: LiveOptionText.rate)
  var fps: Double?

  @Option(
    name: .customLong("source-format"),
    help: ArgumentHelp(
      "Format in which the camera sends its pictures, or the code of one that “devices” shows as converted",
      valueName: "format"))
  var format: LiveEncoding?

  /// The stream to request.
  ///
  /// - Parameter encoding: the encoding to request if none was asked for; nil leaves it to the source.
  func request(otherwise encoding: CaptureEncoding? = nil) -> StreamRequest {
    StreamRequest(size: size, framesPerSecond: fps, encoding: format?.captureEncoding ?? encoding)
  }
}

/// Where frames come from, and what is requested of it.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where frames come from: the first camera, /dev/videoN, a camera's id, a video file, 'pictures/*.jpg', synthetic, synthetic:pages",
      valueName: "source"),
    completion: .file())
  var source = "default"

  @OptionGroup
  private var requested: RequestOptions

  var size: PixelSize? { requested.size }
  var fps: Double? { requested.fps }
  var format: LiveEncoding? { requested.format }

  func request(otherwise encoding: CaptureEncoding? = nil) -> StreamRequest {
    requested.request(otherwise: encoding)
  }
}
