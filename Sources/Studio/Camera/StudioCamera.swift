import Safelight

/// The studio's camera: live frames for pages, photos, movies. It has threads of its own, so that neither frames nor the
/// desk, which renders photos, wait for each other.
///
///     source → session → [viewfinder: look, JPEG] → pages
///                      → [photos] → files → the desk's list
///                      → [movie] → files
///
/// It runs while a page shows it, and a little longer.
final class StudioCamera: Sendable {
  private let inbox = DeskInbox<CameraDesk>()
  private let thread: Joinable
  private let viewfinder: Viewfinder
  private let aside: CameraAside
  private let worker: SerialWorker
  let sources: CameraSources
  /// Where photos and movies go.
  let folder: String

  /// - Parameters:
  ///   - numbers: of frames, shared with whatever else sends pages frames.
  ///   - photoTaken: puts a photo that is written into the list, and calls back with its id; on any thread.
  /// - Throws: `SafelightError` if memory or threads are short.
  init(
    _ sources: CameraSources, folder: String, numbers: FrameNumbers,
    photoTaken:
      @escaping @Sendable (_ path: String, _ listed: @escaping @Sendable (_ id: String) -> Void) -> Void
  ) throws {
    (self.sources, self.folder) = (sources, folder)
    let inbox = inbox
    let post: CameraDesk.Post = { inbox.post($0) }
    let renderer = CPURenderer()
    let shown = Monitor<Viewfinder?>(nil)
    let aside = try CameraAside(CPURenderer(threads: 1)) { level in
      guard let seen = shown.read({ $0 })?.setLevel(level) else { return }
      post { $0.level = seen }
    }
    var events = Viewfinder.Events()
    events.sized = { size in post { $0.sized(size) } }
    events.failed = { error, version in post { $0.lookFailed(error, version: version) } }
    events.passed = { aside.offer($0) }
    let viewfinder = try Viewfinder(renderer, numbers: numbers, events)
    shown.update { $0 = viewfinder }
    worker = try SerialWorker(name: "camera-work")
    let parts = CameraDesk.Parts(
      sources: sources, viewfinder: viewfinder, aside: aside, worker: worker, renderer: renderer,
      folder: folder, photoTaken: photoTaken)
    (self.viewfinder, self.aside) = (viewfinder, aside)
    thread = Joinable(
      try WorkerThread(name: "camera") {
        let desk = CameraDesk(parts, post: post)
        inbox.serve(desk) { $0.work() }
        desk.close()
      })
  }

  private func post(_ event: @escaping CameraDesk.Event) { inbox.post(event) }

  func join(_ peer: any StudioPeer) { post { $0.join(peer) } }

  func leave(_ peer: Int) { post { $0.leave(peer) } }

  func receive(_ request: CameraRequest, from peer: Int, at time: Timestamp) {
    post { $0.receive(request, from: peer, at: time) }
  }

  /// A page has drawn a frame: it may be one of these.
  func drawn(_ frame: Int, by peer: Int) { viewfinder.drawn(frame, by: peer) }

  /// Ends all threads, once photos and movies are complete.
  func close() {
    inbox.close()
    thread.join()
    worker.close()
    viewfinder.close()
    aside.close()
  }

  /// What pages are told of it at first.
  var welcome: [String: JSONValue] {
    [
      "cameras": sources.json, "start": .string(sources.start == nil ? "photos" : "camera"),
      "cameraFolder": .string(StudioPhotos.name(of: folder)),
    ]
  }
}
