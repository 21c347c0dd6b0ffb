import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listAll } from "../../src/catalog/list-all.ts";
import { roleOf } from "../../src/conversation/entries/entry-kind.ts";
import { filesAtEntry } from "../../src/edits/files-at.ts";
import { SessionManager } from "../../src/store/manager/session-manager.ts";
import { readSession, type Session } from "../../src/store/read/read-session.ts";
import { run } from "../support/run.ts";
import { bash, type Disk, diskOf, edit, InClone, lines, read } from "./in-clone.ts";
import { IS_NEWEST } from "./pi-program.ts";

/** What is known of files, compared with the disk after every step of the real pi in a real clone. */

interface BlamedLine {
	readonly text: string;
	readonly commit: { readonly hash: string };
	readonly edits: readonly { readonly prompt: string }[];
}

let pi: InClone;
beforeEach(async () => {
	pi = new InClone({
		"src/cart.js": lines("cart", 12),
		"src/util.js": lines("util", 8),
		"README.md": "# Shop\n\nSells things.\n",
		"fmt.sh": `for f in src/*.js; do sed 's/"/'"'"'/g' "$f" >"$f.new" && mv "$f.new" "$f"; done\n`,
		"check.sh": "exit 0\n",
	});
	await pi.model.start(pi.agentDir);
});
afterEach(() => pi.remove());

/** The entries at which an answer was asked for, with what was on the disk then. */
function* moments(session: Session): Generator<readonly [entryId: string, disk: Disk]> {
	const disks = pi.held.get(session.path) ?? [];
	const answers = session.entries.filter((entry) => roleOf(entry) === "assistant");
	expect(answers).toHaveLength(disks.length);
	for (const [at, { id }] of answers.entries()) yield [session.tree.parentOf.get(id) ?? "", disks[at] ?? new Map()];
}

/** The lines that a patch changes. */
const changed = (patch: string): readonly string[] => patch.match(/^[+-](?![+-]{2} ).*/gm) ?? [];

test.runIf(IS_NEWEST)("of ten turns with all that people do, the files are known after every step", async () => {
	const { clone } = pi;
	const first = await pi.turn(
		"One",
		undefined,
		read("src/cart.js"),
		edit("src/cart.js", ['cart2 = "cart 2"', 'cart2 = "t1"']),
	);
	await pi.turn("Two", first, [
		"write",
		{ path: "src/tax.js", content: 'export const tax = "t2";\nexport const rate = 2;\n' },
	]);
	await pi.turn(
		"Three",
		first,
		bash("mkdir -p src/lib && git mv src/util.js src/lib/util.js"),
		read("src/lib/util.js"),
		edit("src/lib/util.js", ['util3 = "util 3"', 'util3 = "t3"']),
	);
	await pi.turn("Four", first, bash("sh fmt.sh"), read("src/cart.js"), read("src/tax.js"));
	pi.put(clone, "README.md", "# Shop\n\nSells things, by hand.\n");

	// Before the commit by hand: who changed what is not committed yet.
	const uncommitted = (...args: readonly string[]) => run(pi, ["diff", "--uncommitted", ...args], {}, clone).out;
	const byHand = ["-Sells things.", "+Sells things, by hand."];
	expect(changed(uncommitted("--by-hand"))).toEqual(byHand);
	expect(changed(uncommitted(first))).toEqual(changed(uncommitted()).filter((line) => !byHand.includes(line)));
	execFileSync("git", ["apply", "-R", "--check"], { cwd: clone, input: uncommitted() });
	pi.commit(clone, "By hand");

	await pi.turn("Five", first, edit("src/cart.js", ["cart5 = 'cart 5'", "cart5 = 't5'"]), bash("sh check.sh"));
	const kept = (await readSession(first)).tree.leafId ?? "";
	await pi.turn(
		"Six",
		first,
		["write", { path: "src/wrong.js", content: "wrong\n" }],
		edit("src/tax.js", ["'t2'", "'t6'"]),
	);
	// That branch is left; what it did to the disk is still there.
	const manager = SessionManager.open(first);
	manager.branch(kept);
	manager.appendCustomEntry("left", {});
	await pi.turn("Seven", first, bash("rm src/wrong.js"), bash("git checkout -- src/tax.js"));
	const second = await pi.turn(
		"Eight",
		undefined,
		["write", { path: "src/ship.js", content: "export const ship = 't8';\n" }],
		read("src/cart.js"),
		edit("src/cart.js", ["cart8 = 'cart 8'", "cart8 = 't8'"]),
	);
	await pi.turn("Nine", first, read("src/cart.js"), edit("src/cart.js", ["cart9 = 'cart 9'", "cart9 = 't9'"]));
	await pi.turn("Ten", first, bash("git add -A && git -c user.name=pi -c user.email=p@x commit -qm 'Turn ten'"), [
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
			const tree = pi
				.git(clone, "ls-tree", "-r", "--name-only", base?.commit ?? "")
				.trim()
				.split("\n");
			for (const name of new Set([...tree, ...disk.keys(), ...rowOf.keys()])) {
				const row = rowOf.get(name);
				const isWritten = row !== undefined && (row.text !== undefined || row.isAbsent);
				const committed = tree.includes(name) ? pi.git(clone, "show", `${base?.commit}:${name}`) : undefined;
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
	const status = pi.git(clone, "status", "--porcelain");
	const [at, disk] = [...moments(await readSession(first))].at(4) ?? ["", new Map()];
	expect(run(pi, ["checkout", `${first}#${at}`, "--into", into, "--yes"], {}, clone)).toMatchObject({ code: 0 });
	expect(diskOf(into)).toEqual(disk);
	expect(run(pi, ["undo", "--yes"], {}, clone)).toMatchObject({ code: 0 });
	expect(readdirSync(dirname(into))).not.toContain("then");
	expect([pi.git(clone, "status", "--porcelain"), pi.git(clone, "worktree", "list").trim().split("\n").length]).toEqual(
		[status, 1],
	);

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
		const commits = pi.git(clone, "blame", "--porcelain", name).match(/^[0-9a-f]{40}(?= \d)/gm);
		expect(told.map(({ commit: { hash } }) => hash)).toEqual(commits);
	}
});
