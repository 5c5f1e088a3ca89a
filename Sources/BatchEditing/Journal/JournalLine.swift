import Files

/// One line of a journal: a flat JSON object (RFC 8259). It is written and read by hand because thousands are read
/// at the start of a run and a general decoder takes fifty times as long.
///
/// Unknown events and keys are ignored: a later version may write more.
enum JournalLine {
  // MARK: Writing

  static func encode(_ event: BatchJournal.Event) -> [UInt8] {
    var writer = Writer()
    switch event {
    case .run(let engine, let format):
      writer.add("event", "run")
      writer.add("engine", engine)
      writer.add("format", format)
    case .named(let output, let input, let naming):
      writer.add("event", "named")
      writer.add("output", output)
      writer.add("input", input)
      writer.add("naming", naming)
    case .planned(let output, let input, let state, let edit, let original, let command):
      writer.add("event", "planned")
      writer.add("output", output)
      writer.add("input", input)
      writer.add("edit", edit)
      writer.add("bytes", state.bytes)
      writer.add("modified", state.modified)
      if let original { writer.add("file", [original.inode] + original.born) }
      if let command { writer.add("command", command) }
    case .started(let output):
      writer.add("event", "started")
      writer.add("output", output)
    case .finished(let output, let result):
      writer.add("event", "finished")
      writer.add("output", output)
      writer.add("bytes", result.bytes)
      writer.add("hash", result.hash)
    case .failed(let output, let reason):
      writer.add("event", "failed")
      writer.add("output", output)
      writer.add("reason", reason)
    }
    return writer.line
  }

  private struct Writer {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    var line: [UInt8] { bytes + [UInt8(ascii: "}"), 10] }

    private mutating func key(_ key: StaticString) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "\""))
      key.withUTF8Buffer { bytes += $0 }
      bytes += [UInt8(ascii: "\""), UInt8(ascii: ":")]
    }

    mutating func add(_ name: StaticString, _ text: String) {
      key(name)
      bytes.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 10: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
        case 0..<0x20, 0x7F:
          let digits = Array(String(byte, radix: 16).utf8)
          bytes += Array("\\u00".utf8) + (digits.count < 2 ? [UInt8(ascii: "0")] : []) + digits
        default: bytes.append(byte)
        }
      }
      bytes.append(UInt8(ascii: "\""))
    }

    mutating func add(_ name: StaticString, _ number: Int) {
      key(name)
      bytes += Array(String(number).utf8)
    }

    mutating func add(_ name: StaticString, _ numbers: [Int]) {
      key(name)
      bytes += Array("[\(numbers.map(String.init).joined(separator: ","))]".utf8)
    }
  }

  // MARK: Reading

  /// Returns nil for an invalid line: an incomplete or damaged one, or one that a later version wrote.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> BatchJournal.Event? {
    var reader = JSONLineReader(bytes)
    var fields = Fields()
    let isWhole = reader.readObject { key, reader in
      switch key {
      case "event": fields.event = reader.readString()
      case "engine": fields.engine = reader.readString()
      case "output": fields.output = reader.readString()
      case "input": fields.input = reader.readString()
      case "naming": fields.naming = reader.readString()
      case "edit": fields.edit = reader.readString()
      case "hash": fields.hash = reader.readString()
      case "reason": fields.reason = reader.readString()
      case "command": fields.command = reader.readString()
      case "format": fields.format = reader.readInteger()
      case "bytes": fields.bytes = reader.readInteger()
      case "modified": fields.modified = reader.readIntegers()
      case "file": fields.file = reader.readIntegers()
      default: return reader.skipValue()
      }
      return reader.isSound
    }
    guard isWhole, reader.isAtEnd else { return nil }
    return fields.eventOfJournal
  }

  private struct Fields {
    var event, engine, output, input, naming, edit, hash, reason, command: String?
    var format, bytes: Int?
    var modified, file: [Int]?

    var eventOfJournal: BatchJournal.Event? {
      if event == "run" { return engine.map { .run(engine: $0, format: format ?? 1) } }
      // A damaged journal must not lead to files elsewhere.
      guard let output, FolderListing.isBelowFolder(output) else { return nil }
      switch event {
      case "named":
        guard let input else { return nil }
        return .named(output: output, input: input, naming: naming ?? "")
      case "planned":
        guard let input, let edit, let bytes, let modified, modified.count == 2 else { return nil }
        return .planned(
          output: output, input: input, state: BatchJournal.FileState(bytes: bytes, modified: modified),
          edit: edit, original: original, command: command)
      case "started": return .started(output: output)
      case "finished":
        guard let bytes, let hash else { return nil }
        return .finished(output: output, FileFingerprint(bytes: bytes, hash: hash))
      case "failed": return reason.map { .failed(output: output, reason: $0) }
      default: return nil
      }
    }

    private var original: OriginalIdentity? {
      guard let file, file.count == 3 else { return nil }
      return OriginalIdentity(inode: file[0], born: [file[1], file[2]])
    }
  }
}
