import Safelight

/// `safelight edit --auto all --straighten auto --preset … --json`, as somebody outside writes it: it uses nothing but
/// the public library. `EditProgramTests` compares it with the program.
func editProgram(_ photo: String, to result: String, preset: String, strength: Double) throws -> String {
  let edit = Edit(
    preset: preset, strength: strength, straighten: .automatic, auto: Set(AutoValues.Kind.allCases))
  let (recipe, found) = try edit.resolve(photo)
  let renderer = try BackendRequest().makeRenderer()
  let report = try PhotoExport().runBlocking(photo, through: recipe, to: result, renderer: renderer)
  return try EditReport(report, of: photo, writtenTo: result, found: found).json()
}
