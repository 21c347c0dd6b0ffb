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

	const line = (text: string, number: number, more: Partial<ShownLine> = {}): ShownLine => {
		return { kind: "same", text, before: number, after: number, ...more };
	};
	const ofEdit: readonly [ShownLine, string][] = [
		[line("export const limitOfTokens = 30;", 1, { kind: "removed" }), "exact 1: Add it"],
		[
			line("export const limitOfTokens = ACCESS_LIMIT;", 1, { kind: "added", addedBy: edit }),
			"exact 2: Take the limit from the table",
		],
		[line("first();", 2), "exact 1: Add it"],
	];
	const ofRead: readonly [ShownLine, string][] = [
		[line("export const limitOfTokens = ACCESS_LIMIT;", 1), "exact 2: Take the limit from the table"],
		[line("export const nameOfTable = 'x';", 3), "exact 1: Add it"],
	];
	const controller = new AbortController();
	const options = { rows, home: directory, slice: new TimeSlice(controller.signal), signal: controller.signal };
	const opened = await readSession(path);
	const authorsOf = async (id: string, lines: readonly ShownLine[], place?: string) => {
		const asked = { session: opened, path: git.file("a.ts"), lines, first: id, last: id, place };
		const { authors } = await blameShown(asked, options);
		return lines.map((one) => authors.get(one) ?? { answer: "", edits: [], commit: undefined });
	};
	const cases = [
		{ id: edit, expected: ofEdit },
		{ id: read, expected: ofRead },
		{ id: read, expected: [...ofRead, [line("typedByHand();", 4), "unknown : "]] as const },
	];
	for (const { id, expected } of cases) {
		const answers = await authorsOf(
			id,
			expected.map(([one]) => one),
		);
		expect(
			answers.map(({ answer, edits, commit: by }) => {
				return `${answer} ${edits.map((one) => /(\d)\.jsonl$/.exec(one.session)?.[1]).join(" ")}: ${by?.summary ?? ""}`;
			}),
		).toEqual(expected.map(([, answer]) => answer));
	}
	// Of a session on another machine only what it shows itself is known, and no commit of a directory that happens to be here.
	const elsewhere = await authorsOf(
		edit,
		ofEdit.map(([one]) => one),
		"mini",
	);
	expect(elsewhere.map(({ answer, commit: by }) => [answer, by])).toEqual([
		...[
			["unknown", undefined],
			["exact", undefined],
			["unknown", undefined],
		],
	]);
	controller.abort();
	await expect(
		authorsOf(
			edit,
			ofEdit.map(([one]) => one),
		),
	).rejects.toThrow(/abort/i);
});
