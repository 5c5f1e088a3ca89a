/// Text for command lines that a message advises.
package enum ShellText {
  /// Returns a word that a shell takes as it is: in quotes if need be.
  package static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x80...: true
      default: "_-./,:+@%".utf8.contains(byte)
      }
    }
    return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
