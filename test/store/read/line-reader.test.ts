import { closeSync, openSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	type FileLine,
	HEAD_BYTES,
	type ReadLinesOptions,
	readLineAt,
	readLinesAsync,
	readLinesSteps,
	TAIL_BYTES,
} from "../../../src/store/read/line-reader.ts";
import { caseCount } from "../../support/cases.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Bytes with many newlines among them. */
const content = fc
	.uint8Array({ maxLength: 60 })
	.map((bytes) => Buffer.from(bytes.map((byte) => (byte < 40 ? 10 : byte))));
const bufferSize = fc.integer({ min: 1, max: 9 });
const moreThanBuffer = fc.nat({ max: 9 });
const pauseEvery = fc.integer({ min: 1, max: 4 });

/** A line as it was passed on; its text only if it is whole. */
function copyOf({ bytes, start, end, offset, length, whole, terminated, utf8 }: FileLine) {
	const text = bytes.subarray(start, end);
	if (utf8) expect(() => new TextDecoder("utf8", { fatal: true }).decode(text)).not.toThrow();
	return { text: whole ? text.toString("latin1") : undefined, offset, length, terminated };
}

/** The lines of `file[from, to)`, found the simple way. */
function expected(file: Buffer, from: number, to: number, maxLineBytes: number) {
	const texts = file.toString("latin1", from, to).split("\n");
	let offset = from;
	const lines = texts.map((text, index) => {
		const whole = text.length <= maxLineBytes;
		const line = { text: whole ? text : undefined, offset, length: text.length, terminated: index < texts.length - 1 };
		offset += text.length + 1;
		return line;
	});
	return lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines;
}

test("splits lines at newlines only, wherever the chunks end: at once, in turns, one at a time", async () => {
	const path = join(tempDir(), "lines");
	await fc.assert(
		fc.asyncProperty(
			content,
			bufferSize,
			moreThanBuffer,
			pauseEvery,
			fc.nat(),
			fc.nat(),
			async (file, size, more, every, seedFrom, seedTo) => {
				writeFileSync(path, file);
				const starts = [0, ...[...file.keys()].filter((at) => file[at] === 10).map((at) => at + 1)];
				const from = starts[seedFrom % starts.length] ?? 0;
				const to = from + (seedTo % (file.length - from + 1));
				const maxLineBytes = size + more;
				const wanted = expected(file, from, to, maxLineBytes);
				const read = (to: number | undefined) => {
					const found: ReturnType<typeof copyOf>[] = [];
					const onLine = (line: FileLine) => found.push(copyOf(line)) % every !== 0;
					const range = to === undefined ? { from } : { from, to };
					const options: ReadLinesOptions = { ...range, buffer: Buffer.alloc(size), maxLineBytes, onLine };
					return { found, options };
				};

				const fd = openSync(path, "r");
				const atOnce = read(to);
				const steps = readLinesSteps(fd, atOnce.options);
				let step = steps.next();
				while (!step.done) step = steps.next();
				expect(step.value).toBe(to);
				expect(atOnce.found).toEqual(wanted);

				const whole = expected(file, from, file.length, Number.POSITIVE_INFINITY);
				for (const line of whole) {
					const found = readLineAt(fd, line.offset, Buffer.alloc(size), copyOf);
					expect(found).toEqual(line);
				}
				expect(readLineAt(fd, file.length, Buffer.alloc(size), copyOf)).toBeUndefined();
				closeSync(fd);

				const inTurns = read(undefined);
				const handle = await open(path);
				const rest = () => new Promise<void>((resolve) => setImmediate(resolve));
				expect(await readLinesAsync(handle, inTurns.options, rest)).toBe(file.length);
				await handle.close();
				expect(inTurns.found).toEqual(expected(file, from, file.length, maxLineBytes));
			},
		),
		{ numRuns: caseCount(60) },
	);
});

test("a pause comes right after the line that asked for it, and what follows is not read unless it is resumed", () => {
	const path = join(tempDir(), "lines");
	writeFileSync(path, "one\ntwo\nthree\n");
	const fd = openSync(path, "r");
	const found: string[] = [];
	const onLine = (line: FileLine) => {
		found.push(line.bytes.toString("latin1", line.start, line.end));
		return found.length !== 2;
	};
	const steps = readLinesSteps(fd, { onLine });
	expect(steps.next().done).toBe(false);
	expect(found).toEqual(["one", "two"]);
	expect(steps.next()).toEqual({ done: true, value: 14 });
	expect(found).toEqual(["one", "two", "three"]);
	closeSync(fd);
});

test("only the ends are passed on of a long line that is not wanted", () => {
	const path = join(tempDir(), "lines");
	const long = `begin${"x".repeat(100_000)}end`;
	writeFileSync(path, `${long}\nnext\n`);
	const fd = openSync(path, "r");
	const found: [string, boolean, number][] = [];
	const onLine = ({ bytes, start, end, whole, length }: FileLine) => {
		found.push([bytes.toString("latin1", start, end), whole, length]);
		return true;
	};
	const wanted = (head: Buffer) => !head.toString("latin1").startsWith("begin");
	for (const _step of readLinesSteps(fd, { buffer: Buffer.alloc(HEAD_BYTES + TAIL_BYTES), wanted, onLine }));
	const ends = long.slice(0, HEAD_BYTES) + long.slice(-TAIL_BYTES);
	expect(found).toEqual([
		[ends, false, long.length],
		["next", true, 4],
	]);
	closeSync(fd);
});
