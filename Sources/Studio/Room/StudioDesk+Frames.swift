import Safelight

/// Pictures for the page.
extension StudioDesk {
  enum FrameKind {
    /// While something is dragged: small, to be followed by a sharp one.
    case moving
    case still
    /// Without the colours of the edit, for comparison.
    case original
  }

  /// Renders what a page looks at, and sends it.
  func sendFrame(to client: StudioClient, _ session: PhotoSession, _ kind: FrameKind) {
    guard let view = client.view, let photo = session.photo else { return }
    var recipe = session.recipe(for: view)
    if kind == .original { recipe = recipe.geometryOnly }
    var viewport = view.viewport
    if kind == .moving { (viewport.detail, viewport.isMoving) = (client.pace.detail, true) }
    let began = Timestamp.now
    do {
      let shown = try photo.view(recipe, in: viewport)
      StudioPicture.blackenTransparency(of: shown.picture)
      let rendered = Timestamp.now
      let stripes = try parts.encoder.encode(shown.picture, kind == .moving ? .moving : .still)
      let encoded = Timestamp.now
      let frame = nextFrame()
      func milliseconds(_ from: Timestamp, _ to: Timestamp) -> JSONValue {
        .number((to.seconds(since: from) * 1e4).rounded() / 10)
      }
      let header: [String: JSONValue] = [
        "frame": .number(frame), "photo": .string(session.entry.id), "view": .number(view.number),
        "input": .number(client.input), "kind": .string(kind == .original ? "original" : "edited"),
        "final": .bool(kind != .moving), "uncropped": .bool(view.isUncropped),
        "full": .size(shown.fullSize), "scaled": .size(shown.scaledSize),
        "window": .object([
          "x": .number(shown.window.columns.lowerBound), "y": .number(shown.window.rows.lowerBound),
          "width": .number(shown.window.columns.count), "height": .number(shown.window.rows.count),
        ]),
        "picture": .size(shown.picture.size),
        "stripes": .array(
          stripes.map {
            .object([
              "y": .number($0.y), "height": .number($0.height), "bytes": .number($0.bytes.count),
            ])
          }),
        "histogram": kind == .still ? StudioHistogram(shown.picture).json : .null,
        "times": .object([
          "wait": milliseconds(client.lastInput, began), "render": milliseconds(began, rendered),
          "encode": milliseconds(rendered, encoded),
        ]),
      ]
      client.peer.send("frame", header, payload: stripes.map(\.bytes))
      client.sent(frame: frame, isMoving: kind == .moving, begun: began)
      if kind == .still {
        client.lacksPlan = true
        client.notes = shown.notes
        client.original.wanted = view.wantsOriginal ? "\(view) \(recipe.geometryOnly.json())" : nil
      }
    } catch {
      client.isUnsharp = false
      client.peer.send(error, photo: session.entry.id)
    }
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
