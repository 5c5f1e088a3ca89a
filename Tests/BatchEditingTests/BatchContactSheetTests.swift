import LibraryTestSupport
import Safelight
import Testing

@Suite("Contact sheets of batches")
struct BatchContactSheetTests {
  @Test("Ten times as many pages are checked against thousands of photos in hardly more time")
  func manyPages() throws {
    let scratch = try Scratch()
    let pages = 300
    for page in 1...pages { try scratch.write("an earlier page", to: "sheet-\(page).jpg") }
    // None of them is there: asking for each on every page would take its time all the same.
    let originals = (0..<50_000).map { scratch("in/\($0).jpg") }
    let sheet = try BatchContactSheet(path: scratch("sheet.jpg"))
    func seconds(_ pages: Int) throws -> Double {
      let times = try (0..<3).map { _ in
        let began = Timestamp.now
        try sheet.check(
          forAtMost: pages * BatchContactSheet.capacity, originals: originals, others: originals,
          overwrite: true)
        return Timestamp.now.seconds(since: began)
      }
      return times.min() ?? 0
    }
    #expect(try seconds(pages) < 5 * seconds(pages / 10))
  }

  @Test("A page takes the place of no photo, no result and no file that is read, under any of their names")
  func refusals() throws {
    let scratch = try Scratch()
    try makePicture(40, 30).write(to: scratch("a.jpg"))
    let sheet = try BatchContactSheet(path: scratch("./a.jpg"))
    #expect(
      message { try sheet.check(forAtMost: 1, originals: [scratch("a.jpg")], overwrite: true) }
        == "\(scratch("./a.jpg")) is an original, \(scratch("a.jpg")); give another name.")
    #expect(
      message { try sheet.check(forAtMost: 1, originals: [], others: [scratch("a.jpg")], overwrite: true) }
        == "\(scratch("./a.jpg")), where the contact sheet goes, is read by this run; give another name.")
    let result = BatchContactSheet.Picture(path: scratch("a.jpg"), name: "a.jpg")
    #expect(
      message { _ = try sheet.write([result], overwrite: true) }
        == "The contact sheet \(scratch("./a.jpg")) would replace a result; give it a name of its own.")
  }
}
