import FilterGraph
import FrameCore
import Rendering
import Synchronization
import Testing
import VulkanCompute

@testable import VulkanRendering

/// Runs programs on the first device that can, as plainly as the interface allows: one buffer in, one out, and nothing
/// beside anything else.
final class ProgramRunner: @unchecked Sendable {
  /// Nil where no device can, or the validation layer is missing.
  static let shared = ProgramRunner()

  private let instance: OpaquePointer
  private let device: OpaquePointer
  private let kernels = Mutex<[ShaderVariant: UncheckedPointer]>([:])

  private struct UncheckedPointer: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private init?() {
    var error = vc_error()
    guard let instance = vc_instance_open(1, &error), vc_device_count(instance) > 0,
      let device = vc_device_open(instance, 0, nil, 0, &error)
    else { return nil }
    (self.instance, self.device) = (instance, device)
  }

  /// What the validation layer complained of first; empty where it did not.
  var complaint: String {
    var text = [CChar](repeating: 0, count: 4096)
    let count = vc_instance_complaints(instance, &text, text.count)
    let first = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return count == 0 ? "" : "\(count): " + String(decoding: first, as: UTF8.self)
  }

  /// Runs a program on a part of its source, to a part of its output.
  ///
  /// - Parameters:
  ///   - rows: of the output.
  ///   - isPartial: whether the device gets only those rows of the source that the program says it reads.
  func run(
    _ program: PlanProgram, _ source: PixelBuffer, rows: Range<Int>, into output: PixelBuffer,
    isPartial: Bool = true
  ) throws {
    // One at a time: devices' memory is as short as the interface is plain.
    try kernels.withLock { kernels in
      var needed = 0..<source.height
      if isPartial, program.reduction == nil { needed = program.sourceRows(for: rows) }
      var picture = try upload(source, rows: needed)
      let tables = try buffer(bytes: program.tables.count * 4, VC_MEMORY_UPLOAD)
      defer { vc_buffer_destroy(tables) }
      try fill(tables, with: program.tables)
      if let reduction = program.reduction {
        let all = reduction.reducedSize.height
        let sources = program.sourceRows(forReduced: 0..<all)
        let narrowed = try device(reduction.narrowedSize, reduction.narrowedFormat, rows: sources)
        let reduced = try device(reduction.reducedSize, reduction.reducedFormat, rows: 0..<all)
        try run(
          program.narrowDispatches(from: picture.layout, to: narrowed.layout), program, picture, narrowed,
          tables, &kernels)
        // In two parts, as where memory is short.
        let half = all / 2
        for part in [0..<half, half..<all] {
          var target = reduced
          target.layout.rows = part
          target.layout.planes[0].offset += part.lowerBound * target.layout.planes[0].rowBytes
          try run(
            program.blendDispatches(from: narrowed.layout, to: target.layout), program, narrowed, target,
            tables, &kernels)
        }
        vc_buffer_destroy(picture.buffer)
        vc_buffer_destroy(narrowed.buffer)
        picture = reduced
      }
      defer { vc_buffer_destroy(picture.buffer) }
      let target = try device(program.plan.outputSize, output.format, rows: rows)
      defer { vc_buffer_destroy(target.buffer) }
      try run(
        program.frameDispatches(from: picture.layout, to: target.layout), program, picture, target, tables,
        &kernels)
      try download(target, to: output)
    }
  }

  // MARK: Kernels

  private func run(
    _ dispatches: [Dispatch], _ program: PlanProgram, _ source: DevicePicture, _ target: DevicePicture,
    _ tables: OpaquePointer, _ kernels: inout [ShaderVariant: UncheckedPointer]
  ) throws {
    var error = vc_error()
    guard let commands = vc_commands_create(device, 0, &error), vc_commands_begin(commands, &error) != 0
    else {
      throw error.failure
    }
    defer { vc_commands_destroy(commands) }
    for dispatch in dispatches {
      let kernel = try kernel(program.variants[dispatch.variant], dispatch.parameters.count * 4, &kernels)
      var buffers: [OpaquePointer?] = [source.buffer, target.buffer, tables]
      vc_commands_dispatch(
        commands, kernel, &buffers, 3, dispatch.parameters, dispatch.parameters.count * 4,
        UInt32(dispatch.groups.x), UInt32(dispatch.groups.y), 1)
    }
    guard vc_commands_submit(commands, &error) != 0, vc_commands_wait(commands, .max, &error) != 0 else {
      throw error.failure
    }
  }

