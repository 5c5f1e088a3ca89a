import FilterGraph
import Filters
import FoundationEssentials
import FrameCore
import TestSupport
import Testing

/// Parameters say all that a control for them needs.
@Suite("Descriptions of filters")
struct FilterDescriptionTests {
  static let parameters = FilterCatalog.all.flatMap { filter in filter.parameters.map { (filter, $0) } }

  /// The error of setting a value in a filter as made.
  private func refusal(
    _ value: ParameterValue, _ parameter: Parameter, of type: any Filter.Type
  ) -> SafelightError? {
    func set<F: Filter>(_ type: F.Type) throws {
      var filter = type.init()
      try parameter.set(value, in: &filter)
    }
    do {
      try set(type)
      return nil
    } catch {
      return error as? SafelightError
    }
  }

  @Test("Each parameter is complete, and what it offers is accepted", arguments: parameters.indices)
  func complete(index: Int) throws {
    let (filter, parameter) = Self.parameters[index]
    let name = "\(filter.id) \(parameter.name)"
    #expect(!parameter.title.isEmpty && parameter.title.first?.isLowercase == false, "\(name)")
    switch parameter.kind {
    case .number(let number):
      let (range, slider) = (number.range, number.slider)
      #expect(range.contains(slider.lowerBound) && range.contains(slider.upperBound), "\(name)")
      #expect(slider.lowerBound < slider.upperBound && slider.contains(number.detent), "\(name)")
      #expect(number.step > 0, "\(name)")
      // A slider comes to rest exactly where it should.
      for place in [number.detent, slider.upperBound] {
        let steps = (place - slider.lowerBound) / number.step
        #expect(abs(steps - steps.rounded()) < 1e-9, "\(name) \(place)")
      }
      for value in [number.detent, number.neutral, slider.lowerBound, slider.upperBound] {
        #expect(refusal(.number(value), parameter, of: filter) == nil, "\(name) \(value)")
      }
    case .choice(let choice):
      #expect(!choice.options.isEmpty)
      for option in choice.options {
        #expect(!option.title.isEmpty)
        #expect(refusal(.text(option.value), parameter, of: filter) == nil, "\(name) \(option.value)")
      }
    case .file(let file): #expect(!file.extensions.isEmpty && file.extensions.allSatisfy { $0.first != "." })
    case .rectangle(let rectangle):
      for axis in [rectangle.x, rectangle.y] {
        #expect(axis.range.lowerBound < axis.range.upperBound && axis.step > 0)
      }
      for option in rectangle.aspectRatios {
        #expect(!option.title.isEmpty)
        #expect(refusal(.text(option.value), parameter, of: filter) == nil, "\(name) \(option.value)")
      }
    case .points(let points):
      #expect(points.count.lowerBound > 0 && points.count.contains(points.neutral.count))
    case .mask: #expect(parameter.flag == nil, "\(name)")
    case .text(let text):
      for option in text.suggestions {
        #expect(refusal(.text(option.value), parameter, of: filter) == nil, "\(name) \(option.value)")
      }
    }
  }

  @Test("What is out of range, or no choice, is refused by name and range", arguments: parameters.indices)
  func refused(index: Int) throws {
    let (filter, parameter) = Self.parameters[index]
    let label = parameter.flag ?? "\(filter.id).\(parameter.name)"
    let wrong: ParameterValue
    let names: [String]
    switch parameter.kind {
    case .number(let number): (wrong, names) = (.number(number.range.upperBound + 1), [parameter.syntax])
    case .choice(let choice): (wrong, names) = (.text("?"), choice.options.map(\.value))
    case .rectangle, .mask, .text: (wrong, names) = (.text("?"), [])
    case .points: (wrong, names) = (.points([]), [])
    // Whether there is such a file is found out when it is loaded.
    case .file: return
    }
    let error = try #require(refusal(wrong, parameter, of: filter))
    #expect(error.problem.contains(label) && error.code == .invalidValue, "\(error)")
    for name in names { #expect(error.remedy.contains(name), "\(error)") }
  }

  @Test("A choice is told by its name, another name of it, or the same number")
  func choices() throws {
    func value(_ text: String, _ parameter: Parameter, _ filter: some Filter) throws -> ParameterValue {
      var filter = filter
      try parameter.set(.text(text), in: &filter)
      return parameter.value(in: filter)
    }
    let flip = Flip.parameters[0]
    for text in ["h", "horizontal"] { #expect(try value(text, flip, Flip()) == .text("h")) }
    let rotate = Rotate.parameters[0]
    for text in ["90", "+90", "090", "90.0"] { #expect(try value(text, rotate, Rotate()) == .text("90")) }
    #expect(try LUT.Encoding(parameterText: "adobe-rgb") == .adobeRGB)
    #expect(throws: SafelightError.self) { try LUT.Encoding(parameterText: "Adobe RGB") }
  }

  /// What `safelight filters --json` prints.
  @Test("The descriptions as JSON are those recorded, and are read back")
  func recorded() throws {
    let descriptions = FilterCatalog.standard.descriptions
    let text = try descriptions.json()
    #expect(try JSONDecoder().decode([FilterDescription].self, from: Data(text.utf8)) == descriptions)
    try expectRecorded(text: text + "\n", as: "filters")
  }
}
