import { relative } from "node:path";
import { anyFile, bash, commandFor, newName, quoted } from "./commands.ts";
import { block, linesOf, makeEdits, makeText, nameOf, plainText, word } from "./texts.ts";
import { type Call, WorldSession } from "./world-session.ts";

type Run = (session: WorldSession) => void;

/** Something that happens in a session; `run` does nothing where there is nothing to do it to. */
export interface SessionOperation {
	readonly weight: number;
	readonly name: string;
	/** Whether it is a command whose words say what it does to which files. */
	readonly isPlain: boolean;
	readonly run: Run;
}

function operation(weight: number, name: string, run: Run): SessionOperation {
	return { weight, name, isPlain: false, run };
}

/** One of some commands that say what they do; their words in braces are those of `commandFor`. */
export function plain(weight: number, name: string, ...templates: readonly string[]): SessionOperation {
	return { weight, name, isPlain: true, run: (session) => bash(session, templates) };
}

/** One of some commands that may change anything, or nothing. */
export function unclear(weight: number, name: string, ...templates: readonly string[]): SessionOperation {
	return { ...plain(weight, name, ...templates), isPlain: false };
}

/** What is done with any file. */
function withFile(run: (session: WorldSession, name: string) => void): Run {
	return (session) => {
		const name = anyFile(session);
		if (name !== undefined) run(session, name);
	};
}

function editCalls(session: WorldSession, name: string, path = session.named(name)): readonly Call[] {
	const plainOf = plainText(session.world.text(session.root, name))?.plain;
	const edits = plainOf === undefined ? [] : makeEdits(session.world.chance, plainOf, name);
	return edits.length === 0 ? [] : [{ tool: "edit", path, edits }];
}

/** Edits a file, mostly after it was read. */
export function edit(session: WorldSession, name: string | undefined): void {
	const { chance } = session.world;
	if (name === undefined) return;
	if (chance.is(0.55)) readWhole(session, name);
	else if (chance.is(0.3)) readPart(session, name);
	const calls = editCalls(session, name);
	if (calls.length > 0) session.call(calls);
}

function readWhole(session: WorldSession, name: string): void {
	session.call([{ tool: "read", path: session.named(name) }]);
}

function readPart(session: WorldSession, name: string): void {
	const { chance } = session.world;
	const count = session.world.text(session.root, name).split("\n").length;
	const limit = Math.max(1, Math.min(count - 2, 3 + chance.below(12)));
	session.call([{ tool: "read", path: session.named(name), offset: 1 + chance.below(Math.max(1, count - 4)), limit }]);
}

function failingEdit(session: WorldSession, name: string): void {
	const edits = [{ oldText: `no such ${nameOf(session.world.chance)}`, newText: "x" }];
	session.call([{ tool: "edit", path: session.named(name), edits }]);
}

function write(session: WorldSession, name = newName(session)): void {
	session.call([{ tool: "write", path: session.named(name), content: makeText(session.world.chance, name) }]);
}

function failingWrite(session: WorldSession, name: string): void {
	session.call([{ tool: "write", path: `${session.named(name)}/below.txt`, content: "nowhere\n" }]);
}

function writeOver(session: WorldSession, name: string): void {
	const { chance } = session.world;
	if (chance.is(0.6)) readWhole(session, name);
	const lines = linesOf(session.world.text(session.root, name));
	const fresh = block(chance, name).map((line) => `${line}\n`);
	const some = lines.toSpliced(chance.below(lines.length + 1), chance.below(4), ...fresh).join("");
	const content = chance.is(0.5) ? makeText(chance, name) : some;
	session.call([{ tool: "write", path: session.named(name), content }]);
}

/** Reads, edits and writes of different files in one answer. */
function several(session: WorldSession): void {
	const { chance } = session.world;
	const names = chance.some(session.world.files(session.root), 2 + chance.below(2));
	const calls = names.flatMap((name): readonly Call[] =>
		chance.is(0.4) ? [{ tool: "read", path: session.named(name) }] : editCalls(session, name),
	);
	if (calls.length > 0) session.call(calls);
}

/** A script that is written, run and removed. */
function script(session: WorldSession): void {
	const { chance } = session.world;
	const name = chance.pick(["tmp.mjs", "scripts/once.mjs", "debug.py"]);
	write(session, name);
	bash(session, ["head -3 {file}"], name);
	bash(session, ["rm {file}", "rm -f {file}", "rm {file} && ls", "cat {file}; rm {file}"], name);
}

function byLink(session: WorldSession): void {
	const files = session.world.now.get(session.root);
	if (files?.get("CLAUDE.md")?.isLink !== true || !files.has("AGENTS.md")) return;
	const path = session.named("CLAUDE.md");
	session.call([{ tool: "read", path }]);
	const calls = editCalls(session, "AGENTS.md", path);
	if (calls.length > 0) session.call(calls);
}

function lastEdited(session: WorldSession): string | undefined {
	const last = session.steps.findLast(({ call, isError }) => call.tool === "edit" && !isError)?.call;
	return session.world.files(session.root).find((name) => last?.tool === "edit" && session.named(name) === last.path);
}

