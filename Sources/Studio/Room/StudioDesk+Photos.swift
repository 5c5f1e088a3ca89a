import Safelight

/// Photos that come and go while pages are connected.
extension StudioDesk {
  /// A file has been written that is to be in the list, such as a photo of a camera: pages are told, unless it is there.
  ///
  /// From other threads: `post { $0.added(path) }`.
  ///
  /// - Returns: its entry, by whose id pages know it.
  @discardableResult
  func added(_ path: String) -> StudioPhotos.Entry {
    let (entry, isNew) = photos.add(path)
    if isNew { tellPhotos() }
    return entry
  }

  /// The file of a photo is gone. A page that shows it keeps what it has; it cannot be opened any more.
  func removed(_ path: String) {
    if photos.remove(StudioPhotos.id(of: path)) { tellPhotos() }
  }

  /// Sends all pages the list.
  func tellPhotos() {
    let list = StudioWelcome(photos).list
    for client in clients.values { client.peer.send("photos", ["photos": list]) }
  }
}
