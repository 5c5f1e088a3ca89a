/// What became of the settings in another program's file: each that would change a picture is in exactly one list.
///
/// Settings that change nothing, such as a slider at 0 or the date of a file, are in none.
public struct ImportedSettings: Sendable, Hashable, Codable {
  /// A setting as written in the file.
  public struct Setting: Sendable, Hashable, Codable {
    public var name: String
    public var value: String
    /// Why it is ignored, or in what it differs; nil if there is no more to say than the list that it is in.
    public var reason: String?

    /// `Vibrance +20`
    public var text: String { value.isEmpty ? name : "\(name) \(value)" }

    public init(name: String, value: String, reason: String? = nil) {
      (self.name, self.value, self.reason) = (name, value, reason)
    }
  }

  /// Used as they are: the same numbers mean the same.
  public var exact: [Setting] = []
  /// Used, but with Safelight's own curves and scales.
  public var approximate: [Setting] = []
  /// Not used, each with the reason.
  public var ignored: [Setting] = []

  public init() {}

  /// The number of settings in all lists.
  public var count: Int { exact.count + approximate.count + ignored.count }

  /// The longest text of a value that is kept, in characters.
  static let longestValue = 60
}
