import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Grounds } from "../../src/edits/grounds.ts";
import { Ledger } from "../../src/edits/ledger.ts";
import { LineHistory } from "../../src/edits/lines.ts";
import { TimeSlice } from "../../src/shared/steps.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { EditingSession } from "../support/editing-session.ts";
import { tempDir } from "../support/temp-dir.ts";

const FILE = "/gone/work/a.ts";

/** The entry that put each line of the file there, as it is in the end. */
async function authorsIn(one: EditingSession): Promise<readonly (string | undefined)[]> {
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, one.text);
	const witness = { session: await readSession(path), home: "/home/x", title: "" };
	const ledger = await Ledger.open([witness], new Grounds(false), { readsDisk: false, slice: new TimeSlice() });
	await ledger.prepare([FILE]);
	const { origins = [] } = new LineHistory(ledger, [FILE]).lastOf(FILE) ?? {};
	return origins.map((origin) => (origin.kind === "step" ? origin.step.entryId : undefined));
}

function start(): EditingSession {
	return new EditingSession("01a10000-0000-7000-8000-00000000aaaa", "/gone/work", Date.UTC(2026, 0, 1));
}

test("of lines that are equal, the diff of the edit says which one is new", async () => {
	for (const isFirstNew of [true, false]) {
		const one = start();
		const written = one.write("a.ts", "first()\n\nlast()\n");
		const diff = isFirstNew
			? " 1 first()\n+2 \n+3 middle()\n 2 \n 3 last()"
			: " 1 first()\n 2 \n+3 middle()\n+4 \n 3 last()";
		const edited = one.edit("a.ts", [{ oldText: "first()\n", newText: "first()\n\nmiddle()\n" }]);
		one.lines.push(...one.lines.splice(-1).map((line) => withDiff(line, diff)));
		const newEntries = isFirstNew ? [edited, edited, written] : [written, edited, edited];
		expect(await authorsIn(one)).toEqual([written, ...newEntries, written]);
	}
});

/** A result with another diff. */
function withDiff(line: string, diff: string): string {
	const entry = JSON.parse(line);
	entry.message.details = { diff };
	return JSON.stringify(entry);
}

test("a file that is written whole has no lines of the text before that occur everywhere", async () => {
	const one = start();
	const before = one.write("a.ts", "one() {\n\treturn 1;\n}\n\ntwo() {\n\treturn 2;\n}\n");
	const after = one.write("a.ts", "other() {\n\tstop();\n}\ntwo() {\n\treturn 2;\n}\n");
	expect(await authorsIn(one)).toEqual([after, after, after, before, before, before]);
});
