import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listAll } from "../../src/catalog/list-all.ts";
import { roleOf } from "../../src/conversation/entries/entry-kind.ts";
import { filesAtEntry } from "../../src/edits/files-at.ts";
import { SessionManager } from "../../src/store/manager/session-manager.ts";
import { readSession, type Session } from "../../src/store/read/read-session.ts";
import { run } from "../support/run.ts";
import { InPi } from "./in-pi.ts";
import { IS_NEWEST, PI_PROGRAM } from "./pi-program.ts";

/** What is known of files, compared with the disk after every step of the real pi in a real clone. */

type Disk = ReadonlyMap<string, string>;
type Call = readonly [tool: "read" | "write" | "edit" | "bash", args: object];

interface BlamedLine {
	readonly text: string;
	readonly commit: { readonly hash: string };
	readonly edits: readonly { readonly prompt: string }[];
}

let pi: InPi;
let clone: string;
/** What was on the disk when each answer was asked for, in order; by session. */
let held: Map<string, Disk[]>;

beforeEach(async () => {
	pi = new InPi();
	await pi.model.start(pi.agentDir);
	const origin = pi.directory("origin");
	git(origin, "init", "--quiet", "--initial-branch=main");
	write(origin, "src/cart.js", lines("cart", 12));
	write(origin, "src/util.js", lines("util", 8));
	write(origin, "README.md", "# Shop\n\nSells things.\n");
	write(origin, "fmt.sh", `for f in src/*.js; do sed 's/"/'"'"'/g' "$f" >"$f.new" && mv "$f.new" "$f"; done\n`);
	write(origin, "check.sh", "exit 0\n");
	commit(origin, "Begin");
	clone = join(pi.home, "work/shop");
	git(origin, "clone", "--quiet", ".", clone);
	held = new Map();
});
afterEach(() => pi.remove());

function lines(name: string, count: number): string {
	return Array.from({ length: count }, (_, at) => `export const ${name}${at + 1} = "${name} ${at + 1}";\n`).join("");
}

function write(root: string, name: string, text: string): void {
	mkdirSync(dirname(join(root, name)), { recursive: true });
	writeFileSync(join(root, name), text);
}

