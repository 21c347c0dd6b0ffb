import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyFamily } from "../support/copied-family.ts";
import { familyNames } from "../support/family.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

/** Copies these families; returns the path of the last one's directory. */
function families(...names: readonly string[]): string {
	const sessions = join(sandbox.agentDir, "sessions");
	return names.map((name) => copyFamily(name, sessions)).at(-1) ?? sessions;
}

/** The session that asked for the runs of a family: the oldest file directly in its directory. */
function parentIn(directory: string): string {
	const [name = ""] = readdirSync(directory)
		.filter((one) => one.endsWith(".jsonl"))
		.sort();
	return join(directory, name);
}

/** The fields of the lines that a command prints, some of them. */
function fieldsOf(args: readonly string[], ...fields: readonly number[]): readonly (readonly string[])[] {
	const { out } = run(sandbox, args);
	const lines = out.split("\n").filter((line) => line !== "");
	return lines.map((line) => fields.map((at) => line.split("\t")[at] ?? ""));
}

function jsonOf(...args: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
	return JSON.parse(run(sandbox, args).out) as Record<string, unknown>[];
}

/** What the answers in all sessions of a directory have cost. */
function costOfAnswers(directory: string): number {
	const paths = readdirSync(directory, { recursive: true, encoding: "utf8" });
	const sessions = paths.filter((path) => path.endsWith(".jsonl") && !path.includes("subagent-artifacts"));
	const lines = sessions.flatMap((path) => readFileSync(join(directory, path), "utf8").trim().split("\n"));
	const answers = lines.map((line) => JSON.parse(line)).filter(({ message }) => message?.role === "assistant");
	return answers.reduce((sum, { message }) => sum + (message.usage?.cost?.total ?? 0), 0);
}

const PARENT = "Let a writer do it.";
const RUN = "writer#a0000013";

describe("a run that lies beside its parent, known only by its name", () => {
	test.each([
		["in a list, as in the one after it", ["list"], [[PARENT]]],
		["in a list that is cut off", ["list", "--limit", "2"], [[PARENT]]],
		["in a list by name", ["list", "--named"], []],
	])("is left out %s", (_, args, titles) => {
		families("agent-session");
		// The first list has no index.
		for (let time = 0; time < 2; time++) expect(fieldsOf(args, 5)).toEqual(titles);
		expect(fieldsOf(["prompts"], 4)).toEqual([[PARENT]]);
	});

	test("is found as a run by whatever asks for runs, with and without the index", () => {
		const directory = families("agent-session");
		for (const query of ["is:run", "agent:wri", "is:run notes", "agent:writer notes"]) {
			rmSync(join(sandbox.home, "cache"), { recursive: true, force: true });
			for (let time = 0; time < 2; time++) expect(fieldsOf(["search", query], 3), query).toEqual([[RUN]]);
		}
		expect(fieldsOf(["search", "--", "-is:run"], 3)).toEqual([[PARENT]]);
		expect(fieldsOf(["search", "runs:1"], 3)).toEqual([[PARENT]]);
		expect(fieldsOf(["prompts", "agent:writer"], 4)).not.toContainEqual([PARENT]);
		const parent = parentIn(directory);
		expect(jsonOf("search", "--json", "--counted", "agent:writer")).toMatchObject([
			{ agent: "writer", parent, runs: 0 },
		]);
	});

	test("is a session of a person if no session reports it", () => {
		const directory = families("agent-session");
		rmSync(parentIn(directory));
		for (let time = 0; time < 2; time++) expect(fieldsOf(["list"], 5)).toEqual([[RUN]]);
		expect(run(sandbox, ["search", "is:run"]).code).toBe(1);
	});
});

test("list --runs says which agent worked, and how it stands; JSON has the agent, the parent and the number of runs", () => {
	families("parallel", "agent-session");
	expect(fieldsOf(["list", "--runs"], 5, 6, 7).map((fields) => fields.slice(1))).toEqual([
		["-", "-"],
		["checker", "done"],
		["checker", "failed"],
		["-", "-"],
		["writer", "done"],
	]);
	expect(
		run(sandbox, ["list", "--runs", "--header", "--limit", "1"]).out.split("\n")[0]?.split("\t").slice(-2),
	).toEqual(["agent", "state"]);
	const sessions = jsonOf("list", "--json", "--runs", "--counted");
	expect(sessions.map(({ agent, runs }) => [agent, runs])).toEqual([
		[null, 2],
		["checker", 0],
		["checker", 0],
		[null, 1],
		["writer", 0],
	]);
	expect(sessions.filter(({ parent }) => parent !== null)).toHaveLength(3);
});

