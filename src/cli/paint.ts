import { styleText } from "node:util";
import type { Line, Tone } from "../app/model/view.ts";

/** How the tones look outside the browser: in the terminal's own 16 colors. */
const STYLES: Readonly<Record<Tone, Parameters<typeof styleText>[0]>> = {
	text: [],
	muted: "dim",
	accent: "cyan",
	frame: "dim",
	prompt: ["cyan", "bold"],
	verb: "blue",
	label: "yellow",
	summary: "magenta",
	current: ["green", "bold"],
	match: ["yellow", "bold", "underline"],
	warning: "yellow",
	error: "red",
	key: "cyan",
	added: "green",
	removed: "red",
	heading: "bold",
	link: ["cyan", "underline"],
	code: "yellow",
	keyword: "magenta",
	string: "green",
	comment: "dim",
	number: "yellow",
	name: "cyan",
	type: "yellow",
};

/** A line for stdout, in color when it is a terminal that shows colors (NO_COLOR and FORCE_COLOR are respected). */
export function paint(line: Line): string {
	return line
		.map(({ text, tone = "text", bold = false }) => {
			const toned = styleText(STYLES[tone], text, { stream: process.stdout });
			return bold ? styleText("bold", toned, { stream: process.stdout }) : toned;
		})
		.join("")
		.trimEnd();
}
