import CFFmpeg
import FrameCore
import Synchronization

/// The pictures of a video file, as frames of a camera. Sound is ignored.
///
/// FFmpeg's libraries read it: whatever they can demux and decode, from this one local file. Frames come as
/// stored, with the file's colour tags, turned by no one: the rotation that phones note is the frames'
/// `orientation`. The shape of samples and the order of fields are those that the file gives its first frame.
///
/// A file that is cut off delivers the frames that it has and then fails as `truncated`; where it `loops`, it
/// begins again and `notes` tell of it. One that the system cannot read to its end fails as `truncated` in
/// any case.
public final class VideoFileInput: CaptureInput {
  public let path: String
  /// Whether frames come in the file's own time, like a camera's. Otherwise each comes as soon as it is asked for.
  public let isPaced: Bool
  /// Whether the file starts again when it has ended. Times and sequence numbers go on.
  public let loops: Bool

  public var id: String { "file:" + path }
  public var name: String { String(path.split(separator: "/").last ?? "video") }
  public let facing = CameraFacing.external

  /// Threads of a decoder. More would only fill buffers ahead of a consumer that takes frames at their rate.
  private static let decoderThreads: Int32 = 2

  private let noted = Mutex<[String]>([])

  /// One sentence for each thing that had to be converted or left out, known when a stream is opened; for a gap
  /// in time that is left out, known when it comes; and for what is missing at the end of a file that `loops`,
  /// known when it begins again.
  public var notes: [String] { noted.withLock { $0 } }

  /// - Parameter path: of a local file. It is looked at when a stream is opened.
  public init(path: String, paced: Bool = true, loops: Bool = false) {
    self.path = path
    isPaced = paced
    self.loops = loops
  }

  /// Opens the file and decodes its first frame. A file comes as it is: size, rate and encoding of `request` are not
  /// looked at.
  ///
  /// - Throws: `CaptureFailure` where there is no such file, it may not be read, is no video, is damaged before its
  ///   first frame, or nothing here decodes it.
  public func openStream(_ request: StreamRequest) throws -> any FrameStream {
    let file: LocalFile
    do {
      file = try LocalFile(path: path)
    } catch let error as LocalFile.Failure {
      throw CaptureFailure(error.isPermission ? .permissionDenied : .unsupported, error.error)
    }
    let video: DecodedVideo
    do {
      video = try DecodedVideo(file, threads: Self.decoderThreads)
    } catch let error as SafelightError {
      throw CaptureFailure(.unsupported, error)
    }
    let tags = video.tags
    noted.withLock { $0 = video.notes }
    do {
      return try VideoFileStream(self, video: video, tags: tags)
    } catch let error as SafelightError {
      throw CaptureFailure(.inputOutput, error)
    }
  }

  func note(_ sentence: String) {
    noted.withLock { notes in
      if !notes.contains(sentence) { notes.append(sentence) }
    }
  }

  /// What a file lacks does not come by waiting.
  public func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool { false }
}