test("the runs of an archived session say where it is now, and its agent", () => {
	const parent = parentIn(families("fresh"));
	const archived = parent.replace("/sessions/", "/session-archive/");
	mkdirSync(dirname(archived), { recursive: true });
	renameSync(parent, archived);
	const [run] = jsonOf("list", "--json", "--runs", "--counted");
	expect(run).toMatchObject({ parent: archived, agent: "scout" });
	expect(fieldsOf(["list", "--runs"], 6)).toEqual([["scout"]]);
});

describe("show --runs", () => {
	test("a run that continued after its report costs what its session says", () => {
		const parent = parentIn(families("fresh"));
		const [before] = jsonOf("show", parent, "--runs", "--json");
		const { path } = (before?.session ?? { path: "" }) as { path: string };
		const reportedCost = Number(before?.cost);
		const answer = { role: "assistant", content: [], usage: { cost: { total: 1 } } };
		const line = {
			type: "message",
			id: "later",
			parentId: null,
			timestamp: "2026-09-15T09:00:00.000Z",
			message: answer,
		};
		appendFileSync(path, `${JSON.stringify(line)}\n`);
		expect(reportedCost).toBeGreaterThan(0);
		expect(jsonOf("show", parent, "--runs", "--json")[0]?.cost).toBeCloseTo(reportedCost + 1, 9);
	});

	test("lists runs and below them theirs; a run is named as a session is", () => {
		const directory = families("nested");
		const parent = parentIn(directory);
		const rows = fieldsOf(["show", parent, "--runs"], 0, 1, 2, 5, 7, 9);
		expect(rows).toEqual([
			["0", "lead", "done", "2", "01990000-0000-7000-8000-00000000001c", "Explore the storage"],
			["1", "reader", "done", "1", "01990000-0000-7000-8000-00000000001d", "Read the database layer"],
		]);
		const [[path = ""] = []] = fieldsOf(["show", parent, "--runs"], 8);
		expect(fieldsOf(["show", path, "--runs"], 0, 1)).toEqual([["0", "reader"]]);
		for (const word of [path, "01990000-0000-7000-8000-00000000001c"]) {
			expect(run(sandbox, ["path", word]).out).toBe(`${path}\n`);
			expect(JSON.parse(run(sandbox, ["path", "--json", word]).out)).toMatchObject({ parent, agent: "lead", runs: 1 });
		}
		const [lead, reader] = jsonOf("show", "--runs", "--json", parent);
		expect(lead).toMatchObject({ parent, level: 0, agent: "lead", state: "done", gone: false, session: { path } });
		expect(reader).toMatchObject({ parent: path, level: 1, agent: "reader", entryId: expect.any(String) });
		expect(Object.keys(lead ?? {})).toEqual(Object.keys(reader ?? {}));
	});

	test.each(["fresh", "parallel", "waited", "old-chain", "agent-session"])(
		"tells the same of %s when the files of its runs are gone, but where they are",
		(name) => {
			const directory = families(name);
			const parent = parentIn(directory);
			const before = fieldsOf(["show", parent, "--runs"], 0, 1, 2, 9);
			expect(before.length).toBeGreaterThan(0);
			for (const one of readdirSync(directory))
				if (join(directory, one) !== parent) rmSync(join(directory, one), { recursive: true });
			rmSync(join(sandbox.home, "cache"), { recursive: true, force: true });
			expect(fieldsOf(["show", parent, "--runs"], 0, 1, 2, 9)).toEqual(before);
			expect(fieldsOf(["show", parent, "--runs"], 7, 8)).toEqual(before.map(() => ["-", "-"]));
		},
	);

	test("agents that have worked in memory have no session, and none is gone", () => {
		const runs = jsonOf("show", "--runs", "--json", parentIn(families("agent-foreground")));
		expect(runs).toMatchObject([
			{ agent: "Explore", state: "done", session: null, gone: false },
			{ agent: "Explore", state: "failed", session: null, gone: false, error: expect.stringContaining("overloaded") },
		]);
	});

	test("a run with forked context is not its own, although it has a copy of the call", () => {
		const parent = parentIn(families("fork"));
		const [[path = ""] = []] = fieldsOf(["show", parent, "--runs"], 8);
		expect(path).toContain("forks");
		expect(run(sandbox, ["show", path, "--runs"])).toMatchObject({ code: 1, out: "" });
	});

	test("describes a run that no session reports only by its own session: the prompts there are not answers", () => {
		const parent = parentIn(families("fresh"));
		const lines = readFileSync(parent, "utf8").split("\n");
		writeFileSync(parent, lines.filter((line) => !line.includes("tool")).join("\n"));
		expect(fieldsOf(["show", parent, "--runs"], 0, 2, 5)).toEqual([["0", "done", "-"]]);
	});

	test("of a session outside of the list, whose runs lie beside it", () => {
		const directory = copyFamily("nested", join(sandbox.home, "elsewhere"));
		const rows = fieldsOf(["show", parentIn(directory), "--runs"], 0, 1, 7);
		expect(rows.map(([level, agent]) => [level, agent])).toEqual([
			["0", "lead"],
			["1", "reader"],
		]);
		expect(rows.every(([, , id]) => id !== "-")).toBe(true);
	});

	test("is a form of its own", () => {
		const parent = parentIn(families("fresh"));
		const mistake = (...args: readonly string[]) => run(sandbox, ["show", parent, ...args]).err;
		expect(mistake("--runs", "--tree")).toContain("show takes one of --tree and --runs");
		expect(mistake("--runs", "--masked")).toContain("--masked means nothing with --runs");
		expect(mistake("--header")).toContain("--header is for --runs");
	});
});

