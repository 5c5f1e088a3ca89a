/// The description of what scripts can ask for about one photo, and of exports.
extension StudioAPI {
  /// Keys of `components.schemas`.
  static let schemas = """
    "OnePhoto": { "type": "object",
      "required": ["photo", "name", "width", "height", "marks", "edited", "undo", "redo"],
      "properties": { "photo": { "type": "string" }, "name": { "type": "string" },
        "width": { "type": "integer", "description": "Of the photo turned upright, in pixels, without its edit" },
        "height": { "type": "integer" },
        "marks": { "$ref": "#/components/schemas/Marks" },
        "edited": { "type": "boolean", "description": "Whether there is an edit that does something" },
        "undo": { "type": "integer", "description": "Steps of the edit's history that can be undone" },
        "redo": { "type": "integer", "description": "Steps that can be done again" } } },
    "Edit": { "type": "object", "additionalProperties": false,
      "description": "An edit as the page has it: controls with values, over a look, over filters without a control",
      "properties": {
        "values": { "type": "object", "additionalProperties": { "type": ["number", "string", "null"] },
          "description": "By the flags of parameters in /api/v1/filters; what is absent is neutral",
          "examples": [{ "exposure": 0.3, "temperature": 5200, "crop": "4:5" }] },
        "look": { "type": ["object", "null"], "additionalProperties": false,
          "properties": { "preset": { "type": ["string", "null"] },
            "strength": { "type": ["number", "null"], "description": "In percent, 0…100" } } },
        "groups": { "type": ["array", "null"], "items": { "type": "object" }, "description": "Masks: groups of a recipe" },
        "base": { "type": ["array", "null"], "items": { "type": "object" }, "description": "Filters of a recipe" },
        "listed": { "type": ["boolean", "null"],
          "description": "Whether the filters of base are applied in their order" } } },
    "Marks": { "type": "object", "additionalProperties": false,
      "properties": { "rating": { "type": ["integer", "null"], "minimum": 0, "maximum": 5 },
        "flag": { "enum": ["none", "pick", "reject", null] },
        "color": { "enum": ["none", "red", "yellow", "green", "blue", "purple", null] } },
      "examples": [{ "rating": 4, "flag": "pick", "color": "green" }] },
    "ExportRequest": { "type": "object", "required": ["photos"], "additionalProperties": false,
      "properties": {
        "photos": { "type": "array", "minItems": 1, "maxItems": 100000, "items": { "type": "string" },
          "description": "Ids of photos" },
        "format": { "enum": ["jpeg", "png", "tiff", "webp", "avif", "heic", "jxl"], "default": "jpeg" },
        "quality": { "type": "number", "minimum": 1, "maximum": 100, "default": 92 },
        "maxSize": { "type": ["integer", "null"], "minimum": 1, "maximum": 65535,
          "description": "The longest edge at most, in pixels; smaller pictures are not enlarged" },
        "colorSpace": { "enum": ["keep", "srgb", "display-p3", "adobe-rgb", "rec2020", "prophoto"],
          "default": "keep" },
        "metadata": { "enum": ["keep", "strip-location", "strip"], "default": "keep" } } },
    "Export": { "type": "object",
      "required": ["export", "state", "done", "count", "fraction", "files", "failed", "bytes", "seconds", "command"],
      "properties": { "export": { "type": "string", "description": "Its id" },
        "state": { "enum": ["waiting", "running", "done", "cancelled"] },
        "done": { "type": "integer", "description": "Photos that are ready or have failed" },
        "count": { "type": "integer", "description": "All its photos" },
        "fraction": { "type": "number", "minimum": 0, "maximum": 1 },
        "files": { "type": "array", "items": { "type": "object", "required": ["photo", "path", "bytes"],
          "properties": { "photo": { "type": "string" }, "path": { "type": "string" },
            "bytes": { "type": "integer" } } } },
        "failed": { "type": "array", "items": { "type": "object", "required": ["photo", "message", "remedy"],
          "properties": { "photo": { "type": "string" }, "message": { "type": "string" },
            "remedy": { "type": "string" } } } },
        "bytes": { "type": "integer", "description": "Of all files together" },
        "seconds": { "type": ["number", "null"], "description": "From the request to the end; null before" },
        "command": { "type": ["string", "null"], "description": "The command that writes the same files; null before" } } }
    """

