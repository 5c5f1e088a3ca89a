/// The page that shows the stream.
enum StreamPage {
  /// - Parameter hasShutter: whether it has a button that takes photos.
  static func text(hasShutter: Bool) -> String {
    let shutter = hasShutter ? ShutterPage.controls + "\n" : ""
    let style = hasShutter ? ShutterPage.style + "\n" : ""
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="dark">
      <title>Safelight</title>
      <style>
        html, body { height: 100%; margin: 0; background: #111; color: #aaa; font: 14px system-ui, sans-serif }
        body { display: grid; grid-template-rows: minmax(0, 1fr) auto }
        body > img { width: 100%; height: 100%; object-fit: contain }
        footer { padding: 8px 12px }
        a { color: #ddd }
      \(style)</style>
      <img src="/stream.mjpg" alt="Live picture">
      \(shutter)<footer>Safelight · <a href="/stream.mjpg">stream</a> · <a href="/snapshot.jpg">snapshot</a></footer>
      </html>

      """
  }
}
