import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandOf, NAMED_COMMANDS, type NamedCommand, type WordKind } from "../../src/cli/arguments/command-table.ts";
import { helpPageOf } from "../../src/cli/help/command-pages.ts";
import { caseCount, FIRST_SEED, inShort } from "../support/cases.ts";
import { EditingSession } from "../support/editing-session.ts";
import { run, runIntoClosedPipe } from "../support/run.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";
import {
	type Ended,
	runInSituations,
	type Situation,
	type Stdio,
	type Step,
	type Stream,
} from "../support/situations.ts";

/*
 * Every command of the table in every situation: the streams, the size of the terminal, its kind, the locale, colors. A new
 * command is in it by itself. `npm test` takes each value of each of these but five of the streams with a seventh of the commands, and
 * each command with at least one of them; `npm run test:long` takes all lines of all commands in more of the combinations, in an order that the
 * seed decides, and in all of them with `PI_GROVE_CASES=1000`.
 */

function madeSandbox(): Sandbox {
	const sandbox = new Sandbox();
	threeSessions(sandbox);
	// What is brought from there is a session that is here, too.
	run(sandbox, ["places", "add", "old", "--dir", sandbox.agentDir]);
	sandbox.installPi("exit 0");
	const cwd = sandbox.directory("work/api");
	const editing = new EditingSession("01a10001-0000-7000-8000-000000000001", cwd, Date.UTC(2026, 0, 5, 9));
	editing.prompt(
		"Write a parser with a name that is longer than any terminal of these is wide, 検索を日本語に対応させて",
	);
	editing.write("src/a.ts", "export const a = 1;\nexport const b = 2;\n");
	editing.bash("npm test -- parser --reporter=verbose", undefined, "\x1b[31mFAIL\x1b[0m parser\n".repeat(20));
	editing.save(sandbox.agentDir);
	mkdirSync(join(cwd, "src"));
	writeFileSync(join(cwd, "src", "a.ts"), "export const a = 1;\nexport const b = 2;\n");
	return sandbox;
}

/** For all of a process's command lines, in ms; on a busy machine a line may take a second. */
const LIMIT_MS = caseCount(1) > 1 ? 3_600_000 : 120_000;

/** One of so many commands, which are others in each run that has another seed. */
function isOneOf(count: number): (one: unknown, index: number) => boolean {
	return (_, index) => index % count === FIRST_SEED % count;
}

/** What draws a screen and reads keys: tested below, each in a process of its own. */
const WITH_SCREEN: readonly NamedCommand[] = ["pick"];
/** Answers until its input ends. */
const WITH_INPUT: readonly NamedCommand[] = ["serve"];

const WORDS: Readonly<Record<WordKind, string>> = {
	session: "session-0001",
	query: "parser",
	text: "x",
	file: "src/a.ts",
	directory: "src",
	choice: "",
	command: "list",
};

/** What a command needs so that it writes nothing but its output. */
const FURTHER: Partial<Record<NamedCommand, readonly string[]>> = { export: ["--out", "-"] };

/** The command lines of a command: with as few words as it takes, with all, and with --json. */
function linesOf(command: NamedCommand): string[][] {
	const { words, options } = commandOf(command);
	const further = FURTHER[command] ?? [];
	// A text alone names a change or something in the trash, and there is none.
	const kinds = words?.kinds.every((kind) => kind === "text") ? [] : (words?.kinds ?? []);
	const all = kinds.map((kind) => {
		if (kind === "choice") return words?.choices?.[0] ?? "";
		if (kind === "session" && words?.usage.startsWith("NAME:")) return "old:session-0001";
		return kind === "session" && words?.usage.startsWith("SESSION#ENTRY") ? "session-0001#00010003" : WORDS[kind];
	});
	// Only with --uncommitted, diff needs no session.
	const isBare = (words?.least ?? 0) === 0 && all.length > 0 && command !== "diff";
	const bare = isBare ? [[command, ...further]] : [];
	const json = options.includes("json") && !further.includes("-") ? [[command, ...all, "--json"]] : [];
	return [...bare, [command, ...all, ...further], ...json];
}

/** The command lines of each command, and others. */
const LINES: readonly (readonly (readonly string[])[])[] = [
	...NAMED_COMMANDS.filter((command) => ![...WITH_SCREEN, ...WITH_INPUT].includes(command)).map(linesOf),
	[
		["show", "session-0001", "--tree"],
		["show", "session-0001", "--markdown"],
		["show", "session-0001", "--html"],
	],
	[["--help"], ["--version"], ["__complete", "bash", "1", "pi-grove", "sh"]],
];

/** What has colors wherever there are some: in every situation. */
const COLORED: readonly string[] = ["show", "session-0001"];

/** Command lines that cannot be understood. */
const MISTAKES: readonly (readonly string[])[] = [
	["show", "no-such-session"],
	["list", "--no-such-option"],
];

