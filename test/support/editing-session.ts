import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTwoFilesPatch, structuredPatch } from "diff";
import { rulesOf } from "../../src/shared/system.ts";
import { defaultSessionDir } from "../../src/store/read/session-dir.ts";

/** A replacement as pi's `edit` takes it. */
export interface TestEdit {
	readonly oldText: string;
	readonly newText: string;
}

/** How a step is made. */
export interface StepOptions {
	/** The tool failed, and changed nothing. */
	readonly fails?: boolean;
	/** What it says then. */
	readonly failure?: string | undefined;
	/** What pi's `edit` says of the change is left out, as old versions did. */
	readonly plain?: boolean;
	/** There is no result: pi was ended before. */
	readonly unanswered?: boolean;
	/** Without a result, it was done all the same. */
	readonly done?: boolean;
	/** A call of `write` in the same answer, before this one; `isLast`: though its result is before, it is carried out after it. */
	readonly beside?: { readonly path: string; readonly content: string; readonly isLast: boolean } | undefined;
}

interface StepResult {
	readonly text: string;
	readonly details: object | undefined;
	readonly isError?: boolean;
}

/**
 * A session whose tools change files: what pi would write, and what the files hold after it. The disk is a map that several
 * sessions may share; texts have line feeds only, and are replaced where they stand exactly once.
 */
export class EditingSession {
	readonly disk: Map<string, string>;
	readonly id: string;
	readonly cwd: string;
	readonly lines: string[] = [];
	/** The entry that the next one follows. */
	leaf: string | null = null;
	/** What was on the disk when each entry was written. */
	readonly held = new Map<string, ReadonlyMap<string, string>>();
	/** When the next entry is written, Unix ms. */
	now: number;
	#count = 0;

