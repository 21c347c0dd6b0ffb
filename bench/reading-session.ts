import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeProse, type Prose } from "./prose.ts";
import { type Random, seededRandom } from "./random.ts";

/** Milliseconds since 1970 of the first entry. */
const BEGAN = Date.UTC(2026, 0, 5, 8);
/** The same for a session that is newer than all others. */
export const NEWEST = Date.UTC(2026, 5, 5, 8);
const CWD = "/home/dev/work/project-0";

/** How the last answer of a session begins. */
export const LAST_WORDS = "That was all of it.";

/**
 * Writes a session with this many entries: prompts, answers, and steps between them (calls and their results), short ones, as
 * most are; one in 500 begins a branch somewhere before.
 */
export function writeEntries(path: string, entries: number, began = BEGAN): void {
	const random = seededRandom(entries);
	const prose = makeProse(random);
	const session = new Lines(random, began);
	let inTurn = 0;
	while (session.count < entries - 1) {
		if (inTurn === 0) {
			session.add({ role: "user", content: [{ type: "text", text: prose.text(random.int(30, 160)) }] });
			inTurn = random.int(2, 14);
			continue;
		}
		inTurn--;
		if (inTurn === 0) {
			session.add(answer(random, [{ type: "text", text: prose.text(random.int(60, 500)) }], "stop"));
			continue;
		}
		const call = `toolu_${random.hex(12)}`;
		const [name, argumentsOf] = random.pick(CALLS);
		session.add(answer(random, [{ type: "toolCall", id: call, name, arguments: argumentsOf(prose) }], "toolUse"));
		session.add({
			role: "toolResult",
			toolCallId: call,
			toolName: name,
			content: [{ type: "text", text: prose.listing(random.int(40, 300)) }],
			isError: random.next() < 0.05,
		});
	}
	session.add(answer(random, [{ type: "text", text: LAST_WORDS }], "stop"));
	session.write(path);
}

/** Writes a session whose last answer is Markdown of this many bytes. */
export function writeMarkdown(path: string, bytes: number): void {
	const random = seededRandom(bytes);
	const prose = makeProse(random);
	const session = new Lines(random, BEGAN);
	session.add({ role: "user", content: [{ type: "text", text: "Explain all of it." }] });
	const parts: string[] = [LAST_WORDS];
	for (let size = 0; size < bytes; ) {
		const block = random.pick(MARKDOWN)(prose, random);
		parts.push(block);
		size += block.length + 2;
	}
	session.add(answer(random, [{ type: "text", text: parts.join("\n\n") }], "stop"));
	session.write(path);
}

const CALLS: readonly (readonly [name: string, argumentsOf: (prose: Prose) => object])[] = [
	["bash", (prose) => ({ command: `cd ${CWD} && npm test -- ${prose.path()}` })],
	["read", (prose) => ({ path: `${CWD}/${prose.path()}`, offset: 1, limit: 200 })],
	[
		"edit",
		(prose) => ({ path: `${CWD}/${prose.path()}`, edits: [{ oldText: "const a = 1;", newText: "const a = 2;" }] }),
	],
	["write", (prose) => ({ path: `${CWD}/${prose.path()}`, content: prose.listing(120) })],
];

const MARKDOWN: readonly ((prose: Prose, random: Random) => string)[] = [
	(prose) => `## ${prose.text(30)}`,
	(prose, random) => prose.text(random.int(200, 900)),
	(prose) =>
		Array.from({ length: 6 }, () => `- **${prose.path()}** ${prose.text(60).replaceAll("\n", " ")}`).join("\n"),
	(prose) => `\`\`\`ts\n${prose.listing(700)}\n\`\`\``,
	(prose) =>
		`| file | lines |\n|---|---|\n${Array.from({ length: 8 }, (_, n) => `| ${prose.path()} | ${n} |`).join("\n")}`,
	(prose) => `> ${prose.text(120).replaceAll("\n", " ")}`,
];

function answer(random: Random, content: readonly object[], stopReason: string): object {
	const [input, output, cacheRead] = [random.int(2, 3000), random.int(20, 900), random.int(0, 90_000)];
	return {
		role: "assistant",
		content,
		api: "anthropic-messages",
		provider: "anthropic",
		model: "claude-sonnet-4-5",
		usage: {
			input,
			output,
			cacheRead,
			cacheWrite: 0,
			totalTokens: input + output + cacheRead,
			cost: { input: 0.001, output: 0.01, cacheRead: 0.001, cacheWrite: 0, total: 0.012 },
		},
		stopReason,
	};
}

/** The lines of one session, each the child of the one before, or now and then of another. */
class Lines {
	readonly #random: Random;
	readonly #lines: string[];
	readonly #ids: string[] = [];
	#time: number;

	constructor(random: Random, began: number) {
		this.#random = random;
		this.#time = began;
		const timestamp = new Date(began).toISOString();
		this.#lines = [JSON.stringify({ type: "session", version: 3, id: random.hex(8), timestamp, cwd: CWD })];
	}

	get count(): number {
		return this.#ids.length;
	}

	add(message: object): void {
		const id = (this.#ids.length + 1).toString(16).padStart(8, "0");
		const isBranch = this.#ids.length > 4 && this.#random.next() < 0.002;
		const parentId = (isBranch ? this.#random.pick(this.#ids.slice(-400)) : this.#ids.at(-1)) ?? null;
		this.#time += this.#random.int(500, 20_000);
		const timestamp = new Date(this.#time).toISOString();
		this.#ids.push(id);
		const line = { type: "message", id, parentId, timestamp, message: { ...message, timestamp: this.#time } };
		this.#lines.push(JSON.stringify(line));
	}

	write(path: string): void {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, `${this.#lines.join("\n")}\n`);
	}
}
