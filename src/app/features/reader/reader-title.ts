import { choice, inRow, type Line } from "../../../ui/text/line.ts";
import type { ReaderState } from "../../world/state/opened-state.ts";
import type { State } from "../../world/state/state.ts";

interface Switch {
	readonly field: keyof Pick<ReaderState, "thinkingOpen" | "toolsOpen" | "sideBySide">;
	readonly name: string;
	/** For narrow titles. */
	readonly short: string;
	readonly command: string;
}

const SWITCHES: readonly Switch[] = [
	{ field: "thinkingOpen", name: "thinking", short: "thinking", command: "thinking" },
	{ field: "toolsOpen", name: "whole outputs", short: "tools", command: "tools" },
	{ field: "sideBySide", name: "side by side", short: "split", command: "diffs" },
];

/** All switches, on or off, the longest form first; a click changes one. */
export function readerSwitches({ reader }: State): Line[] {
	return [
		inRow(SWITCHES.map(({ field, name, command }) => choice(name, reader[field], command))),
		inRow(
			SWITCHES.map(({ field, short, command }) => choice(short, reader[field], command)),
			" ",
		),
	];
}

/** Only the switches that differ from the default. */
export function changedSwitches({ reader }: State): Line {
	const on = SWITCHES.filter(({ field }) => reader[field]);
	return inRow(on.map(({ short, command }) => choice(short, true, command)));
}
