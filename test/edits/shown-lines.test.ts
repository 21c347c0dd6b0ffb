import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionRow } from "../../src/catalog/model/row.ts";
import { scanFile } from "../../src/catalog/scan/scan-file.ts";
import { blameShown, type ShownLine } from "../../src/edits/shown-lines.ts";
import { TimeSlice } from "../../src/shared/steps.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";

const directory = tempDirOfFile();
const MINUTE = 60_000;

test("a line that a session shows is blamed in the file as it was then, also where that is gone by now", async () => {
	const git = new GitRepository(join(directory, "api"));
	const disk = new Map<string, string>();
	const rows: SessionRow[] = [];
	let now = Date.UTC(2026, 0, 5, 9);
	const session = (number: number, work: (one: EditingSession) => void): string => {
		const id = `01a1000${number}-0000-7000-8000-00000000000${number}`;
		const one = new EditingSession(id, git.path, now, disk);
		one.prompt(`Task ${number}`);
		work(one);
		now = one.now + MINUTE;
		const path = one.save(join(directory, "agent"));
		rows.push(scanFile(path).row);
		return path;
	};
	const commit = (message: string): void => {
		git.put(disk);
		git.commit(now, message);
		now += MINUTE;
	};
	session(1, (one) =>
		one.write("a.ts", "export const limitOfTokens = 30;\nfirst();\nexport const nameOfTable = 'x';\n"),
	);
	commit("Add it");
	let [edit, read] = ["", ""];
	const path = session(2, (one) => {
		one.read("a.ts");
		edit = one.edit("a.ts", [{ oldText: "= 30;", newText: "= ACCESS_LIMIT;" }]);
		one.bash("npm test");
		read = one.read("a.ts");
	});
	commit("Take the limit from the table");
	// What was done later is not looked at, though it wrote the same line again.
	session(3, (one) => one.write("a.ts", "export const limitOfTokens = 30;\n"));
	rmSync(git.file("a.ts"));
	git.commit(now, "Remove it");

	const shown = (text: string, number: number, asOf: string, more: Partial<ShownLine> = {}): ShownLine => {
		return { text, number, asOf, isBefore: false, addedBy: undefined, ...more };
	};
	const cases: readonly [ShownLine, string][] = [
		[shown("export const limitOfTokens = 30;", 1, edit, { isBefore: true }), "exact 1: Add it"],
		[
			shown("export const limitOfTokens = ACCESS_LIMIT;", 1, edit, { addedBy: edit }),
			"exact 2: Take the limit from the table",
		],
		[shown("export const limitOfTokens = ACCESS_LIMIT;", 1, read), "exact 2: Take the limit from the table"],
		[shown("first();", 2, edit), "exact 1: Add it"],
		[shown("export const nameOfTable = 'x';", 3, read), "exact 1: Add it"],
		[shown("typedByHand();", 4, read), "unknown : "],
	];
	const lines = cases.map(([line]) => line);
	const controller = new AbortController();
	const asked = { session: await readSession(path), path: git.file("a.ts"), lines };
	const options = { rows, home: directory, slice: new TimeSlice(controller.signal), signal: controller.signal };
	const { authors } = await blameShown({ ...asked, place: undefined }, options);
	const answers = lines.map((line) => {
		const { answer, edits, commit: by } = authors.get(line) ?? { answer: "", edits: [] };
		return `${answer} ${edits.map((one) => /(\d)\.jsonl$/.exec(one.session)?.[1]).join(" ")}: ${by?.summary ?? ""}`;
	});
	expect(answers).toEqual(cases.map(([, answer]) => answer));
	// Of a session on another machine only what it shows itself is known, and no commit of a directory that happens to be here.
	const elsewhere = await blameShown({ ...asked, place: "mini" }, options);
	expect(lines.map((line) => elsewhere.authors.get(line)?.answer)).toEqual([
		...["unknown", "exact", "candidates", "unknown", "unknown", "unknown"],
	]);
	expect(elsewhere.authors.values().every((author) => author.commit === undefined)).toBe(true);
	controller.abort();
	await expect(blameShown({ ...asked, place: undefined }, options)).rejects.toThrow(/abort/i);
});
