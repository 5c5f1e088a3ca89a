// The access token comes in the address's fragment, which browsers send to nobody, and leaves the address bar at once.

const KEY = "safelight-token";

/** The token in a text: an address with `#token=…`, or the bare token. Null if there is none. */
export function tokenIn(text) {
  const match = /#(?:.*&)?token=([^&\s]+)/.exec(text);
  if (match) {
    try {
      return decodeURIComponent(match[1]);
    } catch {
      return null;
    }
  }
  const bare = text.trim();
  return /^[\w~.+/=-]{16,}$/.test(bare) && !bare.includes("//") ? bare : null;
}

/** Moves the token from the address to this tab's storage, and returns it. */
export function takeToken(place = location, storage = sessionStorage) {
  const token = place.hash ? tokenIn(place.hash) : null;
  if (token) {
    storage.setItem(KEY, token);
    history.replaceState(null, "", place.pathname + place.search);
  }
  return token ?? storage.getItem(KEY);
}

export const keepToken = (token) => sessionStorage.setItem(KEY, token);
export const forgetToken = () => sessionStorage.removeItem(KEY);
