// Says which session wrote a line of a file, and prints what was said there:
//
//   node examples/who-wrote.ts FILE LINE

import { blame, readSession, renderSession } from "pi-grove";

const [file, line] = process.argv.slice(2);
if (file === undefined || line === undefined) throw new Error("Which line? node examples/who-wrote.ts FILE LINE");

for (const { answer, why, edits } of await blame(file, { from: Number(line) })) {
	console.log(`${answer}: ${why}`);
	for (const { session, entryId } of edits) {
		console.log(`\n${session}#${entryId}`);
		console.log(await renderSession(await readSession(session), { format: "text", entryId, width: 80 }));
	}
}
