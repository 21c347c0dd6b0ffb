import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { GIT_OPERATIONS, HAND_OPERATIONS } from "./git-operations.ts";
import { OPERATIONS } from "./operations.ts";
import { makeText, nameOf, word } from "./texts.ts";
import { World } from "./world.ts";
import { WorldSession } from "./world-session.ts";

const NAMES = [
	...[
		"src/main.js",
		"src/util.ts",
		"src/deep/er/part.js",
		"lib/side.js",
		"docs/guide.md",
		"docs/with spaces.md",
		"notes.txt",
	],
	...["conf/app.ini", "größen.txt", "tools/run.py", "win/crlf.txt", "win/other.js", "bom.ts", "README.md"],
];
const DAY_MS = 86_400_000;

/** Makes a world of so many steps, all that is in it decided by the seed; its sessions are saved. */
export function makeWorld(dir: string, home: string, seed: number, steps: number): World {
	const world = new World(dir, home, seed);
	const { chance, root } = world;
	begin(world);
	const operations = world.isGit ? [...OPERATIONS, ...GIT_OPERATIONS] : OPERATIONS;
	const most = 1 + chance.below(4);
	let session = new WorldSession(world, root);
	while (world.sessions.reduce((sum, one) => sum + one.steps.length, 0) < steps) {
		if (!session.isOpen || chance.is(0.2)) {
			session.close();
			between(world);
			session = nextSession(world, session, most);
			session.close();
			world.wait(10, 600);
			// Back to an earlier turn: the disk stays as it is.
			if (session.turns.length > 1 && chance.is(0.12)) session.leaf = chance.pick(session.turns.slice(1));
			session.prompt(`Please ${word(chance)} the ${word(chance)} of ${nameOf(chance)}`);
		} else if (chance.is(0.06)) session = chance.pick(alive(world).filter(({ isOpen }) => isOpen));
		// What is done in a directory that was moved away would fail.
		if (!existsSync(session.cwd) || world.files(session.root).length < 3) session = startedIn(world, root);
		const { name, isPlain, run } = chance.weighed(operations);
		// Commands and the person have removed nearly everything: there is nothing left to work on.
		if (world.files(session.root).length < 3) break;
		world.operation = { name, isPlain };
		run(session);
	}
	for (const one of world.sessions) {
		one.close();
		one.save();
	}
	return world;
}

function begin(world: World): void {
	const { chance, root } = world;
	const put = (name: string, content: string | Buffer): void => {
		mkdirSync(dirname(join(root, name)), { recursive: true });
		writeFileSync(join(root, name), content);
	};
	for (const name of [...chance.some(NAMES, 6 + chance.below(8)), "AGENTS.md", "src/index.ts"]) {
		const text = makeText(chance, name);
		const mark = name === "bom.ts" ? "\uFEFF" : "";
		put(name, mark + (name.startsWith("win/") ? text.replaceAll("\n", "\r\n") : text));
	}
	put("package.json", '{\n  "name": "app",\n  "scripts": { "test": "true" }\n}\n');
	put(".gitignore", "out/\nnode_modules/\n*.log\n");
	put("src/empty.txt", "");
	put("assets/logo.bin", Buffer.from([0, 255, 1, 254, 10, 13, chance.below(256)]));
	if (chance.is(0.6)) symlinkSync("AGENTS.md", join(root, "CLAUDE.md"));
	if (world.isGit) world.shell("git init -q && git add -A && git commit -qm begin", root);
	world.addRoot(root);
	world.wait(3600, 90_000);
}

/** What happens between two turns. */
function between(world: World): void {
	const { chance } = world;
	if (chance.is(0.18)) world.clock += DAY_MS * (1 + chance.below(3));
	for (let count = chance.is(0.35) ? 1 + chance.below(2) : 0; count > 0; count--) {
		const root = chance.is(0.85) ? world.root : chance.pick([...world.now.keys()]);
		if (world.files(root).length < 4) continue;
		const { name, run } = chance.weighed(HAND_OPERATIONS.filter(({ needsGit = false }) => world.isGit || !needsGit));
		world.operation = { name: `by hand: ${name}`, isPlain: false };
		run(world, root);
	}
	if (world.now.has(world.side) && chance.is(0.1)) {
		world.operation = { name: "by hand: worktree", isPlain: false };
		for (const one of world.sessions) if (one.root === world.side) one.close();
		world.byHand("git worktree remove --force ../side");
		world.removeRoot(world.side);
	}
}

function alive({ sessions, now }: World): readonly WorldSession[] {
	return sessions.filter(({ root, cwd }) => now.has(root) && existsSync(cwd));
}

/** The session of the next turn: the same one, another one, or a new one. */
function nextSession(world: World, session: WorldSession, most: number): WorldSession {
	const { chance } = world;
	const others = alive(world);
	if (others.includes(session) && !(world.sessions.length < most && chance.is(0.35)))
		return chance.is(0.35) ? chance.pick(others) : session;
	if (others.length > 0 && world.sessions.length >= most) return chance.pick(others);
	if (
		world.isGit &&
		world.now.size === 1 &&
		!world.sessions.some(({ root }) => root === world.side) &&
		chance.is(0.4)
	) {
		world.operation = { name: "by hand: worktree", isPlain: false };
		if (world.byHand("git worktree add -q -b side ../side")) world.addRoot(world.side);
	}
	return startedIn(world, chance.is(0.6) ? world.root : chance.pick([...world.now.keys()]));
}

function startedIn(world: World, root: string): WorldSession {
	world.clock += 90_000;
	const isBelow = existsSync(join(root, "src")) && world.chance.is(0.2);
	const session = new WorldSession(world, root, isBelow ? "src" : "");
	session.prompt("Please begin");
	return session;
}
