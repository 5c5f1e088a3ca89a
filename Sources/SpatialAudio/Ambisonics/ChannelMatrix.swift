/// A linear map of frames of four channels to frames of four.
struct ChannelMatrix: Sendable, Hashable {
  /// What each input contributes to the four outputs.
  var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

  init(columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)) { self.columns = columns }

  /// The rotation of an AmbiX frame: W stays.
  init(rotation: Rotation) {
    let (x, y, z) = rotation.matrix
    // Rows and columns in the order W, Y, Z, X.
    func column(_ x: Double, _ y: Double, _ z: Double) -> SIMD4<Float> {
      SIMD4(0, Float(y), Float(z), Float(x))
    }
    columns = (SIMD4(1, 0, 0, 0), column(x.y, y.y, z.y), column(x.z, y.z, z.z), column(x.x, y.x, z.x))
  }

  @inline(__always)
  func apply(_ frame: SIMD4<Float>) -> SIMD4<Float> {
    columns.0 * frame.x + columns.1 * frame.y + columns.2 * frame.z + columns.3 * frame.w
  }

  /// Maps interleaved frames; output may be the input's memory.
  func apply(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) {
    precondition(input.count.isMultiple(of: 4) && output.count == input.count)
    for start in stride(from: 0, to: input.count, by: 4) {
      output.store(apply(input.frame(at: start)), at: start)
    }
  }

  static func == (a: ChannelMatrix, b: ChannelMatrix) -> Bool { a.columns == b.columns }

  func hash(into hasher: inout Hasher) {
    for column in [columns.0, columns.1, columns.2, columns.3] { hasher.combine(column) }
  }
}

extension UnsafeBufferPointer<Float> {
  @inline(__always)
  func frame(at start: Int) -> SIMD4<Float> {
    SIMD4(self[start], self[start + 1], self[start + 2], self[start + 3])
  }
}

extension UnsafeMutableBufferPointer<Float> {
  @inline(__always)
  func store(_ frame: SIMD4<Float>, at start: Int) {
    self[start] = frame.x
    self[start + 1] = frame.y
    self[start + 2] = frame.z
    self[start + 3] = frame.w
  }
}

extension [Float] {
  /// Returns what `body` writes for these samples, for callers that may allocate.
  func processed(
    count: Int, _ body: (UnsafeBufferPointer<Float>, UnsafeMutableBufferPointer<Float>) -> Void
  ) -> [Float] {
    withUnsafeBufferPointer { input in
      [Float](unsafeUninitializedCapacity: count) { output, written in
        output.initialize(repeating: 0)
        body(input, UnsafeMutableBufferPointer(rebasing: output[..<count]))
        written = count
      }
    }
  }
}
