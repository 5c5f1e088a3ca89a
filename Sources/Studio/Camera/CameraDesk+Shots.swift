import Safelight

/// Photos, bursts and movies.
extension CameraDesk {
  func shoot(_ shot: CameraRequest.Shot, _ number: Int, pressedAt: Timestamp, for page: Page) throws {
    let run = try openRun()
    let order = CameraPhotos.Order(
      peer: page.peer, request: number, recipe: look.recipe, zoom: look.zoom)
    if case .bracket = shot {
      let (post, peer) = (post, page.peer)
      // The camera's controls are waited for.
      parts.worker.run {
        let series = Result {
          try run.photos.take(shot, order, pressedAt: pressedAt, device: run.device)
        }
        switch series {
        case .success(let series?): post { $0.series.append((series, order)) }
        case .success(nil): break
        case .failure(let error):
          peer.send(
            (error as? CaptureFailure)?.error ?? error, request: number, photo: CameraRequest.photo)
        }
      }
      return
    }
    if let series = try run.photos.take(shot, order, pressedAt: pressedAt, device: run.device) {
      self.series.append((series, order))
    }
  }

  /// The button of a burst is released.
  func endBurst() { for each in series { each.series.release() } }

  func tellEndedSeries() {
    for (series, order) in series where series.hasEnded {
      if let failure = series.failure {
        order.peer.send(failure, request: order.request, photo: CameraRequest.photo)
      }
      order.peer.send(
        "shot",
        [
          "request": .number(order.request), "stage": .string("ended"), "count": .number(series.count),
        ])
    }
    series.removeAll { $0.series.hasEnded }
  }

  /// A photo is written: it is put into the list, and then told. Called on a thread of the photos.
  static func saved(
    _ photo: DeliveredPhoto, _ order: CameraPhotos.Order, _ number: Int?, _ parts: Parts
  ) {
    parts.photoTaken(photo.path) { id in
      var fields: [String: JSONValue] = [
        "request": .number(order.request), "stage": .string("saved"), "photo": .string(id),
        "name": .string(StudioPhotos.name(of: photo.path)), "path": .string(photo.path),
        "bytes": .number(photo.bytes), "width": .number(photo.width), "height": .number(photo.height),
        "seconds": .number(PlainNumber.rounded(photo.milliseconds / 1000, 3)),
        "sequence": .number(Double(photo.sequence)), "number": .number(number ?? 1),
        "warnings": .array(photo.warnings.map { .string($0) }),
      ]
      if let taken = photo.capturedAt { fields["capturedAt"] = .string(taken) }
      order.peer.send("shot", fields)
    }
  }

  // MARK: Movies

  func record(_ isOn: Bool, _ hasSound: Bool, _ number: Int, at time: Timestamp, for page: Page) throws {
    guard isOn else {
      guard let movie else {
        throw SafelightError(.invalidValue, "Nothing is recorded", remedy: "begin a recording first")
      }
      return endMovie(movie, at: time)
    }
    let run = try openRun()
    guard movie == nil, !isMovieChanging else {
      throw SafelightError(.invalidValue, "A movie is being recorded already", remedy: "end it first")
    }
    guard let size else {
      throw SafelightError(.device, "No frame has come yet", remedy: "wait for the picture")
    }
    isMovieChanging = true
    let recipe = try look.recipe.zoomed(by: look.zoom, of: PlanInput(size: size))
    let (parts, post, peer, generation) = (parts, post, page.peer, generation)
    parts.worker.run {
      let movie = Result {
        try CameraMovie(
          of: run.session, camera: run.entry.name, look: recipe, to: parts.folder,
          microphone: hasSound ? run.microphone() : nil, renderer: parts.renderer, for: peer, number)
      }
      post { $0.began(movie, peer, number, generation) }
    }
  }

  private func began(
    _ result: Result<CameraMovie, any Error>, _ peer: any StudioPeer, _ number: Int, _ generation: Int
  ) {
    isMovieChanging = false
    switch result {
    case .success(let movie):
      self.movie = movie
      guard generation == self.generation else { return endMovie(movie, at: .now) }
      tell("camera", stateFields)
    case .failure(let error):
      peer.send((error as? CaptureFailure)?.error ?? error, request: number, photo: CameraRequest.photo)
    }
  }

  /// Tells pages how the recording goes; one that has ended by itself is completed.
  func reportMovie() {
    guard let movie else { return }
    guard !movie.hasEnded else { return endMovie(movie, at: .now) }
    tell("recording", movie.fields)
  }

  func endMovie(_ movie: CameraMovie, at time: Timestamp) {
    guard !isMovieChanging else { return }
    isMovieChanging = true
    let post = post
    parts.worker.run {
      let path = Result { try movie.end(at: time) }
      let fields = movie.fields
      post { $0.ended(movie, path, fields) }
    }
  }

  private func ended(
    _ movie: CameraMovie, _ path: Result<String?, any Error>, _ fields: [String: JSONValue]
  ) {
    (self.movie, isMovieChanging) = (nil, false)
    var fields = fields
    fields["ended"] = .bool(true)
    do {
      if let path = try path.get() {
        fields["name"] = .string(StudioPhotos.name(of: path))
        fields["path"] = .string(path)
      } else {
        throw SafelightError(.device, "No picture came, so nothing was recorded", remedy: "record for longer")
      }
    } catch {
      fields["problem"] = .string((error as? SafelightError)?.description ?? "\(error)")
      movie.peer.send(error, request: movie.request, photo: CameraRequest.photo)
    }
    tell("recording", fields)
    tell("camera", stateFields)
  }
}