test("a directory's newest session is that of the person, and the beginning of its id means it before its runs", () => {
	const parent = parentIn(families("fresh"));
	const [[id = ""] = []] = fieldsOf(["list"], 0);
	expect(run(sandbox, ["path", id.slice(0, 8)]).out).toBe(`${parent}\n`);
	const here = join(sandbox.home, "here");
	expect(fieldsOf(["list", "--cwd", here], 1)).toEqual([]);
});

describe("standup", () => {
	const standup = (...args: readonly string[]) => run(sandbox, ["standup", "--since", "2020", ...args]).out;

	test("has a line for who asked, with what the runs did; their tasks are no prompts", () => {
		families("nested", "parallel", "agent-session");
		const text = standup();
		expect(text).toMatch(/^# Since 1 Jan 2020\n\n3 sessions · 3 prompts · 5 runs · /);
		expect(text).toContain(" · with 2 runs · ");
		// What was asked is the title, and not told twice.
		for (const asked of ["Find out how things are stored.", "Let a writer do it.", "Review everything."])
			expect(text.split(asked)).toHaveLength(2);
		expect(text).not.toContain("- asked: ");
		expect(standup("--cwd", "/work/nested")).toMatch(/\n\n1 session · 1 prompt · 2 runs · /);
		const costs = jsonOf("standup", "--since", "2020", "--json").map(
			({ sum }) => sum as { runs: number; cost: number },
		);
		expect(costs.map(({ runs }) => runs)).toEqual([2, 2, 1]);
	});

	test.each(["fresh", "nested", "parallel", "waited", "old-parallel"])(
		"each dollar of %s is counted once: with the sessions of the runs as without them, if the parent reports them",
		(name) => {
			const directory = families(name);
			const costOf = (): number => {
				const [digest] = jsonOf("standup", "--since", "2020", "--json");
				return (digest?.sum as { cost: number } | undefined)?.cost ?? Number.NaN;
			};
			const expected = costOfAnswers(directory);
			expect(expected).toBeGreaterThan(0);
			expect(costOf()).toBeCloseTo(expected, 10);
			// What its run reports about a run of its own is lost with it.
			if (name === "nested") return;
			rmSync(parentIn(directory).replace(/\.jsonl$/, ""), { recursive: true });
			expect(costOf()).toBeCloseTo(expected, 10);
		},
	);

	test("a family has cost as much as in the list", () => {
		families(...familyNames);
		const listed = jsonOf("list", "--json", "--counted").map(({ path, cost, familyCost }) => {
			return [path, Number(familyCost ?? cost).toFixed(6)];
		});
		const done = jsonOf("standup", "--since", "2020", "--json").map(({ path, sum }) => {
			return [path, (sum as { cost: number }).cost.toFixed(6)];
		});
		expect(done.sort()).toEqual(listed.sort());
	});

	test("a run whose parent is gone stands for itself, without its task", () => {
		const directory = families("fresh");
		rmSync(parentIn(directory));
		const text = standup();
		expect(text).toContain("1 session · 0 prompts · 1 run · ");
		expect(text).not.toContain("- asked");
		expect(text).toContain("- last answer: ");
	});
});

test("the shell completes the agents that there are", () => {
	families("fresh", "parallel");
	run(sandbox, ["search", "runs:>0"]);
	const proposed = (word: string) =>
		run(sandbox, ["__complete", "--", "search", word]).out.trim().split(/\s*\n/).slice(1);
	expect(proposed("agent:")).toEqual(["agent:checker", "agent:scout"]);
	expect(proposed("agent:sc")).toEqual(["agent:scout"]);
});
