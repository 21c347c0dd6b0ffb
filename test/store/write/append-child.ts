/** A process that appends one message to a session and prints, as JSON, what went wrong. */
import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";

const [path = "", text = "", mode = ""] = process.argv.slice(2);
const manager = SessionManager.open(path);
const leaf = manager.getLeafId();
const entries = manager.getEntries().length;
if (mode === "unprivileged") {
	chmodSync(path, 0o444);
	chmodSync(dirname(path), 0o555);
	// Root may write everywhere, so the process becomes the user `nobody`.
	if (process.getuid?.() === 0) process.setuid?.(65534);
}
let error = "";
try {
	manager.appendMessage({ role: "user", content: text, timestamp: 1 });
} catch (caught) {
	error = caught instanceof Error ? caught.message : String(caught);
}
process.stdout.write(
	JSON.stringify({
		error,
		leafStays: manager.getLeafId() === leaf,
		entriesStay: manager.getEntries().length === entries,
	}),
);
