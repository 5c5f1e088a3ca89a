import Foundation
import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("What scripts ask a studio for")
struct StudioScriptTests {
  @Test("tells what is known of a photo, and only once what a script has")
  func photo() async throws {
    let client = try ScriptClient()
    let told = try await client.ask("GET", of: 0)
    #expect(told.status == 200 && told.json["name"] == .string("1.png"))
    #expect(told.json["width"] == .number(300) && told.json["height"] == .number(200))
    #expect(told.json["edited"] == .bool(false) && told.json["undo"] == .number(0))
    let tag = try #require(told.tag)
    #expect(try await client.ask("GET", of: 0, "", nil, ["If-None-Match": tag]).status == 304)
    #expect(try await client.ask("PATCH", of: 0, "marks", #"{"rating": 3}"#).status == 200)
    let later = try await client.ask("GET", of: 0, "", nil, ["If-None-Match": tag])
    #expect(later.status == 200 && later.tag != tag)
    let none = try await client.ask("GET", "photos/nobody")
    #expect(none.status == 404 && none.fields["content-type"] == "application/problem+json")
    #expect(none.detail.contains("GET /api/v1/photos"))
    // Deleted, but not yet known to be.
    try FileManager.default.removeItem(atPath: client.path())
    for rest in ["", "recipe", "edit", "marks", "picture", "picture?original"] {
      #expect(try await client.ask("GET", of: 0, rest).status == 404, "\(rest)")
    }
  }

  @Test("makes a recipe the edit: one step, which is what safelight edit would take")
  func recipe() async throws {
    let client = try ScriptClient()
    let empty = try await client.ask("GET", of: 0, "recipe")
    #expect(empty.status == 200 && empty.json["filters"] == .array([]))
    let wanted = Recipe {
      Exposure(stops: 0.5)
      Contrast(20)
    }
    let put = try await client.ask("PUT", of: 0, "recipe", wanted.json())
    #expect(put.status == 200 && put.tag != empty.tag)
    let got = try await client.ask("GET", of: 0, "recipe")
    #expect(got.body == put.body && got.tag == put.tag)
    let sidecar = try #require(try RecipeSidecar.read(forPhoto: client.path()))
    #expect(sidecar.recipe?.json() == wanted.json() && sidecar.history.count == 1)
    #expect(got.text == wanted.json())
    // The same once more is no step.
    #expect(try await client.ask("PUT", of: 0, "recipe", got.text).tag == got.tag)
    #expect(try RecipeSidecar.read(forPhoto: client.path())?.history.count == 1)
  }

