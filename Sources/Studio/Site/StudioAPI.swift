/// The description of what scripts can ask the server for. OpenAPI 3.1.
enum StudioAPI {
  static let description = """
    {
      "openapi": "3.1.0",
      "info": { "title": "Safelight studio", "version": "1" },
      "components": {
        "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        "schemas": {
          "Look": { "type": "object", "required": ["preset", "name", "description", "own"],
            "properties": { "preset": { "type": "string", "description": "The name on command lines" },
              "name": { "type": "string" }, "description": { "type": "string" },
              "own": { "type": "boolean", "description": "Whether it did not ship with Safelight" } } },
          "Photo": { "type": "object", "required": ["photo", "name"],
            "properties": { "photo": { "type": "string", "description": "Its id" },
              "name": { "type": "string", "description": "Of its file" } } },
          "Recipe": { "type": "object", "required": ["safelight"], "additionalProperties": false,
            "properties": {
              "safelight": { "enum": [1, 2], "description": "The version of the format: 2 for recipes with groups" },
              "name": { "type": "string" }, "description": { "type": "string" },
              "order": { "enum": ["canonical", "listed"], "default": "canonical" },
              "filters": { "type": "array", "items": { "type": "object", "required": ["filter"],
                "properties": { "filter": { "type": "string", "description": "An id of /api/v1/filters" } } } } },
            "examples": [{ "safelight": 1, "filters": [{ "filter": "exposure", "stops": 0.3 }] }] },
          "Problem": { "type": "object", "required": ["title", "status"],
            "properties": { "title": { "type": "string" }, "status": { "type": "integer" },
              "detail": { "type": "string", "description": "What is wrong in this case, and the remedy" } } },
          \(schemas)
        },
        "parameters": {
          \(parameters)
        },
        "responses": {
          "Refused": { "description": "What is wrong, as RFC 9457 writes it",
            "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } } }
        }
      },
      "security": [{ "token": [] }],
      "paths": {
        "/api/v1/filters": { "get": { "summary": "All filters with their parameters",
          "responses": { "200": { "description": "As `safelight filters --json`",
              "content": { "application/json": { "schema": { "type": "array", "items": { "type": "object" } } } } },
            "401": { "$ref": "#/components/responses/Refused" } } } },
        "/api/v1/presets": { "get": { "summary": "All looks: those that ship, then one's own",
          "responses": { "200": { "description": "As `safelight presets --json`",
              "content": { "application/json": { "schema": { "type": "array",
                "items": { "$ref": "#/components/schemas/Look" } } } } },
            "401": { "$ref": "#/components/responses/Refused" } } } },
        "/api/v1/presets/{name}": {
          "parameters": [{ "name": "name", "in": "path", "required": true,
            "schema": { "type": "string", "minLength": 1, "maxLength": 64 } }],
          "put": { "summary": "Keep a look of one's own, or replace it",
            "requestBody": { "required": true, "content": {
              "application/json": { "schema": { "$ref": "#/components/schemas/Recipe" } },
              "text/plain": { "schema": { "type": "string", "description": "A table, as in a .cube file" } } } },
            "responses": {
              "200": { "description": "The look",
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Look" } } } },
              "400": { "$ref": "#/components/responses/Refused" },
              "401": { "$ref": "#/components/responses/Refused" },
              "413": { "$ref": "#/components/responses/Refused" },
              "415": { "$ref": "#/components/responses/Refused" },
              "422": { "$ref": "#/components/responses/Refused" } } },
          "delete": { "summary": "Remove a look of one's own",
            "responses": { "204": { "description": "It is gone" },
              "400": { "$ref": "#/components/responses/Refused" },
              "401": { "$ref": "#/components/responses/Refused" },
              "404": { "$ref": "#/components/responses/Refused" } } } },
        "/api/v1/photos": { "get": { "summary": "The photos that can be opened, with their ids",
          "responses": { "200": { "description": "A list",
              "content": { "application/json": { "schema": { "type": "array",
                "items": { "$ref": "#/components/schemas/Photo" } } } },
              "links": {
                "photo": { "operationId": "photo", "parameters": { "photo": "$response.body#/0/photo" } },
                "recipe": { "operationId": "recipe", "parameters": { "photo": "$response.body#/0/photo" } },
                "setRecipe": { "operationId": "setRecipe", "parameters": { "photo": "$response.body#/0/photo" } },
                "edit": { "operationId": "edit", "parameters": { "photo": "$response.body#/0/photo" } },
                "patchEdit": { "operationId": "patchEdit", "parameters": { "photo": "$response.body#/0/photo" } },
                "marks": { "operationId": "marks", "parameters": { "photo": "$response.body#/0/photo" } },
                "setMarks": { "operationId": "setMarks", "parameters": { "photo": "$response.body#/0/photo" } },
                "patchMarks": { "operationId": "patchMarks", "parameters": { "photo": "$response.body#/0/photo" } },
                "picture": { "operationId": "picture", "parameters": { "photo": "$response.body#/0/photo" } } } },
            "401": { "$ref": "#/components/responses/Refused" } } } },
        \(photoPaths),
        \(exportPaths)
      }
    }

    """
}
