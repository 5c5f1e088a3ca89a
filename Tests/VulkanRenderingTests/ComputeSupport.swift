import Foundation
import Testing
import VulkanCompute

@testable import VulkanRendering

/// Why something of the C interface failed.
struct ComputeFailure: Error, CustomStringConvertible {
  let status: vc_status
  let message: String
  var description: String { "\(status.rawValue): \(message)" }

  init(_ error: vc_error) {
    status = error.status
    message = text(of: error.message)
  }
}

/// The text of an array of `char` in C, up to its 0.
func text<Characters>(of characters: Characters) -> String {
  withUnsafeBytes(of: characters) { bytes in
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// Calls a function that says why it failed where it gives nothing.
func made(_ body: (UnsafeMutablePointer<vc_error>) -> OpaquePointer?) throws -> OpaquePointer {
  var error = vc_error()
  guard let result = body(&error) else { throw ComputeFailure(error) }
  return result
}

/// Calls a function that says why it failed where it gives 0.
func succeed(_ body: (UnsafeMutablePointer<vc_error>) -> Int32) throws {
  var error = vc_error()
  if body(&error) == 0 { throw ComputeFailure(error) }
}

/// What a call fails with; an issue is recorded where it does not fail.
func failure(of body: () throws -> Void) -> ComputeFailure? {
  #expect(throws: ComputeFailure.self, performing: body)
}

/// What tests need of the machine; each lack is the reason that a test is skipped with.
enum ComputeMachine {
  static let noDevice: String? = {
    do {
      let instance = try made { vc_instance_open(0, $0) }
      defer { vc_instance_close(instance) }
      var problems: [String] = []
      for index in 0..<vc_device_count(instance) {
        var info = vc_device_info()
        vc_device_describe(instance, index, &info)
        if info.problem.0 == 0 { return nil }
        problems.append("\(text(of: info.name)) \(text(of: info.problem))")
      }
      return problems.joined(separator: ", ")
    } catch {
      return "There is no Vulkan device: \(error)"
    }
  }()

  static let noLayer: String? = {
    do {
      vc_instance_close(try made { vc_instance_open(1, $0) })
      return nil
    } catch {
      return "Vulkan is not validated: \(error)"
    }
  }()

  static let noImport: String? = {
    guard noDevice == nil, let bench = try? ComputeBench() else { return noDevice }
    defer {
      bench.close()
      vc_instance_close(bench.instance)
    }
    return bench.limits.import_alignment > 0
      ? nil : "\(text(of: bench.info.name)) does not import the processor's memory"
  }()

  /// The first device that can be used.
  static func deviceIndex(in instance: OpaquePointer) -> Int {
    (0..<vc_device_count(instance)).first { index in
      var info = vc_device_info()
      vc_device_describe(instance, index, &info)
      return info.problem.0 == 0
    } ?? 0
  }
}

extension Trait where Self == ConditionTrait {
  static var needsDevice: Self {
    .enabled(if: ComputeMachine.noDevice == nil, Comment(rawValue: ComputeMachine.noDevice ?? ""))
  }

  /// Shaders are left out of builds without glslang.
  static var needsShaders: Self {
    .enabled(if: (try? Shader.frame.code()) != nil, "this build has no shaders")
  }

  static var needsImport: Self {
    .enabled(if: ComputeMachine.noImport == nil, Comment(rawValue: ComputeMachine.noImport ?? ""))
  }

  static var needsValidation: Self {
    .enabled(if: ComputeMachine.noLayer == nil, Comment(rawValue: ComputeMachine.noLayer ?? ""))
  }
}

/// A device of its own for a test, which the validation layer watches where it is installed, and what the test makes on
/// it.
final class ComputeBench {
  let instance: OpaquePointer
  private(set) var device: OpaquePointer
  private var buffers: [OpaquePointer] = []
  private var kernels: [OpaquePointer] = []
  private var recordings: [OpaquePointer] = []

  /// Runs a test and expects no complaint of the validation layer.
  static func run(_ body: (ComputeBench) throws -> Void) throws {
    let bench = try ComputeBench()
    defer { vc_instance_close(bench.instance) }
    do {
      defer { bench.close() }
      try body(bench)
    }
    let (count, first) = bench.complaints
    #expect(count == 0, "\(first)")
  }

  init() throws {
    instance = try made { vc_instance_open(ComputeMachine.noLayer == nil ? 2 : 0, $0) }
    device = try made { [instance] in
      vc_device_open(instance, ComputeMachine.deviceIndex(in: instance), nil, 0, $0)
    }
  }

  var complaints: (count: Int, first: String) {
    var first = [CChar](repeating: 0, count: 2048)
    let count = vc_instance_complaints(instance, &first, first.count)
    return (count, String(decoding: first.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
  }

  var info: vc_device_info {
    var info = vc_device_info()
    vc_device_describe(instance, ComputeMachine.deviceIndex(in: instance), &info)
    return info
  }

  var limits: vc_limits {
    var limits = vc_limits()
    vc_device_limits(device, &limits)
    return limits
  }

  func close() {
    recordings.forEach(vc_commands_destroy)
    kernels.forEach(vc_kernel_destroy)
    buffers.forEach(vc_buffer_destroy)
    (recordings, kernels, buffers) = ([], [], [])
    vc_device_close(device)
  }

  /// Closes the device with all that is on it, and opens it again.
  func reopen(with cache: [UInt8] = []) throws {
    close()
    device = try made { [instance] in
      vc_device_open(instance, ComputeMachine.deviceIndex(in: instance), cache, cache.count, $0)
    }
  }

  func buffer(_ bytes: Int, _ memory: vc_memory = VC_MEMORY_DEVICE) throws -> OpaquePointer {
    let buffer = try made { vc_buffer_create(device, UInt64(bytes), memory, $0) }
    buffers.append(buffer)
    return buffer
  }

  func importing(_ memory: UnsafeMutableRawPointer?, _ bytes: Int) throws -> OpaquePointer {
    let buffer = try made { vc_buffer_import_memory(device, memory, UInt64(bytes), $0) }
    buffers.append(buffer)
    return buffer
  }

  func destroy(buffer: OpaquePointer) {
    buffers.removeAll { $0 == buffer }
    vc_buffer_destroy(buffer)
  }

  func recording(timestamps: Int = 0) throws -> OpaquePointer {
    let recording = try made { vc_commands_create(device, timestamps, $0) }
    recordings.append(recording)
    return recording
  }

  func kernel(_ code: [UInt32], constants: [UInt32] = [], buffers: Int = 2, parameters: Int = 0) throws
    -> OpaquePointer
  {
    let kernel = try made {
      vc_kernel_create(device, code, code.count, constants, constants.count, buffers, 4 * parameters, $0)
    }
    kernels.append(kernel)
    return kernel
  }

  /// Records, submits and waits.
  func run(_ recording: OpaquePointer, _ body: (OpaquePointer) throws -> Void) throws {
    try succeed { vc_commands_begin(recording, $0) }
    try body(recording)
    try succeed { vc_commands_submit(recording, $0) }
    try succeed { vc_commands_wait(recording, .max, $0) }
  }

  func fill(_ buffer: OpaquePointer, with words: [UInt32]) throws {
    let contents = try #require(vc_buffer_contents(buffer))
    words.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(start: contents, count: $0.count).copyMemory(from: $0)
    }
    vc_buffer_flush(buffer, 0, UInt64(4 * words.count))
  }

  func words(of buffer: OpaquePointer, _ count: Int) throws -> [UInt32] {
    vc_buffer_invalidate(buffer, 0, UInt64(4 * count))
    let contents = try #require(vc_buffer_contents(buffer))
    return Array(UnsafeRawBufferPointer(start: contents, count: 4 * count).bindMemory(to: UInt32.self))
  }
}
