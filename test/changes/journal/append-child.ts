/**
 * A process that notes changes in a journal, and records in a file beside it which are lost.
 */
import { appendFileSync } from "node:fs";
import { createHistoryReader } from "../../../src/changes/journal/history-reader.ts";
import { openJournal } from "../../../src/changes/journal/journal.ts";

const [path = "", root = "", name = "", count = "0"] = process.argv.slice(2);
const journal = openJournal({ path, root });
const history = createHistoryReader(path, root, journal.run);
const session = `${root}/--x--/a.jsonl`;
appendFileSync(`${path}.lost`, "");
for (let number = 0; number < Number(count); number++) {
	const what = `${name}${number}`;
	const id = await journal.begin(what, { type: "rename", path: session, set: what });
	await journal.done(id, { type: "rename", path: session, name: "", set: what });
	const { changes } = await history.read(Number.MAX_SAFE_INTEGER);
	const made = changes.filter((change) => change.what.startsWith(name) && change.undo).toReversed();
	const names = made.map((change) => change.what);
	if (names.join() !== Array.from({ length: number + 1 }, (_, index) => `${name}${index}`).join())
		appendFileSync(`${path}.lost`, `${what}\n`);
}
