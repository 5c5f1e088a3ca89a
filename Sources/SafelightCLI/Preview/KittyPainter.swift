/// Draws with kitty's graphics protocol: RGB samples in base64, which the terminal scales into the cells.
///
/// Two image numbers alternate: the new picture is there before the old one goes, so nothing flickers.
/// Source: kitty, “Terminal graphics protocol”.
final class KittyPainter: PicturePainter {
  /// A picture of this size is about 1.2 MB per frame; terminals scale well.
  let sampling = PreviewLayout.Sampling.scaledPixels(atMost: 640 * 480)
  /// Samples per chunk: the protocol allows 4096 characters, four per sample.
  private static let samplesPerPiece = 1024
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private var image = 1
  private var hasPredecessor = false

  func reset() {}

  func paint(_ samples: [UInt8], _ layout: PreviewLayout, into output: inout TerminalBytes) {
    image = 3 - image
    output.moveCursor(row: layout.row, column: layout.column)
    let total = layout.samples.pixelCount
    var done = 0
    while done < total {
      let count = min(total - done, Self.samplesPerPiece)
      output.append("\u{1B}_G")
      if done == 0 {
        output.append("a=T,f=24,q=2,C=1,p=1,i=")
        output.append(image)
        for (key, value) in [
          (",s=", layout.samples.width), (",v=", layout.samples.height), (",c=", layout.columns),
          (",r=", layout.rows),
        ] as [(StaticString, Int)] {
          output.append(key)
          output.append(value)
        }
        output.append(UInt8(ascii: ","))
      }
      output.append(done + count < total ? "m=1;" : "m=0;")
      for index in done..<done + count {
        let bits =
          Int(samples[3 * index]) << 16 | Int(samples[3 * index + 1]) << 8 | Int(samples[3 * index + 2])
        output.append(Self.alphabet[bits >> 18])
        output.append(Self.alphabet[bits >> 12 & 63])
        output.append(Self.alphabet[bits >> 6 & 63])
        output.append(Self.alphabet[bits & 63])
      }
      output.append("\u{1B}\\")
      done += count
    }
    if hasPredecessor {
      output.append("\u{1B}_Ga=d,d=I,q=2,i=")
      output.append(3 - image)
      output.append("\u{1B}\\")
    }
    hasPredecessor = true
  }
}
