import { type Instance, render, Text } from "ink";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import { TerminalContext } from "../../hooks/terminal-context.ts";
import { useRedraw } from "../../hooks/use-redraw.ts";
import { useTerminalInput } from "../../hooks/use-terminal-input.ts";
import { useTerminalSize } from "../../hooks/use-terminal-size.ts";
import type { Program } from "../../src/app/core/program.ts";
import type { Action } from "../../src/app/world/state/action.ts";
import { createFrameStream } from "../../src/terminal/frame-stream.ts";
import type { Keyboard } from "../../src/terminal/keyboard.ts";
import { FakeTerminal } from "../support/fake-terminal.ts";
import { startOf } from "../support/listed-state.ts";

type Hooked = Pick<Program, "getState" | "dispatch" | "onRedraw">;

let ink: Instance;
afterEach(() => ink.unmount());

/** One row of text, drawn by a component with the hooks for a program of 20×5 cells. */
function open(columns: number, rows: number) {
	const actions: Action[] = [];
	const listeners: Parameters<Keyboard["listen"]>[0][] = [];
	const terminal = new FakeTerminal(columns, rows);
	const output = terminal as unknown as NodeJS.WriteStream;
	const frames = createFrameStream(output);
	const keyboard: Pick<Keyboard, "listen"> = {
		listen(listener) {
			listeners.push(listener);
			return () => listeners.splice(0);
		},
	};
	let redraw: (() => void) | undefined;
	const program: Hooked = {
		getState: () => startOf({ columns: 20, rows: 5 }),
		dispatch: (action) => actions.push(action),
		onRedraw: (listener) => {
			redraw = listener;
		},
	};
	ink = render(
		<TerminalContext value={{ output, keyboard, frames }}>
			<Asking program={program} />
		</TerminalContext>,
		{ stdout: frames.stream, stdin: terminal.stdin as unknown as NodeJS.ReadStream, debug: true, interactive: true },
	);
	return {
		actions,
		terminal,
		listeners,
		redraw: () => redraw?.(),
		/** Resolves when the row has been written once more. */
		drawnAgain: () => expect.poll(() => terminal.written).toContain("a row"),
	};
}

function Asking({ program }: { readonly program: Hooked }): ReactNode {
	useTerminalSize(program);
	useTerminalInput(program, useRedraw(program));
	return <Text>a row</Text>;
}

test("keys, pastes and the mouse are dispatched in their order, until the screen is gone", async () => {
	const { actions, listeners } = open(20, 5);
	await expect.poll(() => listeners).toHaveLength(1);
	const press = { mouse: "\x1b[<0;3;4M" };
	listeners[0]?.([{ typed: "a" }, { typed: "\x1b[B" }, { paste: "x y" }, press, { typed: "\r" }]);
	expect(actions).toEqual([
		{ type: "keys", keys: ["a", "down"] },
		{ type: "text", text: "x y" },
		{ type: "mouse", event: { kind: "press", x: 2, y: 3 } },
		{ type: "keys", keys: ["enter"] },
	]);
	ink.unmount();
	await expect.poll(() => listeners).toHaveLength(0);
});

test("the program gets the terminal's size when it differs, and each new one", async () => {
	const { actions, terminal, listeners } = open(30, 9);
	await expect.poll(() => actions).toEqual([{ type: "resize", columns: 30, rows: 9, isAssumed: false }]);
	// A pseudo-terminal whose size was never set.
	Object.assign(terminal, { columns: 0, rows: 0 }).emit("resize");
	expect(actions.slice(1)).toEqual([{ type: "resize", columns: 80, rows: 24, isAssumed: true }]);
	ink.unmount();
	await expect.poll(() => listeners).toHaveLength(0);
	terminal.resize(40, 9);
	expect(actions).toHaveLength(2);
});

test.each(["its command", "the focus that came back", "a signal of a resize"])(
	"every row is drawn again after %s, although nothing has changed",
	async (reason) => {
		const { terminal, listeners, redraw, drawnAgain } = open(20, 5);
		await expect.poll(() => listeners).toHaveLength(1);
		await drawnAgain();
		terminal.written = "";
		if (reason === "its command") redraw();
		else if (reason === "a signal of a resize") process.emit("SIGWINCH");
		else listeners[0]?.([{ typed: "\x1b[I" }]);
		await drawnAgain();
	},
);
