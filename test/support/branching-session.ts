import { assistant, header, label, lines, message, user } from "./session-builder.ts";

/** A way that was tried: what was asked, one prompt after the other, the last answer, and what was tried from each prompt on. */
interface Way {
	readonly asked: readonly string[];
	readonly outcome: string;
	/** Ways that fork behind the prompt with this index. */
	readonly forks?: Readonly<Record<number, readonly Way[]>>;
	readonly label?: string;
}

/** One session with nested forks: five on the active path and below it. */
const PLAN: Way = {
	asked: ["base", "schema", "final", "polish"],
	outcome: "The polish approach works; 12 tests pass.",
	label: "candidate",
	forks: {
		0: [
			{ asked: ["cache", "lint", "cache again", "deeper"], outcome: "The deeper approach works; it is slower." },
			{
				asked: ["retry", "types"],
				outcome: "The types approach works; 2 tests fail.",
				forks: {
					0: [{ asked: ["backoff", "jitter"], outcome: "The jitter approach works; it is slower.", label: "rejected" }],
				},
			},
		],
		1: [
			{
				asked: ["docs", "auth", "router", "theme", "metrics", "deepest"],
				outcome: "The deepest approach needs a migration.",
				forks: {
					1: [{ asked: ["queue"], outcome: "The queue approach works; 12 tests pass." }],
					2: [
						{
							asked: ["fixtures"],
							outcome: "The fixtures approach works; 2 tests fail.",
							forks: { 0: [{ asked: ["mocks"], outcome: "The mocks approach is slower." }] },
						},
					],
				},
			},
		],
	},
};

/** The lines of a session file: each prompt is answered after a command and an edit. The active way is written last. */
export function branchingSession(plan: Way = PLAN): string {
	const all = [header({ cwd: "/home/me/project" })];
	const labels: [id: string, text: string][] = [];
	let second = 0;
	let last: string | null = null;
	const add = (line: (id: string, at: number) => string): string => {
		const id = (++second).toString(16).padStart(8, "0");
		all.push(line(id, second * 60));
		return id;
	};
	const walk = (way: Way, parent: string | null): void => {
		const forks: [parent: string | null, way: Way][] = [];
		last = parent;
		for (const [index, name] of way.asked.entries()) {
			const isLast = index === way.asked.length - 1;
			last = addTurn(add, last, name, isLast ? way.outcome : `The ${name} approach works; go on.`);
			for (const fork of way.forks?.[index] ?? []) forks.push([last, fork]);
		}
		if (way.label !== undefined && last !== null) labels.push([last, way.label]);
		const end = last;
		for (const [at, fork] of forks) walk(fork, at);
		last = end;
	};
	walk(plan, null);
	// The last line is the leaf: the way that was written first is gone on with.
	for (const [id, text] of labels) {
		const parent = last;
		last = add((labelId, at) => label(labelId, parent, at, id, text));
	}
	return lines(...all);
}

function addTurn(
	add: (line: (id: string, at: number) => string) => string,
	parent: string | null,
	name: string,
	outcome: string,
): string {
	const asked = add((id, at) =>
		user(id, parent, at, `Try the ${name} approach: change how ${name} works and see what the tests say`),
	);
	const call = { type: "toolCall", id: `edit-${asked}`, name: "edit" };
	// Two ways touch the same file.
	const file = name === "types" ? "schema" : name.replaceAll(" ", "-");
	const args = { path: `/home/me/project/src/${file}.ts`, oldText: "a\nb", newText: "a\nc\nd" };
	const called = add((id, at) => assistant(id, asked, at, "", [{ ...call, arguments: args }]));
	const edited = add((id, at) => {
		const content = [{ type: "text", text: "Edited." }];
		const result = { role: "toolResult", toolCallId: call.id, toolName: "edit", content, isError: false };
		return message(id, called, at, result);
	});
	const test = { type: "toolCall", id: `test-${asked}`, name: "bash", arguments: { command: `npm test -- ${name}` } };
	const tested = add((id, at) => assistant(id, edited, at, "", [test]));
	const failed = outcome.includes("fail");
	const output = add((id, at) => {
		const content = [{ type: "text", text: failed ? "FAIL 2 failed\n\nCommand exited with code 1" : "12 passed" }];
		const result = { role: "toolResult", toolCallId: test.id, toolName: "bash", content, isError: failed };
		return message(id, tested, at, result);
	});
	return add((id, at) => assistant(id, output, at, outcome));
}
