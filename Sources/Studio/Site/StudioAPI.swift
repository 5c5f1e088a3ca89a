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
        "/api/v1/photos": { "get": { "summary": "The photos that can be opened, with their ids",
          "responses": { "200": { "description": "A list",
            "content": { "application/json": { "schema": { "type": "array" } } } } } } }
      }
    }

    """
}