/** So many situations one after the other have all commands. */
const TURNS = 7;

/** The lines for the situation with this number: in the long test all, else one of each command whose turn it is. */
function linesFor(situation: number): (readonly string[])[] {
	const chosen = LINES.flatMap((lines, index) => {
		if (caseCount(1) > 1) return lines;
		return index % TURNS === situation % TURNS ? [at(lines, Math.floor(situation / TURNS) + index)] : [];
	});
	return [...chosen, COLORED, at(MISTAKES, Math.floor(situation / TURNS))];
}

const SIZES: readonly Situation["size"][] = [
	[0, 0],
	[1, 1],
	[80, 24],
	[20, 5],
	[40, 10],
	[500, 200],
];
const TERMS: readonly Situation["env"][] = [
	{ TERM: "xterm-256color" },
	{ TERM: "dumb" },
	{ TERM: null },
	{ TERM: "no-such-terminal" },
];
const LOCALES: readonly Situation["env"][] = [
	{ LANG: "C.UTF-8" },
	{ LC_ALL: "C" },
	{ LC_ALL: "POSIX" },
	{ LANG: "de_DE.UTF-8" },
	{ LC_ALL: "tr_TR.ISO-8859-9" },
];
const COLORS: readonly Situation["env"][] = [
	{},
	{ NO_COLOR: "1" },
	{ FORCE_COLOR: "1" },
	{ CI: "true" },
	{ FORCE_COLOR: "0" },
	{ NO_COLOR: "1", FORCE_COLOR: "3" },
];
const T: Stream = "terminal";
const STDIOS: readonly Stdio[] = [
	// As many as there are sizes.
	[T, T, T],
	["file", T, T],
	[T, T, "file"],
	["file", T, "file"],
	["closed", T, T],
	[T, T, "closed"],
	["file", "file", "file"],
	[T, "file", T],
	["file", "file", T],
	[T, "file", "file"],
	["closed", "closed", "closed"],
	[T, "closed", T],
];

/** The values in an order that the seed decides. */
function shuffled<Value>(values: readonly Value[], seed: number): Value[] {
	let state = seed >>> 0 || 1;
	const random = (): number => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
	return values
		.map((value) => ({ value, order: random() }))
		.toSorted((a, b) => a.order - b.order)
		.map(({ value }) => value);
}

function at<Value>(values: readonly Value[], index: number): Value {
	const value = values[index % values.length];
	if (value === undefined) throw new Error("there are no values");
	return value;
}

/** Each value of each table at least once, each size with an output that is a terminal. */
function covering(): Situation[] {
	return STDIOS.map((stdio, index) => ({
		stdio,
		size: at(SIZES, index),
		env: { ...at(LOCALES, index), ...at(TERMS, index), ...at(COLORS, index) },
	}));
}

function product(): Situation[] {
	return STDIOS.flatMap((stdio) =>
		SIZES.flatMap((size) =>
			LOCALES.flatMap((locale) =>
				TERMS.flatMap((term) => COLORS.map((color) => ({ stdio, size, env: { ...locale, ...term, ...color } }))),
			),
		),
	);
}

const first = covering();
const SITUATIONS: readonly Situation[] = [
	...first,
	...shuffled(product(), FIRST_SEED).slice(0, caseCount(first.length, first.length) - first.length),
];

/** Situations that one process can be in one after the other: streams and locale are those that it was started with. */
function ofOneProcess(): (readonly [string, readonly Situation[]])[] {
	const groups = Map.groupBy(
		SITUATIONS,
		({ stdio, env: { LC_ALL, LANG } }) => `${stdio.join(", ")}, ${LC_ALL ?? LANG}`,
	);
	return [...groups];
}

