import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { defaultSessionDir } from "../../../src/store/read/session-dir.ts";
import type { TestEdit } from "../../support/editing-session.ts";
import { followed, type Snapshot } from "./disk.ts";
import { applyEdits, detailsOf, plainText } from "./texts.ts";
import type { World } from "./world.ts";

/** A call of one of pi's tools; paths as the tool gets them. */
export type Call =
	| { readonly tool: "read"; readonly path: string; readonly offset?: number; readonly limit?: number }
	| { readonly tool: "write"; readonly path: string; readonly content: string }
	| { readonly tool: "edit"; readonly path: string; readonly edits: readonly TestEdit[] }
	| { readonly tool: "bash"; readonly command: string };

/** A call with its result, or a command of the person. */
export interface Step {
	/** The id of the entry with the result. */
	readonly entryId: string;
	readonly call: Call;
	readonly isError: boolean;
	readonly output: string;
	/** The files of the session's root around it, and how many deeds there were after it. */
	readonly before: Snapshot;
	readonly after: Snapshot;
	readonly deeds: number;
}

interface ToolResult {
	readonly text: string;
	readonly details?: object | undefined;
	readonly isError?: boolean;
}

const COST = { input: 0.001, output: 0.001, cacheRead: 0, cacheWrite: 0, total: 0.002 };
const USAGE = { input: 100, output: 50, cacheRead: 0, cacheWrite: 0, totalTokens: 150, cost: COST };
const MODEL = { api: "anthropic-messages", provider: "anthropic", model: "claude-opus-4-1" };

/** A session whose tools work on the disk of a world. */
export class WorldSession {
	readonly world: World;
	readonly id: string;
	/** The directory of its repository or worktree, and its own directory there. */
	readonly root: string;
	readonly cwd: string;
	readonly path: string;
	readonly steps: Step[] = [];
	/** The entries before the prompts: whereto a person can go back. */
	readonly turns: (string | null)[] = [];
	leaf: string | null = null;
	isOpen = false;
	readonly #parents = new Map<string, string | null>();
	readonly #lines: string[] = [];

	constructor(world: World, root: string, below = "") {
		const { chance, clock } = world;
		const time = clock.toString(16).padStart(12, "0");
		const random = `7${chance.hex(3)}-8${chance.hex(3)}-${chance.hex(12)}`;
		this.world = world;
		this.root = root;
		this.cwd = join(root, below);
		this.id = `${time.slice(0, 8)}-${time.slice(8)}-${random}`;
		const timestamp = new Date(clock).toISOString();
		this.#lines.push(JSON.stringify({ type: "session", version: 3, id: this.id, timestamp, cwd: this.cwd }));
		const directory = defaultSessionDir(this.cwd, world.agentDir);
		this.path = join(directory, `${timestamp.replace(/[:.]/g, "-")}_${this.id}.jsonl`);
		world.sessions.push(this);
	}

	prompt(text: string): void {
		this.turns.push(this.leaf);
		this.isOpen = true;
		this.#push({ role: "user", content: [{ type: "text", text }] });
	}

	/** Ends the turn. */
	close(): void {
		if (this.isOpen) this.#say([{ type: "text", text: "Done." }], "stop");
		this.isOpen = false;
	}

