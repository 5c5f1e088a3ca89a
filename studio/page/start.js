// Runs before the page's own script, which is large: connects to the server, and shows the first picture.
import { connection, startLine } from "./core/socket.js";
import { takeToken } from "./core/token.js";
import { firstPicture } from "./stage/first-picture.js";

const token = takeToken();
if (token) {
  // What cannot be had so early comes over the connection, which also says why.
  const picture = firstPicture(token).catch(() => null);
  const worker = startLine();
  const heard = [];
  worker.onmessage = ({ data }) => heard.push(data);
  worker.onerror = () => heard.push({ type: "failed" });
  worker.postMessage(connection(token));
  globalThis.safelightLine = { worker, heard, picture };
}