function git(root: string, ...args: readonly string[]): string {
	const person = ["-c", "user.name=Jane", "-c", "user.email=j@x"];
	// Git has no milliseconds, and nobody goes on within the same second.
	const date = `@${Math.floor(Date.now() / 1000) - 1} +0000`;
	const env = { ...process.env, ...pi.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
	return execFileSync("git", ["-C", root, ...person, ...args], { encoding: "utf8", env });
}

function commit(root: string, subject: string): void {
	git(root, "add", "--all");
	git(root, "commit", "--quiet", "--message", subject);
}

function diskOf(root: string): Disk {
	const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
	const own = paths.filter((path) => path !== ".git" && !path.startsWith(".git/"));
	return new Map(own.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** A turn of the real pi in which its model calls these tools, one after the other; `session`: which one goes on. */
async function turn(prompt: string, session: string | undefined, ...calls: readonly Call[]): Promise<string> {
	const before = new Set(sessionFiles());
	const disks: Disk[] = [];
	pi.model.onRequest = () => disks.push(diskOf(clone));
	pi.model.calls.push(...calls.map(([name, args]) => ({ name, arguments: args })));
	const args = [PI_PROGRAM, "-p", ...(session === undefined ? [] : ["--session", session]), prompt];
	const running = promisify(execFile)(process.execPath, args, {
		cwd: clone,
		env: { ...process.env, ...pi.env, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" },
	});
	running.child.stdin?.end();
	await running;
	const path = session ?? sessionFiles().find((one) => !before.has(one)) ?? "";
	expect(disks).toHaveLength(calls.length + 1);
	held.set(path, [...(held.get(path) ?? []), ...disks]);
	return path;
}

function sessionFiles(): readonly string[] {
	const root = join(pi.agentDir, "sessions");
	return readdirSync(root, { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".jsonl"))
		.map((name) => join(root, name));
}

/** The entries at which an answer was asked for, with what was on the disk then. */
function* moments(session: Session): Generator<readonly [entryId: string, disk: Disk]> {
	const disks = held.get(session.path) ?? [];
	const answers = session.entries.filter((entry) => roleOf(entry) === "assistant");
	expect(answers).toHaveLength(disks.length);
	for (const [at, { id }] of answers.entries()) yield [session.tree.parentOf.get(id) ?? "", disks[at] ?? new Map()];
}

/** The lines that a patch changes. */
const changed = (patch: string): readonly string[] => patch.match(/^[+-](?![+-]{2} ).*/gm) ?? [];

const edit = (path: string, oldText: string, newText: string): Call => [
	"edit",
	{ path, edits: [{ oldText, newText }] },
];
const bash = (command: string): Call => ["bash", { command }];
const read = (path: string): Call => ["read", { path }];

test.runIf(IS_NEWEST)("of ten turns with all that people do, the files are known after every step", async () => {
	const first = await turn(
		"One",
		undefined,
		read("src/cart.js"),
		edit("src/cart.js", 'cart2 = "cart 2"', 'cart2 = "t1"'),
	);
	await turn("Two", first, [
		"write",
		{ path: "src/tax.js", content: 'export const tax = "t2";\nexport const rate = 2;\n' },
	]);
	await turn(
		"Three",
		first,
		bash("mkdir -p src/lib && git mv src/util.js src/lib/util.js"),
		read("src/lib/util.js"),
		edit("src/lib/util.js", 'util3 = "util 3"', 'util3 = "t3"'),
	);
	await turn("Four", first, bash("sh fmt.sh"), read("src/cart.js"), read("src/tax.js"));
	write(clone, "README.md", "# Shop\n\nSells things, by hand.\n");

	// Before the commit by hand: who changed what is not committed yet.
	const uncommitted = (...args: readonly string[]) => run(pi, ["diff", "--uncommitted", ...args], {}, clone).out;
	const byHand = ["-Sells things.", "+Sells things, by hand."];
	expect(changed(uncommitted("--by-hand"))).toEqual(byHand);
	expect(changed(uncommitted(first))).toEqual(changed(uncommitted()).filter((line) => !byHand.includes(line)));
	execFileSync("git", ["apply", "-R", "--check"], { cwd: clone, input: uncommitted() });
	commit(clone, "By hand");

	await turn("Five", first, edit("src/cart.js", "cart5 = 'cart 5'", "cart5 = 't5'"), bash("sh check.sh"));
	const kept = (await readSession(first)).tree.leafId ?? "";
	await turn("Six", first, ["write", { path: "src/wrong.js", content: "wrong\n" }], edit("src/tax.js", "'t2'", "'t6'"));
	// That branch is left; what it did to the disk is still there.
	const manager = SessionManager.open(first);
	manager.branch(kept);
	manager.appendCustomEntry("left", {});
	await turn("Seven", first, bash("rm src/wrong.js"), bash("git checkout -- src/tax.js"));
	const second = await turn(
		"Eight",
		undefined,
		["write", { path: "src/ship.js", content: "export const ship = 't8';\n" }],
		read("src/cart.js"),
		edit("src/cart.js", "cart8 = 'cart 8'", "cart8 = 't8'"),
	);
	await turn("Nine", first, read("src/cart.js"), edit("src/cart.js", "cart9 = 'cart 9'", "cart9 = 't9'"));
	await turn("Ten", first, bash("git add -A && git -c user.name=pi -c user.email=p@x commit -qm 'Turn ten'"), [
		"write",
		{ path: "CHANGES.md", content: "t10\n" },
	]);
	expect(second).not.toBe(first);

	const rows = await listAll({ env: pi.env, home: pi.home, archived: true });
	const wrong: string[] = [];
	const counts = { exact: 0, likely: 0, unknown: 0, committed: 0, wrong: 0 };
	for (const path of [first, second]) {
		const session = await readSession(path);
		for (const [entryId, disk] of moments(session)) {
			const { base, files } = await filesAtEntry(session, entryId, { home: pi.home, rows });
			const rowOf = new Map(files.map((file) => [file.name, file]));
			const tree = git(clone, "ls-tree", "-r", "--name-only", base?.commit ?? "")
				.trim()
				.split("\n");
			for (const name of new Set([...tree, ...disk.keys(), ...rowOf.keys()])) {
				const row = rowOf.get(name);
				const isWritten = row !== undefined && (row.text !== undefined || row.isAbsent);
				const committed = tree.includes(name) ? git(clone, "show", `${base?.commit}:${name}`) : undefined;
				const text = isWritten ? row.text : committed;
				const answer = row?.answer ?? "committed";
				counts[answer]++;
				if (text === disk.get(name) || answer === "unknown") continue;
				if (answer === "likely") counts.wrong++;
				else wrong.push(`${entryId} ${name} ${answer}: ${row?.why}`);
			}
		}
	}
	expect(wrong).toEqual([]);
	expect(counts.exact).toBeGreaterThan(2 * (counts.likely + counts.unknown));
	expect(counts.wrong).toBeLessThanOrEqual(0.04 * (counts.exact + counts.likely + counts.unknown));

	// The directory as it was, and its undo.
	const into = join(pi.home, "then");
	const status = git(clone, "status", "--porcelain");
	const [at, disk] = [...moments(await readSession(first))].at(4) ?? ["", new Map()];
	expect(run(pi, ["checkout", `${first}#${at}`, "--into", into, "--yes"], {}, clone).code).toBe(0);
	expect(diskOf(into)).toEqual(disk);
	expect(run(pi, ["undo", "--yes"], {}, clone).code).toBe(0);
	expect(readdirSync(dirname(into))).not.toContain("then");
	expect([git(clone, "status", "--porcelain"), git(clone, "worktree", "list").trim().split("\n").length]).toEqual([
		status,
		1,
	]);

	// Whole files beside git blame: the same commits, and each line that a turn wrote by that turn.
	const turns = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
	for (const name of ["src/cart.js", "src/tax.js", "src/lib/util.js"]) {
		const { out } = run(pi, ["blame", "--json", join(clone, name)], {}, clone);
		const told: readonly BlamedLine[] = JSON.parse(out);
		const writerOf = (text: string): readonly string[] => {
			const number = text.includes("rate") ? 2 : Number(/["']t(\d)/.exec(text)?.[1] ?? 0);
			return number === 0 ? [] : turns.slice(number - 1, number);
		};
		expect(told.map(({ text, edits }) => [text, edits.map(({ prompt }) => prompt)])).toEqual(
			told.map(({ text }) => [text, writerOf(text)]),
		);
		const commits = git(clone, "blame", "--porcelain", name).match(/^[0-9a-f]{40}(?= \d)/gm);
		expect(told.map(({ commit: { hash } }) => hash)).toEqual(commits);
	}
});