	/** Calls of one answer, carried out one after the other; returns the last step. `meanwhile` runs while the first one does. */
	call(calls: readonly Call[], meanwhile?: () => void): Step | undefined {
		const asked = calls.map((call) => ({ call, id: `call_${this.world.chance.hex(10)}` }));
		const content = asked.map(({ call: { tool, ...rest }, id }) => ({
			type: "toolCall",
			id,
			name: tool,
			arguments: rest,
		}));
		this.#say(content, "toolUse");
		meanwhile?.();
		for (const { call, id: toolCallId } of asked)
			this.#step(call, this.#do(call), ({ text, details, isError = false }) => {
				const found = { toolCallId, toolName: call.tool, content: [{ type: "text", text }] };
				return this.#push({ role: "toolResult", ...found, ...(details && { details }), isError });
			});
		return this.steps.at(-1);
	}

	/** A command of the person with `!`. */
	ownCommand(command: string): void {
		const { output, exitCode } = this.world.shell(command, this.cwd);
		this.#step({ tool: "bash", command }, { text: output, isError: exitCode !== 0 }, () =>
			this.#push({ role: "bashExecution", command, output, exitCode, cancelled: false, truncated: false }),
		);
	}

	/** How the session writes a file of its root. */
	named(name: string): string {
		return relative(this.cwd, join(this.root, name));
	}

	/** The steps on the branch that ends at an entry. */
	stepsTo(entryId = this.leaf): readonly Step[] {
		const ids = new Set<string>();
		for (let id = entryId; id !== null; id = this.#parents.get(id) ?? null) ids.add(id);
		return this.steps.filter((step) => ids.has(step.entryId));
	}

	/** Writes its file; returns the text. */
	save(): string {
		const text = this.#lines.map((line) => `${line}\n`).join("");
		mkdirSync(dirname(this.path), { recursive: true });
		writeFileSync(this.path, text);
		utimesSync(this.path, this.world.clock / 1000, this.world.clock / 1000);
		return text;
	}

	#step(call: Call, result: ToolResult, push: (result: ToolResult) => string): void {
		const { world, root } = this;
		const before = world.now.get(root) ?? new Map();
		world.wait(1, 25);
		const entryId = push(result);
		const { text: output, isError = false } = result;
		const author = { session: this.id, entryId, how: call.tool };
		if (call.tool === "bash") world.look(author, call.command);
		else world.look(author, `${call.tool} ${call.path}`, this.#target(call.path));
		const after = world.now.get(root) ?? new Map();
		this.steps.push({ entryId, call, isError, output, before, after, deeds: world.deeds.length });
	}

	/** The file that a tool works on, behind a link. */
	#target(path: string): string {
		const whole = resolve(this.cwd, path);
		return join(this.root, followed(this.world.now.get(this.root) ?? new Map(), relative(this.root, whole)));
	}

	#do(call: Call): ToolResult {
		if (call.tool === "bash") {
			const { output, exitCode } = this.world.shell(call.command, this.cwd);
			if (exitCode === 0) return { text: output === "" ? "(no output)" : output };
			return { text: `${output}\n\nCommand exited with code ${exitCode}`, isError: true };
		}
		const whole = resolve(this.cwd, call.path);
		try {
			if (call.tool === "write") {
				mkdirSync(dirname(whole), { recursive: true });
				writeFileSync(whole, call.content);
				return { text: `Successfully wrote to ${call.path}` };
			}
			const text = readFileSync(whole, "utf8");
			return call.tool === "read" ? read(text, call) : edit(text, call, (changed) => writeFileSync(whole, changed));
		} catch (error) {
			return { text: error instanceof Error ? error.message : String(error), isError: true };
		}
	}

	#say(content: readonly object[], stopReason: string): void {
		this.world.wait(2, 15);
		this.#push({ role: "assistant", content, ...MODEL, usage: USAGE, stopReason });
	}

	#push(message: object): string {
		const { chance, clock } = this.world;
		const id = chance.hex(8);
		const timestamp = new Date(clock).toISOString();
		const entry = { type: "message", id, parentId: this.leaf, timestamp, message: { ...message, timestamp: clock } };
		this.#lines.push(JSON.stringify(entry));
		this.#parents.set(id, this.leaf);
		this.leaf = id;
		return id;
	}
}

function read(text: string, { offset = 1, limit }: { readonly offset?: number; readonly limit?: number }): ToolResult {
	const all = text.split("\n");
	const end = limit === undefined ? all.length : Math.min(offset - 1 + limit, all.length);
	const rest = all.length - end;
	const notice = rest > 0 ? `\n\n[${rest} more lines in file. Use offset=${end + 1} to continue.]` : "";
	return { text: all.slice(offset - 1, end).join("\n") + notice };
}

function edit(
	text: string,
	{ path, edits }: { readonly path: string; readonly edits: readonly TestEdit[] },
	put: (text: string) => void,
): ToolResult {
	const { plain, back } = plainText(text) ?? { plain: text, back: (same: string) => same };
	if (edits.some(({ oldText }) => plain.split(oldText).length !== 2))
		return { text: `Could not find the exact text in ${path}.`, isError: true };
	const changed = applyEdits(plain, edits);
	put(back(changed));
	const details = detailsOf(path, plain, changed);
	return { text: `Successfully replaced ${edits.length} block(s) in ${path}.`, details };
}
