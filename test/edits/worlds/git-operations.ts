import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bash, quoted } from "./commands.ts";
import { edit, plain, type SessionOperation, unclear } from "./operations.ts";
import { block, linesOf, makeText, nameOf } from "./texts.ts";
import type { World } from "./world.ts";
import type { WorldSession } from "./world-session.ts";

function editAny(session: WorldSession): void {
	edit(session, session.world.chance.pick(session.world.files(session.root)));
}

/** A branch with a commit, then back to where it was, then what is made of it; nothing stays half done. */
function branch(session: WorldSession): void {
	const { chance } = session.world;
	const name = nameOf(chance);
	bash(session, [`git checkout -q -b ${name}`]);
	editAny(session);
	bash(session, ["git commit -qam {name}"]);
	bash(session, ["git checkout -q -"]);
	if (chance.is(0.5)) editAny(session);
	if (chance.is(0.5)) bash(session, ["git commit -qam {name}"]);
	const ends = [`git merge -q --no-edit ${name} || git merge --abort`, `git rebase -q ${name} || git rebase --abort`];
	ends.push(`git cherry-pick ${name} || git cherry-pick --abort`, `git checkout -q ${name}`, "git log -3 --format=%s");
	bash(session, ends);
}

/** A stash, work, and its return; a conflict ends with the commit. */
function stash(session: WorldSession): void {
	bash(session, ["git stash -q", "git stash -q -u", "git stash"]);
	if (session.world.chance.is(0.6)) editAny(session);
	bash(session, ["git stash pop -q || git reset -q --hard"]);
}

/** Staged, changed again, and back to what was staged. */
function fromIndex(session: WorldSession): void {
	const name = session.world.chance.pick(session.world.files(session.root));
	edit(session, name);
	bash(session, ["git add {file}"], name);
	edit(session, name);
	bash(session, ["git checkout -- {file}", "git restore {file}"], name);
}

export const GIT_OPERATIONS: readonly SessionOperation[] = [
	unclear(5, "commit", "git commit -qam '{word} {name}'", "git add -A && git commit -qm '{word} {name}'"),
	unclear(2, "commit of one file", "git add {file} && git commit -qm '{word} {name}'"),
	unclear(0.8, "amend", "git commit -q --amend --no-edit -a", "git commit -q --amend -m {name}"),
	plain(1, "git rm", "git rm -qf {file}"),
	plain(2, "git mv", "git mv {file} {beside}", "git mv {file} {new}", "git mv {tree} {word}{number}"),
	plain(1.5, "put back", "git checkout -- {file}", "git restore {file}", "git checkout -- {file} && true"),
	plain(0.8, "from a commit", "git checkout HEAD~1 -- {file}", "git restore --source=HEAD~1 {file}"),
	{ weight: 1, name: "from the index", isPlain: true, run: fromIndex },
	{ weight: 1.2, name: "stash", isPlain: false, run: stash },
	{ weight: 1.5, name: "branch", isPlain: false, run: branch },
	unclear(0.7, "revert", "git revert --no-edit HEAD || git revert --abort"),
	unclear(0.8, "reset", "git reset -q --hard HEAD~1", "git reset -q --hard", "git reset -q", "git reset -q HEAD~1"),
];

/** Something that a person does between two turns. */
export interface HandOperation {
	readonly weight: number;
	readonly name: string;
	readonly needsGit?: boolean;
	readonly run: (world: World, root: string) => void;
}

/** The name of what a person does when all is put back. */
export const PUT_BACK = "by hand: put back";

export const HAND_OPERATIONS: readonly HandOperation[] = [
	{ weight: 4, name: "edit", run: handEdit },
	{ weight: 3, name: "edit, committed", needsGit: true, run: handCommit },
	{ weight: 4, name: "commit", needsGit: true, run: (world, root) => commitAll(world, root) },
	{ weight: 1, name: "new file", run: handWrite },
	{ weight: 0.7, name: "rm", run: handRemove },
	{
		weight: 0.7,
		name: "put back",
		needsGit: true,
		run: (world, root) => void world.byHand("git checkout -q -- .", undefined, root),
	},
];

function commitAll(world: World, root: string): void {
	world.byHand(`git add -A && git commit -qm ${nameOf(world.chance)}`, undefined, root);
}

function handEdit(world: World, root: string): void {
	const { chance } = world;
	const name = chance.pick(world.files(root));
	const lines = linesOf(world.text(root, name));
	const at = chance.below(lines.length + 1);
	const end = lines[0]?.endsWith("\r\n") === true ? "\r\n" : "\n";
	const fresh = chance.is(0.5) ? block(chance, name) : [`${nameOf(chance)} by hand`];
	const text = lines.toSpliced(at, chance.below(2), ...fresh.map((line) => line + end)).join("");
	world.byHand(`edited ${name}`, () => writeFileSync(join(root, name), text), root);
}

function handCommit(world: World, root: string): void {
	handEdit(world, root);
	world.byHand(`git commit -qam ${nameOf(world.chance)}`, undefined, root);
}

function handWrite(world: World, root: string): void {
	const name = `${nameOf(world.chance)}.txt`;
	const text = makeText(world.chance, name);
	world.byHand(`wrote ${name}`, () => writeFileSync(join(root, name), text), root);
}

function handRemove(world: World, root: string): void {
	const names = world.files(root);
	if (names.length > 4) world.byHand(`rm ${quoted(world.chance.pick(names))}`, undefined, root);
}
