import Safelight
import WebServer

/// The picture that pages show before their scripts run.
extension StudioDesk {
  /// Gives the picture as soon as the photo is read.
  func answer(_ first: FirstPicture, _ reply: ScriptReply) {
    guard let entry = photos.first, waitingFirst.count < Self.mostWaiting else {
      return reply.give(FirstPicture.none)
    }
    prepare(entry)
    waitingFirst.append((entry.id, first, reply))
    giveFirst(of: entry.id)
  }

  /// More pages than that do not start at once.
  private static let mostWaiting = 16

  /// Gives the pictures of a photo that pages wait for, unless none of it is read yet.
  func giveFirst(of photo: String) {
    let session = sessions[photo]
    guard session?.isLoading != true || session?.draft != nil else { return }
    let waiting = waitingFirst.filter { $0.photo == photo }
    waitingFirst.removeAll { $0.photo == photo }
    for (_, first, reply) in waiting {
      reply.give(session.flatMap { try? response(first, $0) } ?? FirstPicture.none)
    }
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
    header["final"] = .bool(session.photo != nil)
    header["pane"] = .size(window)
    header["photos"] = .number(count)
    let message = BinaryMessage.pieces("frame", header, payload: picture.stripes.map(\.bytes))
    return WebResponse(type: "application/octet-stream", Array(message.joined()))
  }
}
