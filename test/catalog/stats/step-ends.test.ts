import { appendFileSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { hasUseFailed } from "../../../src/catalog/uses/use.ts";
import { sumSteps } from "../../../src/conversation/glance/session-sum.ts";
import { entryColumns, HAS_FAILED } from "../../../src/conversation/tree/entry-columns.ts";
import { matchesEntry } from "../../../src/conversation/tree/match-entry.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { holdSession } from "../../../src/store/held/hold-session.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { openCounting } from "../../support/counting.ts";
import { queryOf } from "../../support/follow-search.ts";
import { entry, header, lines, message, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";
import { readUses } from "../../support/uses.ts";

const COMMANDS = ["grep foo a", "cd x && rg foo", "make", "make all", "make x"] as const;
const RESULTS = [
	"Command exited with code 1",
	"/bin/bash: line 1: cd: x: No such file or directory\n\nCommand exited with code 1",
	"Command exited with code 1",
	"Command aborted",
	"Operation aborted",
] as const;

const asked = message("b", "a", 2, {
	role: "assistant",
	content: COMMANDS.map((command, index) => ({
		type: "toolCall",
		id: `c${index}`,
		name: "bash",
		arguments: { command },
	})),
	...{ api: "a", provider: "p", model: "m", usage: { input: 1, cost: { total: 0.1 } } },
	...{ stopReason: "toolUse", timestamp: 1 },
});
const answered = RESULTS.map((text, index) =>
	message(`r${index}`, index === 0 ? "b" : `r${index - 1}`, 3 + index, {
		...{ role: "toolResult", toolCallId: `c${index}`, toolName: "bash", content: [{ type: "text", text }] },
		...{ isError: true, timestamp: 1 },
	}),
);
/** What the person stopped, and one answer that failed. */
const ended = [
	message("o", "r4", 10, {
		role: "assistant",
		content: [],
		stopReason: "aborted",
		errorMessage: "Request was aborted",
	}),
	message("p", "o", 11, { role: "bashExecution", command: "rg foo", output: "", exitCode: 1, cancelled: false }),
	message("q", "p", 12, { role: "bashExecution", command: "top", output: "", cancelled: true }),
	message("s", "q", 13, { role: "assistant", content: [], stopReason: "error", errorMessage: "terminated" }),
	entry("label", "t", "s", 14, { targetId: "r0", label: "here" }),
];
/** The entries that failed. */
const FAILURES = ["r1", "r2", "s"];

function failuresIn(session: Session): string[][] {
	const columns = runToEnd(entryColumns(session));
	const isError = queryOf("is:error");
	return [
		session.entries.filter((_, index) => ((columns.flags[index] ?? 0) & HAS_FAILED) !== 0).map(({ id }) => id),
		session.entries.filter((each) => matchesEntry(each, session, isError, "/home/ada")).map(({ id }) => id),
	];
}

test("one count of errors, wherever it stands", async () => {
	const { root, cache, write } = tempAgentDir();
	const path = write("--p--/1.jsonl", lines(header(), user("a", null, 1, "do it"), asked));
	const counting = await openCounting(root, cache);
	counting.list(path);
	await counting.count();
	// The results are written after the calls were counted.
	appendFileSync(path, lines(...answered, ...ended));
	utimesSync(path, 1, 1);
	counting.list(path);
	await counting.count();
	expect(counting.numbers(path).numbers.counts.errors).toBe(FAILURES.length);

	const session = await readSession(path);
	const held = await holdSession(path, { minBytes: 0 });
	expect(held).toBeDefined();
	for (const one of [session, ...(held === undefined ? [] : [held])]) {
		expect(runToEnd(sumSteps(one, "/home/ada")).path.errors).toBe(FAILURES.length);
		expect(failuresIn(one)).toEqual([FAILURES, FAILURES]);
	}

	const uses = await readUses(path, "command");
	expect(uses.map(({ end }) => end)).toEqual([
		...["no match", "failed", "failed", "stopped", "not run"],
		...["no match", "stopped"],
	]);
	expect(uses.map(hasUseFailed)).toEqual([false, true, true, false, false, false, false]);
});
