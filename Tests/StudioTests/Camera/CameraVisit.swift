import LibraryTestSupport
import Safelight

@testable import Studio

/// A room with a small simulated camera, and a page that shows it.
final class CameraVisit {
  static let size = PixelSize(width: 320, height: 240)
  let scratch: Scratch
  let room: StudioRoom
  let peer = RecordedPeer()
  let photos: StudioPhotos
  private var hasAnswered = 0

  /// - Parameter makeInput: makes the source; the procedural scene if there is none.
  init(
    kind: CameraSources.Kind = .scene,
    _ makeInput: @escaping @Sendable () throws -> any CaptureInput = { try CameraVisit.scene() }
  ) throws {
    scratch = try Scratch()
    photos = try StudioPhotos(scratch("shots"), isToBeFilled: true)
    let sources = CameraSources(
      start: CameraSources.Entry(source: "test", name: "Test camera", kind: kind)
    ) { _, _ in try makeInput() }
    room = try StudioRoom(photos, camera: .init(sources: sources, folder: scratch("shots")))
    room.join(peer)
  }

  deinit { room.close() }

  static func scene(faults: SyntheticFaults = SyntheticFaults()) throws -> SyntheticInput {
    try SyntheticInput(size: size, framesPerSecond: 30, faults: faults)
  }

  var folder: String { scratch("shots") }

  func say(_ json: String, from peer: Int = 1) { room.receive(json, from: peer) }

  /// Asks the camera for something: the fields besides the action.
  func ask(_ action: String, _ fields: String = "", from peer: Int = 1) {
    say(#"{"type": "camera", "action": "\#(action)"\#(fields.isEmpty ? "" : ", " + fields)}"#, from: peer)
  }

  func view(_ fields: String = #""width": 160, "height": 120, "mode": "fit""#, from peer: Int = 1) {
    say(#"{"type": "view", "photo": "camera", "view": 1, \#(fields)}"#, from: peer)
  }

  func open(from peer: Int = 1) {
    ask("open", #""source": "test""#, from: peer)
    view(from: peer)
  }

  func draw(_ frame: RecordedPeer.Message, from peer: Int = 1) {
    say(#"{"type": "drawn", "frame": \#(Int(frame.number("frame") ?? 0))}"#, from: peer)
  }

  func edit(_ edit: String, input: Int, type: String = "edit", from peer: Int = 1) {
    let dragging = type == "edit" ? #", "dragging": true"# : ""
    say(
      #"{"type": "\#(type)", "photo": "camera", "input": \#(input), "edit": \#(edit)\#(dragging)}"#,
      from: peer)
  }

  /// Draws frames until one fits; nil if none does in time.
  func frame(
    of peer: RecordedPeer? = nil,
    where matches: @escaping @Sendable (RecordedPeer.Message) -> Bool = { _ in true }
  ) -> RecordedPeer.Message? {
    let peer = peer ?? self.peer
    let deadline = Timestamp.now.advanced(bySeconds: 20)
    while Timestamp.now < deadline {
      let count = peer.drawnCount
      guard let frame = peer.next("frame", after: count) else { return nil }
      peer.drawnCount = (peer.all.firstIndex { $0.fields["frame"] == frame.fields["frame"] } ?? count) + 1
      draw(frame, from: peer.id)
      if matches(frame) { return frame }
    }
    return nil
  }
}

extension RecordedPeer.Message {
  /// The JPEGs of a frame, one below the other.
  var stripes: [[UInt8]] {
    guard case .array(let list)? = fields["stripes"] else { return [] }
    var rest = payload[...]
    return list.compactMap { stripe in
      guard case .object(let fields) = stripe, case .number(let count)? = fields["bytes"] else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return Array(rest.prefix(Int(count)))
    }
  }
}
