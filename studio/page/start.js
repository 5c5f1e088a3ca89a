// Connects while the page itself still loads: by then the server has told what there is to show.
import { connection, startLine } from "./core/socket.js";
import { takeToken } from "./core/token.js";

const token = takeToken();
// The page may have been faster.
if (token && !globalThis.safelightStudio) {
  const worker = startLine();
  const heard = [];
  worker.onmessage = ({ data }) => heard.push(data);
  worker.postMessage(connection(token));
  globalThis.safelightLine = { worker, heard };
}
