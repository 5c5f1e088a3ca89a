import Files
import Capture
import FrameCore
import PhotoIO
import Libc

/// A source of live frames, as written on the command line.
///
/// | text | means |
/// |---|---|
/// | `default` | the first camera |
/// | `/dev/video0`, `/dev/v4l/by-id/…`, a link to one | the camera with this node |
/// | a camera's id, or `by-id:ID` | the camera with this id, whatever its node |
/// | `synthetic` | the procedural scene |
/// | `synthetic:pages` | the same, with pages that are laid before the camera |
/// | `pictures/*.jpg`, a folder, a picture | stills as frames |
/// | any other file | a video file |
public enum LiveSource: Sendable, Hashable, CustomStringConvertible {
  case defaultCamera
  case camera(node: String)
  case cameraWithID(String)
  case synthetic
  case syntheticPages
  case pictures(String)
  case video(String)

  /// - Throws: `SafelightError` if the text is not a source: neither a keyword nor a device nor a file.
  public init(_ text: String) throws {
    switch text {
    case "default": self = .defaultCamera
    case "synthetic": self = .synthetic
    case "synthetic:pages": self = .syntheticPages
    // The target of a path decides, not its location: /dev/shm holds files, and a link may lead to a camera.
    case _ where Self.isDevice(text): self = .camera(node: text)
    case _ where text.hasPrefix("by-id:"): self = .cameraWithID(String(text.dropFirst("by-id:".count)))
    // The file must be missing, since many videos have brackets in their names.
    case _ where FileContents.kind(of: text) == .missing && text.contains(where: { "*?[".contains($0) }):
      self = .pictures(text)
    default: self = try Self.file(text)
    }
  }

  /// Whether a path leads to a device node, or names one that is not connected.
  private static func isDevice(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return path.hasPrefix("/dev/video") || path.hasPrefix("/dev/v4l")
    }
    return status.st_mode & S_IFMT == S_IFCHR
  }

  private static func file(_ text: String) throws -> LiveSource {
    switch FileContents.kind(of: text) {
    case .folder: return .pictures(text)
    case .file:
      // The name decides whether it is a picture; its contents are examined when it is opened.
      let isPicture = (try? PhotoFileFormat(forWritingTo: text)) != nil
      return isPicture ? .pictures(text) : .video(text)
    case .missing: break
    }
    if CaptureDevice.discover().contains(where: { $0.id == text || $0.name == text }) {
      return .cameraWithID(text)
    }
    throw SafelightError(
      .file, "There is no source “\(text)”: no such file, and no camera with this id",
      remedy: "see “safelight devices”, or use --source synthetic")
  }

  /// Whether the frames come from files and can be read as fast as they are used.
  package var isFile: Bool {
    switch self {
    case .pictures, .video: true
    case .defaultCamera, .camera, .cameraWithID, .synthetic, .syntheticPages: false
    }
  }

  /// Whether the frames are those of the procedural scene.
  package var isSynthetic: Bool { self == .synthetic || self == .syntheticPages }

  /// Creates the input, and opens only what is needed to know that the source exists.
  ///
  /// - Parameters:
  ///   - paced: false delivers frames of files and of the synthetic scene as fast as they are taken.
  ///   - loops: whether files start again at their end.
  ///   - size: the size of the synthetic scene. Other sources are asked when they are opened.
  ///   - framesPerSecond: the rate of the synthetic scene and of pictures. Other sources are asked when they are
  ///     opened.
  /// - Throws: `SafelightError` or `CaptureFailure` if there is no such source.
  public func makeInput(
    paced: Bool = true, loops: Bool = false, size: PixelSize? = nil, framesPerSecond: Double? = nil
  )
    throws -> any CaptureInput
  {
    switch self {
    case .defaultCamera:
      do {
        return DeviceInput(try CaptureDevice.camera())
      } catch let failure as CaptureFailure where failure.reason == .disconnected {
        throw SafelightError(
          .device, "No camera is connected", remedy: "connect one, or use --source synthetic")
      }
    case .camera(let node): return DeviceInput(try CaptureDevice.camera(node))
    case .cameraWithID(let id): return DeviceInput(try CaptureDevice.camera(id))
    case .synthetic, .syntheticPages:
      return try SyntheticInput(
        size: size ?? PixelSize(width: 1280, height: 720), framesPerSecond: framesPerSecond ?? 30,
        showsPages: self == .syntheticPages, paced: paced)
    case .pictures(let pattern):
      return try ImageSequenceInput(
        pattern, framesPerSecond: framesPerSecond ?? 30, paced: paced, loops: loops)
    case .video(let path):
      return VideoFileInput(path: path, paced: paced, loops: loops)
    }
  }

  public var description: String {
    switch self {
    case .defaultCamera: "default"
    case .camera(let node): node
    case .cameraWithID(let id): id
    case .synthetic: "synthetic"
    case .syntheticPages: "synthetic:pages"
    case .pictures(let pattern): pattern
    case .video(let path): path
    }
  }
}