  @Test("changes nothing that has moved on since the script read it")
  func conditions() async throws {
    let client = try ScriptClient()
    let first = try #require(try await client.ask("GET", of: 0, "edit").tag)
    // One edit in two forms has one tag.
    #expect(try await client.ask("GET", of: 0, "recipe").tag == first)
    let patch = #"{"values": {"exposure": 1}}"#
    let type = "application/merge-patch+json"
    let second = try await client.ask(
      "PATCH", of: 0, "edit", patch, ["If-Match": first, "Content-Type": type])
    #expect(second.status == 200)
    let late = try await client.ask(
      "PATCH", of: 0, "edit", #"{"values": {"exposure": 2}}"#, ["If-Match": first])
    #expect(late.status == 412 && late.detail.contains("read it again"))
    let recipe = try await client.ask("PUT", of: 0, "recipe", Recipe().json(), ["If-Match": first])
    #expect(recipe.status == 412)
    #expect(try RecipeSidecar.read(forPhoto: client.path())?.history.count == 1)
    let tag = try #require(second.tag)
    let third = try await client.ask(
      "PATCH", of: 0, "edit", #"{"values": {"exposure": null, "contrast": 10}}"#, ["If-Match": tag])
    #expect(third.json["values"] == .object(["contrast": .number(10)]))
    #expect(try await client.ask("GET", of: 0, "edit", nil, ["If-None-Match": third.tag ?? ""]).status == 304)
    let look = try await client.ask("PATCH", of: 0, "edit", #"{"look": {"preset": "noir", "strength": 70}}"#)
    #expect(look.json["values"] == .object(["contrast": .number(10)]))
    let weaker = try await client.ask("PATCH", of: 0, "edit", #"{"look": {"strength": 30}}"#)
    #expect(weaker.json["look"] == .object(["preset": .string("noir"), "strength": .number(30)]))
  }

  @Test(
    "refuses what is wrong with a sentence, and changes nothing",
    arguments: [
      ("PUT", "recipe", #"{"safelight": 1, "filters": [{"filter": "exposre"}]}"#, 422, "exposure"),
      (
        "PUT", "recipe", #"{"safelight": 1, "filters": [{"filter": "crop", "region": "0,0,9999,9"}]}"#,
        422, "crop"
      ),
      (
        "PUT", "recipe", #"{"safelight": 1, "filters": [{"filter": "lut", "file": "/etc/passwd"}]}"#, 422,
        "folder"
      ),
      (
        "PUT", "recipe", #"{"safelight": 1, "filters": [{"filter": "lut", "file": "../x.cube"}]}"#, 422,
        "folder"
      ),
      ("PUT", "recipe", "{", 422, "recipe:1"), ("PUT", "recipe", "[]", 422, "object"),
      ("PATCH", "edit", #"{"values": {"exposre": 1}}"#, 422, "exposure"),
      ("PATCH", "edit", #"{"values": {"exposure": 99}}"#, 422, "exposure"),
      ("PATCH", "edit", #"{"base": [{"filter": "lut", "file": "/etc/passwd"}]}"#, 422, "folder"),
      ("PATCH", "edit", #"{"look": {"preset": "nor"}}"#, 422, "noir"), ("PATCH", "edit", "7", 422, "object"),
      ("PUT", "marks", #"{"rating": 6}"#, 422, "0 to 5"), ("PUT", "marks", #"{"stars": 1}"#, 422, "stars"),
      ("PATCH", "marks", #"{"flag": "pik"}"#, 422, "pick"),
      ("GET", "picture?width=0", "", 422, "1 to 65535"), ("GET", "picture?format=gif", "", 422, "gif"),
      ("GET", "picture?widht=10", "", 422, "width"), ("GET", "picture?width=1&width=2", "", 422, "twice"),
      ("GET", "recipe?x", "", 422, "leave out"), ("DELETE", "recipe", "", 405, "PUT"),
    ])
  func refusals(_ request: (String, String, String, Int, String)) async throws {
    let client = try ScriptClient()
    let (method, rest, body, status, words) = request
    let answer = try await client.ask(method, of: 0, rest, body.isEmpty ? nil : body)
    #expect(answer.status == status && answer.detail.contains(words), "\(answer.status) \(answer.detail)")
    #expect(answer.fields["content-type"] == "application/problem+json")
    #expect(try client.scratch.names == ["1.png"])
    if method != "GET", status == 422 {
      let plain = try await client.ask(method, of: 0, rest, body, ["Content-Type": "text/plain"])
      #expect(plain.status == 415)
    }
  }

  @Test("sets all marks, or some, as XMP")
  func marks() async throws {
    let client = try ScriptClient()
    let put = try await client.ask("PUT", of: 0, "marks", #"{"rating": 4, "flag": "pick"}"#)
    #expect(try PhotoMark.read(forPhoto: client.path()) == PhotoMark(rating: 4, flag: .pick))
    #expect(
      put.json == ["rating": .number(4), "flag": .string("pick"), "color": .string("none")])
    _ = try await client.ask("PATCH", of: 0, "marks", #"{"color": "red", "flag": null}"#)
    #expect(try PhotoMark.read(forPhoto: client.path()) == PhotoMark(rating: 4, color: .red))
    #expect(try await client.ask("PUT", of: 0, "marks", "{}").json["rating"] == .number(0))
    #expect(try await client.ask("GET", of: 0, "marks").json["color"] == .string("none"))
  }

  @Test("makes the pictures that an export would make, byte for byte")
  func pictures() async throws {
    let client = try ScriptClient()
    let wanted = Recipe {
      Exposure(stops: 0.5)
      Lens(LensProfile(distortion: [1.02, 0, -0.05], vignetting: SIMD3(-0.3, 0, 0)), name: "a barrel")
      Keystone(vertical: 6, horizontal: -3)
      Crop(.rectangle(x: 10, y: 10, width: 200, height: 100))
    }
    _ = try await client.ask("PUT", of: 0, "recipe", wanted.json())
    func export(_ name: String, _ recipe: Recipe, _ change: (inout PhotoExport) -> Void = { _ in }) throws
      -> [UInt8]
    {
      var export = PhotoExport()
      change(&export)
      _ = try export.runBlocking(client.path(), through: recipe, to: client.scratch(name))
      return try client.scratch.read(name)
    }
    let edited = try await client.ask("GET", of: 0, "picture")
    #expect(edited.fields["content-type"] == "image/jpeg")
    #expect(try edited.body == export("a.jpg", wanted))
    let small = try await client.ask("GET", of: 0, "picture?width=50&height=40&format=png")
    #expect(small.fields["content-type"] == "image/png")
    #expect(
      try small.body == export("b.png", wanted) { $0.maximumSize = PixelSize(width: 50, height: 40) })
    let original = try await client.ask("GET", of: 0, "picture?original=true&quality=60")
    #expect(try original.body == export("c.jpg", Recipe()) { $0.quality = 60 })
    let tag = try #require(edited.tag)
    #expect(try await client.ask("GET", of: 0, "picture", nil, ["If-None-Match": tag]).status == 304)
    _ = try await client.ask("PATCH", of: 0, "edit", #"{"values": {"contrast": 5}}"#)
    #expect(try await client.ask("GET", of: 0, "picture", nil, ["If-None-Match": tag]).status == 200)
  }
}
