import { expect, test } from "vitest";
import { withProgressNote } from "../../src/cli/print/output.ts";

/** An output, a terminal or not, that records what is written; `first` resolves with the first text. */
function screen(isTTY: boolean) {
	const texts: string[] = [];
	const first = Promise.withResolvers<string>();
	const write = (text: string): void => {
		texts.push(text);
		first.resolve(text);
	};
	return { isTTY, write, texts, first: first.promise };
}

test("a terminal shows what is being waited for, and the line is erased afterwards", async () => {
	const terminal = screen(true);
	const work = Promise.withResolvers<string>();
	const waiting = withProgressNote(work.promise, () => "Counting: 3 of 7 …", terminal, 0);
	expect(await terminal.first).toBe("\r\x1b[KCounting: 3 of 7 …");
	work.resolve("done");
	expect(await waiting).toBe("done");
	expect(terminal.texts.slice(1)).toEqual(["\r\x1b[K"]);
});

test("work that is ready soon, or output that is not a terminal, gets no note", async () => {
	const terminal = screen(true);
	expect(await withProgressNote(Promise.resolve(1), () => "x", terminal, 60_000)).toBe(1);
	await expect(withProgressNote(Promise.reject(new Error("no")), () => "x", terminal, 60_000)).rejects.toThrow("no");
	expect(terminal.texts).toEqual([]);
	const file = screen(false);
	const work = new Promise<number>((resolve) => setTimeout(() => resolve(2), 5));
	expect(await withProgressNote(work, () => "x", file, 0)).toBe(2);
	expect(file.texts).toEqual([]);
});
