import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionRow } from "../../src/catalog/model/row.ts";
import { scanFile } from "../../src/catalog/scan/scan-file.ts";
import { answersFor } from "../../src/edits/blame-file.ts";
import { blamedFile } from "../../src/edits/blamed-file.ts";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";

const directory = tempDirOfFile();
const [FIRST, SECOND] = ["01a10001-0000-7000-8000-000000000001", "01a10002-0000-7000-8000-000000000002"];
const TEXT = "export const limitOfTokens = 30;\nexport const typedByHand = true;\n";

function noteOf(key: string, agents: object): string {
	return `src/tokens.ts\n  ${key} 1\n---\n${JSON.stringify({ schema_version: "authorship/3.0.0", ...agents })}`;
}

const SESSION = "s_c9883b05a2487d";
const agent = (id: string, tool = "pi"): object => ({ agent_id: { tool, id, model: "m" } });

/** What the commit says, and the answer for the line that commands of two sessions may have written, and for the one that none did. */
const CASES: readonly [
	name: string,
	says: { readonly note?: string; readonly trailer?: string },
	...answers: string[],
][] = [
	["nothing", {}, "candidates 2 1", "unknown"],
	[
		"a session",
		{ note: noteOf(`${SESSION}::t_9f8e7d6c5b4a32`, { prompts: {}, sessions: { [SESSION]: agent(FIRST) } }) },
		"exact 1 git-ai note",
		"unknown",
	],
	[
		"a session, before 1.4",
		{ note: noteOf("abcd1234abcd1234", { prompts: { abcd1234abcd1234: agent(FIRST) } }) },
		"exact 1 git-ai note",
		"unknown",
	],
	[
		"a session that is not here",
		{ note: noteOf(`${SESSION}::t_9f8e7d6c5b4a32`, { sessions: { [SESSION]: agent("conv_1", "claude") } }) },
		"unknown",
		"unknown",
	],
	[
		"a person",
		{ note: noteOf("h_31dce776f88375", { humans: { h_31dce776f88375: { author: "Ada <a@x>" } } }) },
		"unknown",
		"unknown",
	],
	[
		"another version",
		{ note: noteOf(SESSION, { schema_version: "authorship/4.0.0", sessions: { [SESSION]: agent(FIRST) } }) },
		"candidates 2 1",
		"unknown",
	],
	["a trailer", { trailer: `Pi-Session: ${SECOND}` }, "exact 2 Pi-Session", "candidates 2 Pi-Session"],
	[
		"a trailer with an address",
		{ trailer: `Agent-Session: https://example.com/s/${FIRST}?x=1` },
		"exact 1 Agent-Session",
		"candidates 1 Agent-Session",
	],
	["the beginning of an id", { trailer: "Pi-Session: 01a10001" }, "exact 1 Pi-Session", "candidates 1 Pi-Session"],
	[
		"a trailer that names nobody here",
		{ trailer: "Claude-Session: https://claude.ai/code/session_01R5" },
		"candidates 2 1",
		"unknown",
	],
];

test("what a commit says of sessions decides which of several commands wrote a line", async () => {
	const git = new GitRepository(join(directory, "api"));
	const disk = new Map([[git.file("src/tokens.ts"), "export const typedByHand = true;\n"]]);
	const agentDir = join(directory, "agent");
	const rows: SessionRow[] = [];
	let now = Date.UTC(2026, 0, 5);
	for (const id of [FIRST, SECOND]) {
		const session = new EditingSession(id, git.path, now, disk);
		session.prompt("Set the limit");
		if (rows.length === 0) session.read("src/tokens.ts");
		session.bash("sh limit.sh src/tokens.ts", () => disk.set(git.file("src/tokens.ts"), TEXT));
		rows.push(scanFile(session.save(agentDir)).row);
		now = session.now + 60_000;
	}
	git.put(disk);
	git.commit(now, "Limit the tokens");
	for (const [name, { note, trailer }, first, second] of CASES) {
		const message = `Limit the tokens: ${name}${trailer === undefined ? "" : `\n\n${trailer}`}`;
		git.gitAt(now, "commit", "--quiet", "--allow-empty", "--amend", "-m", message);
		if (note !== undefined) git.git("notes", "--ref=ai", "add", "-m", note);
		const file = await blamedFile(git.file("src/tokens.ts"));
		const { lines } = await answersFor(file, { rows, home: directory });
		const answers = lines.map(({ answer: { answer, edits, source = "" } }) =>
			[answer, ...edits.map(({ session }) => /(\d)\.jsonl$/.exec(session)?.[1]), source].filter(Boolean).join(" "),
		);
		expect([name, ...answers]).toEqual([name, first, second]);
	}
});