  /// Keys of `components.parameters`.
  static let parameters = """
    "photo": { "name": "photo", "in": "path", "required": true,
      "schema": { "type": "string", "minLength": 1, "maxLength": 64 }, "description": "An id of /api/v1/photos" },
    "export": { "name": "export", "in": "path", "required": true,
      "schema": { "type": "string", "minLength": 1, "maxLength": 64 } },
    "ifMatch": { "name": "If-Match", "in": "header", "schema": { "type": "string" },
      "description": "The ETag of the state that was read: a newer one is not changed. Without it whatever is there is changed, as one step that can be undone" },
    "ifNoneMatch": { "name": "If-None-Match", "in": "header", "schema": { "type": "string" },
      "description": "The ETag of what is known: 304 if that is still so" }
    """

  private static func refused(_ statuses: Int...) -> String {
    statuses.map { "\"\($0)\": { \"$ref\": \"#/components/responses/Refused\" }" }.joined(separator: ", ")
  }

  private static func answer(_ schema: String, _ description: String, hasTag: Bool = false) -> String {
    let tag = hasTag ? "\"headers\": { \"ETag\": { \"schema\": { \"type\": \"string\" } } }, " : ""
    return """
      { "description": "\(description)", \(tag)"content": { "application/json": {
        "schema": { "$ref": "#/components/schemas/\(schema)" } } } }
      """
  }

  private static let known = "\"304\": { \"description\": \"As it was\" }"

  private static func body(_ schema: String, _ types: String...) -> String {
    let content = types.map { "\"\($0)\": { \"schema\": { \"$ref\": \"#/components/schemas/\(schema)\" } }" }
    return "{ \"required\": true, \"content\": { \(content.joined(separator: ", ")) } }"
  }

