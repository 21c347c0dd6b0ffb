import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { InPi } from "./in-pi.ts";
import { PI_PROGRAM } from "./pi-program.ts";

/** The text of each file of a directory, by its name. */
export type Disk = ReadonlyMap<string, string>;

/** A tool that the model calls. */
export type Call = readonly [tool: "read" | "write" | "edit" | "bash", args: object];

/** The real pi at work in a real clone, with what was on the disk at each step. */
export class InClone extends InPi {
	readonly clone: string;
	/** What was on the disk when each answer was asked for, in order; by session. */
	readonly held = new Map<string, Disk[]>();

	/** `files`: what is in the first commit. */
	constructor(files: Readonly<Record<string, string>>) {
		super();
		const origin = this.directory("origin");
		this.clone = join(this.home, "work/shop");
		this.git(origin, "init", "--quiet", "--initial-branch=main");
		for (const [name, text] of Object.entries(files)) this.put(origin, name, text);
		this.commit(origin, "Begin");
		this.git(origin, "clone", "--quiet", ".", this.clone);
	}

	put(root: string, name: string, text: string): void {
		mkdirSync(dirname(join(root, name)), { recursive: true });
		writeFileSync(join(root, name), text);
	}

	git(root: string, ...args: readonly string[]): string {
		const person = ["-c", "user.name=Jane", "-c", "user.email=j@x"];
		const date = `@${Math.floor(Date.now() / 1000)} +0000`;
		const env = { ...process.env, ...this.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
		return execFileSync("git", ["-C", root, ...person, ...args], { encoding: "utf8", env });
	}

	commit(root: string, subject: string): void {
		this.git(root, "add", "--all");
		this.git(root, "commit", "--quiet", "--message", subject);
	}

	/** A turn of the real pi in which its model calls these tools, one after the other; `session`: which one goes on. */
	async turn(prompt: string, session: string | undefined, ...calls: readonly Call[]): Promise<string> {
		const before = new Set(this.#sessionFiles());
		const disks: Disk[] = [];
		this.model.onRequest = () => disks.push(diskOf(this.clone));
		this.model.calls.push(...calls.map(([name, args]) => ({ name, arguments: args })));
		const args = [PI_PROGRAM, "-p", ...(session === undefined ? [] : ["--session", session]), prompt];
		const running = promisify(execFile)(process.execPath, args, {
			cwd: this.clone,
			env: { ...process.env, ...this.env, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" },
		});
		running.child.stdin?.end();
		await running;
		this.model.onRequest = () => undefined;
		const path = session ?? this.#sessionFiles().find((one) => !before.has(one)) ?? "";
		expect(disks).toHaveLength(calls.length + 1);
		this.held.set(path, [...(this.held.get(path) ?? []), ...disks]);
		return path;
	}

	#sessionFiles(): readonly string[] {
		const root = join(this.agentDir, "sessions");
		return readdirSync(root, { recursive: true, encoding: "utf8" })
			.filter((name) => name.endsWith(".jsonl"))
			.map((name) => join(root, name));
	}
}

export function diskOf(root: string): Disk {
	const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
	const own = paths.filter((path) => path !== ".git" && !path.startsWith(".git/"));
	return new Map(own.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** Lines of JavaScript that differ: `export const cart1 = "cart 1";` and so on. */
export function lines(name: string, count: number): string {
	return Array.from({ length: count }, (_, at) => `export const ${name}${at + 1} = "${name} ${at + 1}";\n`).join("");
}

/** A call that replaces some texts in a file. */
export function edit(path: string, ...texts: readonly (readonly [oldText: string, newText: string])[]): Call {
	return ["edit", { path, edits: texts.map(([oldText, newText]) => ({ oldText, newText })) }];
}

export const bash = (command: string): Call => ["bash", { command }];
export const read = (path: string): Call => ["read", { path }];
