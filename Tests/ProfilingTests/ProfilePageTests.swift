import LibraryTestSupport
import Safelight
import Testing

@testable import Profiling

@Suite("The page of a profile")
struct ProfilePageTests {
  /// Reports of all kinds that a page must stand.
  static let reports: [String: ProfileReport] = {
    var bare = makeReport(frames: [2, 2.1, 3])
    bare.stages = [makeStage("baked", 2)]
    bare.scaling = [bare.scaling[0]]
    (bare.bake, bare.filters, bare.passes, bare.capacities, bare.notes) = (nil, [], [], [], [])
    bare.subject.filters = []
    var none = makeReport(frames: [])
    (none.stages, none.scaling, none.roofline.points, none.subject.plan) = ([], [], [], "")
    var zero = makeReport(frames: [0, 0, 0])
    zero.stages = [makeStage("baked", 0), makeStage("store", 0)]
    zero.filters[0].aloneMilliseconds = 0
    zero.filters[0].inPlanMilliseconds = 0
    zero.scaling = zero.scaling.map {
      .init(threads: $0.threads, milliseconds: 0, framesPerSecond: .infinity, efficiency: .nan)
    }
    zero.roofline.points[1].copy = .nan
    zero.roofline.frameCopyMilliseconds = 0
    var extreme = makeReport(frames: [2, 1e300, -4, .nan, .infinity, 1e-300])
    extreme.stages.append(makeStage("huge", 1e-12))
    extreme.filters[0].aloneMilliseconds = -1e300
    extreme.capacities = [.init(framesPerSecond: 1e9, width: .max, height: .max)]
    extreme.scaling =
      [.init(threads: .max, milliseconds: 1, framesPerSecond: 1, efficiency: 1)] + extreme.scaling
    extreme.frames.p99 = -.infinity
    var times = (0..<100_000).map { 2 + Double($0 % 97) / 1000 }
    for index in stride(from: 0, to: times.count, by: 9999) { times[index] += 50 }
    let long = makeReport(frames: times)
    var gpu = makeReport()
    gpu.device = makeDevice()
    gpu.scaling = []
    gpu.stages = ["upload", "kernel", "download", "wait"].map { makeStage($0, 1) }
    gpu.stages[0].ofRoofline = 0
    var clockless = gpu
    clockless.stages = []
    clockless.device?.residentMilliseconds = nil
    clockless.device?.residentFramesPerSecond = nil
    clockless.device?.residentOfCopy = nil
    clockless.device?.copy = 0
    var wordy = makeReport()
    wordy.filters += [
      "lut a-table-with-a-very-long-name-that-has-no-spaces-at-all-in-it.cube strength 85 % encoding rec2020",
      "tone highlights -30 shadows 20 whites 5 blacks -10", "",
    ].map { .init(id: "x", text: $0, aloneMilliseconds: 1, inPlanMilliseconds: -1) }
    return [
      "gpu": gpu, "clockless": clockless, "wordy": wordy,
      "usual": makeReport(), "bare": bare, "none": none, "zero": zero, "extreme": extreme, "long": long,
    ]
  }()

  /// The elements of a page, in order, as `name` and attributes. Fails where tags do not pair.
  func elements(_ html: String) throws -> [(name: String, attributes: String)] {
    var (open, found): ([String], [(String, String)]) = ([], [])
    // Style and script hold no tags.
    for piece in html.split(separator: "<").dropFirst() {
      let end = try #require(piece.firstIndex(of: ">"), "\(piece)")
      let tag = piece[..<end]
      if tag.hasPrefix("!doctype") { continue }
      if tag.hasPrefix("/") {
        #expect(open.popLast() == String(tag.dropFirst()))
        continue
      }
      let name = String(tag.prefix { $0.isLetter || $0.isNumber })
      try #require(!name.isEmpty, "\(tag)")
      found.append((name, String(tag.dropFirst(name.count))))
      if !tag.hasSuffix("/"), !["meta", "br"].contains(name) { open.append(name) }
    }
    #expect(open.isEmpty, "\(open)")
    return found
  }

