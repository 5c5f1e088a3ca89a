import LibraryTestSupport
import StudioPage
import Testing

@testable import Studio

@Suite("The page in one script")
struct PageBundleTests {
  private let files: [String: String] = {
    var files: [String: String] = [:]
    for index in 0..<studio_file_count() {
      guard let row = studio_file_at(index)?.pointee else { continue }
      let bytes = UnsafeBufferPointer(start: row.bytes, count: row.length)
      files[String(cString: row.path)] = String(decoding: bytes, as: UTF8.self)
    }
    return files
  }()

  @Test(
    "has all modules, each behind those that it needs, and no import or export", arguments: StudioSite.scripts
  )
  func whole(_ entry: String) throws {
    let script = try PageBundle(files: files).script(from: entry)
    let lines = script.split(separator: "\n")
    let order = lines.compactMap { line in
      line.hasPrefix("{ // ") ? String(line.dropFirst("{ // ".count)) : nil
    }
    #expect(order.last == entry && Set(order).count == order.count && order.count > 1)
    #expect(!lines.contains { $0.hasPrefix("import ") || $0.hasPrefix("export ") })
    #expect(!script.contains("import.meta"))
    guard entry == "main.js" else { return }
    let others = [
      "start.js", "stage/first-picture.js", "core/line.js", "core/binary.js", "camera/assist-worker.js",
      "camera/kernels.js",
    ]
    let modules = files.keys.filter { $0.hasSuffix(".js") && !others.contains($0) }
    #expect(Set(modules).subtracting(order).sorted() == [])
  }

  @Test("keeps names apart, and renames what is renamed")
  func small() throws {
    let bundle = PageBundle(files: [
      "main.js":
        "import { one as two, three } from \"./a/x.js\";\nimport * as y from \"./y.js\";\nrun(two, three, y);\n",
      "a/x.js":
        "import {\n  z,\n} from \"../y.js\";\nexport const one = z;\nexport async function three() {}\n",
      "y.js": "export function z() {}\nconst one = import.meta.url;\n",
    ])
    #expect(
      try bundle.script(from: "main.js") == """
        const $modules = {};
        { // y.js
        function z() {}
        const one = (location.origin + "/studio/y.js");

        $modules["y.js"] = { z };
        }
        { // a/x.js
        const {   z, } = $modules["y.js"];
        const one = z;
        async function three() {}

        $modules["a/x.js"] = { one, three };
        }
        { // main.js
        const { one: two, three } = $modules["a/x.js"];
        const y = $modules["y.js"];
        run(two, three, y);

        $modules["main.js"] = {  };
        }

        """)
  }

  @Test("is not made of what it does not understand")
  func refused() {
    func script(_ files: [String: String]) throws { _ = try PageBundle(files: files).script(from: "main.js") }
    #expect(throws: PageBundle.Problem.missing("x.js")) {
      try script(["main.js": "import { a } from \"./x.js\";"])
    }
    #expect(throws: PageBundle.Problem.line("default 1;", in: "main.js")) {
      try script(["main.js": "export default 1;"])
    }
    #expect(throws: PageBundle.Problem.line("import a from \"./a.js\";", in: "main.js")) {
      try script(["main.js": "import a from \"./a.js\";"])
    }
    let ring = ["main.js": "import { b } from \"./b.js\";", "b.js": "import { a } from \"./main.js\";"]
    #expect(throws: PageBundle.Problem.cycle("main.js")) { try script(ring) }
  }

  @Test("comes with its style sheets in one, in their order")
  func styles() throws {
    let bundle = PageBundle(files: files)
    let joined = bundle.joiningStyles(of: try #require(files["index.html"]))
    #expect(joined.html.split(separator: "\n").count { $0.contains("stylesheet") } == 1)
    #expect(joined.styles.hasPrefix(try #require(files["style/base.css"])))
    #expect(files.filter { $0.key.hasSuffix(".css") }.allSatisfy { joined.styles.contains($0.value) })
  }
}
