import Safelight

/// Pictures for the page.
extension StudioDesk {
  /// Renders what a page looks at, and sends it.
  func sendFrame(to client: StudioClient, _ session: PhotoSession, _ kind: StudioPicture.Kind) {
    guard let view = client.view, let photo = session.photo else { return }
    let (began, recipe) = (Timestamp.now, session.recipe(for: view))
    do {
      let picture = try StudioPicture(
        of: photo, recipe, in: view, kind, detail: client.pace.detail, proof: proof(for: view),
        encoder: parts.encoder)
      let frame = nextFrame()
      client.peer.send(
        "frame",
        picture.header(
          frame: frame, photo: session.entry.id, input: client.input,
          wait: began.seconds(since: client.lastInput)),
        payload: picture.stripes.map(\.bytes))
      client.sent(frame: frame, isMoving: kind == .moving, begun: began)
      if kind == .still {
        client.lacksPlan = true
        client.notes = picture.notes
        client.original.wanted = view.wantsOriginal ? "\(view) \(recipe.geometryOnly.json())" : nil
      }
    } catch {
      client.isUnsharp = false
      client.peer.send(error, photo: session.entry.id)
    }
  }

  /// The device that a view is shown as reproduced by; nil for none.
  private func proof(for view: StudioView) throws -> SoftProof? {
    guard view.isProof else { return nil }
    guard var proof = parts.proof else {
      throw SafelightError(
        .invalidValue, "This studio has no profile to proof with", remedy: "start it with --proof FILE.icc")
    }
    proof.marksGamut = view.marksGamut
    return proof
  }

  /// Sends a picture of a photo beside the one that a page shows, so that it is there at once when people step to it.
  ///
  /// - Returns: whether there was one to send.
  func sendAhead(to client: StudioClient) -> Bool {
    guard let id = client.photo, let view = client.view, view.viewport.zoom == .fit, !view.isUncropped,
      let session = neighbours(of: id, for: client).lazy.compactMap({ self.sessions[$0.id] })
        .first(where: { $0.photo != nil && client.ahead[$0.entry.id] != client.aheadKey(of: $0) }),
      let photo = session.photo
    else { return false }
    client.ahead[session.entry.id] = client.aheadKey(of: session)
    let began = Timestamp.now
    do {
      let picture = try StudioPicture(
        of: photo, session.recipe, in: view, .still, detail: 1, proof: proof(for: view),
        encoder: parts.encoder)
      let frame = nextFrame()
      client.peer.send(
        "frame", picture.header(frame: frame, photo: session.entry.id, input: 0, wait: 0, isAhead: true),
        payload: picture.stripes.map(\.bytes))
      client.sent(frame: frame, isMoving: false, begun: began)
    } catch {
      // Whoever opens it is told why it cannot be shown.
    }
    return true
  }

  /// Tells what each filter costs in the plan of the newest picture, and what people should know of it.
  func describePlan(to client: StudioClient, _ session: PhotoSession) {
    client.lacksPlan = false
    guard let view = client.view, let photo = session.photo else { return }
    let recipe = session.recipe(for: view)
    do {
      let costs = try StudioCosts(of: recipe, photo, in: view.viewport)
      client.peer.send(
        "plan",
        [
          "photo": .string(session.entry.id), "input": .number(client.input),
          "width": .number(costs.fullSize.width), "height": .number(costs.fullSize.height),
          "notes": .array(client.notes.map { .string($0) }),
          "total": .number((costs.milliseconds * 10).rounded() / 10),
          "costs": .object(
            costs.filters.mapValues {
              .object(["milliseconds": .number(($0 * 10).rounded() / 10), "fused": .bool($0 < 0.05)])
            }),
        ])
    } catch {
      client.peer.send(error, photo: session.entry.id)
    }
  }

  /// Renders a small picture that a page waits for; returns whether there was one.
  func renderLook(for client: StudioClient) -> Bool {
    guard let next = client.looks.first else { return false }
    guard let session = sessions[next.photo], let photo = session.photo, client.photo == next.photo else {
      client.looks.removeFirst()
      return true
    }
    client.looks.removeFirst()
    var edit = next.edit
    edit.look = next.preset.map { StudioEdit.Look(preset: $0, strength: 100) }
    do {
      let picture = try StudioThumbnail.square(session.recipe(of: edit), of: photo, edge: next.size)
      StudioPicture.blackenTransparency(of: picture)
      let jpeg = try parts.encoder.encode(picture, .moving)
      client.peer.send(
        "thumbnail",
        [
          "kind": .string("look"), "photo": .string(next.photo), "preset": .string(next.preset ?? ""),
          "width": .number(picture.width), "height": .number(picture.height),
        ], payload: jpeg.map(\.bytes))
    } catch {
      client.peer.send(error, photo: next.photo)
    }
    return true
  }
}