  private func values(of attribute: String, in text: String) -> [String] {
    text.split(separator: " \(attribute)=\"", omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
  }

  @Test(
    "Tags pair, ids are distinct and what is referred to exists, whatever the report holds",
    arguments: reports.keys.sorted())
  func wellFormed(name: String) throws {
    let report = try #require(Self.reports[name])
    let html = ProfilePage(report).html
    let elements = try elements(html)
    let ids = elements.flatMap { values(of: "id", in: $0.attributes) }
    #expect(Set(ids).count == ids.count)
    for label in elements.flatMap({ values(of: "aria-labelledby", in: $0.attributes) }) {
      #expect(ids.contains(label))
    }
  }

  @Test(
    "Every mark is a number within the picture, whatever the report holds", arguments: reports.keys.sorted())
  func marks(name: String) throws {
    let report = try #require(Self.reports[name])
    var (width, height) = (0.0, 0.0)
    for element in try elements(ProfilePage(report).html) {
      let text = element.attributes
      if element.name == "svg" {
        let box = try #require(values(of: "viewBox", in: text).first).split(separator: " ").compactMap {
          Double($0)
        }
        try #require(box.count == 4)
        (width, height) = (box[2], box[3])
      }
      for (attribute, limit) in [("x", width), ("y", height), ("cx", width), ("cy", height)] {
        for value in values(of: attribute, in: text) {
          let number = try #require(Double(value), "\(attribute) \(value)")
          #expect((-1...limit + 1).contains(number), "\(name): \(element)")
        }
      }
      for path in values(of: "d", in: text) {
        let numbers = path.split { "MLZ ".contains($0) }
        #expect(numbers.allSatisfy { Double($0)?.isFinite == true }, "\(path)")
      }
    }
  }

  @Test("Names of filters are whole, in as many lines as they need")
  func names() throws {
    let report = try #require(Self.reports["wordy"])
    for width in [ProfilePlot.wide, ProfilePlot.narrow] {
      let svg = ProfilePlotFilters(filters: report.filters).draw(width: width).svg(
        class: "plot", labelledBy: "x", description: "")
      let texts = svg.split(separator: "<text class=\"name halo\"").dropFirst().map { piece in
        String(piece.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" })
      }
      let all = texts.joined().filter { $0 != " " }
      for filter in report.filters where !filter.text.isEmpty {
        #expect(all.contains(filter.text.filter { $0 != " " }), "\(all)")
      }
      #expect(!all.contains("…"))
    }
  }

  @Test("A page of a GPU says which, and what it does without transfers")
  func gpu() throws {
    let html = ProfilePage(try #require(Self.reports["gpu"])).html
    for text in [
      "Test GPU", "test driver 1.2", "1.3.277", "On the GPU", "without transfers", "its copies 2,000",
      "The processor’s memory", "of its copies",
    ] {
      #expect(html.contains(text), "\(text)")
    }
    #expect(!html.contains("of memcpy"))
    #expect(!ProfilePage(makeReport()).html.contains("On the GPU"))
  }

  @Test("Nothing is loaded from anywhere")
  func selfContained() {
    let html = ProfilePage(makeReport()).html
    for text in ["http://", "https://", "src=", "href=", "url(", "@import", "<link", "<img"] {
      #expect(!html.contains(text), "\(text)")
    }
    #expect(html.contains("default-src 'none'"))
  }

  @Test("No text of a report becomes a tag or an attribute")
  func escaping() throws {
    let hostile = "<script>alert('x')</script>\" onload=\"y&amp;\u{0}\u{202E}"
    var report = makeReport()
    report.subject.name = hostile
    report.subject.filters = [hostile, hostile]
    report.subject.plan = hostile
    report.subject.input = hostile
    report.machine.processor = hostile
    report.notes = [hostile]
    report.stages[0].kind = hostile
    report.stages[1].text = hostile
    report.filters[0].text = hostile
    report.passes[0].name = hostile
    report.passes[0].remarks = [hostile]
    report.capacities[0].usualSize = hostile
    let html = ProfilePage(report).html
    let elements = try elements(html)
    let usual = try self.elements(ProfilePage(makeReport()).html)
    #expect(elements.count { $0.name == "script" } == 1)
    #expect(!elements.contains { $0.attributes.contains("onload=\"") })
    #expect(!html.contains("\u{0}") && !html.contains("\u{202E}"))
    #expect(elements.count { $0.name == "section" } == usual.count { $0.name == "section" })
    #expect(
      html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot; onload=&quot;y&amp;amp;␀\u{FFFD}"))
  }
}
