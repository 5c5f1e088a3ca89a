import FrameCore

extension PhotoDesk {
  /// A photo under way.
  struct Order {
    let capture: PhotoCapture<Photo>
    let settings: PhotoSettings
    let burst: PhotoBurst<Photo>?
    let onEvent: OnEvent?
    /// In a bracket, the exposure of the photo.
    var exposures: [BracketedExposure] = []
    /// Takes the captured photo instead of processing it: it is a part of another one.
    var collect: (@Sendable (CapturedPhoto) -> Void)?
    var values: CameraValueReader.Reading?
  }

  struct State {
    var machine: Machine
    var orders: [UInt64: Order] = [:]
    /// The ids of photos that are resolved and not begun yet.
    var reserved: Set<UInt64> = []
    /// What the machine decided and the announcing thread has yet to do.
    var actions: [Machine.Action] = []
    var work: [CapturedPhoto] = []
    /// Those that may take further frames. Between two photos of a burst none waits.
    var bursts: [PhotoBurst<Photo>] = []
    var session = SessionClaim()
    var framesNotKept = 0
    var hasThreads = false
    var isStopping = false
    /// No further work will come.
    var isDone = false
  }
}
