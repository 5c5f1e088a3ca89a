import Libc

/// Returns the text of an errno, in English (the process never sets a locale).
package func errorText(_ code: Int32) -> String {
  guard let text = strerror(code) else { return "error \(code)" }
  return String(cString: text)
}
