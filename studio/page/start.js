// Connects while the page still loads: by the time it is ready, the server has said what there is to show.
import { connection, startLine } from "./core/socket.js";
import { takeToken } from "./core/token.js";

const token = takeToken();
// The page may have been faster.
if (token && !globalThis.safelightStudio) {
  const worker = startLine();
  const heard = [];
  worker.onmessage = ({ data }) => heard.push(data);
  worker.onerror = () => heard.push({ type: "failed" });
  worker.postMessage(connection(token));
  globalThis.safelightLine = { worker, heard };
}