const SGR = /\x1b\[[\d;]*m/g;
/** The note of what takes long, on a terminal that can erase it. */
const PROGRESS = /\r\x1b\[K[^\r\n]*(?=\r\x1b\[K)|\r\x1b\[K/g;
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
const TAB = /\t/g;

/** Whether colors belong there: the person's word, else whether a terminal shows them. */
function isColored({ stdio, env }: Situation): boolean {
	if (env.FORCE_COLOR != null) return env.FORCE_COLOR !== "0";
	return stdio[1] === T && env.NO_COLOR == null && env.TERM !== "dumb";
}

function check({ args, situation }: Step, ended: Ended): void {
	const { stdio, env } = situation;
	const [, output, errors] = stdio;
	const isJson = args.includes("--json");
	for (const [name, text] of Object.entries({ shown: ended.shown, out: ended.out, err: ended.err })) {
		const hasProgress = name === "shown" && errors === T && env.TERM !== "dumb";
		const rest = hasProgress ? text.replace(PROGRESS, "") : text;
		const colors = isColored(situation) && !isJson && (name === "shown" ? output === T : name === "out");
		const plain = (colors ? rest.replace(SGR, "") : rest).replace(output === T && !isJson ? /$^/ : TAB, "");
		expect(plain, `${name}: a control character`).not.toMatch(CONTROL);
		expect(
			plain === "" || plain.endsWith("\n"),
			`${name}: its last line ends: ${JSON.stringify(plain.slice(-80))}`,
		).toBe(true);
		expect(plain, `${name}: a stack`).not.toMatch(/^\s+at .*[:(]\d+/m);
		expect(plain, `${name}: a warning of Node`).not.toMatch(/\(node:\d+\)|Error:/);
	}
	if (isJson && output === "file" && ended.out !== "") JSON.parse(ended.out);
}

// In the test command each value of the other tables, and of the streams those that most commands see.
const tried = inShort(ofOneProcess(), (_, index) => index < 6 || index === 7);

describe.concurrent.each(tried)("with %s", { timeout: LIMIT_MS }, (_, situations) => {
	test("every command ends, with the exit code that it has elsewhere, and writes what belongs there", async () => {
		const steps = situations.flatMap((situation) =>
			linesFor(SITUATIONS.indexOf(situation)).map((args): Step => ({ args, situation })),
		);
		const ends = await inSituations(steps);
		let colored = 0;
		for (const [index, step] of steps.entries()) {
			const ended = ends[index];
			const where = `${JSON.stringify({ ...step, ended })}, with the seed ${FIRST_SEED}`;
			if (ended?.code === undefined) throw new Error(`did not end: ${where}`);
			try {
				check(step, ended);
				expectCode(step, ended.code);
			} catch (error) {
				throw new Error(`${error instanceof Error ? error.message : String(error)}\nin ${where}`);
			}
			if ((ended.shown + ended.out).search(SGR) >= 0) colored++;
		}
		if (situations.some((one) => isColored(one) && one.stdio[1] !== "closed")) expect(colored).toBeGreaterThan(0);
	});
});

/** The exit codes seen: by the command line, and whether there was a terminal to ask at. */
const codes = new Map<string, number>();

/** One that the table of the commands has; 2 only where nobody can be asked; the same in all situations. */
function expectCode({ args, situation }: Step, code: number): void {
	const canAsk = situation.stdio[2] === T;
	const key = `${args.join(" ")}, ${canAsk}`;
	expect(code, "exit code, as in the situation before").toBe(codes.get(key) ?? code);
	codes.set(key, code);
	const command = NAMED_COMMANDS.find((name) => name === args[0]);
	const { group } = command === undefined ? {} : commandOf(command);
	const { exitCodes = [] } = command === undefined ? {} : helpPageOf(command);
	const isRefused = MISTAKES.includes(args) || (group === "Change" && !canAsk && code !== 0);
	expect([0, ...exitCodes.map(([one]) => one), ...(isRefused ? [2] : [])], "exit code").toContain(code);
	if (MISTAKES.includes(args)) expect(code, "exit code of a mistake").toBe(2);
}

test("a terminal of 0 columns is one of 80, in all that a command prints", { timeout: LIMIT_MS }, async () => {
	const env = { ...LOCALES[0], ...TERMS[0] };
	// JSON has no width.
	const lines = inShort(LINES, isOneOf(12))
		.map((each, index) => at(each, index + 1))
		.filter((args) => !args.includes("--json"));
	const inColumns = (args: readonly string[], columns: number): Step => ({
		args,
		situation: { stdio: [T, T, T], size: [columns, 24], env },
	});
	const ends = await inSituations(lines.flatMap((args) => [80, 0, 80].map((columns) => inColumns(args, columns))));
	const texts = ends.map(({ shown }) => shown.replace(PROGRESS, ""));
	// As before or as after: it may print how long ago something was.
	for (const index of lines.keys()) expect([texts[3 * index], texts[3 * index + 2]]).toContain(texts[3 * index + 1]);
});

test("a reader of the output that goes away ends every command, quietly", { timeout: LIMIT_MS }, async () => {
	const sandbox = madeSandbox();
	try {
		for (const lines of inShort(LINES, isOneOf(16))) {
			const args = lines.at(-1) ?? [];
			const { code, err } = await runIntoClosedPipe(sandbox, args);
			expect([0, 1, 2], args.join(" ")).toContain(code);
			expect(err, args.join(" ")).not.toMatch(/^\s+at |Error:|EPIPE/m);
		}
	} finally {
		sandbox.remove();
	}
});

/** The same in a sandbox of its own: a pi that one test starts must not be in the way of another. */
async function inSituations(steps: readonly Step[]): Promise<Ended[]> {
	const sandbox = madeSandbox();
	try {
		return await runInSituations(sandbox, steps, 20_000 + 2_000 * steps.length);
	} finally {
		sandbox.remove();
	}
}
