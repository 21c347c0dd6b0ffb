import { spawn } from "@lydell/node-pty";
import { expect, onTestFinished, test, vi } from "vitest";
import { WINDOWS } from "../../src/shared/system.ts";
import { controllingTerminal } from "../../src/terminal/terminal.ts";

test("the terminal of a program whose input and output are others is the device that the system names", async () => {
	const pty = spawn("sleep", ["1000"], { cols: 61, rows: 17 });
	onTestFinished(() => pty.kill("SIGKILL"));
	let text = "";
	pty.onData((data) => {
		text += data;
	});
	const path = String(Reflect.get(pty, "ptsName") ?? Reflect.get(pty, "_pty"));
	const terminal = controllingTerminal(false, { ...WINDOWS, terminal: { input: path, output: path } });
	expect(terminal?.input.isTTY).toBe(true);
	expect([terminal?.output.columns, terminal?.output.rows]).toEqual([61, 17]);
	// To write to the keyboard is what Windows requires for that.
	terminal?.input.setRawMode(true);
	terminal?.output.write("drawn");
	await vi.waitFor(() => expect(text).toContain("drawn"));
	terminal?.close();
	const nowhere = { input: "/nowhere", output: "/nowhere" };
	expect(controllingTerminal(false, { ...WINDOWS, terminal: nowhere })).toBeUndefined();
});
