import Safelight
import WebServer

/// What scripts ask for: everything that pages can have, through the same workers.
extension StudioDesk {
  func answer(_ request: ScriptRequest, _ reply: ScriptReply) {
    do {
      switch request {
      case .photo(let id, let condition): try tell(id, condition, reply)
      case .edit(let id, let form, let condition): try tell(id, form, condition, reply)
      case .change(let id, let change, let condition): try self.change(id, change, condition, reply)
      case .marks(let id): try tellMarks(id, reply)
      case .mark(let id, let change): try mark(id, change, reply)
      case .picture(let id, let picture, let condition): try make(picture, of: id, condition, reply)
      case .export(let photos, let options): try export(photos, options, reply)
      case .progress(let id):
        // As text it may be long: written elsewhere.
        let json = try export(id).json
        try read(reply) { .json(json.text) }
      case .end(let id): try end(id, reply)
      }
    } catch {
      reply.give(ScriptRefusal.response(to: error))
    }
  }

  /// - Throws: `ScriptRefusal` if it is not in the list.
  private func listed(_ id: String) throws -> StudioPhotos.Entry {
    guard let entry = photos[id] else { throw ScriptRefusal.noPhoto }
    return entry
  }

  private func export(_ id: String) throws -> ScriptExport {
    guard let export = scripts[export: id] else { throw ScriptRefusal.noExport }
    return export
  }

  // MARK: Small things

  /// Has a worker do something small.
  ///
  /// - Parameters:
  ///   - work: returns the answer, and what the desk is to learn.
  /// - Throws: `ScriptRefusal` if too much waits.
  private func small(
    on worker: SerialWorker, isUrgent: Bool, _ reply: ScriptReply,
    _ work: @escaping @Sendable () throws -> (answer: WebResponse, news: Event?)
  ) throws {
    try scripts.beginSmall()
    let post = post
    worker.run(isUrgent: isUrgent) {
      let result = Result { try work() }
      post { desk in
        desk.scripts.endSmall()
        if case .success((_, let news?)) = result { try news(desk) }
      }
      // Whatever is asked for next, the desk has learned of this before.
      reply.give { try result.get().answer }
    }
  }

  /// Reads something small, which takes pages no time that they would notice.
  private func read(_ reply: ScriptReply, _ work: @escaping @Sendable () throws -> WebResponse) throws {
    try small(on: parts.library.reader, isUrgent: true, reply) { (try work(), nil) }
  }

  private func tell(_ id: String, _ condition: ScriptCondition, _ reply: ScriptReply) throws {
    let entry = try listed(id)
    try read(reply) {
      try entry.checkFile()
      let header = try PhotoHeader.read(entry.path)
      let size = header.orientation.applied(to: header.size)
      let stored = try StoredEdit(ofPhoto: entry.path)
      let json = JSONValue.object([
        "photo": .string(entry.id), "name": .string(entry.name), "width": .number(size.width),
        "height": .number(size.height), "marks": try PhotoMark.read(forPhoto: entry.path).json,
        "edited": .bool(!stored.edit.isEmpty), "undo": .number(stored.undo), "redo": .number(stored.redo),
      ]).text
      return condition.response(json, tag: ScriptCondition.tag(of: json))
    }
  }

  private func tell(
    _ id: String, _ form: ScriptEdit.Form, _ condition: ScriptCondition, _ reply: ScriptReply
  ) throws {
    let entry = try listed(id)
    try read(reply) { try ScriptEdit.response(ScriptEdit.recipe(of: entry), as: form, condition) }
  }

  private func tellMarks(_ id: String, _ reply: ScriptReply) throws {
    let entry = try listed(id)
    try read(reply) {
      try entry.checkFile()
      return .json(try PhotoMark.read(forPhoto: entry.path).json.text)
    }
  }

  /// Changes an edit, in turn with the changes of pages.
  private func change(
    _ id: String, _ change: ScriptEdit, _ condition: ScriptCondition, _ reply: ScriptReply
  ) throws {
    let entry = try listed(id)
    try small(on: parts.files, isUrgent: false, reply) {
      let sidecar = try change.save(entry, if: condition)
      let stored = StoredEdit(sidecar)
      // The new state is told, whatever the script had.
      let answer = try ScriptEdit.response(
        sidecar?.recipe ?? Recipe(), as: change.form, ScriptCondition([:]))
      return (answer, { try $0.saved(entry, .success(stored), from: nil, input: nil) })
    }
  }

  private func mark(_ id: String, _ change: PhotoMark.Change, _ reply: ScriptReply) throws {
    let entry = try listed(id)
    try small(on: parts.library.reader, isUrgent: true, reply) {
      try entry.checkFile()
      let mark = try PhotoMark.change(forPhoto: entry.path, change)
      var found = LibraryReading.Found()
      found.marks[entry.id] = mark
      return (.json(mark.json.text), { [found] in $0.learn(found) })
    }
  }

  // MARK: Large things

  /// Has the next picture or export begin that scripts wait for.
  ///
  /// - Returns: when to ask again, unless something happens before.
  func workForScripts() -> Timestamp? {
    while scripts.isWaiting {
      if let end = dragEnd, end > .now { return end }
      scripts.takeTurn(self)
    }
    return nil
  }

  private func make(
    _ picture: ScriptPicture, of id: String, _ condition: ScriptCondition, _ reply: ScriptReply
  ) throws {
    let entry = try listed(id)
    try scripts.beginPicture()
    let (post, renderer) = (post, parts.library.renderer)
    scripts.wait { desk in
      desk.parts.exports.run {
        reply.give { try picture.response(entry, condition, renderer: renderer) }
        post {
          $0.scripts.endPicture()
          $0.scripts.endTurn()
        }
      }
    }
  }

  private func export(_ photos: [String], _ options: StudioExport, _ reply: ScriptReply) throws {
    if let unknown = photos.first(where: { self.photos[$0] == nil }) {
      throw ScriptRefusal(
        422,
        "There is no photo with the id “\(NearestName.shortened(unknown))”; GET /api/v1/photos lists those there are."
      )
    }
    let export = try scripts.beginExport(photos, options)
    begin(export.batch)
    var response = WebResponse.json(export.json.text, status: 202)
    response.fields.add("Location", "/api/v1/exports/\(export.id)")
    reply.give(response)
  }

  /// Ends an export after the photo in work, and forgets it.
  private func end(_ id: String, _ reply: ScriptReply) throws {
    let export = try export(id)
    guard !export.hasEnded else {
      scripts.forget(id)
      return reply.give(.json(export.json.text))
    }
    export.replies.append(reply)
    cancel(export.batch)
  }
}
