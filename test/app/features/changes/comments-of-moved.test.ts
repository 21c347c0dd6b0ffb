import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { CHANGED } from "../../../../src/app/features/changes/changes-state.ts";
import { topOverlay } from "../../../../src/app/world/state/overlays.ts";
import { type Comment, NO_MARKS } from "../../../../src/catalog/model/marks.ts";
import { createDemo } from "../../../../src/cli/browser/demo.ts";
import { COMMENT } from "../../../support/comments.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { EditingSession } from "../../../support/editing-session.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { isCurrent } from "../../../support/queries.ts";
import { NOW } from "../../../support/rows.ts";
import { startProgram } from "../../../support/start-program.ts";

const ID = "01a10001-0000-7000-8000-000000000001";

test("a comment that was made under an old name of a file stands below its line, and is changed there", async () => {
	const demo = await createDemo(NOW);
	const repository = new GitRepository(demo.cwd);
	const session = new EditingSession(ID, demo.cwd, NOW - 3_600_000);
	session.disk.set(repository.file("a.ts"), "one\nTWO\nthree\n");
	repository.put(session.disk);
	repository.commit(session.now - 1000, "Begin");
	session.prompt("Move it twice");
	session.edit("a.ts", [{ oldText: "TWO", newText: "two" }]);
	const comment: Comment = {
		...{ ...COMMENT, entry: session.leaf ?? "", path: repository.file("b.ts"), text: "Why two?" },
		...{ line: 2, lines: ["one", "two", "three"], index: 1 },
	};
	for (const [from, to] of [
		["a.ts", "b.ts"],
		["b.ts", "c.ts"],
	] as const)
		session.bash(`mv ${from} ${to}`, (disk) => {
			disk.set(repository.file(to), disk.get(repository.file(from)) ?? "");
			disk.delete(repository.file(from));
		});
	session.putDisk();
	session.save(demo.agentDir);
	const { program, select, press, send, until } = await startProgram({ columns: 100, rows: 30 }, { demo });
	await select("Move it twice");
	const marks = { ...NO_MARKS, comments: new Map([[ID, new Map([["", [comment]]])]]) };
	send({ type: "marks", read: { marks, problems: [] } });
	press("changes");
	const state = await until("the changes", (now) => isCurrent(CHANGED, now));
	const rows = selectScreen(state).panes[0]?.rows.map(({ line }) => textOfRow(line).trim()) ?? [];
	const at = rows.findIndex((row) => row.endsWith("✎ Why two?"));
	expect(rows[at - 1]).toMatch(/✎.*two$/);
	press("down", "down", "down", "down", "down", "comment");
	expect(topOverlay(program.getState())).toMatchObject({ kind: "prompt", value: { text: "Why two?" } });
});
