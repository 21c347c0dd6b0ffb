import { Text } from "ink";
import { expect, test } from "vitest";
import { keepScrollback } from "../../src/terminal/keep-scrollback.ts";
import type { FakeTerminal } from "../components/fake-terminal.ts";
import { draw } from "../components/render.tsx";

const eraseScrollback = "\x1b[3J";

/** Fills the screen, makes it lower, then leaves: the two moments at which Ink erases the scrollback. */
async function fillShrinkLeave(prepare: (terminal: FakeTerminal) => void): Promise<string> {
	const tall = Array.from({ length: 10 }, (_, index) => `row ${index}`).join("\n");
	const { terminal, ink } = draw(<Text>{tall}</Text>, 20, 10);
	prepare(terminal);
	await ink.waitUntilRenderFlush();
	ink.rerender(<Text>low</Text>);
	await ink.waitUntilRenderFlush();
	ink.rerender(<Text>{tall}</Text>);
	await ink.waitUntilRenderFlush();
	ink.unmount();
	await ink.waitUntilExit();
	return terminal.written;
}

test("nothing that Ink writes erases the scrollback", async () => {
	const written = await fillShrinkLeave((terminal) => keepScrollback(terminal));
	expect(written).not.toContain(eraseScrollback);
	expect(written).toContain("\x1b[?1049l");
});

test("this version of Ink needs the cure", async () => {
	expect(await fillShrinkLeave(() => {})).toContain(eraseScrollback);
});

test("the rest of a write passes unchanged, and the original comes back", () => {
	const seen: unknown[][] = [];
	const original = (...args: unknown[]): boolean => seen.push(args) > 0;
	const stream = { write: original };
	const restore = keepScrollback(stream);
	stream.write("a\x1b[2J\x1b[3J\x1b[Hb", "utf8");
	const bytes = new Uint8Array([1, 2]);
	stream.write(bytes);
	restore();
	expect(seen).toEqual([["a\x1b[2J\x1b[Hb", "utf8"], [bytes]]);
	expect(stream.write).toBe(original);
});
