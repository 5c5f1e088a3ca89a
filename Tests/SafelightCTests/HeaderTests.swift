import CSafelight
import Testing

@testable import SafelightC

/// Compiles only if both have the same type.
private func same<Function>(_ declared: Function, _ defined: Function) {}

@Suite("The C interface")
struct HeaderTests {
  @Test("is declared in the header as it is defined: this does not compile otherwise")
  func declarations() {
    same(safelight_version, version)
    same(safelight_error_code, errorCode)
    same(safelight_error_message, errorMessage)
    same(safelight_error_problem, errorProblem)
    same(safelight_error_remedy, errorRemedy)
    same(safelight_error_destroy, errorDestroy)
    same(safelight_text_destroy, textDestroy)
    same(safelight_spaces, spaces)
    same(safelight_recipe_create, recipeCreate)
    same(safelight_recipe_of_photo, recipeOfPhoto)
    same(safelight_recipe_keep, recipeKeep)
    same(safelight_recipe_needs_picture, recipeNeedsPicture)
    same(safelight_recipe_resolve, recipeResolve)
    same(safelight_recipe_found, recipeFound)
    same(safelight_recipe_json, recipeJSON)
    same(safelight_recipe_destroy, recipeDestroy)
    same(safelight_filters, filters)
    same(safelight_presets, presets)
    same(safelight_renderer_create, rendererCreate)
    same(safelight_renderer_destroy, rendererDestroy)
    same(safelight_plan_create, planCreate)
    same(safelight_plan_size, planSize)
    same(safelight_plan_format, planFormat)
    same(safelight_plan_text, planText)
    same(safelight_plan_render, planRender)
    same(safelight_plan_destroy, planDestroy)
    same(safelight_photo_edit, photoEdit)
    same(safelight_analyze, analyze)
    same(safelight_photo_analyze, photoAnalyze)
    same(safelight_camera_open, cameraOpen)
    same(safelight_camera_size, cameraSize)
    same(safelight_camera_next, cameraNext)
    same(safelight_camera_destroy, cameraDestroy)
  }

  @Test("numbers its formats as the header does")
  func formats() {
    let numbers = [
      SAFELIGHT_GRAY8, SAFELIGHT_RGB8, SAFELIGHT_RGBA8, SAFELIGHT_GRAY16, SAFELIGHT_RGB16, SAFELIGHT_RGBA16,
      SAFELIGHT_GRAYF32, SAFELIGHT_RGBF32, SAFELIGHT_RGBAF32,
    ]
    #expect(SampleFormat.all.map(\.number) == numbers.map { Int32($0) })
    #expect(SampleFormat.all.map(\.channels) == [1, 3, 4, 1, 3, 4, 1, 3, 4])
    #expect(SampleFormat.all.map(\.bytesPerPixel) == [1, 3, 4, 2, 6, 8, 4, 12, 16])
  }
}
