import FrameCore

/// The modules of a darktable style (`.dtstyle`), or those of the history in darktable's `.xmp`.
///
///     <darktable_style version="1.0"><info><name>…</name></info><style><plugin>
///       <module>7</module><operation>exposure</operation><op_params>…</op_params><enabled>1</enabled> … </plugin></style>
///
/// `module` is the version of the parameters. Source: files written by darktable 2.6…5.4.
struct DarktableStyle {
  /// A module with its parameters.
  struct Module {
    var operation = ""
    /// Of the parameters.
    var version = 0
    var parameters = ""
    var isEnabled = true
    var blendVersion = 0
    var blending = ""
    /// Its number among modules of this kind.
    var instance = 0
    var label = ""
  }

  /// In the order of the file; each instance once, as it was last.
  private(set) var modules: [Module] = []
  private(set) var name = ""

  static let namespace = "http://darktable.sf.net/"
  private static let limits = XMLLimits(bytes: 16 << 20, remedy: "save the style again with fewer modules")

  /// A `.dtstyle` file.
  init(style bytes: [UInt8], file: String) throws {
    let root = try XMLElement(parsing: bytes, file: file, limits: Self.limits)
    guard root.name.local == "darktable_style" else {
      throw SafelightError(
        .corruptData, "\(file) is XML, but no style of darktable", remedy: "export the style again")
    }
    func child(_ element: XMLElement, _ name: String) -> XMLElement? {
      element.children.first { $0.name.local == name }
    }
    name = child(root, "info").flatMap { child($0, "name") }?.text ?? ""
    var all: [Module] = []
    for plugin in child(root, "style")?.children ?? [] where plugin.name.local == "plugin" {
      func text(_ name: String) -> String { child(plugin, name)?.text ?? "" }
      all.append(
        Module(
          operation: text("operation"), version: Int(text("module")) ?? 0, parameters: text("op_params"),
          isEnabled: text("enabled") != "0", blendVersion: Int(text("blendop_version")) ?? 0,
          blending: text("blendop_params"), instance: Int(text("multi_priority")) ?? 0,
          label: text("multi_name")))
    }
    try keepLast(of: all, file)
  }

  /// The history in XMP; nil if there is none.
  init?(_ properties: XMPProperties, file: String) throws {
    guard case .structures(let items)? = properties.values[XMLName(Self.namespace, "history")] else {
      return nil
    }
    var end = items.count
    if case .text(let text)? = properties.values[XMLName(Self.namespace, "history_end")],
      let number = Int(text)
    {
      end = min(max(number, 0), items.count)
    }
    let all = items[..<end].map { item in
      func text(_ name: String) -> String { if case .text(let text)? = item[name] { text } else { "" } }
      return Module(
        operation: text("operation"), version: Int(text("modversion")) ?? 0, parameters: text("params"),
        isEnabled: text("enabled") != "0", blendVersion: Int(text("blendop_version")) ?? 0,
        blending: text("blendop_params"), instance: Int(text("multi_priority")) ?? 0,
        label: text("multi_name"))
    }
    try keepLast(of: all, file)
  }

  private mutating func keepLast(of all: [Module], _ file: String) throws {
    struct Key: Hashable {
      let operation: String
      let instance: Int
    }
    var places: [Key: Int] = [:]
    for module in all where !module.operation.isEmpty {
      let key = Key(operation: module.operation, instance: module.instance)
      if let place = places[key] {
        modules[place] = module
      } else {
        places[key] = modules.count
        modules.append(module)
      }
    }
    guard !modules.isEmpty else {
      throw SafelightError(
        .corruptData, "\(file) holds no modules of darktable", remedy: "export the style again")
    }
  }
}
