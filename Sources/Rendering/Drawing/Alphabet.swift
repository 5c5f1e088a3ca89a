/// The letters of Safelight's captions: an upright sans serif in the style of engraved scales and signs.
enum Alphabet {
  /// The height of small capitals, which stand for lower case, relative to capitals.
  static let smallCapitalHeight = 0.78

  /// The advance of a space, in cap heights.
  static let space = 0.36

  /// The letter for `scalar`; a hollow box if the alphabet has none.
  static func glyph(for scalar: Unicode.Scalar) -> Glyph {
    letter(scalar) ?? figure(scalar) ?? mark(scalar) ?? missing
  }

  /// Whether `scalar` has a letter of its own.
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || letter(scalar) != nil || figure(scalar) != nil || mark(scalar) != nil
  }

  /// Stands for a character that the alphabet does not contain.
  static let missing = Glyph(
    0.42, .stem, .stem,
    [.at(0, 0), .line(0.42, 0), .line(0.42, 1), .line(0, 1), .line(0, 0)])

  private static func letter(_ scalar: Unicode.Scalar) -> Glyph? {
    switch scalar {
    case "A":
      Glyph(
        0.78, .open, .open,
        [.at(0, 1), .line(0.39, 0), .line(0.78, 1), .at(0.125, 0.68), .line(0.655, 0.68)])
    case "B":
      Glyph(
        0.58, .stem, .round,
        [
          .at(0, 0.475), .line(0, 0), .arc(0.29, 0.2375, 0.25, 0.2375, -90, 90), .line(0, 0.475),
          .line(0, 1), .arc(0.30, 0.7375, 0.28, 0.2625, 90, -90),
        ])
    case "C": Glyph(0.68, .round, .open, [.arc(0.38, 0.5, 0.38, 0.5, -37, -323)])
    case "D":
      Glyph(
        0.67, .stem, .round,
        [.at(0, 0), .arc(0.27, 0.5, 0.40, 0.5, -90, 90), .line(0, 1), .line(0, 0)])
    case "E":
      Glyph(
        0.52, .stem, .open,
        [.at(0.52, 0), .line(0, 0), .line(0, 1), .line(0.52, 1), .at(0, 0.49), .line(0.46, 0.49)])
    case "F":
      Glyph(0.50, .stem, .open, [.at(0.50, 0), .line(0, 0), .line(0, 1), .at(0, 0.5), .line(0.44, 0.5)])
    case "G":
      Glyph(
        0.72, .round, .round,
        [
          .arc(0.38, 0.5, 0.38, 0.5, -37, -270), .arc(0.38, 0.55, 0.34, 0.45, 90, 0), .line(0.41, 0.55),
        ])
    case "H":
      Glyph(
        0.66, .stem, .stem,
        [.at(0, 0), .line(0, 1), .at(0.66, 0), .line(0.66, 1), .at(0, 0.49), .line(0.66, 0.49)])
    case "I": Glyph(0, .stem, .stem, [.at(0, 0), .line(0, 1)])
    case "J":
      Glyph(0.44, .open, .stem, [.at(0.44, 0), .line(0.44, 0.70), .arc(0.20, 0.70, 0.24, 0.30, 0, 140)])
    case "K":
      Glyph(
        0.62, .stem, .open,
        [.at(0, 0), .line(0, 1), .at(0.58, 0), .line(0, 0.60), .at(0.20, 0.393), .line(0.62, 1)])
    case "L": Glyph(0.48, .stem, .open, [.at(0, 0), .line(0, 1), .line(0.48, 1)])
    case "M":
      Glyph(
        0.84, .stem, .stem,
        [.at(0, 1), .line(0, 0), .line(0.42, 0.70), .line(0.84, 0), .line(0.84, 1)])
    case "N": Glyph(0.68, .stem, .stem, [.at(0, 1), .line(0, 0), .line(0.68, 1), .line(0.68, 0)])
    case "O": Glyph(0.78, .round, .round, [.oval(0.39, 0.5, 0.39, 0.5)])
    case "P":
      Glyph(
        0.56, .stem, .round,
        [.at(0, 1), .line(0, 0), .arc(0.29, 0.265, 0.27, 0.265, -90, 90), .line(0, 0.53)])
    case "Q":
      Glyph(
        0.78, .round, .round, [.oval(0.39, 0.5, 0.39, 0.5), .at(0.50, 0.74), .line(0.76, 1.07)])
    case "R":
      Glyph(
        0.58, .stem, .open,
        [
          .at(0, 1), .line(0, 0), .arc(0.29, 0.26, 0.27, 0.26, -90, 90), .line(0, 0.52),
          .at(0.29, 0.52), .line(0.59, 1),
        ])
    case "S":
      Glyph(
        0.58, .round, .round,
        [.arc(0.29, 0.24, 0.265, 0.24, -28, -270), .arc(0.29, 0.74, 0.29, 0.26, -90, 150)])
    case "T": Glyph(0.64, .open, .open, [.at(0, 0), .line(0.64, 0), .at(0.32, 0), .line(0.32, 1)])
    case "U":
      Glyph(
        0.66, .stem, .stem,
        [.at(0, 0), .line(0, 0.62), .arc(0.33, 0.62, 0.33, 0.38, 180, 0), .line(0.66, 0)])
    case "V": Glyph(0.74, .open, .open, [.at(0, 0), .line(0.37, 1), .line(0.74, 0)])
    case "W":
      Glyph(
        1.06, .open, .open,
        [.at(0, 0), .line(0.27, 1), .line(0.53, 0), .line(0.79, 1), .line(1.06, 0)])
    case "X": Glyph(0.66, .open, .open, [.at(0.02, 0), .line(0.66, 1), .at(0.64, 0), .line(0, 1)])
    case "Y":
      Glyph(
        0.70, .open, .open, [.at(0, 0), .line(0.35, 0.53), .line(0.70, 0), .at(0.35, 0.53), .line(0.35, 1)])
    case "Z": Glyph(0.60, .open, .open, [.at(0.02, 0), .line(0.58, 0), .line(0, 1), .line(0.60, 1)])
    default: nil
    }
  }

  private static func figure(_ scalar: Unicode.Scalar) -> Glyph? {
    switch scalar {
    case "0": Glyph(0.60, .round, .round, [.oval(0.30, 0.5, 0.30, 0.5)])
    case "1": Glyph(0.25, .open, .stem, [.at(0, 0.20), .line(0.25, 0), .line(0.25, 1)])
    case "2":
      Glyph(0.57, .open, .open, [.arc(0.29, 0.28, 0.265, 0.28, -168, 42), .line(0, 1), .line(0.57, 1)])
    case "3":
      Glyph(
        0.56, .open, .round,
        [
          .arc(0.27, 0.24, 0.25, 0.24, -155, 90), .line(0.20, 0.48), .at(0.27, 0.48),
          .arc(0.27, 0.74, 0.29, 0.26, -90, 155),
        ])
    case "4": Glyph(0.66, .open, .open, [.at(0.49, 1), .line(0.49, 0), .line(0, 0.72), .line(0.66, 0.72)])
    case "5":
      Glyph(
        0.57, .open, .round,
        [.at(0.50, 0), .line(0.09, 0), .line(0.05, 0.47), .arc(0.27, 0.68, 0.30, 0.32, -140, 150)])
    case "6":
      Glyph(
        0.60, .round, .round,
        [.oval(0.30, 0.68, 0.30, 0.32), .at(0.41, 0), .line(0.045, 0.51)])
    case "7": Glyph(0.55, .open, .open, [.at(0, 0), .line(0.55, 0), .line(0.17, 1)])
    case "8":
      Glyph(
        0.60, .round, .round,
        [.oval(0.30, 0.24, 0.255, 0.24), .oval(0.30, 0.74, 0.30, 0.26)])
    case "9":
      Glyph(
        0.60, .round, .round,
        [.oval(0.30, 0.32, 0.30, 0.32), .at(0.19, 1), .line(0.555, 0.49)])
    default: nil
    }
  }

  private static func mark(_ scalar: Unicode.Scalar) -> Glyph? {
    switch scalar {
    case "-", "\u{2010}", "\u{2011}": Glyph(0.28, .open, .open, [.at(0, 0.54), .line(0.28, 0.54)])
    case "\u{2212}", "\u{2013}": Glyph(0.48, .open, .open, [.at(0, 0.54), .line(0.48, 0.54)])
    case "\u{2014}": Glyph(0.90, .open, .open, [.at(0, 0.54), .line(0.90, 0.54)])
    case "+":
      Glyph(
        0.50, .open, .open, [.at(0, 0.54), .line(0.50, 0.54), .at(0.25, 0.29), .line(0.25, 0.79)])
    case "\u{00D7}":
      Glyph(0.40, .open, .open, [.at(0, 0.36), .line(0.40, 0.76), .at(0.40, 0.36), .line(0, 0.76)])
    case "=": Glyph(0.50, .open, .open, [.at(0, 0.39), .line(0.50, 0.39), .at(0, 0.69), .line(0.50, 0.69)])
    case ".": Glyph(0, .round, .round, [.at(0, 1)])
    case ",": Glyph(0.07, .round, .round, [.at(0.07, 1), .line(0, 1.20)])
    case ":": Glyph(0, .round, .round, [.at(0, 0.36), .at(0, 1)])
    case "\u{00B7}": Glyph(0, .round, .round, [.at(0, 0.54)])
    case "\u{2026}": Glyph(0.64, .round, .round, [.at(0, 1), .at(0.32, 1), .at(0.64, 1)])
    case "!": Glyph(0, .stem, .stem, [.at(0, 0), .line(0, 0.66), .at(0, 1)])
    case "?":
      Glyph(
        0.50, .open, .open,
        [.arc(0.25, 0.26, 0.25, 0.26, -170, 50), .line(0.25, 0.62), .line(0.25, 0.68), .at(0.25, 1)])
    case "/": Glyph(0.40, .open, .open, [.at(0, 1.08), .line(0.40, -0.08)])
    case "'", "\u{2019}": Glyph(0, .round, .round, [.at(0, 0), .line(0, 0.22)])
    case "(": Glyph(0.17, .round, .open, [.arc(0.50, 0.5, 0.50, 0.86, -131, -229)])
    case ")": Glyph(0.17, .open, .round, [.arc(-0.33, 0.5, 0.50, 0.86, -49, 49)])
    case "_": Glyph(0.50, .open, .open, [.at(0, 1.12), .line(0.50, 1.12)])
    case "#":
      Glyph(
        0.62, .open, .open,
        [
          .at(0.22, 0), .line(0.12, 1), .at(0.50, 0), .line(0.40, 1), .at(0.03, 0.33), .line(0.62, 0.33),
          .at(0, 0.67), .line(0.59, 0.67),
        ])
    case "\u{00B0}": Glyph(0.28, .open, .open, [.oval(0.14, 0.14, 0.14, 0.14)])
    case "%":
      Glyph(
        0.98, .round, .round,
        [
          .oval(0.18, 0.21, 0.18, 0.21), .oval(0.80, 0.79, 0.18, 0.21), .at(0.77, 0),
          .line(0.21, 1),
        ])
    case "&":
      Glyph(
        0.72, .round, .open,
        [
          .at(0.72, 1), .line(0.17, 0.36), .arc(0.32, 0.21, 0.19, 0.21, 142, 400), .line(0.13, 0.56),
          .arc(0.28, 0.75, 0.28, 0.25, -140, -270), .arc(0.28, 0.58, 0.39, 0.42, 90, 4),
        ])
    case "\u{0394}": Glyph(0.78, .open, .open, [.at(0, 1), .line(0.39, 0), .line(0.78, 1), .line(0, 1)])
    default: nil
    }
  }
}
