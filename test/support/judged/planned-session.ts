import { assistant, entry, header, label, name, toolResult, user } from "../session-builder.ts";

const DAY = 86_400_000;
/** When the builder's seconds begin. */
const START = Date.UTC(2026, 0, 1);

/** What a planned session is about. */
interface Facts {
	/** Its directory below the home directory. */
	readonly project: string;
	/** Days before now at which its last entry was written. */
	readonly daysAgo: number;
	readonly name?: string;
}

type Lines = string[];

/**
 * A session that is written like real work. Each entry has a key, its id is the session's number and the key; the result of a
 * call has the id of the call and `r`, since both are one row of the tree. Each entry follows the one before, unless `from`
 * went back to an earlier one.
 */
export class PlannedSession {
	readonly number: string;
	readonly cwd: string;
	readonly endMs: number;
	readonly #name: string | undefined;
	readonly #steps: ((second: number) => Lines)[] = [];
	#parent: string | null = null;

	constructor(number: string, home: string, now: number, { project, daysAgo, name: given }: Facts) {
		this.number = number;
		this.cwd = `${home}/${project}`;
		this.endMs = now - daysAgo * DAY;
		this.#name = given;
	}

	/** What the person said. */
	you(key: string, text: string): this {
		return this.#add(key, (id, parent, second) => [user(id, parent, second, text)]);
	}

	/** What the model answered. */
	answer(key: string, text: string, thinking?: string): this {
		const thought = thinking === undefined ? [] : [{ type: "thinking", thinking }];
		return this.#add(key, (id, parent, second) => [assistant(id, parent, second, text, thought)]);
	}

	/** A shell command and what it printed. */
	run(key: string, command: string, output: string): this {
		return this.#call(key, "bash", { command }, output);
	}

	read(key: string, path: string, output: string): this {
		return this.#call(key, "read", { path }, output);
	}

	edit(key: string, path: string, oldText: string, newText: string): this {
		return this.#call(key, "edit", { path, edits: [{ oldText, newText }] }, `Applied 1 edit to ${path}`);
	}

	write(key: string, path: string, content: string): this {
		return this.#call(key, "write", { path, content }, `Wrote ${content.split("\n").length} lines to ${path}`);
	}

	/** A command that the person typed with `!`. */
	bang(key: string, command: string, output: string): this {
		const fields = { role: "bashExecution", command, output, exitCode: 0, cancelled: false, truncated: false };
		return this.#add(key, (id, parent, second) => [entry("message", id, parent, second, { message: fields })]);
	}

	/** Goes back to an entry; a summary tells what was tried. */
	from(key: string, summary?: { readonly key: string; readonly text: string }): this {
		const left = this.#parent;
		this.#parent = this.idOf(key);
		if (summary === undefined) return this;
		const fields = { fromId: left, summary: summary.text };
		return this.#add(summary.key, (id, parent, second) => [entry("branch_summary", id, parent, second, fields)]);
	}

	compaction(key: string, summary: string): this {
		const fields = { summary, firstKeptEntryId: this.#parent, tokensBefore: 90_000 };
		return this.#add(key, (id, parent, second) => [entry("compaction", id, parent, second, fields)]);
	}

	label(of: string, text: string): this {
		return this.#add(`${of}-label`, (id, parent, second) => [label(id, parent, second, this.idOf(of), text)]);
	}

	idOf(key: string): string {
		return `${this.number}${key}`;
	}

	/** The lines of the file. */
	lines(): string[] {
		const end = (this.endMs - START) / 1000;
		const began = new Date(this.endMs - this.#steps.length * 60_000).toISOString();
		const all = [header({ id: `session-${this.number}`, timestamp: began, cwd: this.cwd })];
		for (const [at, step] of this.#steps.entries()) all.push(...step(end - (this.#steps.length - 1 - at) * 60));
		if (this.#name !== undefined) all.push(name(this.idOf("name"), this.#parent, end, this.#name));
		return all;
	}

	#call(key: string, tool: string, args: object, output: string): this {
		const call = { type: "toolCall", id: "c1", name: tool, arguments: args };
		this.#add(key, (id, parent, second) => [assistant(id, parent, second, "", [call])]);
		return this.#add(`${key}r`, (id, parent, second) => [toolResult(id, parent, second, output, tool)]);
	}

	#add(key: string, draw: (id: string, parent: string | null, second: number) => Lines): this {
		const [id, parent] = [this.idOf(key), this.#parent];
		this.#parent = id;
		this.#steps.push((second) => draw(id, parent, second));
		return this;
	}
}