function heredoc(session: WorldSession): void {
	const name = newName(session, ".txt");
	const text = makeText(session.world.chance, name).replace(/\n?$/, "\n");
	bash(session, [`mkdir -p {folder} && cat > {file} <<'EOF'\n${text}EOF`], name);
}

/** Single quotes for double ones and the like, in some files at once. */
function format(session: WorldSession): void {
	const { chance } = session.world;
	const names = chance.some(session.world.files(session.root), 1 + chance.below(3));
	const change = chance.pick(['s/"/\\x27/g', 's/\\x27/"/g', "s/^  /\\t/"]);
	const files = names.map((name) => quoted(session.named(name))).join(" ");
	bash(session, [`perl -pi -e '${change}' ${files}`, `sed -i '${change}' ${files}`]);
}

/** A session that a command of this one starts in the same directory, and that works meanwhile. */
function child(session: WorldSession): void {
	const { world, cwd, root } = session;
	if (world.sessions.length > 6) return;
	const prompt = `Please ${word(world.chance)} the ${nameOf(world.chance)}`;
	session.call([{ tool: "bash", command: `pi -p '${prompt}'` }], () => {
		world.wait(2, 5);
		const run = new WorldSession(world, root, relative(root, cwd));
		run.prompt(prompt);
		for (let count = 1 + world.chance.below(3); count > 0; count--)
			if (world.chance.is(0.6)) edit(run, anyFile(run));
			else write(run);
		run.close();
	});
}

function outside(session: WorldSession): void {
	write(session, "../notes/outside.md");
	bash(session, ["echo '{name}' >> {file}", "cat {file}"], "../notes/outside.md");
}

function ownCommand(session: WorldSession): void {
	const templates = ["rm {file}", "mv {file} {beside}", "echo {name} >> {file}", "cp {file} {beside}", "ls"];
	const command = commandFor(session, session.world.chance.pick(templates));
	if (command !== undefined) session.ownCommand(command);
}

/** What pi's tools do, and commands that need no Git; where a folder is missing, they fail. */
export const OPERATIONS: readonly SessionOperation[] = [
	operation(9, "read", withFile(readWhole)),
	operation(4, "read a part", withFile(readPart)),
	operation(5, "several calls", several),
	operation(24, "edit", withFile(edit)),
	operation(7, "edit again", (session) => edit(session, lastEdited(session))),
	operation(1.5, "edit that fails", withFile(failingEdit)),
	operation(6, "write", (session) => write(session)),
	operation(4, "write over", withFile(writeOver)),
	operation(1, "write that fails", withFile(failingWrite)),
	operation(1.5, "write an ignored file", (session) => write(session, `out/${word(session.world.chance)}.js`)),
	operation(1, "write outside", outside),
	operation(2, "by a link", byLink),
	operation(1.2, "child", child),
	{ ...operation(3, "script", script), isPlain: true },
	{ ...operation(2, "heredoc", heredoc), isPlain: true },
	{ ...operation(1.5, "own command", ownCommand), isPlain: true },
	plain(2, "rm", "rm {file}", "rm -f {file}", "rm {file} && ls"),
	plain(2, "mv", "mv {file} {new}", "mv {file} {beside}"),
	plain(1, "mkdir and mv", "mkdir -p moved/{word} && mv {file} moved/", "mkdir -p {word} && mv {file} moved-{name}"),
	plain(0.8, "mv of a folder", "mv {tree} {tree}{number}", "mv {tree} {word}-{number}"),
	plain(1.5, "cp", "cp {file} {new}", "cp {file} {beside}"),
	plain(0.6, "cp -r", "cp -r {tree} {tree}-copy{number}", "cp -R {tree} {name}"),
	plain(0.8, "ln -s", "cd {folder} && ln -s {base} {name}.txt"),
	plain(1, "chmod", "chmod +x {file}", "chmod -x {file}"),
	plain(2, "append", "echo '{name} = \"more\"' >> {file}", "echo '{name}' | tee -a {file}", "echo '{name}' > {file}"),
	plain(0.5, "touch", "touch {name}.txt", "touch {file}", "mkdir -p {word}/{word}"),
	plain(
		1.5,
		"in a folder",
		"cd {folder} && mv {base} {name}.txt",
		"cd {folder} && rm {base}",
		"cd {folder}; touch {name}",
	),
	plain(1, "fails", "mv nothere {file}", "rm nothere && rm {file}", "cp nothere/x {file}", "mv {file} no/where/x"),
	plain(
		1.2,
		"several commands",
		"rm nothere || rm {file}",
		"ls; mv {file} {beside}",
		"true || rm {file}",
		"false; rm {file}; ls",
	),
	unclear(
		2.5,
		"sed",
		"sed -i '{number}d' {file}",
		"sed -i 's/{word}/{name}/' {file}",
		"cd {folder} && sed -i 2d {base}",
	),
	operation(2, "format", format),
	unclear(9, "test", "npm test 2>&1 | tail -20", "npm test", "npm run build && npm test", "npm run lint; npm test"),
	unclear(
		6,
		"look",
		"ls",
		"git status --short",
		"git diff --stat",
		"find . -name '*.js' | sort",
		"cat package.json",
		"pwd",
	),
];
