import ArgumentParser
import Libc
import Safelight

/// What fires the shutter, as on the command line.
enum ShutterTrigger: Hashable {
  case key
  case signal(Int32)
  /// A device of keys: a pedal, a remote, a volume key.
  case input(String)
  /// A page with a shutter button.
  case http(ListeningAddress)

  init(_ text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.count > 1 ? parts[1] : nil) {
    case ("key", nil): self = .key
    case ("signal", "USR1"?), ("signal", "SIGUSR1"?): self = .signal(SIGUSR1)
    case ("signal", "USR2"?), ("signal", "SIGUSR2"?): self = .signal(SIGUSR2)
    case ("signal", let name):
      throw ValidationError(
        "“\(name ?? "")” is not a signal for shutters; give signal:USR1 or signal:USR2.")
    case ("input", let path?) where !path.isEmpty: self = .input(path)
    case ("http", let address?):
      do {
        self = .http(try ListeningAddress(address, scheme: "http", subject: "The shutter"))
      } catch let error as SafelightError {
        throw ValidationError(error.description)
      }
    default:
      throw ValidationError(
        "“\(text)” fires no shutter; give key, signal:USR1, input:/dev/input/eventN or http:8080.")
    }
  }
}
