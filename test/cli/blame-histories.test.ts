import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { seededRandom } from "../../bench/random.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { run } from "../support/run.ts";
import { Sandbox } from "../support/sandbox.ts";

/** A line, and who wrote it: the id of a session, or "" for the person. */
interface Written {
	readonly text: string;
	readonly by: string;
	/** Who has written it again with all of the file, where it is a bracket or one of equal lines: is it still the old one? */
	readonly again?: readonly string[];
}

interface Told {
	readonly answer: string;
	readonly edits: readonly { readonly id: string }[];
}

const NAME = "a.ts";
const MINUTE = 60_000;

/** Lives through a random history of one file; returns its lines, and what the program says of them. */
function live(seed: number, sandbox: Sandbox): { readonly lines: readonly Written[]; readonly told: readonly Told[] } {
	const random = seededRandom(seed);
	const pick = (count: number): number => Math.floor(random.next() * count);
	const git = new GitRepository(sandbox.directory(`work/${seed}`));
	const disk = new Map<string, string>();
	let now = Date.UTC(2026, 0, 5, 9);
	const sessions = [1, 2, 3].map(
		(number) =>
			new EditingSession(
				`01a1000${number}-0000-7000-8000-${String(seed).padStart(11, "0")}${number}`,
				git.path,
				now,
				disk,
			),
	);
	let lines: Written[] = [];
	let committed: Written[] = [];
	let typed = 0;
	const textOf = (all: readonly Written[]): string => all.map(({ text }) => `${text}\n`).join("");
	const put = (next: Written[]): void => {
		lines = next;
		disk.set(git.file(NAME), textOf(lines));
		writeFileSync(git.file(NAME), textOf(lines));
	};
	for (let step = 0; step < 40; step++) {
		now += MINUTE;
		const session = sessions[pick(sessions.length)];
		if (session === undefined) continue;
		session.now = now;
		const at = pick(lines.length + 1);
		// Sessions may write the same; the person writes nothing that a session does.
		const line = { text: `const value${pick(30)} = compute("something");`, by: session.id };
		// Of equal brackets around what was added, nobody can see which one is new: each session has its own.
		const brace = { text: `${"\t".repeat(sessions.indexOf(session))}}`, by: session.id };
		const own = { text: `const typed${typed++} = byHand();`, by: "" };
		const next = [
			lines.toSpliced(at, 0, line),
			lines.toSpliced(at, 0, line, brace),
			// A line that is replaced by the same is still the old one.
			lines.toSpliced(at, 1, lines[at]?.text === line.text ? (lines[at] ?? line) : line),
			lines.toSpliced(at, 1),
		][pick(4)] as Written[];
		const kind = pick(12);
		const before = disk.get(git.file(NAME)) ?? "";
		if (kind < 5 && before !== "" && textOf(next) !== before) {
			session.edit(NAME, [{ oldText: before, newText: textOf(next) }], { plain: kind === 0 });
			put(next);
		} else if (kind < 6) {
			if (before !== "") session.read(NAME);
			session.write(NAME, textOf(next));
			const isOnly = ({ text }: Written): boolean => next.filter((one) => one.text === text).length === 1;
			put(
				next.map((one) =>
					one.text.endsWith("}") || !isOnly(one) ? { ...one, again: [...(one.again ?? []), session.id] } : one,
				),
			);
		} else if (kind < 7) put(lines.toSpliced(at, 0, own));
		else if (kind < 8) put(lines.toSpliced(at, 1));
		else if (kind < 9) put([...lines.slice(at), ...lines.slice(0, at)]);
		else if (kind < 10) put(committed);
		else {
			git.commit(now, `Step ${step}`);
			committed = lines;
		}
	}
	for (const session of sessions) session.save(sandbox.agentDir);
	const { out } = run(sandbox, ["blame", git.file(NAME), "--json"], { GIT_CONFIG_GLOBAL: "/dev/null" });
	return { lines, told: JSON.parse(out) };
}

test("whatever sessions and a person do to a file, an exact answer is the one who wrote the line", () => {
	const count = { lines: 0, written: 0, exact: 0 };
	for (let seed = FIRST_SEED; seed < FIRST_SEED + caseCount(1, 6); seed++) {
		const sandbox = new Sandbox();
		const { lines, told } = live(seed, sandbox);
		sandbox.remove();
		expect(told).toHaveLength(lines.length);
		for (const [index, { text, by, again = [] }] of lines.entries()) {
			const { answer, edits } = told[index] ?? { answer: "", edits: [] };
			count.lines++;
			if (by !== "") count.written++;
			// Which one of equal lines beside each other was removed, nobody can see.
			const isOneOfSeveral = [index - 1, index + 1].some((at) => lines[at]?.text === text);
			if (answer !== "exact" || isOneOfSeveral) continue;
			count.exact++;
			const writer = edits[0]?.id ?? "";
			expect([seed, index, text, again.includes(writer) ? by : writer]).toEqual([seed, index, text, by]);
			expect(edits.length).toBeLessThan(2);
		}
	}
	expect(count.exact).toBeGreaterThan(count.written / 5);
});