  /// Keys of `paths`.
  static let photoPaths = """
    "/api/v1/photos/{photo}": {
      "parameters": [{ "$ref": "#/components/parameters/photo" }],
      "get": { "summary": "What is known of a photo", "operationId": "photo",
        "parameters": [{ "$ref": "#/components/parameters/ifNoneMatch" }],
        "responses": { "200": \(answer("OnePhoto", "The photo", hasTag: true)), \(known),
          \(refused(400, 401, 404, 422, 429)) } } },
    "/api/v1/photos/{photo}/recipe": {
      "parameters": [{ "$ref": "#/components/parameters/photo" }],
      "get": { "summary": "The edit as safelight edit --recipe takes it", "operationId": "recipe",
        "description": "As it is saved beside the photo. Files that it names are relative to the photo's folder.",
        "parameters": [{ "$ref": "#/components/parameters/ifNoneMatch" }],
        "responses": { "200": \(answer("Recipe", "The edit; without filters if there is none", hasTag: true)),
          \(known), \(refused(400, 401, 404, 422, 429)) } },
      "put": { "summary": "Make a recipe the edit: one step of its history, seen at once on open pages",
        "operationId": "setRecipe",
        "parameters": [{ "$ref": "#/components/parameters/ifMatch" }],
        "requestBody": \(body("Recipe", "application/json")),
        "responses": { "200": \(answer("Recipe", "The edit as it is saved", hasTag: true)),
          \(refused(400, 401, 404, 412, 413, 415, 422, 429)) } } },
    "/api/v1/photos/{photo}/edit": {
      "parameters": [{ "$ref": "#/components/parameters/photo" }],
      "get": { "summary": "The same edit as values, with the same ETag", "operationId": "edit",
        "parameters": [{ "$ref": "#/components/parameters/ifNoneMatch" }],
        "responses": { "200": \(answer("Edit", "The edit", hasTag: true)), \(known),
          \(refused(400, 401, 404, 422, 429)) } },
      "patch": { "summary": "Change some values: one step of the history, seen at once on open pages",
        "description": "A merge patch (RFC 7396): null makes a value neutral. A recipe is put as a whole instead, since a merge patch cannot change a part of a list.",
        "operationId": "patchEdit",
        "parameters": [{ "$ref": "#/components/parameters/ifMatch" }],
        "requestBody": \(body("Edit", "application/merge-patch+json", "application/json")),
        "responses": { "200": \(answer("Edit", "The edit as it is saved", hasTag: true)),
          \(refused(400, 401, 404, 412, 413, 415, 422, 429)) } } },
    "/api/v1/photos/{photo}/marks": {
      "parameters": [{ "$ref": "#/components/parameters/photo" }],
      "get": { "summary": "Stars, flag and colour", "operationId": "marks",
        "responses": { "200": \(answer("Marks", "The marks")), \(refused(400, 401, 404, 422, 429)) } },
      "put": { "summary": "Set all marks, those that are absent to none; written as XMP beside the photo",
        "operationId": "setMarks",
        "requestBody": \(body("Marks", "application/json")),
        "responses": { "200": \(answer("Marks", "The marks")),
          \(refused(400, 401, 404, 413, 415, 422, 429)) } },
      "patch": { "summary": "Set some marks; those that are absent stay", "operationId": "patchMarks",
        "requestBody": \(body("Marks", "application/merge-patch+json", "application/json")),
        "responses": { "200": \(answer("Marks", "The marks")),
          \(refused(400, 401, 404, 413, 415, 422, 429)) } } },
    "/api/v1/photos/{photo}/picture": {
      "parameters": [{ "$ref": "#/components/parameters/photo" }],
      "get": { "summary": "The edited photo: the bytes that safelight edit --backend cpu writes", "operationId": "picture",
        "description": "One is made at a time, and none begins while something is dragged on a page. At most \(ScriptWork.mostPictures) wait; more are refused with 429.",
        "parameters": [
          { "name": "width", "in": "query", "schema": { "type": "integer", "minimum": 1, "maximum": 65535 },
            "description": "At most, in pixels; pictures are not enlarged. As --max-size" },
          { "name": "height", "in": "query", "schema": { "type": "integer", "minimum": 1, "maximum": 65535 } },
          { "name": "format", "in": "query", "schema": { "enum": ["jpeg", "png"], "default": "jpeg" } },
          { "name": "quality", "in": "query", "description": "Of JPEG",
            "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 92 } },
          { "name": "original", "in": "query", "description": "Without the edit",
            "schema": { "type": "boolean", "default": false } },
          { "$ref": "#/components/parameters/ifNoneMatch" }],
        "responses": { "200": { "description": "The picture",
            "headers": { "ETag": { "schema": { "type": "string" } } },
            "content": { "image/jpeg": {}, "image/png": {} } }, \(known),
          \(refused(400, 401, 404, 422, 429)) } } }
    """

  /// Keys of `paths`.
  static let exportPaths = """
    "/api/v1/exports": {
      "post": { "summary": "Write photos with their edits into files, in a folder “edited” beside each",
        "description": "No file is replaced. At most \(ScriptWork.mostExports) run or wait; more are refused with 429.",
        "operationId": "export",
        "requestBody": \(body("ExportRequest", "application/json")),
        "responses": {
          "202": { "description": "It has begun, or waits for its turn",
            "headers": { "Location": { "description": "Where its progress is", "schema": { "type": "string" } } },
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Export" } } },
            "links": { "progress": { "operationId": "progress", "parameters": { "export": "$response.body#/export" } },
              "end": { "operationId": "endExport", "parameters": { "export": "$response.body#/export" } } } },
          \(refused(400, 401, 413, 415, 422, 429)) } } },
    "/api/v1/exports/{export}": {
      "parameters": [{ "$ref": "#/components/parameters/export" }],
      "get": { "summary": "How far an export is, and what it wrote; kept for the last 64 that ended",
        "operationId": "progress",
        "responses": { "200": \(answer("Export", "The export")), \(refused(400, 401, 404, 422)) } },
      "delete": { "summary": "End an export after the photo in work, and forget it; its files stay",
        "operationId": "endExport",
        "responses": { "200": \(answer("Export", "What it wrote until it ended")), \(refused(400, 401, 404, 422)) } } }
    """
}
