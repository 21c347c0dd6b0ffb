import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { blame, changesOf, digestOf, filesAt, readSession } from "../../src/index.ts";
import { EditingSession } from "../support/editing-session.ts";
import { programPath, sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
const rowsSchema = z.array(z.record(z.string(), z.unknown()));

/** Runs a program that uses the built library; returns what it prints, from JSON. */
function runProgram(imported: string, source: string): unknown {
	const library = pathToFileURL(join(dirname(programPath), "index.js")).href;
	const program = join(sandbox.home, "use.mjs");
	writeFileSync(program, `import { ${imported} } from ${JSON.stringify(library)};\n${source}`);
	return runNode(program);
}

/** Runs Node in the sandbox; returns what it prints, from JSON. */
function runNode(...args: readonly string[]): unknown {
	const { PI_CODING_AGENT_SESSION_DIR, ...own } = process.env;
	const { stdout, stderr, status } = spawnSync(process.execPath, args, {
		encoding: "utf8",
		env: { ...own, ...sandbox.env },
		cwd: sandbox.home,
	});
	expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
	return JSON.parse(stdout);
}

test("the built library lists, searches and counts all sessions, in the words of --json, and lets the process end", () => {
	const { parser, retry, site } = threeSessions(sandbox);
	const printed = rowsSchema.parse(runNode(programPath, "list", "--json"));
	const source = `
		const paths = (found) => found.map(({ path }) => path);
		const stats = await statsAll();
		const [found] = await searchAll("newline");
		const namesOf = ({ path, title, messages, parent, ahead }) => ({ path, title, messages, parent: parent ?? null, ahead: ahead ?? null });
		console.log(JSON.stringify({
			all: paths(await listAll()),
			site: paths(await list("work/site")),
			found: paths([found]),
			rows: (await listAll()).map(namesOf),
			title: found.row.title,
			sessions: stats.sessions,
			counted: stats.counted,
		}));`;
	expect(runProgram("list, listAll, searchAll, statsAll", source)).toEqual({
		all: [retry, parser, site],
		site: [site],
		found: [parser],
		rows: printed.map(({ path, title, messages, parent, ahead }) => ({ path, title, messages, parent, ahead })),
		title: "Refactor the parser",
		sessions: 3,
		counted: 3,
	});
});

test("it tells what a session changed, the files at an entry, who wrote a line and what it was about", () => {
	const cwd = sandbox.directory("work/greet");
	const one = new EditingSession("01a10000-0000-7000-8000-00000000aaaa", cwd, Date.UTC(2026, 0, 5, 9));
	one.prompt("Write the greeting");
	one.read("greet.ts");
	const written = one.write("greet.ts", "const greeting = 'hello';\nprint(greeting);\n");
	one.prompt("Shout it");
	const edited = one.edit("greet.ts", [{ oldText: "hello", newText: "HELLO" }]);
	const path = one.save(sandbox.agentDir);
	const file = join(cwd, "greet.ts");
	writeFileSync(file, one.disk.get(file) ?? "");
	const source = `
		const session = await readSession(${JSON.stringify(path)});
		const { files: [all] } = await changesOf(session);
		const { files: [last] } = await changesOf(session, { from: ${JSON.stringify(written)} });
		const { files: [early] } = await filesAt(session, ${JSON.stringify(written)});
		const lines = await blame(${JSON.stringify(file)});
		const { asked, changed } = await digestOf(session);
		console.log(JSON.stringify({
			all: [all.name, all.answer, all.added, all.removed, all.after],
			patch: last.patch,
			early: [early.name, early.answer, early.text],
			lines: lines.map(({ answer, edits }) => [answer, edits[0]?.entryId]),
			asked: asked.map(({ text }) => text),
			changed: changed.map(({ path }) => path),
		}));`;
	expect(runProgram("blame, changesOf, digestOf, filesAt, readSession", source)).toEqual({
		all: ["greet.ts", "exact", 2, 0, "const greeting = 'HELLO';\nprint(greeting);\n"],
		patch: expect.stringContaining("-const greeting = 'hello';\n+const greeting = 'HELLO';\n print(greeting);\n"),
		early: ["greet.ts", "exact", "const greeting = 'hello';\nprint(greeting);\n"],
		lines: [
			["exact", edited],
			["exact", written],
		],
		asked: ["Write the greeting", "Shout it"],
		changed: ["greet.ts"],
	});
});

test("a missing argument is an error for the compiler, and for who has none", async () => {
	const { parser } = threeSessions(sandbox);
	const session = await readSession(parser);
	const refusals = [
		// @ts-expect-error without its session
		changesOf(),
		// @ts-expect-error a path is none
		changesOf(parser),
		// @ts-expect-error without the entry
		filesAt(session),
		// @ts-expect-error without the file
		blame(),
		// @ts-expect-error without its session
		digestOf(undefined),
	];
	for (const refusal of refusals) await expect(refusal).rejects.toThrow(TypeError);
	await expect(filesAt(session, "nowhere")).rejects.toThrow(`${parser} has no entry nowhere`);
	await expect(changesOf(session, { to: "nowhere" })).rejects.toThrow(`${parser} has no entry nowhere`);
});
