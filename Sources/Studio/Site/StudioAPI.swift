/// The description of what scripts can ask the server for. OpenAPI 3.1.
enum StudioAPI {
  static let description = """
    {
      "openapi": "3.1.0",
      "info": { "title": "Safelight studio", "version": "1" },
      "components": { "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } } },
      "security": [{ "token": [] }],
      "paths": {
        "/api/v1/filters": { "get": { "summary": "All filters with their parameters",
          "responses": { "200": { "description": "As `safelight filters --json`",
            "content": { "application/json": { "schema": { "type": "array" } } } } } } },
        "/api/v1/presets": { "get": { "summary": "The shipped looks",
          "responses": { "200": { "description": "As `safelight presets --json`",
            "content": { "application/json": { "schema": { "type": "array" } } } } } } },
        "/api/v1/presets/{name}": {
          "parameters": [{ "name": "name", "in": "path", "required": true,
            "schema": { "type": "string", "minLength": 1, "maxLength": 64 } }],
          "put": { "summary": "Keep a look of one's own, or replace it",
            "requestBody": { "required": true, "content": {
              "application/json": { "schema": { "type": "object", "description": "A recipe" } },
              "text/plain": { "schema": { "type": "string", "description": "A table, as in a .cube file" } } } },
            "responses": {
              "200": { "description": "The look, as in the list of presets",
                "content": { "application/json": { "schema": { "type": "object" } } } },
              "422": { "description": "What is wrong with it, as RFC 9457 writes it",
                "content": { "application/problem+json": { "schema": { "type": "object" } } } } } },
          "delete": { "summary": "Remove a look of one's own",
            "responses": { "204": { "description": "It is gone" },
              "404": { "description": "There is none of this name" } } } },
        "/api/v1/photos": { "get": { "summary": "The photos that can be opened, with their ids",
          "responses": { "200": { "description": "A list",
            "content": { "application/json": { "schema": { "type": "array" } } } } } } }
      }
    }

    """
}
