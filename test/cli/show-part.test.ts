import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "../../src/cli/commands/show/show.ts";
import { assistant, header, lines, user } from "../support/session-builder.ts";
import { tempDir } from "../support/temp-dir.ts";

const TURNS = 400;

afterEach(() => {
	vi.restoreAllMocks();
});

/** A session of more than a megabyte. */
function large(): string {
	const path = join(tempDir(), "large.jsonl");
	const said = Array.from({ length: TURNS }, (_, turn) => [
		user(`u${turn}`, turn === 0 ? null : `a${turn - 1}`, 2 * turn, `Prompt ${turn}`),
		assistant(`a${turn}`, `u${turn}`, 2 * turn + 1, `Answer ${turn} ${"word ".repeat(600)}`),
	]);
	writeFileSync(path, lines(header(), ...said.flat()));
	return path;
}

/** What `show` prints, and how many JSON texts it has parsed for it. */
async function shown(word: string, options: object) {
	let [out, errors] = ["", ""];
	vi.spyOn(process.stdout, "write").mockImplementation(((text: string, done?: () => void) => {
		out += text;
		done?.();
		return true;
	}) as typeof process.stdout.write);
	vi.spyOn(process.stderr, "write").mockImplementation((text) => {
		errors += String(text);
		return true;
	});
	const parse = vi.spyOn(JSON, "parse");
	expect(await show({ words: [word], ...options })).toBe(0);
	const parsed = parse.mock.calls.length;
	vi.restoreAllMocks();
	return { out, errors, parsed };
}

test("an entry or a turn of a large session is shown without parsing the other lines", async () => {
	const path = large();
	const all = await shown(`${path}#u200`, { branch: true });
	expect(all.parsed).toBeGreaterThan(TURNS);
	const entry = await shown(`${path}#a200`, { entry: true });
	const turn = await shown(`${path}#a200`, { turn: true });
	expect(entry.out).toContain("Answer 200");
	expect(turn.out).toContain("Prompt 200");
	expect(turn.out).toContain("Answer 200");
	expect(turn.out).not.toContain("201");
	for (const { parsed } of [entry, turn]) expect(parsed).toBeLessThan(40);
});

const FORMS: readonly { markdown?: true; json?: true }[] = [{}, { markdown: true }, { markdown: true, json: true }];

test.each(FORMS)("the first characters are shown without parsing the lines behind them, %j", async (options) => {
	const path = large();
	for (const word of [path, `${path}#u200@0`]) {
		// Above the start of such a text stand the sums of all entries.
		if (word === path && options.markdown && !options.json) continue;
		const { out, parsed } = await shown(word, { maxChars: 8000, ...options });
		expect(out).toContain(word === path ? "Answer 1 " : "Answer 201 ");
		expect(out).not.toContain("Answer 210");
		expect(parsed).toBeLessThan(60);
		const whole = await shown(word, { maxChars: 8000, ...options, masked: true });
		expect(whole.parsed).toBeGreaterThan(TURNS);
	}
});

test("a damaged line among the first characters is not taken for what its ends say", async () => {
	const path = large();
	const [head = "", first = "", ...rest] = readFileSync(path, "utf8").split("\n");
	writeFileSync(path, [head, first.replace('"Prompt 0"', '"Prompt " 0"'), ...rest].join("\n"));
	const { errors } = await shown(path, { maxChars: 8000 });
	expect(errors).toContain("damaged");
});

test("an entry whose line is damaged inside is not taken for what its ends say: all is read, and the damage is told", async () => {
	const path = large();
	const broken = assistant("b1", `a${TURNS - 1}`, 2 * TURNS, "a text").replace('"a text"', '"a " text"');
	appendFileSync(path, `${broken}\n`);
	const { out, errors } = await shown(`${path}#a${TURNS - 1}`, { entry: true });
	expect(out).toContain(`Answer ${TURNS - 1}`);
	expect(errors).toContain("1 thing is damaged");
});
