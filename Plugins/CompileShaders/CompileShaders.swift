import Foundation
import PackagePlugin

/// Compiles `shaders/` into a Swift file of the target whenever a shader or the compiler has changed.
@main
struct CompileShaders: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folder = context.package.directoryURL.appending(path: "shaders")
    let shaders = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".comp") || $0.hasSuffix(".glsl") }
      .sorted()
    // A compiler that is installed later is a new input, so the shaders are compiled then.
    let compilers = ["glslangValidator", "spirv-val"].compactMap(Self.program)
    let output = context.pluginWorkDirectoryURL.appending(path: "ShaderCode.swift")
    return [
      .buildCommand(
        displayName: "Compiling shaders", executable: try context.tool(named: "ShaderCompiler").url,
        arguments: [folder.path, output.path],
        inputFiles: shaders.map { folder.appending(path: $0) } + compilers, outputFiles: [output])
    ]
  }

  /// Returns the path of a program, as a shell would find it.
  private static func program(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
