import Safelight

/// Small pictures of photos, made beside the desk while no frame is wanted.
extension StudioDesk {
  /// A page has scrolled: only what it sees now is made.
  func look(at photos: [String], _ edge: Int, for client: StudioClient) {
    // A photo may have gone since the page knew of it.
    let wishes = photos.filter { self.photos[$0] != nil }.map { ThumbnailWishes.Wish(photo: $0, edge: edge) }
    client.wishes.look(at: wishes)
  }

  /// The picture of a photo is to be made anew where it is in sight.
  func renewThumbnail(of photo: String) {
    for client in clients.values { client.wishes.renew(photo) }
  }

  /// Gives the lanes that are idle something to do. While something is dragged, it has all cores.
  ///
  /// - Returns: when to ask again, unless something happens before.
  func makeThumbnails() -> Timestamp? {
    if let end = dragEnd, end > .now {
      return clients.values.contains { !$0.wishes.isEmpty } ? end : nil
    }
    var isMore = true
    while isMore {
      isMore = false
      // One for each page in turn.
      for client in clients.values where client.hasRoom && !client.wishes.isEmpty {
        guard let lane = library.idleLanes.popLast() else { return nil }
        guard let (wish, way) = client.wishes.next() else {
          library.idleLanes.append(lane)
          continue
        }
        make(wish, way, for: client, in: lane)
        isMore = true
      }
    }
    return nil
  }

  /// When the drags of all pages have ended, unless they go on; nil if nothing is dragged.
  var dragEnd: Timestamp? {
    clients.values.filter(\.isDragging).map { $0.lastInput.advanced(bySeconds: Self.dragPause) }.max()
  }

  /// After so many seconds without an input, a page that has not ended its drag keeps nobody waiting.
  private static let dragPause = 1.0

  private func make(
    _ wish: ThumbnailWishes.Wish, _ way: ThumbnailWishes.Way, for client: StudioClient, in lane: Int
  ) {
    guard let entry = photos[wish.photo] else {
      library.idleLanes.append(lane)
      return
    }
    let (peer, post, works) = (client.peer.id, post, parts.library.lanes[lane])
    works.worker.run {
      let result = Result<ThumbnailMaker.Result?, any Error> {
        switch way {
        case .quick: try works.maker.quick(entry.path, edge: wish.edge)
        case .full: try works.maker.full(entry.path, edge: wish.edge)
        }
      }
      post { $0.made(wish, result, for: peer, in: lane) }
    }
  }

  private func made(
    _ wish: ThumbnailWishes.Wish, _ result: Result<ThumbnailMaker.Result?, any Error>, for peer: Int,
    in lane: Int
  ) {
    library.idleLanes.append(lane)
    guard let client = clients[peer] else { return }
    do {
      guard let found = try result.get() else { return client.wishes.needsFull(wish) }
      client.peer.send(
        "thumbnail",
        [
          "kind": .string("photo"), "photo": .string(wish.photo), "preset": .string(""),
          "edge": .number(wish.edge), "final": .bool(found.isFinal), "width": .number(found.picture.width),
          "height": .number(found.picture.height),
        ], payload: [found.picture.jpeg])
      if !found.isFinal { client.wishes.needsFull(wish) }
    } catch {
      client.peer.send(error, photo: wish.photo)
    }
  }
}
