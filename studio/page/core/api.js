// What goes over HTTP: files, which would hold up the messages of the socket.

export function createAPI(token) {
  async function ask(path, options) {
    try {
      const headers = { ...options.headers, Authorization: `Bearer ${token()}` };
      const response = await fetch(`/api/v1/${path}`, { ...options, headers });
      if (response.status === 204) return {};
      const body = await response.json();
      return response.ok ? body : { problem: body.title, remedy: body.detail };
    } catch {
      return { problem: "Safelight cannot be reached", remedy: "Start it again, or reload the page." };
    }
  }
  const preset = (name) => `presets/${encodeURIComponent(name)}`;
  return {
    /** Keeps a file as a look; returns the look, or `{ problem, remedy }`. */
    keep: (name, file, type) => ask(preset(name), { method: "PUT", body: file, headers: { "Content-Type": type } }),
    /** Removes a look; returns what went wrong, or null. */
    async remove(name) {
      const { problem, remedy } = await ask(preset(name), { method: "DELETE" });
      return problem ? [problem, remedy].filter(Boolean).join("; ") : null;
    },
  };
}
