import CFFmpeg
import FrameCore
import Synchronization

/// The pictures of a video file, as frames of a camera. Sound is ignored.
///
/// FFmpeg's libraries read everything they can demux and decode, from this one local file. Frames are delivered as
/// stored, with the file's colour tags, unrotated: the rotation recorded by phones becomes the frames'
/// `orientation`. Sample aspect and field order are those of the file's first frame.
///
/// A truncated file delivers the frames that it has and then fails as `truncated`; if it `loops`, it starts again
/// and `notes` report it. A file that the system cannot read to its end always fails as `truncated`.
public final class VideoFileInput: CaptureInput {
  public let path: String
  /// Whether frames are timed as in the file, like a camera's. Otherwise each comes on request.
  public let isPaced: Bool
  /// Whether the file restarts when it has ended. Times and sequence numbers continue.
  public let loops: Bool
  /// Pauses and seeks, if the file is paced.
  public let playback: VideoPlayback
  /// Wakes the stream.
  let pacer = FramePacer()

  public var id: String { "file:" + path }
  public var name: String { String(path.split(separator: "/").last ?? "video") }
  public let facing = CameraFacing.external

  /// The number of decoder threads. More would only fill buffers ahead of a consumer that takes frames at their
  /// rate.
  private static let decoderThreads: Int32 = 2

  private let noted = Mutex<[String]>([])

  /// One sentence for each thing that had to be converted or omitted, known when a stream is opened; for a gap in
  /// time that was skipped, known when it occurs; and for missing data at the end of a file that `loops`, known
  /// when it restarts.
  public var notes: [String] { noted.withLock { $0 } }

  /// - Parameter path: the path of a local file, which is only read when a stream is opened.
  public init(path: String, paced: Bool = true, loops: Bool = false) {
    self.path = path
    isPaced = paced
    self.loops = loops
    playback = VideoPlayback(pacer)
  }

  /// Opens the file and decodes its first frame. Size, rate and encoding of `request` are ignored.
  ///
  /// - Throws: `CaptureFailure` if the file does not exist, may not be read, is not a video, is damaged before its
  ///   first frame, or cannot be decoded here.
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

  /// Waiting does not repair a file.
  public func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool { false }
}