	constructor(id: string, cwd: string, now: number, disk: Map<string, string> = new Map()) {
		this.id = id;
		this.cwd = cwd;
		this.now = now;
		this.disk = disk;
		this.lines.push(JSON.stringify({ type: "session", version: 3, id, timestamp: this.#time(), cwd }));
	}

	prompt(text: string): string {
		return this.#message({ role: "user", content: [{ type: "text", text }] });
	}

	write(path: string, content: string, options: StepOptions = {}): string {
		return this.#step("write", { path, content }, options, () => {
			this.disk.set(this.#resolved(path), content);
			return { text: `Successfully wrote to ${path}`, details: undefined };
		});
	}

	/** Throws where pi would refuse. */
	edit(path: string, edits: readonly TestEdit[], options: StepOptions = {}): string {
		return this.#step("edit", { path, edits }, options, () => {
			const before = this.disk.get(this.#resolved(path)) ?? "";
			const after = edited(before, edits);
			this.disk.set(this.#resolved(path), after);
			const details = { diff: numberedDiff(before, after), patch: createTwoFilesPatch(path, path, before, after) };
			return { text: `Successfully replaced ${edits.length} block(s) in ${path}.`, details };
		});
	}

	/** Fails where there is no file. `lines`: only from the first to the last of these, from 1. */
	read(path: string, lines?: readonly [from: number, to: number]): string {
		const [offset, to] = lines ?? [];
		const range = lines === undefined ? {} : { offset, limit: (to ?? 0) - (offset ?? 0) + 1 };
		const text = this.disk.get(this.#resolved(path));
		const failure = text === undefined ? `ENOENT: no such file or directory, access '${path}'` : undefined;
		return this.#step("read", { path, ...range }, { fails: failure !== undefined, failure }, () => {
			const all = (text ?? "").split("\n");
			const rest = all.length - (to ?? all.length);
			const notice = rest > 0 ? `\n\n[${rest} more lines in file. Use offset=${(to ?? 0) + 1} to continue.]` : "";
			return { text: all.slice((offset ?? 1) - 1, to).join("\n") + notice, details: undefined };
		});
	}

	/** A shell command; `changes` is what it does to the files, and returns whether it failed. */
	bash(
		command: string,
		changes: (disk: Map<string, string>) => unknown = () => undefined,
		output: string | (() => string) = "done",
		options: StepOptions = {},
	): string {
		return this.#step("bash", { command }, options, () => {
			const isError = changes(this.disk) === true;
			return { text: typeof output === "string" ? output : output(), details: undefined, isError };
		});
	}

	/** A shell command of the person. */
	shell(command: string, changes: (disk: Map<string, string>) => boolean, output: () => string = () => ""): string {
		const exitCode = changes(this.disk) ? 1 : 0;
		const said = { output: output(), exitCode, cancelled: false, truncated: false };
		return this.#message({ role: "bashExecution", command, ...said });
	}

	/** The session's file, in pi's directory below `agentDir`; returns its path. */
	save(agentDir: string): string {
		const path = join(defaultSessionDir(this.cwd, agentDir), `2026-01-01T00-00-00-000Z_${this.id}.jsonl`);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, this.text);
		return path;
	}

	/** Makes the real disk what the map is, as far as it was ever in it: a file that is gone from it is removed. */
	putDisk(): void {
		const gone = new Set([...this.held.values()].flatMap((files) => [...files.keys()]));
		for (const path of gone) if (!this.disk.has(path)) rmSync(path, { force: true });
		for (const [path, text] of this.disk) {
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, text);
		}
	}

	get text(): string {
		return this.lines.map((line) => `${line}\n`).join("");
	}

	#step(
		name: string,
		args: object,
		{ fails = false, failure = "It failed.", plain = false, unanswered = false, done = false, beside }: StepOptions,
		run: () => StepResult,
	): string {
		const toolCallId = `call_${this.#count}`;
		const writeId = `write_${this.#count}`;
		const write = { type: "toolCall", id: writeId, name: "write", arguments: beside };
		const call = this.#message({
			role: "assistant",
			content: [...(beside === undefined ? [] : [write]), { type: "toolCall", id: toolCallId, name, arguments: args }],
			stopReason: "toolUse",
		});
		if (unanswered) {
			if (done) run();
			return call;
		}
		const put = (isNow: boolean): void => {
			if (beside !== undefined && isNow) this.disk.set(this.#resolved(beside.path), beside.content);
		};
		put(beside?.isLast === false);
		const { text, details, isError = fails } = fails ? { text: failure, details: undefined } : run();
		put(beside?.isLast === true);
		const content = [{ type: "text", text }];
		if (beside !== undefined)
			this.#message({ role: "toolResult", toolCallId: writeId, toolName: "write", content: [], isError: false });
		return this.#message({
			role: "toolResult",
			toolCallId,
			toolName: name,
			content,
			...(details !== undefined && !plain && { details }),
			isError,
		});
	}

	#message(message: object): string {
		const id = `${this.id.slice(-4)}${String(this.#count++).padStart(4, "0")}`;
		const entry = { type: "message", id, parentId: this.leaf, timestamp: this.#time(), message };
		this.lines.push(JSON.stringify(entry));
		this.leaf = id;
		this.held.set(id, new Map(this.disk));
		this.now += 1000;
		return id;
	}

	/** By the rules of the system of its directory. */
	#resolved(path: string): string {
		return rulesOf(this.cwd).resolve(this.cwd, path);
	}

	#time(): string {
		return new Date(this.now).toISOString();
	}
}

function edited(before: string, edits: readonly TestEdit[]): string {
	const spans = edits.map(({ oldText, newText }) => {
		const parts = before.split(oldText);
		if (parts.length !== 2) throw new Error(`the text is there ${parts.length - 1} times: ${oldText}`);
		const start = parts[0]?.length ?? 0;
		return { start, end: start + oldText.length, newText };
	});
	return spans
		.toSorted((one, other) => other.start - one.start)
		.reduce((text, { start, end, newText }) => text.slice(0, start) + newText + text.slice(end), before);
}

/** A diff in the form in which pi shows it. */
function numberedDiff(before: string, after: string): string {
	const width = String(Math.max(before.split("\n").length, after.split("\n").length)).length;
	const { hunks } = structuredPatch("a", "a", before, after, "", "", { context: 4 });
	const shown = hunks.map(({ oldStart, newStart, lines }) => {
		let [old, now] = [oldStart, newStart];
		return lines
			.filter((line) => !line.startsWith("\\"))
			.map((line) => {
				const number = line.startsWith("+") ? now : old;
				if (!line.startsWith("+")) old++;
				if (!line.startsWith("-")) now++;
				return `${line[0]}${String(number).padStart(width)} ${line.slice(1)}`;
			});
	});
	return shown.map((lines) => lines.join("\n")).join(`\n ${"".padStart(width)} ...\n`);
}
