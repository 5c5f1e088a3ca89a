/// What a terminal with 24-bit colours shows after some output: just enough of one to check half blocks with.
struct ScreenModel {
  struct Cell: Equatable {
    var character: Character = " "
    var text: [Int] = []
    var background: [Int] = []
  }
  let columns: Int
  let rows: Int
  private(set) var cells: [[Cell]]
  /// Sequences that it does not know, in order.
  private(set) var others: [String] = []
  private var (row, column) = (0, 0)
  private var pen = Cell()

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  /// The colours of the upper and lower half of a cell.
  func halves(_ row: Int, _ column: Int) -> (upper: [Int], lower: [Int]) {
    let cell = cells[row][column]
    return (cell.character == "▀" ? cell.text : cell.background, cell.background)
  }

  func text(row: Int) -> String {
    var text = String(cells[row].map(\.character))
    while text.last == " " { text.removeLast() }
    return text
  }

  mutating func show(_ bytes: [UInt8]) {
    let text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    var index = 0
    while index < text.count {
      if text[index] == "\u{1B}", index + 1 < text.count, text[index + 1] == "[" {
        let end = text[(index + 2)...].firstIndex { (0x40...0x7E).contains($0.value) } ?? text.count - 1
        control(String(String.UnicodeScalarView(text[(index + 2)..<end])), text[end])
        index = end + 1
      } else if text[index] == "\u{1B}" || text[index].value < 0x20 {
        others.append(String(text[index]))
        index += 1
      } else {
        if row < rows, column < columns {
          cells[row][column] = Cell(
            character: Character(text[index]), text: pen.text, background: pen.background)
        }
        column += 1
        index += 1
      }
    }
  }

  private mutating func control(_ parameters: String, _ final: Unicode.Scalar) {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    switch final {
    case "H": (row, column) = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
    case "C": column += numbers.first ?? 1
    case "J": cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    case "K": for index in column..<max(column, columns) { cells[row][index] = Cell() }
    case "m":
      if numbers.first == 38 {
        pen.text = Array(numbers.dropFirst(2))
      } else if numbers.first == 48 {
        pen.background = Array(numbers.dropFirst(2))
      } else {
        pen = Cell()
      }
    default: others.append(parameters + String(final))
    }
  }
}
