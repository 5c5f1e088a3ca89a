import Safelight
import WebServer

/// The picture that pages show before their scripts run.
extension StudioDesk {
  /// Has the picture given as soon as some of the photo is read.
  func answer(_ first: FirstPicture, _ reply: ScriptReply) {
    guard let entry = photos.first, waitingFirst.count < Self.mostWaiting else {
      return reply.give(FirstPicture.none)
    }
    prepare(entry)
    waitingFirst.append((entry.id, first, reply))
  }

  /// More pages than that do not start at once.
  private static let mostWaiting = 16

  /// Gives one of the pictures that pages wait for, of a photo that is read, at least small.
  ///
  /// - Returns: whether there was one.
  func giveFirst() -> Bool {
    func canBeGiven(_ photo: String) -> Bool {
      sessions[photo].map { !$0.isLoading || $0.draft != nil } ?? true
    }
    guard let index = waitingFirst.firstIndex(where: { canBeGiven($0.photo) }) else { return false }
    let (photo, first, reply) = waitingFirst.remove(at: index)
    reply.give(sessions[photo].flatMap { try? response(first, $0) } ?? FirstPicture.none)
    return true
  }

  /// A frame as pages get it over their connections, with the window that it was made for and the number of photos.
  private func response(_ first: FirstPicture, _ session: PhotoSession) throws -> WebResponse {
    guard let photo: any ViewedPhoto = session.photo ?? session.draft else { return FirstPicture.none }
    let count = photos.entries.count
    let window = first.window(photos: count)
    var view = StudioView(
      number: 0, viewport: PhotoViewport(size: window, zoom: .fit, space: first.screen.space),
      screen: first.screen)
    // One JPEG: what it gains from two, joining them costs a page that starts.
    (view.mostStripes, view.isProof) = (1, parts.proof != nil)
    view.marksGamut = parts.proof?.marksGamut ?? false
    let picture = try StudioPicture(
      of: photo, session.recipe, in: view, .still, detail: 1, proof: parts.proof, encoder: parts.encoder)
    var header = picture.header(frame: nextFrame(), photo: session.entry.id, input: 0, wait: 0)
    if session.photo == nil { (header["final"], header["histogram"]) = (.bool(false), .null) }
    header["pane"] = .size(window)
    header["photos"] = .number(count)
    let message = BinaryMessage.pieces("frame", header, payload: picture.stripes.map(\.bytes))
    return WebResponse(type: "application/octet-stream", Array(message.joined()))
  }
}
