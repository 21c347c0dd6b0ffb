import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeProse } from "./prose.ts";
import { seededRandom } from "./random.ts";

/** Milliseconds since 1970 of the first entry. */
const BEGAN = Date.UTC(2026, 0, 6, 8);
const CWD = "/home/dev/work";
/** Bytes that are written at once. */
const PIECE = 1 << 20;
const USAGE = {
	input: 100,
	output: 50,
	cacheRead: 1000,
	cacheWrite: 100,
	totalTokens: 1250,
	cost: { input: 0.001, output: 0.002, cacheRead: 0.001, cacheWrite: 0.001, total: 0.005 },
};

/** A file as it is at one moment of the session. */
interface WorkFile {
	readonly path: string;
	readonly lines: string[];
}

/**
 * Writes a session in which an agent reads so many files and then edits them again and again: in each turn a prompt, four calls with their
 * results (of five, two are edits of a line, two are reads of a part, one is a command) and an answer. All are on one path.
 */
export function writeEditSession(path: string, entries: number, fileCount: number): void {
	mkdirSync(dirname(path), { recursive: true });
	const session = new EditSession(openSync(path, "w"), fileCount);
	while (session.count < entries) session.turn();
	session.close();
}

class EditSession {
	count = 0;
	readonly #fd: number;
	readonly #files: readonly WorkFile[];
	readonly #random = seededRandom(46);
	#piece = "";
	#parentId: string | null = null;
	#calls = 0;
	#known = 0;

	constructor(fd: number, fileCount: number) {
		const prose = makeProse(this.#random);
		this.#fd = fd;
		this.#files = Array.from({ length: fileCount }, (_, at) => ({
			path: `src/part-${at % 20}/file-${at}.ts`,
			lines: Array.from({ length: 150 + (at % 100) }, (_, line) => `${prose.text(30).split("\n")[0]} = of(${line});`),
		}));
		this.#write({ type: "session", version: 3, id: this.#random.hex(8), timestamp: this.#time, cwd: CWD });
	}

	turn(): void {
		this.#add({ role: "user", content: [{ type: "text", text: `Compute part ${this.count} in another way` }] });
		for (let step = 0; step < 4; step++) this.#step(step);
		this.#answer({ type: "text", text: "Done. The values are computed in another way, and the tests pass." });
	}

	close(): void {
		writeSync(this.#fd, this.#piece);
		closeSync(this.#fd);
	}

	#step(step: number): void {
		const kind = this.#calls % 5;
		const unread = step === 0 ? this.#files[this.#known] : undefined;
		if (unread !== undefined) {
			this.#known += 1;
			this.#call("read", { path: unread.path }, `${unread.lines.join("\n")}\n`);
			return;
		}
		const file = this.#files[this.#random.int(0, this.#known)];
		if (file === undefined) return;
		if (kind < 2) this.#edit(file);
		else if (kind === 2)
			this.#call("bash", { command: "grep -rn value src | head -20" }, "src/a.ts: value\n".repeat(15));
		else {
			const part = file.lines.slice(19, 34).join("\n");
			const more = "[100 more lines in file. Use offset=35 to continue.]";
			this.#call("read", { path: file.path, offset: 20, limit: 15 }, `${part}\n\n${more}`);
		}
	}

	#edit({ path, lines }: WorkFile): void {
		const at = this.#random.int(0, lines.length);
		const oldText = lines[at] ?? "";
		const newText = oldText.replace(/of\(\d+\)/, `of(${this.#calls + 1000})`);
		lines[at] = newText;
		const details = { diff: `-${at + 1} ${oldText}\n+${at + 1} ${newText}`, firstChangedLine: at + 1 };
		const text = `Successfully replaced 1 block(s) in ${path}.`;
		this.#call("edit", { path, edits: [{ oldText, newText }] }, text, details);
	}

	#call(name: string, args: object, text: string, details?: object): void {
		const id = `toolu_${this.#calls++}`;
		this.#answer({ type: "toolCall", id, name, arguments: args });
		const content = [{ type: "text", text }];
		const about = details === undefined ? {} : { details };
		this.#add({ role: "toolResult", toolCallId: id, toolName: name, content, ...about, isError: false });
	}

	#answer(block: Readonly<Record<string, unknown>>): void {
		const stopReason = block.type === "text" ? "stop" : "toolUse";
		const [api, provider, model] = ["anthropic-messages", "anthropic", "claude-sonnet-4-5"];
		this.#add({ role: "assistant", content: [block], api, provider, model, usage: USAGE, stopReason });
	}

	#add(message: object): void {
		this.count += 1;
		const id = this.count.toString(16).padStart(8, "0");
		const timestamp = this.#time;
		const withTime = { ...message, timestamp: Date.parse(timestamp) };
		this.#write({ type: "message", id, parentId: this.#parentId, timestamp, message: withTime });
		this.#parentId = id;
	}

	get #time(): string {
		return new Date(BEGAN + this.count * 1000).toISOString();
	}

	#write(line: object): void {
		this.#piece += `${JSON.stringify(line)}\n`;
		if (this.#piece.length < PIECE) return;
		writeSync(this.#fd, this.#piece);
		this.#piece = "";
	}
}
