import LibraryTestSupport
import Safelight
import Testing

@testable import Profiling

/// Whether everybody can read it.
extension ProfilePageTests {
  @Test("Every plot has a name, a description and its values as a table")
  func accessibility() throws {
    let html = ProfilePage(makeReport()).html
    let elements = try elements(html)
    let plots = elements.filter { $0.name == "svg" }
    // Wide and narrow: frame times, frame after frame, stages, threads, filters, sizes.
    #expect(plots.count == 12)
    #expect(
      plots.allSatisfy { $0.attributes.contains("role=\"img\"") && $0.attributes.contains("aria-labelledby") }
    )
    #expect(elements.count { $0.name == "desc" } == plots.count)
    #expect(elements.count { $0.name == "details" } == plots.count / 2)
    #expect(elements.count { $0.name == "table" } >= plots.count / 2)
    #expect(html.contains("<html lang=\"en\">"))
  }

  /// Source: WCAG 2.2, success criterion 1.4.3 and the definition of relative luminance.
  @Test("Text stands out from its ground by 4.5 to 1, in light, dark and print")
  func contrast() throws {
    let schemes = ProfilePageStyle.css.split(separator: ":root {").map {
      String($0.prefix { $0 != "}" })
    }
    #expect(schemes.count == 3)
    for scheme in schemes {
      var colors: [String: Double] = [:]
      for declaration in scheme.split(separator: ";") {
        let parts = declaration.split(separator: ":").map { $0.trimming { $0.isWhitespace } }
        guard parts.count == 2, parts[1].hasPrefix("#"), let code = Int(parts[1].dropFirst(), radix: 16)
        else { continue }
        let linear = [16, 8, 0].map { shift -> Double in
          let value = Double(code >> shift & 255) / 255
          return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
        }
        colors[parts[0]] = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
      }
      let pairs = [
        ("--ink", "--paper"), ("--soft", "--paper"), ("--accent", "--paper"), ("--ink", "--tint"),
        ("--soft", "--tint"),
        ("--on-accent", "--accent"), ("--on-bar", "--bar"), ("--on-bar", "--second"),
      ]
      for (text, ground) in pairs {
        let (a, b) = (try #require(colors[text]), try #require(colors[ground]))
        let contrast = (max(a, b) + 0.05) / (min(a, b) + 0.05)
        #expect(contrast >= 4.5, "\(text) on \(ground): \(contrast)")
      }
    }
  }

  /// x^2.4
  private func power(_ x: Double) -> Double {
    // x² · (x²)^(1/5), the fifth root by Newton's method.
    let square = x * x
    var root = 1.0
    for _ in 0..<60 { root -= (root * root * root * root * root - square) / (5 * root * root * root * root) }
    return square * root
  }
}

extension Substring {
  fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    var text = drop(while: isTrimmed)
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return String(text)
  }
}