  private func kernel(
    _ variant: ShaderVariant, _ parameterBytes: Int, _ kernels: inout [ShaderVariant: UncheckedPointer]
  ) throws -> OpaquePointer {
    if let known = kernels[variant] { return known.pointer }
    var error = vc_error()
    let code = try variant.shader.code()
    guard
      let kernel = vc_kernel_create(
        device, code, code.count, variant.constants, variant.constants.count, 3, parameterBytes, &error)
    else { throw error.failure }
    kernels[variant] = UncheckedPointer(pointer: kernel)
    return kernel
  }

  // MARK: Pictures

  private struct DevicePicture {
    var buffer: OpaquePointer
    var layout: DeviceLayout
  }

  private func buffer(bytes: Int, _ memory: vc_memory) throws -> OpaquePointer {
    var error = vc_error()
    guard let buffer = vc_buffer_create(device, UInt64(bytes), memory, &error) else { throw error.failure }
    return buffer
  }

  private func fill(_ buffer: OpaquePointer, with words: [UInt32]) throws {
    try words.withUnsafeBytes {
      try contents(of: buffer).copyMemory(from: #require($0.baseAddress), byteCount: $0.count)
    }
    vc_buffer_flush(buffer, 0, UInt64(words.count * 4))
  }

  private func contents(of buffer: OpaquePointer) throws -> UnsafeMutableRawPointer {
    try #require(vc_buffer_contents(buffer))
  }

  /// Rows of a picture on the device, with a little between them and between planes.
  private func device(_ size: PixelSize, _ format: PixelFormat, rows: Range<Int>) throws -> DevicePicture {
    var (planes, bytes): ([DeviceLayout.Plane], Int) = ([], 64)
    for shape in format.planes {
      let rowBytes = (shape.rowBytes(width: size.width) + 3) / 4 * 4 + 8
      planes.append(DeviceLayout.Plane(offset: bytes, rowBytes: rowBytes))
      bytes += rowBytes * shape.rows(height: rows.count) + 4
    }
    return DevicePicture(
      buffer: try buffer(bytes: bytes, format == .rgbaF32 ? VC_MEMORY_DOWNLOAD : VC_MEMORY_UPLOAD),
      layout: DeviceLayout(size: size, format: format, columns: 0..<size.width, rows: rows, planes: planes))
  }

  private func upload(_ source: PixelBuffer, rows: Range<Int>) throws -> DevicePicture {
    let picture = try device(source.size, source.format, rows: rows)
    let contents = try contents(of: picture.buffer)
    for (index, shape) in source.format.planes.enumerated() {
      let first = rows.lowerBound / shape.rowsPerGroup
      let plane = picture.layout.planes[index]
      for row in 0..<shape.rows(height: rows.count) {
        (contents + plane.offset + row * plane.rowBytes).copyMemory(
          from: source.planes[index].row(first + row), byteCount: shape.rowBytes(width: source.width))
      }
    }
    vc_buffer_flush(picture.buffer, 0, vc_buffer_bytes(picture.buffer))
    return picture
  }

  private func download(_ picture: DevicePicture, to output: PixelBuffer) throws {
    vc_buffer_invalidate(picture.buffer, 0, vc_buffer_bytes(picture.buffer))
    let contents = try contents(of: picture.buffer)
    let plane = picture.layout.planes[0]
    for row in 0..<picture.layout.rows.count {
      output.planes[0].row(row).copyMemory(
        from: contents + plane.offset + row * plane.rowBytes,
        byteCount: output.format.planes[0].rowBytes(width: output.width))
    }
  }
}

extension vc_error {
  fileprivate var failure: SafelightError {
    var copy = message
    let text = withUnsafeBytes(of: &copy) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return SafelightError(.unsupported, text)
  }
}

/// `ProgramRunner` as a renderer, which brings the rows one third after the other.
struct ProgramRenderer: Renderer {
  let runner: ProgramRunner
  let name = "programs"
  let evaluator: any ColorEvaluator = ExactEvaluator()

  func prepare(_ plan: Plan) throws -> PreparedPlan { PreparedPlan(plan: plan, state: try PlanProgram(plan)) }

  func prepare(_ source: PixelBuffer, for plan: PreparedPlan) throws -> PreparedSource {
    PreparedSource(buffer: source, plan: plan.plan, state: ())
  }

  func render(
    _ source: PreparedSource, through plan: PreparedPlan, rows: Range<Int>, into output: PixelBuffer
  ) throws {
    guard let program = plan.state as? PlanProgram, case .picture(let picture) = source.samples else {
      return
    }
    for rows in rows.pieces(of: max(1, (rows.count + 2) / 3)) {
      try runner.run(program, picture, rows: rows, into: output.band(rows: rows))
    }
  }
}
