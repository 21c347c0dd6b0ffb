// Says of a session which files it has changed and what its subagents did, and writes it as a page, with secrets masked:
//
//   node examples/report.ts SESSION_FILE [PAGE.html]

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { changesOf, listRuns, readSession, renderSession } from "pi-grove";

const [file, page = "session.html"] = process.argv.slice(2);
if (file === undefined) throw new Error("Which session? node examples/report.ts SESSION_FILE [PAGE.html]");

const session = await readSession(resolve(file));
for (const { path, added, removed, edits } of (await changesOf(session)).files) {
	const turns = new Set(edits.map(({ turn }) => turn));
	console.log(`+${added} -${removed}  ${path}  in turn ${[...turns].join(", ")}`);
}
for (const { level, facts, cost } of await listRuns(resolve(file))) {
	console.log(`${"  ".repeat(level)}${facts.agent}: ${facts.task} (${facts.state}, $${(cost ?? 0).toFixed(4)})`);
}
writeFileSync(page, await renderSession(session, { format: "html" }));
console.log(`page: ${resolve(page)}`);
